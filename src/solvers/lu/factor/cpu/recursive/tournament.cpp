// tournament - all pivots of a panel at once (Grigori, Demmel, Xiang 2011: CALU): blocks of rows play among
// themselves by partial pivoting, winners of two blocks play each other, and the last winners go to the top;
// then the panel needs no pivoting, unless its columns depend on each other: what is left of them is
// rounding, in which winners may be far smaller than other elements. Blocks and pairs are fixed by the
// panel's shape.
#include <numeric>

#include "solvers/lu/cpu/copy.hpp"
#include "solvers/lu/factor/cpu/recursive/panel.hpp"

namespace wale::lu {
namespace {

using contestants = std::vector<index_t>;  // rows of the panel

/// As many as the panel has columns, in the order in which partial pivoting takes them.
template <class T>
contestants winners(block<T> all, index_t columns, contestants rows, panel<T>& field) {
    const auto count = std::ssize(rows);
    std::vector<T> memory(static_cast<std::size_t>(count * columns));
    const block<T> chosen{memory.data(), count, storage_order::column_major};
    for (index_t j = 0; j < columns; ++j)
        for (index_t i = 0; i < count; ++i) chosen(i, j) = all(rows[static_cast<std::size_t>(i)], j);
    std::vector<std::int32_t> pivots(static_cast<std::size_t>(columns));
    field.load(chosen, count, columns);
    (void)field.factor({}, pivots);
    for (std::size_t k = 0; k < pivots.size(); ++k)
        std::swap(rows[k], rows[static_cast<std::size_t>(pivots[k])]);
    rows.resize(pivots.size());
    return rows;
}

/// The exchanges that bring these rows to the top, in this order.
void exchanges_for(const contestants& rows, index_t all, std::span<std::int32_t> pivots) {
    std::vector<index_t> holds(static_cast<std::size_t>(all)), place(static_cast<std::size_t>(all));
    std::iota(holds.begin(), holds.end(), index_t{0});
    std::iota(place.begin(), place.end(), index_t{0});
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const auto at = static_cast<std::size_t>(place[static_cast<std::size_t>(rows[k])]);
        pivots[k] = static_cast<std::int32_t>(at);
        std::swap(holds[k], holds[at]);
        place[static_cast<std::size_t>(holds[k])] = static_cast<index_t>(k);
        place[static_cast<std::size_t>(holds[at])] = static_cast<index_t>(at);
    }
}

}  // namespace

template <class T>
bool panel<T>::factor_by_tournament(index_t block_rows, std::span<std::int32_t> pivots) {
    const index_t blocks = std::max<index_t>(1, rows_ / std::max(block_rows, columns_));
    if (blocks == 1) {  // the winners of a single block are the pivots of partial pivoting
        (void)factor({}, pivots);
        return true;
    }
    panel<T> field;
    std::vector<contestants> round;
    for (index_t b = 0; b < blocks; ++b) {
        contestants rows(static_cast<std::size_t>(rows_ * (b + 1) / blocks - rows_ * b / blocks));
        std::iota(rows.begin(), rows.end(), rows_ * b / blocks);
        round.push_back(winners(all(), columns_, std::move(rows), field));
    }
    while (round.size() > 1) {
        std::vector<contestants> next;
        for (std::size_t i = 0; i + 1 < round.size(); i += 2) {
            round[i].insert(round[i].end(), round[i + 1].begin(), round[i + 1].end());
            next.push_back(winners(all(), columns_, std::move(round[i]), field));
        }
        if (round.size() % 2 == 1) next.push_back(std::move(round.back()));
        round = std::move(next);
    }
    exchanges_for(round.front(), rows_, pivots);
    for (index_t j = 0; j < columns_; ++j)
        for (index_t k = 0; k < columns_; ++k)
            std::swap(all()(k, j), all()(pivots[static_cast<std::size_t>(k)], j));
    std::vector<std::int32_t> in_place(pivots.size());
    (void)factor({.pivots = false, .smallest = {}}, in_place);
    return pivots_large_;
}

template bool panel<float>::factor_by_tournament(index_t, std::span<std::int32_t>);
template bool panel<double>::factor_by_tournament(index_t, std::span<std::int32_t>);
template bool panel<std::complex<float>>::factor_by_tournament(index_t, std::span<std::int32_t>);
template bool panel<std::complex<double>>::factor_by_tournament(index_t, std::span<std::int32_t>);

}  // namespace wale::lu
