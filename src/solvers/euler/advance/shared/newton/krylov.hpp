// krylov - GMRES (Saad, Schultz 1986), preconditioned from the right, by a team of threads. Sums go over
// pieces of the mesh's own order, so that neither the number of threads nor the numbering changes a bit.
#pragma once

#include <cmath>
#include <vector>

#include "solvers/euler/advance/shared/newton/rank_cells.hpp"

namespace wale::euler {

/// Sums over all cells in a fixed order.
class ordered_sums {
public:
    ordered_sums(const std::vector<std::int32_t>& in_order, rank_cells& ranks)
        : in_order_(in_order), ranks_(ranks), pieces_((in_order.size() + piece - 1) / piece) {}

    /// The sum of term(cell); the same on all threads. All of them meet before and after.
    template <class Term>
    [[nodiscard]] double of(const team_member& team, Term&& term) {
        const share mine = team.of((ranks_.count() + rank_cells::piece - 1) / rank_cells::piece);
        const auto begin = static_cast<std::size_t>(ranks_.first()) / piece;  // a rank has whole pieces
        for (auto p = begin + static_cast<std::size_t>(mine.first);
             p < begin + static_cast<std::size_t>(mine.last); ++p) {
            double sum = 0;
            for (std::size_t at = p * piece; at < std::min(in_order_.size(), (p + 1) * piece); ++at)
                sum += term(in_order_[at]);
            pieces_[p] = sum;
        }
        team.meet.wait();
        ranks_.gather(team, pieces_);
        double all = 0;
        for (const double s : pieces_) all += s;
        team.meet.wait();
        return all;
    }
    [[nodiscard]] double product(const team_member& team, const change_of_all& a, const change_of_all& b) {
        return of(team, [&](std::int32_t cell) {
            double sum = 0;
            for (std::size_t v = 0; v < variables; ++v)
                sum += a[static_cast<std::size_t>(cell)][v] * b[static_cast<std::size_t>(cell)][v];
            return sum;
        });
    }

private:
    static constexpr std::size_t piece = rank_cells::piece;
    const std::vector<std::int32_t>& in_order_;
    rank_cells& ranks_;
    std::vector<double> pieces_;
};

/// What each thread of a team knows of the least-squares problem: all know the same.
struct krylov_projection {
    std::vector<std::vector<double>> columns;  // of the triangle that Givens's rotations leave
    std::vector<double> cosine, sine, right;

    /// Takes in a column of Hessenberg's matrix; the linear residual's norm after it.
    double add(std::vector<double> h) {
        const std::size_t j = columns.size();
        for (std::size_t l = 0; l < j; ++l) {
            const double upper = cosine[l] * h[l] + sine[l] * h[l + 1];
            h[l + 1] = cosine[l] * h[l + 1] - sine[l] * h[l];
            h[l] = upper;
        }
        const double length = std::hypot(h[j], h[j + 1]);
        cosine.push_back(length > 0 ? h[j] / length : 1);
        sine.push_back(length > 0 ? h[j + 1] / length : 0);
        h[j] = length;
        columns.push_back(std::move(h));
        right.push_back(-sine[j] * right[j]);
        right[j] *= cosine[j];
        return std::fabs(right[j + 1]);
    }
    [[nodiscard]] std::vector<double> solved() const {
        std::vector<double> y(columns.size());
        for (std::size_t l = y.size(); l-- > 0;) {
            double sum = right[l];
            for (std::size_t c = l + 1; c < y.size(); ++c) sum -= columns[c][l] * y[c];
            y[l] = columns[l][l] != 0 ? sum / columns[l][l] : 0;
        }
        return y;
    }
};

/// Room for the directions, and the solution.
class krylov_solver {
public:
    krylov_solver(const std::vector<std::int32_t>& in_order, rank_cells& ranks)
        : sums(in_order, ranks), ranks_(ranks), cells_(in_order.size()), made_(cells_), swept_(cells_) {}

    /// x of A x = b, whose residual has fallen to `fall` of b's norm, or after `directions` of them. `scale`
    /// [cells] takes a balance to the norm. multiply(x, y) and precondition(b, x) are A's. How many
    /// directions there were.
    template <class Multiply, class Precondition>
    int solve(const team_member& team, const change_of_all& scale, const change_of_all& b, change_of_all& x,
              int directions, double fall, const Multiply& multiply, const Precondition& precondition) {
        const share mine = ranks_.of(team);
        if (team.rank == 0) make_room(directions);
        team.meet.wait();
        for_each(mine, [&](std::size_t i, std::size_t v) { basis_[0][i][v] = b[i][v] * scale[i][v]; });
        team.meet.wait();
        const double norm = std::sqrt(sums.product(team, basis_[0], basis_[0]));
        divide(team, mine, basis_[0], norm);
        krylov_projection small;
        small.right.push_back(norm);
        int taken = 0;
        for (double left = norm; taken < directions && left > fall * norm; ++taken) {
            const auto j = static_cast<std::size_t>(taken);
            sweep(team, mine, scale, basis_[j], precondition);
            multiply(swept_, basis_[j + 1]);
            for_each(mine, [&](std::size_t i, std::size_t v) { basis_[j + 1][i][v] *= scale[i][v]; });
            team.meet.wait();
            left = small.add(orthogonalised(team, mine, j));
        }
        const std::vector<double> y = small.solved();
        for_each(mine, [&](std::size_t i, std::size_t v) {
            double sum = 0;
            for (std::size_t l = 0; l < y.size(); ++l) sum += y[l] * basis_[l][i][v];
            x[i][v] = sum;
        });
        team.meet.wait();
        sweep(team, mine, scale, x, precondition);
        for_each(mine, [&](std::size_t i, std::size_t v) { x[i][v] = swept_[i][v]; });
        team.meet.wait();
        return taken;
    }

    ordered_sums sums;

private:
    void make_room(int directions) {
        while (basis_.size() <= static_cast<std::size_t>(directions)) basis_.emplace_back(cells_);
    }
    template <class F>
    static void for_each(share mine, const F& f) {
        for (auto i = static_cast<std::size_t>(mine.first); i < static_cast<std::size_t>(mine.last); ++i)
            for (std::size_t v = 0; v < variables; ++v) f(i, v);
    }
    static void divide(const team_member& team, share mine, change_of_all& a, double by) {
        if (by > 0) for_each(mine, [&](std::size_t i, std::size_t v) { a[i][v] /= by; });
        team.meet.wait();
    }
    /// Of a direction, without its scale, into swept_.
    template <class Precondition>
    void sweep(const team_member& team, share mine, const change_of_all& scale, const change_of_all& from,
               const Precondition& precondition) {
        for_each(mine, [&](std::size_t i, std::size_t v) { made_[i][v] = from[i][v] / scale[i][v]; });
        team.meet.wait();
        precondition(made_, swept_);
    }
    /// Direction j + 1 beside all before it (Gram and Schmidt, modified): the column of Hessenberg's matrix.
    /// A cell loses its part along one direction where the product with the next is summed, in one pass of
    /// memory.
    std::vector<double> orthogonalised(const team_member& team, share mine, std::size_t j) {
        std::vector<double> h(j + 2);
        change_of_all& next = basis_[j + 1];
        for (std::size_t l = 0; l <= j + 1; ++l) {
            const balance* along = l > 0 ? basis_[l - 1].data() : nullptr;
            const balance* with = basis_[l].data();
            const double part = l > 0 ? h[l - 1] : 0;
            h[l] = sums.of(team, [&](std::int32_t cell) {
                balance& own = next[static_cast<std::size_t>(cell)];
                if (along != nullptr)
                    for (std::size_t v = 0; v < variables; ++v) own[v] -= part * along[cell][v];
                double sum = 0;
                for (std::size_t v = 0; v < variables; ++v) sum += own[v] * with[cell][v];
                return sum;
            });
        }
        h[j + 1] = std::sqrt(h[j + 1]);
        divide(team, mine, next, h[j + 1]);
        return h;
    }

    rank_cells& ranks_;
    std::size_t cells_;
    std::vector<change_of_all> basis_;
    change_of_all made_, swept_;
};

}  // namespace wale::euler
