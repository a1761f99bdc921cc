// band - the vector code of cpu/clamp_scan, once for each Highway target. A line is visited where
// units of it may rise: they take what the neighbouring lines hold, then what comes along the line, so that a
// visited line is at rest in itself. What rose marks the neighbouring lines.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/reconstruction/reconstruct/cpu/clamp_scan/band.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include <bit>
#include <cstring>

#include "solvers/reconstruction/problem.hpp"
#include "solvers/reconstruction/reconstruct/cpu/clamp_scan/image_lines-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::reconstruction::HWY_NAMESPACE {

template <class T, bool Falling>
class band_worker : image_lines<T, Falling> {
    using base = image_lines<T, Falling>;
    using L = lanes<T, Falling>;
    using V = typename L::V;
    using D = typename L::D;
    using base::begin_of;
    using base::ends_line;
    using base::f_;
    using base::left_of;
    using base::load;
    using base::marker_of;
    using base::mask_line;
    using base::narrow_;
    using base::offset;
    using base::right_of;
    using base::rising_line;
    using base::store;
    static constexpr index_t width = L::count;

    /// A neighbouring line that holds values.
    struct source {
        const T* at;
        bool wide;
    };
    struct sources {
        source all[8];
        int count = 0;
        bool flat = false;  // two lines; one that is missing is the line itself, which does no harm
    };
    /// What one visit to a line works on.
    struct line {
        T* rising;
        const T* mask;
        sources from;
        std::uint64_t* todo;  // units to look at; is left at zero
    };

public:
    band_worker(const scan_field& field, scan_band& band)
        : base(field),
          band_(band),
          first_(band.begin * field.lines_of_slice()),
          end_(band.end * field.lines_of_slice()),
          ready_first_(band.before_ready ? first_ - field.lines_of_slice() : first_),
          ready_end_(band.after_ready ? end_ + field.lines_of_slice() : end_) {}

    void start() {
        for (index_t n = first_; n < end_; ++n) start_line(n);
        for (index_t n = end_ - 1; n >= first_; --n) {
            mark_all(n);
            visit(n, false, -1);
        }
        // The neighbours have never seen these lines.
        if (band_.before_ready) wake_edge(ready_first_, first_, band_.woke_before);
        if (band_.after_ready) wake_edge(end_, ready_end_, band_.woke_after);
        settle();
    }

    void settle() {
        for (bool any = true; any; band_.gave_up = any && band_.visits > band_.limit) {
            if (band_.gave_up) return;
            any = false;
            for (index_t n = first_; n < end_; ++n) any = visit_dirty(n, 1) || any;
            if (!any) return;
            any = false;
            for (index_t n = end_ - 1; n >= first_; --n) any = visit_dirty(n, -1) || any;
        }
    }

    void finish() {
        for (index_t n = first_; n < end_; ++n) finish_line(n);
    }

private:
    /// The pixels of a line beside this one that touch those of the unit at x, largest first.
    [[nodiscard]] HWY_INLINE V beside(const T* row, index_t x, bool wide) const {
        const T* at = row + x;
        const V straight = load(at);
        if (!wide) return straight;
        const V floor = hn::Set(D(), L::floor());
        const V left = x > 0 ? hn::LoadU(D(), at - 1) : L::template shifted<true>(straight, floor);
        const V right = ends_line(x) ? L::template shifted<false>(straight, floor) : hn::LoadU(D(), at + 1);
        return L::up(straight, L::up(left, right));
    }
    [[nodiscard]] HWY_INLINE V from_lines(const sources& from, index_t x, V risen) const {
        if (HWY_LIKELY(from.flat)) {
            const V first = beside(from.all[0].at, x, f_.wide);
            return L::up(risen, L::up(first, beside(from.all[1].at, x, f_.wide)));
        }
        for (int k = 0; k < from.count; ++k)
            risen = L::up(risen, beside(from.all[k].at, x, from.all[k].wide));
        return risen;
    }

    /// Calls visit(line, wide) for the neighbouring lines of n in `steps` that hold values.
    template <class F>
    HWY_INLINE void for_each_step(index_t n, const line_step (&steps)[4], const F& visit) const {
        const index_t plane = f_.planes == 1 ? 0 : n / f_.rows;
        const index_t row = n - plane * f_.rows;
        for (int k = 0; k < f_.steps; ++k) {
            const index_t r = row + steps[k].row, p = plane + steps[k].plane;
            const index_t other = p * f_.rows + r;
            if (r >= 0 && r < f_.rows && p >= 0 && p < f_.planes && other >= ready_first_ &&
                other < ready_end_)
                visit(other, steps[k].wide);
        }
    }
    void add_sources(index_t n, const line_step (&steps)[4], sources& from) const {
        for_each_step(n, steps, [&](index_t other, bool wide) {
            from.all[from.count++] = {rising_line(other), wide};
        });
    }

    [[nodiscard]] std::uint64_t* dirty(index_t n) const { return f_.dirty + n * f_.words; }
    /// All bits of a word.
    [[nodiscard]] std::uint64_t units_of(index_t word) const {
        return word + 1 == f_.words && f_.units % 64 != 0 ? (std::uint64_t{1} << f_.units % 64) - 1
                                                          : ~std::uint64_t{0};
    }
    void mark_all(index_t n) const {
        for (index_t w = 0; w < f_.words; ++w) dirty(n)[w] = units_of(w);
    }
    void wake_edge(index_t begin, index_t end, bool& woke) const {
        for (index_t n = begin; n < end; ++n) mark_all(n);
        woke = true;
    }

    /// The marker, and the first sweep to the right and down.
    void start_line(index_t n) {
        const index_t plane = f_.planes == 1 ? 0 : n / f_.rows, row = n - plane * f_.rows;
        const bool border = f_.all_border || row == 0 || row == f_.rows - 1 ||
                            (f_.volume && (plane == 0 || plane == f_.planes - 1));
        const T* marker = f_.marker
                              ? static_cast<const T*>(f_.marker) + offset(n, f_.marker_row, f_.marker_plane)
                              : nullptr;
        const T* mask = mask_line(n);
        T* rising = rising_line(n);
        sources from;
        add_sources(n, f_.before, from);
        band_.visits += f_.units;
        for (index_t unit = 0; unit < f_.units; ++unit) {
            const index_t x = begin_of(unit);
            const V m = load(mask + x);
            V v = marker_of(m, marker, x, border);
            v = L::down(from_lines(from, x, v), m);
            store(L::template scan<true>(v, m, left_of(rising, x)), rising + x);
        }
    }

    // Visits.

    bool visit_dirty(index_t n, int direction) {
        const std::uint64_t* words = dirty(n);
        std::uint64_t any = 0;
        for (index_t w = 0; w < f_.words; ++w) any |= words[w];
        if (any == 0) return false;
        visit(n, true, f_.volume ? -1 : n - direction);
        return true;
    }

    /// `both`: takes from the lines before as well as from those after. `back`: the line beside that was
    /// visited before, or -1. First all units take from the lines
    /// beside, and note who has to sweep: noted bits cost no wrong guesses of branches. A pixel that rose
    /// from the left cannot raise its left neighbour, so one sweep there and one back do.
    void visit(index_t n, bool both, index_t back) {
        line at{rising_line(n), mask_line(n), {}, dirty(n)};
        if (both) add_sources(n, f_.before, at.from);
        add_sources(n, f_.after, at.from);
        if (!f_.volume) {
            while (at.from.count < 2) at.from.all[at.from.count++] = {at.rising, f_.wide};
            at.from.flat = true;
        }
        for (index_t w = 0; w < f_.words; ++w)
            if (at.todo[w] != 0) raise_word(at, w);
        for (index_t w = 0; w < f_.words; ++w)
            if (rights()[w] != 0) sweep_word<true>(at, w);
        for (index_t w = f_.words - 1; w >= 0; --w)
            if (lefts()[w] != 0) sweep_word<false>(at, w);
        mark_neighbours(n, back);
    }

    /// Bits of the units of a word: what rose at all, and at its first and last pixel.
    struct risen_units {
        std::uint64_t any = 0, first = 0, last = 0;

        HWY_INLINE void note(int bit, std::uint64_t pixels, index_t last_pixel) {
            any |= std::uint64_t{pixels != 0} << bit;
            first |= (pixels & 1) << bit;
            last |= (pixels >> last_pixel & 1) << bit;
        }
    };
    static HWY_INLINE std::uint64_t risen_pixels(V v, V old) {
        HWY_ALIGN std::uint8_t bytes[8] = {};
        hn::StoreMaskBits(D(), hn::Ne(v, old), bytes);
        std::uint64_t bits;
        std::memcpy(&bits, bytes, sizeof bits);
        return bits;
    }
    [[nodiscard]] HWY_INLINE index_t last_pixel() const { return narrow_ ? f_.columns - 1 : width - 1; }

    void raise_word(const line& at, index_t w) {
        std::uint64_t todo = at.todo[w], rights_here = 0, lefts_here = 0;
        at.todo[w] = 0;
        band_.visits += std::popcount(todo);
        risen_units risen;
        for (const index_t last = last_pixel(); todo != 0; todo &= todo - 1) {
            const int bit = std::countr_zero(todo);
            const index_t x = begin_of(w * 64 + bit);
            const V mask = load(at.mask + x), old = load(at.rising + x);
            const V v = L::down(from_lines(at.from, x, old), mask);
            const V from_left = L::template shifted<true>(v, left_of(at.rising, x));
            const V from_right = L::template shifted<false>(v, right_of(at.rising, x));
            rights_here |= std::uint64_t{!L::same(L::up(v, L::down(from_left, mask)), v)} << bit;
            lefts_here |= std::uint64_t{!L::same(L::up(v, L::down(from_right, mask)), v)} << bit;
            risen.note(bit, risen_pixels(v, old), last);
            store(v, at.rising + x);
        }
        rights()[w] |= rights_here;
        lefts()[w] |= lefts_here;
        add_above(rights(), w, risen.last);
        add_below(lefts(), w, risen.first);
        add_rose(w, risen);
    }

    template <bool Right>
    void sweep_word(const line& at, index_t w) {
        std::uint64_t* sweeps = Right ? rights() : lefts();
        std::uint64_t todo = sweeps[w];
        sweeps[w] = 0;
        risen_units risen;
        for (const index_t last = last_pixel(); todo != 0;) {
            const int bit = Right ? std::countr_zero(todo) : 63 - std::countl_zero(todo);
            const index_t x = begin_of(w * 64 + bit);
            const V old = load(at.rising + x);
            const V carry = Right ? left_of(at.rising, x) : right_of(at.rising, x);
            const V v = L::template scan<Right>(old, load(at.mask + x), carry);
            store(v, at.rising + x);
            const std::uint64_t pixels = risen_pixels(v, old), one = std::uint64_t{1} << bit;
            risen.note(bit, pixels, last);
            todo &= ~one;
            todo |= Right ? (pixels >> last & 1) << bit << 1 & units_of(w) : (pixels & 1) << bit >> 1;
        }
        if (Right)
            add_above(rights(), w, risen.last & std::uint64_t{1} << 63);
        else
            add_below(lefts(), w, risen.first & 1);
        add_rose(w, risen);
    }

    /// The units after (before) those of the bits.
    void add_above(std::uint64_t* words, index_t w, std::uint64_t bits) const {
        words[w] |= bits << 1;
        if (w + 1 < f_.words) words[w + 1] |= bits >> 63;
        words[f_.words - 1] &= units_of(f_.words - 1);
    }
    void add_below(std::uint64_t* words, index_t w, std::uint64_t bits) const {
        words[w] |= bits >> 1;
        if (w > 0) words[w - 1] |= bits << 63;
    }
    void add_rose(index_t w, const risen_units& risen) const {
        rose()[w] |= risen.any;
        if (!f_.wide) return;
        add_above(rose(), w, risen.last);
        add_below(rose(), w, risen.first);
    }

    void mark_neighbours(index_t n, index_t back) {
        std::uint64_t any = 0;
        for (index_t w = 0; w < f_.words; ++w) any |= rose()[w];
        if (any == 0) return;
        const auto mark = [&](index_t other, bool) {
            const std::uint64_t found = other == back ? mark_back(n, other) : mark_forth(other);
            band_.woke_before = band_.woke_before || (found != 0 && other < first_);
            band_.woke_after = band_.woke_after || (found != 0 && other >= end_);
        };
        for_each_step(n, f_.before, mark);
        for_each_step(n, f_.after, mark);
        for (index_t w = 0; w < f_.words; ++w) rose()[w] = 0;
    }
    /// The line that is visited next looks for itself.
    std::uint64_t mark_forth(index_t other) const {
        for (index_t w = 0; w < f_.words; ++w) dirty(other)[w] |= rose()[w];
        return 1;
    }
    /// Most of what rose came from the line that was visited before: only few of its units can rise again.
    std::uint64_t mark_back(index_t n, index_t back) const {
        std::uint64_t found = 0;
        const T *risen = rising_line(n), *rising = rising_line(back), *mask = mask_line(back);
        for (index_t w = 0; w < f_.words; ++w) {
            std::uint64_t here = 0;
            for (std::uint64_t todo = rose()[w]; todo != 0; todo &= todo - 1) {
                const int bit = std::countr_zero(todo);
                const index_t x = begin_of(w * 64 + bit);
                const V old = load(rising + x);
                const V v = L::up(old, L::down(beside(risen, x, f_.wide), load(mask + x)));
                here |= std::uint64_t{!L::same(v, old)} << bit;
            }
            dirty(back)[w] |= here;
            found |= here;
        }
        return found;
    }
    [[nodiscard]] std::uint64_t* rights() const { return band_.scratch; }
    [[nodiscard]] std::uint64_t* lefts() const { return band_.scratch + f_.words; }
    [[nodiscard]] std::uint64_t* rose() const { return band_.scratch + 2 * f_.words; }

    // The answer.

    void finish_line(index_t n) {
        const T* mask = mask_line(n);
        const T* rising = rising_line(n);
        const index_t to = offset(n, f_.out_row, f_.out_plane);
        if (f_.finish == finish_rule::flag) {
            std::uint8_t* out = static_cast<std::uint8_t*>(f_.out) + to;
            for (index_t x = 0; x < f_.columns; ++x) out[x] = rising[x] != mask[x] ? 1 : 0;
            return;
        }
        T* out = static_cast<T*>(f_.out) + to;
        for (index_t x = 0; x < f_.columns; ++x)
            out[x] = Falling ? difference(rising[x], mask[x]) : difference(mask[x], rising[x]);
    }

    scan_band& band_;
    index_t first_, end_;              // lines of the band
    index_t ready_first_, ready_end_;  // lines that hold values
};

template <class F>
void with_worker(const scan_field& field, scan_band& band, const F& f) {
    wale::reconstruction::visit(field.type, [&]<class T>() {
        if (field.falling)
            f(band_worker<T, true>(field, band));
        else
            f(band_worker<T, false>(field, band));
    });
}

void start(const scan_field& field, scan_band& band) {
    with_worker(field, band, [](auto worker) { worker.start(); });
}
void settle(const scan_field& field, scan_band& band) {
    with_worker(field, band, [](auto worker) { worker.settle(); });
}
void finish(const scan_field& field, index_t begin, index_t end) {
    scan_band band{begin, end};
    with_worker(field, band, [](auto worker) { worker.finish(); });
}
index_t lanes_of(pixel type) {
    index_t count = 0;
    wale::reconstruction::visit(type, [&]<class T>() { count = lanes<T, false>::count; });
    return count;
}

}  // namespace wale::reconstruction::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::reconstruction {
HWY_EXPORT(start);
HWY_EXPORT(settle);
HWY_EXPORT(finish);
HWY_EXPORT(lanes_of);
void scan_start(const scan_field& field, scan_band& band) {
    HWY_DYNAMIC_DISPATCH(start)(field, band);
}
void scan_settle(const scan_field& field, scan_band& band) {
    HWY_DYNAMIC_DISPATCH(settle)(field, band);
}
void scan_finish(const scan_field& field, index_t begin, index_t end) {
    HWY_DYNAMIC_DISPATCH(finish)(field, begin, end);
}
index_t scan_lanes(pixel type) {
    return HWY_DYNAMIC_DISPATCH(lanes_of)(type);
}
}  // namespace wale::reconstruction
#endif
