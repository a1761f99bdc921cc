// stored_factors - factors of many chains in memory, one chain after the other or in the lanes of groups, and
// right sides solved with them. Behind the factor rows on the CPU and behind chains with many right sides.
#pragma once

#include <wale/buffer.hpp>

#include "solvers/tree/elimination/folded.hpp"
#include "solvers/tree/elimination/lanes/sides.hpp"
#include "solvers/tree/elimination/shares.hpp"

namespace wale::tree {

/// Vectors of these layouts lie side by side: in runs of how many?
[[nodiscard]] inline index_t side_by_side(const vector_shape& v) {
    if (v.layout == vector_layout::interleaved) return std::max<index_t>(v.count, 1);
    return v.layout == vector_layout::block_interleaved ? v.width : 1;
}
/// `at`: where the lanes' vectors begin.
[[nodiscard]] inline lane_array array_of(const const_vectors& v, const index_t* at, index_t lanes) {
    const bool beside = side_by_side(v) > 1 && !v.ragged() && lanes % vector_lanes(v.type) == 0 &&
                        at[lanes - 1] == at[0] + lanes - 1;
    return {v.data, v.step(), beside, at};
}
/// Whether x may be stored past the caches: whole lines, and much of it.
[[nodiscard]] bool may_stream(const vectors& x, double bytes);

template <class T>
class stored_factors {
public:
    /// `pitch` chains beside each other; 1: one after the other. Only chains of one size go beside each
    /// other.
    stored_factors(const chain_matrix& a, factor_form form, index_t pitch)
        : form_(form), pitch_(pitch), shape_(a.shape()), normal_(static_cast<std::size_t>(shape_.count), 1) {
        const index_t groups = (shape_.count + pitch - 1) / pitch;
        const index_t unknowns = pitch == 1 ? shape_.elements() : groups * pitch * shape_.size;
        words_ = buffer<T>(unknowns * form.words());
        if (form.pivoted && form.periodic) folded_.resize(normal_.size());
        if (pitch > 1) std::fill_n(words_.data(), words_.size(), T(0));
        if (shape_.ragged()) {
            starts_.assign(shape_.starts.begin(), shape_.starts.end());
            shape_.starts = starts_;
        }
    }
    stored_factors(const stored_factors&) = delete;
    stored_factors& operator=(const stored_factors&) = delete;

    [[nodiscard]] index_t bytes() const {
        index_t words = words_.size();
        for (const std::vector<T>& f : folded_) words += std::ssize(f);
        return words * index_t{sizeof(T)} + shape_.count;
    }

    void factor(const chain_matrix& a, const thread_shares& shares, std::int64_t* status,
                tridiagonal_result& result) {
        shares.run(shape_.count, status, result, [&](index_t begin, index_t end, verdict& bad) {
            for (index_t s = begin; s < end; ++s) {
                bad.begin(s);
                outcome seen = factor_chain(couplings_of<T>(a, s), rows(s));
                if (!seen.stable) seen = fold(a, s);
                normal_[static_cast<std::size_t>(s)] = seen.normal ? 1 : 0;
                if (seen.bad_row >= 0) bad.note(s, seen.bad_row);
            }
        });
    }

    /// b may be x. Vector v belongs to chain v / sides.
    void solve(const const_vectors& b, const vectors& x, bool transposed, const thread_shares& shares,
               tridiagonal_result& result) const {
        if (shape_.count == 0 || x.count == 0) return;
        const job j{b,
                    x,
                    transposed,
                    x.count / shape_.count,
                    wide(x.count / shape_.count),
                    may_stream(x, static_cast<double>(2 * x.elements() * index_t{sizeof(T)}))};
        const index_t a_chain = (j.sides + j.width - 1) / j.width;
        const index_t units =
            pitch_ > 1 ? (shape_.count + pitch_ - 1) / pitch_ * j.sides : shape_.count * a_chain;
        shares.run(units, nullptr, result, [&](index_t begin, index_t end, verdict&) {
            lane_memory memory(largest_size(shape_), pitch_ > 1 ? pitch_ : j.width);
            for (index_t u = begin; u < end; ++u)
                if (pitch_ > 1)
                    solve_group(j, u / j.sides * pitch_, u % j.sides, memory);
                else
                    solve_chain(j, u / a_chain, u % a_chain * j.width, memory);
        });
    }

private:
    struct job {
        const const_vectors& b;
        const vectors& x;
        bool transposed;
        index_t sides, width;  // of each chain; that are solved at once
        bool stream;
    };
    struct lane_memory {
        std::vector<index_t> from, to, sizes;
        buffer<T> scratch;
        lane_memory(index_t rows, index_t width)
            : from(static_cast<std::size_t>(std::max(width, vector()))),
              to(from.size()),
              sizes(from.size()),
              scratch(base::is_complex_type<T>
                          ? 0
                          : side_scratch(rows, static_cast<index_t>(from.size()), vector())) {}
    };
    static index_t vector() { return vector_lanes(sizeof(T) == 4 ? scalar::f32 : scalar::f64); }

    /// Right sides of one chain that are solved at once.
    [[nodiscard]] index_t wide(index_t sides) const {
        if (base::is_complex_type<T>) return 1;  // no vectors of complex numbers
        const lanes_policy& policy = chain_lanes;
        const index_t line = std::max<index_t>(largest_size(shape_), 1) * vector() * index_t{sizeof(T)};
        const index_t vectors = std::clamp(policy.scratch_bytes / line, policy.least, policy.most);
        return std::min(vectors * vector(), std::max<index_t>(sides + vector() - 1, 1) / vector() * vector());
    }
    [[nodiscard]] factor_rows<T> rows(index_t s) const {
        const index_t n = shape_.size_of(s);
        const factor_form form{form_.pivoted, form_.periodic && n > 0};
        if (pitch_ == 1)
            return {words_.data() + (shape_.ragged() ? shape_.starts[static_cast<std::size_t>(s)] : s * n) *
                                        form_.words(),
                    n, 1, form};
        return {words_.data() + s / pitch_ * pitch_ * n * form_.words() + s % pitch_, n, pitch_, form};
    }
    /// A ring that bordering would spoil.
    outcome fold(const chain_matrix& a, index_t s) {
        std::vector<T>& words = folded_[static_cast<std::size_t>(s)];
        words.resize(static_cast<std::size_t>(shape_.size_of(s) * folded_factors<T>::words));
        return {.bad_row =
                    factor_folded(bands_of<T>(a, s), folded_factors<T>{words.data(), shape_.size_of(s), 1}),
                .normal = false};
    }
    [[nodiscard]] bool normal(index_t s) const { return normal_[static_cast<std::size_t>(s)] != 0; }

    /// The lanes first, first + stride, ... of x.
    side_group lanes(const job& j, index_t first, index_t stride, index_t count, lane_memory& memory) const {
        side_group g;
        g.lanes = count;
        g.pitch = (count + vector() - 1) / vector() * vector();
        g.rows = j.x.size_of(first);
        for (index_t w = 0; w < count; ++w) {
            const auto k = static_cast<std::size_t>(w);
            memory.from[k] = j.b.begin_of(first + w * stride);
            memory.to[k] = j.x.begin_of(first + w * stride);
            memory.sizes[k] = g.rows;
        }
        const auto used = static_cast<index_t>(memory.to.size());
        for (index_t w = count; w < used; ++w)
            memory.from[static_cast<std::size_t>(w)] = memory.from[static_cast<std::size_t>(count - 1)];
        if (!j.b.ragged() && j.b.layout == vector_layout::flat) g.next_group = count * stride * j.b.stride;
        g.sizes = memory.sizes.data();
        g.from = array_of(j.b, memory.from.data(), count);
        g.x = array_of(j.x, memory.to.data(), count);
        g.to = j.x.data;
        g.stream = j.stream;
        g.transposed = j.transposed;
        g.form = form_;
        g.ahead = chain_lanes.ahead;
        g.scratch = memory.scratch.data();
        return g;
    }
    /// One right side of each chain of a group.
    void solve_group(const job& j, index_t chain, index_t side, lane_memory& memory) const {
        side_group g =
            lanes(j, chain * j.sides + side, j.sides, std::min(pitch_, shape_.count - chain), memory);
        if (g.rows == 0) return;
        g.factor_pitch = pitch_;
        g.factors = rows(chain).words;
        g.of_one = false;
        std::vector<std::pair<index_t, std::vector<T>>>
            others;  // folded, or with pivots that have no reciprocal
        for (index_t w = 0; w < g.lanes; ++w)
            if (!normal(chain + w)) {
                const index_t v = (chain + w) * j.sides + side;
                others.emplace_back(v, alone(j, v));
            }
        solve_sides(j.x.type, g);
        for (const auto& [v, x] : others) write(j, v, x);
    }
    /// Right sides [side, side + width) of one chain.
    void solve_chain(const job& j, index_t chain, index_t side, lane_memory& memory) const {
        const index_t count = std::min(j.width, j.sides - side), first = chain * j.sides + side;
        if (shape_.size_of(chain) == 0) return;
        if (base::is_complex_type<T> || count < chain_lanes.systems || !normal(chain)) {
            for (index_t v = first; v < first + count; ++v) write(j, v, alone(j, v));
            return;
        }
        side_group g = lanes(j, first, 1, count, memory);
        g.factors = rows(chain).words;
        solve_sides(j.x.type, g);
    }
    [[nodiscard]] std::vector<T> alone(const job& j, index_t v) const {
        const index_t s = v / j.sides;
        std::vector<T> x(static_cast<std::size_t>(j.x.size_of(v)));
        const line<const T> b = line_of<T>(j.b, v);
        for (index_t i = 0; i < std::ssize(x); ++i) x[static_cast<std::size_t>(i)] = b[i];
        if (x.empty()) return x;
        const line<T> all{x.data(), 1};
        if (!folded_.empty() && !folded_[static_cast<std::size_t>(s)].empty()) {
            const folded_factors<const T> f{folded_[static_cast<std::size_t>(s)].data(), std::ssize(x), 1};
            j.transposed ? solve_folded_transposed(f, all) : solve_folded(f, line<const T>{x.data(), 1}, all);
            return x;
        }
        const factor_solver<T> solver(rows(s), normal(s));
        j.transposed ? solver.solve_transposed(all) : solver.solve(all);
        return x;
    }
    void write(const job& j, index_t v, const std::vector<T>& x) const {
        const line<T> to = line_of<T>(j.x, v);
        for (index_t i = 0; i < std::ssize(x); ++i) to[i] = x[static_cast<std::size_t>(i)];
    }

    factor_form form_;
    index_t pitch_;
    vector_shape shape_;
    std::vector<index_t> starts_;
    std::vector<unsigned char> normal_;
    std::vector<std::vector<T>>
        folded_;  // [systems] of those that bordering would spoil; periodic and pivoted
    buffer<T> words_;
};

}  // namespace wale::tree
