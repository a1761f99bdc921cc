// plain_newton - Newton's method as the reference computes it: one cell after the other in the mesh's order.
#pragma once

#include <functional>
#include <vector>

#include "solvers/euler/advance/shared/dispatch.hpp"
#include "solvers/euler/advance/shared/newton/face_blocks.hpp"
#include "solvers/euler/advance/shared/newton/krylov.hpp"
#include "solvers/euler/advance/shared/newton/newton_rule.hpp"
#include "solvers/euler/advance/system.hpp"

namespace wale::euler {

/// `residual` is that of all cells at a state of all cells.
class plain_newton {
public:
    using all = std::vector<balance>;
    plain_newton(const flow_system& system, const plain_grid<double>& grid, const constants<double>& k,
                 std::function<all(const all&)> residual)
        : system_(system), grid_(grid), k_(k), units_(units_of(k)), residual_(std::move(residual)) {
        order_.resize(static_cast<std::size_t>(system.cells()));
        for (index_t c = 0; c < system.cells(); ++c) order_[at(system.number_of(c))] = c;
        free_stream_ = norm(residual_(all(order_.size(), system.options.stream.state())));
    }

    void cycle(all& state) {
        const all balances = residual_(state);
        const double before = norm(balances);
        const newton_rule rule(before, free_stream_);
        linearise(state, balances, rule);
        const auto product = [&](const all& x) {
            return rule.second ? difference(state, balances, x) : linear_product(x);
        };
        all change = solve(balances, rule, product);
        for (std::size_t i = 0; i < change.size(); ++i)
            change[i] = shortened(change[i], point_of(state[i].data(), k_), k_);
        for (double part = 1; part >= 0.0625; part /= 2) {
            all next = moved(state, part, change);
            const double after = norm(residual_(next));
            if (part > 0.0625 && !(after < rule.growth * before)) continue;
            state = std::move(next);
            return;
        }
    }

private:
    [[nodiscard]] static std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

    template <class Term>
    [[nodiscard]] double sum(const Term& term) const {
        constexpr std::size_t piece = 256;  // as in ordered_sums
        double total = 0;
        for (std::size_t p = 0; p < order_.size(); p += piece) {
            double part = 0;
            for (std::size_t i = p; i < std::min(order_.size(), p + piece); ++i) part += term(at(order_[i]));
            total += part;
        }
        return total;
    }
    [[nodiscard]] double product(const all& a, const all& b) const {
        return sum([&](std::size_t i) {
            double s = 0;
            for (std::size_t v = 0; v < variables; ++v) s += a[i][v] * b[i][v];
            return s;
        });
    }
    [[nodiscard]] double norm(const all& r) const {
        const double squares = sum([&](std::size_t i) { return r[i][0] * r[i][0] / system_.grid.volume[i]; });
        return std::sqrt(squares / system_.total_volume);
    }
    [[nodiscard]] static all moved(const all& from, double part, const all& by) {
        all to = from;
        for (std::size_t i = 0; i < to.size(); ++i)
            for (std::size_t v = 0; v < variables; ++v) to[i][v] = from[i][v] + part * by[i][v];
        return to;
    }

    /// The blocks, and D of (D + L) D^-1 (D + U), whose product has the diagonal of the blocks.
    void linearise(const all& state, const all& balances, const newton_rule& rule) {
        const cell_major_states<double> points{state.front().data()};
        blocks_.resize(system_.grid.neighbour.size());
        diagonal_.assign(order_.size(), {});
        inverse_.assign(order_.size(), {});
        time_.resize(order_.size());
        with_flux(rule.linear_flux(system_.options.scheme.flux), [&]<euler_flux Flux>() {
            for (index_t i = 0; i < system_.cells(); ++i)
                for (index_t r = grid_.begin(i); r < grid_.end(i); ++r)
                    blocks_[at(r)] = face_block<Flux>(grid_, points, i, r, units_, k_);
        });
        for (const index_t i : order_) {
            block& d = diagonal_[at(i)];
            time_[at(i)] = waves_for(grid_, points, i, balances[at(i)], rule.cfl, k_) / rule.cfl;
            for (int v = 0; v < variables; ++v) d[block_place(v, v)] = time_[at(i)];
            for (index_t r = grid_.begin(i); r < grid_.end(i); ++r) {
                const bool patch = is_patch(grid_.neighbour(r));
                const block& b = blocks_[at(patch ? r : grid_.opposite(r))];
                for (std::size_t e = 0; e < b.size(); ++e) d[e] += patch ? b[e] : -b[e];
            }
            block reduced = d;
            beside(i, true, [&](index_t r, index_t other) {
                subtract_product(reduced, blocks_[at(r)], inverse_[at(other)],
                                 blocks_[at(grid_.opposite(r))]);
            });
            inverse_[at(i)] = inverse_of(reduced, units_);
        }
    }
    /// f(row, neighbour) of the neighbours before a cell, or behind it, in the mesh's order.
    template <class F>
    void beside(index_t cell, bool before, const F& f) const {
        for (index_t r = grid_.begin(cell); r < grid_.end(cell); ++r) {
            const index_t other = grid_.neighbour(r);
            if (other >= 0 && (system_.number_of(other) < system_.number_of(cell)) == before) f(r, other);
        }
    }
    [[nodiscard]] all linear_product(const all& x) const {
        all y(x.size());
        for (index_t i = 0; i < system_.cells(); ++i) {
            add_product(y[at(i)], 1, diagonal_[at(i)], x[at(i)]);
            for (index_t r = grid_.begin(i); r < grid_.end(i); ++r)
                if (!is_patch(grid_.neighbour(r)))
                    add_product(y[at(i)], 1, blocks_[at(r)], x[at(grid_.neighbour(r))]);
        }
        return y;
    }
    [[nodiscard]] all difference(const all& state, const all& balances, const all& x) const {
        const double squares = sum([&](std::size_t i) {
            double s = 0;
            for (std::size_t v = 0; v < variables; ++v) s += (x[i][v] / units_[v]) * (x[i][v] / units_[v]);
            return s;
        });
        const double h = 1e-7 * std::sqrt(static_cast<double>(x.size()) / squares);
        all y = residual_(moved(state, h, x));
        for (std::size_t i = 0; i < y.size(); ++i)
            for (std::size_t v = 0; v < variables; ++v)
                y[i][v] = time_[i] * x[i][v] - (y[i][v] - balances[i][v]) / h;
        return y;
    }
    [[nodiscard]] all swept(const all& b) const {
        all x(b.size());
        for (const index_t i : order_) {
            balance s = b[at(i)];
            beside(i, true,
                   [&](index_t r, index_t other) { add_product(s, -1, blocks_[at(r)], x[at(other)]); });
            add_product(x[at(i)], 1, inverse_[at(i)], s);
        }
        for (std::size_t n = order_.size(); n-- > 0;) {
            const index_t i = order_[n];
            balance s{};
            beside(i, false,
                   [&](index_t r, index_t other) { add_product(s, 1, blocks_[at(r)], x[at(other)]); });
            add_product(x[at(i)], -1, inverse_[at(i)], s);
        }
        return x;
    }

    /// GMRES, preconditioned from the right.
    template <class Product>
    [[nodiscard]] all solve(const all& b, const newton_rule& rule, const Product& multiply) const {
        const auto scaled = [&](all x, bool back) {
            for (std::size_t i = 0; i < x.size(); ++i)
                for (std::size_t v = 0; v < variables; ++v) {
                    const double scale =
                        1 / (units_[v] * std::sqrt(system_.grid.volume[i] / system_.total_volume));
                    x[i][v] = back ? x[i][v] / scale : x[i][v] * scale;
                }
            return x;
        };
        const auto divided = [](all x, double by) {
            for (balance& c : x)
                for (double& v : c) v = by > 0 ? v / by : v;
            return x;
        };
        all first = scaled(b, false);
        const double length = std::sqrt(product(first, first));
        std::vector<all> basis{divided(std::move(first), length)};
        krylov_projection small;
        small.right.push_back(length);
        for (double left = length; std::ssize(basis) <= rule.directions && left > rule.fall * length;) {
            all next = scaled(multiply(swept(scaled(basis.back(), true))), false);
            std::vector<double> h;
            for (const all& old : basis) {
                h.push_back(product(next, old));
                for (std::size_t i = 0; i < next.size(); ++i)
                    for (std::size_t v = 0; v < variables; ++v) next[i][v] -= h.back() * old[i][v];
            }
            h.push_back(std::sqrt(product(next, next)));
            basis.push_back(divided(std::move(next), h.back()));
            left = small.add(h);
        }
        all x(b.size());
        const std::vector<double> y = small.solved();
        for (std::size_t l = 0; l < y.size(); ++l)
            for (std::size_t i = 0; i < x.size(); ++i)
                for (std::size_t v = 0; v < variables; ++v) x[i][v] += y[l] * basis[l][i][v];
        return swept(scaled(std::move(x), true));
    }

    const flow_system& system_;
    plain_grid<double> grid_;
    constants<double> k_;
    balance units_;
    std::function<all(const all&)> residual_;
    std::vector<index_t> order_;  // [cells] computed cells in the mesh's order
    double free_stream_ = 0;
    std::vector<block> blocks_, diagonal_, inverse_;
    std::vector<double> time_;
};

}  // namespace wale::euler
