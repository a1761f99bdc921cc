// certificate - whether an image is the reconstruction, without computing it again. Between marker and mask,
// stable under one elementary dilation: then it is at least the reconstruction. Every regional maximum of it
// touches the marker: then it is at most the reconstruction, for a plateau that is too high rests on nothing.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "cpu/poll.hpp"
#include "cpu/team.hpp"
#include "solvers/reconstruction/check.hpp"
#include "solvers/reconstruction/problem.hpp"

namespace wale {
namespace reconstruction {
namespace {

constexpr index_t pixels_a_thread = 1 << 18;  // fewer are not worth a thread

template <class T>
std::string number(T v) {
    if constexpr (std::is_integral_v<T>) {
        return std::to_string(v);
    } else {
        char text[40];
        std::snprintf(text, sizeof text, "%.*g", std::numeric_limits<T>::max_digits10,
                      static_cast<double>(v));
        return text;
    }
}

struct images {
    const_image_view marker, mask, result;
    int reach = 0;
};

/// One image of a batch. A line is a row of a plane. Keys (problem.hpp) are compared, as the order asks.
template <class T, bool Mirror>
class certificate {
public:
    certificate(const images& p, index_t image)
        : p_(p),
          image_(image),
          lines_(p.mask.planes * p.mask.rows),
          columns_(p.mask.columns),
          grounded_(static_cast<std::size_t>(lines_ * columns_)) {}

    [[nodiscard]] std::string flaw() {
        const int threads = cpu::team_size(0, lines_ * columns_ / pixels_a_thread);
        std::vector<index_t> bad(static_cast<std::size_t>(threads), lines_);
        cpu::run_team(threads, [&](int rank) {
            const index_t first = lines_ * rank / threads, last = lines_ * (rank + 1) / threads;
            bad[static_cast<std::size_t>(rank)] = first_bad_line(first, last);
            ground_lines(first, last);
        });
        const index_t line = *std::min_element(bad.begin(), bad.end());
        if (line < lines_) return describe(line);
        ground_the_rest();
        const void* hovering = std::memchr(grounded_.data(), 0, grounded_.size());
        if (!hovering) return {};
        const index_t at = static_cast<const std::uint8_t*>(hovering) - grounded_.data();
        return place(at) + ": the plateau of " + number(line_of(p_.result, at / columns_)[at % columns_]) +
               " is a regional " + (Mirror ? "minimum" : "maximum") + " that touches the marker nowhere";
    }

private:
    static T key(T v) { return Mirror ? mirrored(v) : v; }

    [[nodiscard]] const T* line_of(const const_image_view& p, index_t line) const {
        return static_cast<const T*>(p.data) + p.offset(image_, line / p.rows, line % p.rows);
    }
    std::uint8_t* ground(index_t line) { return grounded_.data() + line * columns_; }
    [[nodiscard]] std::string place(index_t at) const {
        return "result: " + place_text(p_.mask, image_ * lines_ * columns_ + at);
    }

    /// Calls f(line, column step) for the neighbours of a line's pixels; the step to the line itself is 0, 0.
    template <class F>
    void for_each_step(index_t line, const F& f) const {
        const index_t plane = line / p_.mask.rows, row = line % p_.mask.rows;
        for_each_neighbour(p_.mask.rank, p_.reach, [&](step s) {
            const index_t to_plane = plane + s.plane, to_row = row + s.row;
            if (to_plane >= 0 && to_plane < p_.mask.planes && to_row >= 0 && to_row < p_.mask.rows)
                f(to_plane * p_.mask.rows + to_row, s.column);
        });
    }
    /// The columns c for which c + step exists.
    [[nodiscard]] index_t first_column(int column_step) const { return column_step < 0 ? 1 : 0; }
    [[nodiscard]] index_t last_column(int column_step) const { return columns_ - (column_step > 0 ? 1 : 0); }

    /// The largest key among each pixel and its neighbours.
    void find_peaks(index_t line, std::vector<T>& peak) const {
        T* const top = peak.data();
        const T* own = line_of(p_.result, line);
        for (index_t c = 0; c < columns_; ++c) top[c] = key(own[c]);
        for_each_step(line, [&](index_t other, int by) {
            const T* const from = line_of(p_.result, other) + by;
            for (index_t c = first_column(by); c < last_column(by); ++c)
                top[c] = larger(top[c], key(from[c]));
        });
    }

    /// The first line with a pixel out of bounds or not stable. Grounds pixels that touch the marker or have
    /// a higher neighbour: what is no regional maximum.
    index_t first_bad_line(index_t first, index_t last) {
        std::vector<T> peak(static_cast<std::size_t>(columns_));
        index_t found = lines_;
        for (index_t line = first; line < last; ++line) {
            cpu::poll();
            find_peaks(line, peak);
            const T *marker = line_of(p_.marker, line), *mask = line_of(p_.mask, line),
                    *result = line_of(p_.result, line);
            std::uint8_t* const g = ground(line);
            std::uint8_t bad = 0;
            for (index_t c = 0; c < columns_; ++c) {
                const T above = key(mask[c]), below = smaller(key(marker[c]), above), v = key(result[c]);
                const bool within = (below <= v) & (v <= above);  // false of NaN
                const bool rises = (v < above) & (v < peak[static_cast<std::size_t>(c)]);
                bad |= static_cast<std::uint8_t>(!within | rises);
                g[c] = static_cast<std::uint8_t>((v == below) | (v < peak[static_cast<std::size_t>(c)]));
            }
            if (bad) found = std::min(found, line);
        }
        return found;
    }

    /// Grounds pixels of `line` next to equal grounded pixels of another line.
    void ground_from(index_t line, index_t other, int by) {
        const T *mine = line_of(p_.result, line), *theirs = line_of(p_.result, other) + by;
        std::uint8_t* const g = ground(line);
        const std::uint8_t* const from = ground(other) + by;
        for (index_t c = first_column(by); c < last_column(by); ++c)
            g[c] =
                static_cast<std::uint8_t>(g[c] | (from[c] & static_cast<std::uint8_t>(mine[c] == theirs[c])));
    }
    void ground_along(index_t line) {
        const T* v = line_of(p_.result, line);
        std::uint8_t* const g = ground(line);
        for (index_t c = 1; c < columns_; ++c)
            g[c] = static_cast<std::uint8_t>(g[c] | (g[c - 1] & static_cast<std::uint8_t>(v[c] == v[c - 1])));
        for (index_t c = columns_ - 2; c >= 0; --c)
            g[c] = static_cast<std::uint8_t>(g[c] | (g[c + 1] & static_cast<std::uint8_t>(v[c] == v[c + 1])));
    }

    /// Once there and once back over a band of lines: settles most plateaus.
    void ground_lines(index_t first, index_t last) {
        const auto settle = [&](index_t line, bool backward) {
            cpu::poll();
            if (!std::memchr(ground(line), 0, static_cast<std::size_t>(columns_))) return;
            for_each_step(line, [&](index_t other, int by) {
                const bool visited = backward ? other > line : other < line;
                if (visited && other >= first && other < last) ground_from(line, other, by);
            });
            ground_along(line);
        };
        for (index_t line = first; line < last; ++line) settle(line, false);
        for (index_t line = last - 1; line >= first; --line) settle(line, true);
    }

    /// Calls f(neighbour) for the equal neighbours of a pixel.
    template <class F>
    void for_each_equal(index_t at, const F& f) const {
        const index_t line = at / columns_, column = at % columns_;
        const T v = line_of(p_.result, line)[column];
        for_each_step(line, [&](index_t other, int by) {
            if (column + by < 0 || column + by >= columns_) return;
            if (line_of(p_.result, other)[column + by] == v) f(other * columns_ + column + by);
        });
    }

    /// From what is left, at the first grounded equal neighbour, over the whole plateau: each pixel once.
    void ground_the_rest() {
        std::vector<index_t> stack;
        cpu::rare_poll poll(1 << 14);
        const auto size = static_cast<index_t>(grounded_.size());
        for (index_t at = 0; at < size; ++at, poll()) {
            const void* next = std::memchr(grounded_.data() + at, 0, static_cast<std::size_t>(size - at));
            if (!next) return;
            at = static_cast<const std::uint8_t*>(next) - grounded_.data();
            for_each_equal(at, [&](index_t other) {
                if (is_grounded(other)) stack.push_back(other);
            });
            for (; !stack.empty(); poll()) {
                const index_t from = stack.back();
                stack.pop_back();
                for_each_equal(from, [&](index_t other) {
                    if (is_grounded(other)) return;
                    grounded_[static_cast<std::size_t>(other)] = 1;
                    stack.push_back(other);
                });
            }
        }
    }
    [[nodiscard]] bool is_grounded(index_t at) const { return grounded_[static_cast<std::size_t>(at)] != 0; }

    [[nodiscard]] std::string describe(index_t line) const {
        std::vector<T> peak(static_cast<std::size_t>(columns_));
        find_peaks(line, peak);
        const T *marker = line_of(p_.marker, line), *mask = line_of(p_.mask, line),
                *result = line_of(p_.result, line);
        for (index_t c = 0; c < columns_; ++c) {
            const T above = key(mask[c]), below = smaller(key(marker[c]), above), v = key(result[c]);
            const T top = peak[static_cast<std::size_t>(c)];
            const std::string is = place(line * columns_ + c) + ": is " + number(result[c]);
            if (!(v <= above)) return is + ", beyond the mask's " + number(mask[c]);
            if (!(below <= v)) return is + ", short of the marker's " + number(key(below));
            if (v < above && v < top)
                return is + ", but a neighbour of " + number(key(top)) + " moves it to " +
                       number(key(smaller(top, above)));
        }
        return {};
    }

    const images& p_;
    index_t image_, lines_, columns_;
    std::vector<std::uint8_t> grounded_;  // a pixel whose plateau is known to rest on something
};

/// Bits as bytes of 0 and 1.
std::vector<std::uint8_t> unpacked(const const_image_view& p) {
    std::vector<std::uint8_t> bytes;
    bytes.reserve(static_cast<std::size_t>(p.pixels()));
    for (index_t line = 0; line < p.images * p.planes * p.rows; ++line) {
        const index_t row = line % p.rows, plane = line / p.rows;
        const auto* words =
            static_cast<const std::uint32_t*>(p.data) + p.offset(plane / p.planes, plane % p.planes, row);
        for (index_t c = 0; c < p.columns; ++c)
            bytes.push_back(static_cast<std::uint8_t>(words[c / 32] >> c % 32 & 1));
    }
    return bytes;
}

std::string flaw_of(const images& p, bool mirror) {
    std::string flaw;
    for (index_t image = 0; image < p.mask.images && flaw.empty(); ++image)
        visit(p.mask.type, [&]<class T>() {
            flaw = mirror ? certificate<T, true>(p, image).flaw() : certificate<T, false>(p, image).flaw();
        });
    return flaw;
}

}  // namespace
}  // namespace reconstruction

std::string reconstruction_flaw(const const_image_view& marker, const const_image_view& mask,
                                const const_image_view& result, const reconstruction_options& options) {
    using namespace reconstruction;
    check_alike("marker", marker, "mask", mask);
    check_alike("result", result, "mask", mask);
    check_image(on_reference{}, "marker", marker);
    check_image(on_reference{}, "mask", mask);
    check_image(on_reference{}, "result", result);
    const images given{marker, mask, result, checked_reach(options.connectivity, mask.rank)};
    const bool mirror = options.method == reconstruction_method::erosion;
    if (mask.pixels() == 0) return {};
    if (mask.type != pixel::bit) return flaw_of(given, mirror);
    const std::vector<std::uint8_t> bytes[] = {unpacked(marker), unpacked(mask), unpacked(result)};
    raster where = mask;
    where.type = pixel::boolean;
    where.pack();
    return flaw_of(
        {{bytes[0].data(), where}, {bytes[1].data(), where}, {bytes[2].data(), where}, given.reach}, mirror);
}

}  // namespace wale
