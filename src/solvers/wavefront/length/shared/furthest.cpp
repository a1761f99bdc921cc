#include "solvers/wavefront/length/shared/bounded.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "cpu/poll.hpp"
#include "solvers/wavefront/length/cpu/tuning.hpp"
#include "solvers/wavefront/length/shared/equal_run.hpp"

namespace wale::wavefront {
namespace {

template <class Symbol>
class furthest_cells {
public:
    furthest_cells(std::span<const Symbol> a, std::span<const Symbol> b)
        : m_(std::ssize(a)), n_(std::ssize(b)), a_(a.data()), b_(b.data()) {}

    /// Diagonal k holds the cells (i, i + k): of a row i and of b column i + k are used up. Ends: every
    /// column of the last row is one, and those that are reached first are noted.
    std::optional<index_t> distance(index_t most, index_t worth, std::vector<index_t>* ends = nullptr) {
        const index_t last = n_ - m_, edits = std::min(most, worth);
        const auto width = static_cast<std::size_t>(2 * edits + 3);
        std::array<index_t, 2 * few> on_stack;
        std::vector<index_t> long_one(width > few ? 2 * width : 0);
        index_t* const memory = width > few ? long_one.data() : on_stack.data();
        std::fill(memory, memory + 2 * width, nowhere);
        index_t *from = memory + edits + 1, *to = from + width;
        from[0] = met(0, 0);
        const auto ended = [&](const index_t* rows, index_t begin, index_t end) {
            if (ends == nullptr) return begin <= last && last <= end && rows[last] == m_;
            for (index_t k = begin; k <= end; ++k)
                if (rows[k] == m_) ends->push_back(m_ + k);
            return !ends->empty();
        };
        if (ended(from, 0, 0)) return 0;
        const bool cheap = worth > edits + edits / 2;  // even where these steps turn out to be for nothing
        cpu::rare_poll poll(16);
        for (index_t d = 1; d <= edits; ++d) {
            poll();
            // As many edits as diagonals to the last one must be left.
            const index_t left = ends == nullptr ? most - d : n_ + m_,
                          begin = std::max({-d, last - left, -m_}), end = std::min({d, last + left, n_});
            index_t reached = 0;
            for (index_t k = begin; k <= end; ++k) {
                const index_t row = std::max({from[k] + 1, from[k - 1], from[k + 1] + 1});
                to[k] = met(std::min({row, m_, n_ - k}), k);
                reached = std::max(reached, to[k]);
            }
            if ((ends == nullptr || reached == m_) && ended(to, begin, end)) return d;
            // Two edits lead unrelated texts only some symbols far.
            if (worth != most && d == 2 && m_ >= 64 && reached < 12) return std::nullopt;
            if (worth != most && d < edits && (d & (d - 1)) == 0 && d >= 8 &&
                d * m_ > (d == 8 || cheap ? 4 : 1) * edits * (reached + reached / 3))
                return std::nullopt;
            if (begin > -edits) to[begin - 1] = nowhere;
            if (end < edits) to[end + 1] = nowhere;
            std::swap(from, to);
        }
        if (edits < most) return std::nullopt;
        return most + 1;
    }

private:
    static constexpr index_t nowhere = -(index_t{1} << 40);
    static constexpr std::size_t few = 64;  // diagonals that need no memory but the stack

    /// The row up to which the texts are equal from cell (i, i + k) on.
    [[nodiscard]] index_t met(index_t i, index_t k) const {
        const index_t end = std::min(m_, n_ - k);
        return i < end ? i + equal_beginning(a_ + i, b_ + k + i, end - i) : i;
    }

    index_t m_, n_;
    const Symbol *a_, *b_;
};

}  // namespace

std::optional<index_t> furthest_distance(const symbols& a, const symbols& b, index_t most, index_t worth) {
    const index_t longer = std::max(a.size, b.size);
    if (worth == most) worth = std::min(worth, longer);  // an answer for sure stays one
    most = std::min(most, longer);
    if (std::abs(a.size - b.size) > most) return most + 1;
    return visit_symbols(a, b, [&]<class Symbol>(std::span<const Symbol> x, std::span<const Symbol> y) {
        return furthest_cells<Symbol>(x, y).distance(most, worth);
    });
}

std::optional<index_t> furthest_prefix(const symbols& a, const symbols& b, index_t most, index_t worth,
                                       std::vector<index_t>& ends) {
    return visit_symbols(a, b, [&]<class Symbol>(std::span<const Symbol> x, std::span<const Symbol> y) {
        return furthest_cells<Symbol>(x, y).distance(most, worth, &ends);
    });
}

index_t furthest_worth(double cells) {
    return static_cast<index_t>(std::sqrt(cells / chosen_methods.cells_a_step));
}

}  // namespace wale::wavefront
