// runs - the method of cpu/bits with a bound: runs of mask bits, joined where lines touch by union-find
// (Rosenfeld & Pfaltz 1966 on runs), and every run whose set holds a marker is filled. Time O(words + runs *
// a(runs)), memory one label a run.
#include "solvers/reconstruction/reconstruct/cpu/bits/bits.hpp"

#include <bit>
#include <limits>

namespace wale::reconstruction {
namespace {

struct run {
    index_t begin, end;  // columns [begin, end)
};

/// The runs of ones in a line, from left to right.
class run_reader {
public:
    run_reader(const std::uint64_t* words, index_t count) : words_(words), count_(count) {
        if (count > 0) rest_ = words[0];
    }
    bool next(run& r) {
        while (rest_ == 0) {
            if (++at_ >= count_) return false;
            rest_ = words_[at_];
        }
        r.begin = at_ * 64 + std::countr_zero(rest_);
        // Ones below the run make it reach bit 0; adding one then carries to its end.
        std::uint64_t below = rest_ | (rest_ - 1);
        while (below == ~std::uint64_t{0}) {
            if (++at_ >= count_) {
                rest_ = 0;
                r.end = count_ * 64;
                return true;
            }
            rest_ = below = words_[at_];
        }
        r.end = at_ * 64 + std::countr_one(below);
        rest_ &= ~std::uint64_t{0} << std::countr_one(below);
        return true;
    }

private:
    const std::uint64_t* words_;
    index_t count_;
    index_t at_ = 0;
    std::uint64_t rest_ = 0;
};

/// The bits of word w that lie in the run.
std::uint64_t part(const run& r, index_t w) {
    const index_t from = std::max<index_t>(0, r.begin - w * 64), to = std::min<index_t>(64, r.end - w * 64);
    return ~std::uint64_t{0} >> (64 - (to - from)) << from;
}

index_t runs_of(const std::uint64_t* words, index_t count) {
    index_t runs = 0;
    std::uint64_t before = 0;
    for (index_t w = 0; w < count; ++w) {
        runs += std::popcount(words[w] & ~(words[w] << 1 | before >> 63));
        before = words[w];
    }
    return runs;
}

/// Sets of runs; set 0 is the marker's. The smaller label is the root.
template <class Label>
class forest {
public:
    explicit forest(index_t runs) : parent_(static_cast<std::size_t>(runs) + 1) {
        for (std::size_t k = 0; k < parent_.size(); ++k) parent_[k] = static_cast<Label>(k);
    }
    [[nodiscard]] Label root(Label k) {
        while (parent_[k] != k) {
            parent_[k] = parent_[parent_[k]];
            k = parent_[k];
        }
        return k;
    }
    void join(Label a, Label b) {
        a = root(a);
        b = root(b);
        if (a < b)
            parent_[b] = a;
        else
            parent_[a] = b;
    }

private:
    std::vector<Label> parent_;
};

template <class Label>
class run_filler {
public:
    run_filler(bits_field& field, const std::vector<index_t>& first)
        : field_(field), shape_(field.shape()), first_(first), sets_(first.back() - 1) {}

    void run_all() {
        for_each_line([&](index_t unit, index_t line) {
            take_markers(unit, line);
            for (const bits_step& s : shape_.steps)
                if (s.units < 0 || (s.units == 0 && s.lines < 0)) join_lines(unit, line, s);
        });
        for_each_line([&](index_t unit, index_t line) { fill(unit, line); });
    }

private:
    template <class F>
    void for_each_line(const F& f) const {
        for (index_t unit = 0; unit < shape_.units; ++unit)
            for (index_t line = 0; line < shape_.lines; ++line) f(unit, line);
    }
    [[nodiscard]] Label label(index_t unit, index_t line) const {
        return static_cast<Label>(first_[static_cast<std::size_t>(unit * shape_.lines + line)]);
    }
    [[nodiscard]] run_reader runs(index_t unit, index_t line) const {
        return {field_.mask(unit, line), shape_.words};
    }

    void take_markers(index_t unit, index_t line) {
        const std::uint64_t* rising = field_.rising(unit, line);
        run_reader read = runs(unit, line);
        Label k = label(unit, line);
        for (run r; read.next(r); ++k)
            for (index_t w = r.begin / 64; w * 64 < r.end; ++w)
                if ((rising[w] & part(r, w)) != 0) {
                    sets_.join(k, 0);
                    break;
                }
    }

    void join_lines(index_t unit, index_t line, const bits_step& s) {
        if (unit + s.units < 0 || line + s.lines < 0 || line + s.lines >= shape_.lines) return;
        const index_t reach = s.dilated ? 1 : 0;
        run_reader here = runs(unit, line), there = runs(unit + s.units, line + s.lines);
        Label a = label(unit, line), b = label(unit + s.units, line + s.lines);
        run p, q;
        bool more = here.next(p) && there.next(q);
        while (more) {
            if (p.begin < q.end + reach && q.begin < p.end + reach) sets_.join(a, b);
            if (p.end < q.end) {
                more = here.next(p);
                ++a;
            } else {
                more = there.next(q);
                ++b;
            }
        }
    }

    void fill(index_t unit, index_t line) {
        std::uint64_t* rising = field_.rising(unit, line);
        run_reader read = runs(unit, line);
        Label k = label(unit, line);
        for (run r; read.next(r); ++k) {
            if (sets_.root(k) != 0) continue;
            for (index_t w = r.begin / 64; w * 64 < r.end; ++w) rising[w] |= part(r, w);
        }
    }

    bits_field& field_;
    const bits_shape& shape_;
    const std::vector<index_t>& first_;
    forest<Label> sets_;
};

}  // namespace

void fill_by_runs(bits_field& field) {
    const bits_shape& shape = field.shape();
    std::vector<index_t> first{1};  // label of a line's first run, line by line; 0 is the marker's set
    first.reserve(static_cast<std::size_t>(shape.units * shape.lines) + 1);
    for (index_t unit = 0; unit < shape.units; ++unit)
        for (index_t line = 0; line < shape.lines; ++line)
            first.push_back(first.back() + runs_of(field.mask(unit, line), shape.words));
    if (first.back() <= std::numeric_limits<std::uint32_t>::max())
        run_filler<std::uint32_t>(field, first).run_all();
    else
        run_filler<std::uint64_t>(field, first).run_all();
}

}  // namespace wale::reconstruction
