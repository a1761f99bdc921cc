// check - cell by cell from the neighbours, and symbol by symbol along a subsequence.
#include "solvers/wavefront/study/study.hpp"

#include <sstream>

#include "solvers/wavefront/fill/problem.hpp"

namespace wale::wavefront {
namespace {

/// Column of the first cell of row i that does not follow from its neighbours, or -1.
template <class R, class T = typename R::value_type>
index_t first_wrong(const R& r, const T* above, const T* row, index_t i, index_t columns) {
    const T corner = i > 0 ? r.left(i - 1) : r.corner();
    if (row[0] != r.cell(corner, above[0], r.left(i), i, 0)) return 0;
    bool wrong = false;  // one flag for the row: the loop has no exit and is vectorised
    for (index_t j = 1; j < columns; ++j) wrong |= row[j] != r.cell(above[j - 1], above[j], row[j - 1], i, j);
    if (!wrong) return -1;
    index_t j = 1;
    while (row[j] == r.cell(above[j - 1], above[j], row[j - 1], i, j)) ++j;
    return j;
}

template <class R, class T = typename R::value_type>
std::string wrong_cells(const R& r, const fill_job& job, const T* rows, index_t begin, index_t end) {
    std::vector<T> border;
    const T* above = rows;
    const T* row = rows + job.pitch;
    if (begin == 0) {
        for (index_t j = 0; j < job.columns; ++j) border.push_back(r.top(j));
        above = border.data();
        row = rows;
    }
    for (index_t i = begin; i < end; ++i, above = row, row += job.pitch) {
        const index_t j = first_wrong(r, above, row, i, job.columns);
        if (j < 0) continue;
        std::ostringstream out;
        out << "cell (" << i << ", " << j << ") is " << row[j] << " and does not follow from its neighbours";
        return out.str();
    }
    return {};
}

}  // namespace

std::string wrong_rows(const fill_job& job, const void* rows, index_t begin, index_t end) {
    std::string out;
    if (job.columns == 0 || begin >= end) return out;
    visit(job, [&]<class R>(const R& r) {
        out = wrong_cells(r, job, static_cast<const typename R::value_type*>(rows), begin, end);
    });
    return out;
}

std::string wrong_table(const fill_job& job) {
    return wrong_rows(job, job.table, 0, job.rows);
}

std::string wrong_subsequence(std::string_view a, std::string_view b, const std::vector<index_t>& in_a,
                              const std::vector<index_t>& in_b) {
    if (in_a.size() != in_b.size())
        return std::to_string(in_a.size()) + " positions in a and " + std::to_string(in_b.size()) + " in b";
    for (std::size_t k = 0; k < in_a.size(); ++k) {
        const index_t i = in_a[k], j = in_b[k];
        const bool inside = i >= 0 && i < std::ssize(a) && j >= 0 && j < std::ssize(b);
        const bool ascending = k == 0 || (in_a[k - 1] < i && in_b[k - 1] < j);
        if (!inside || !ascending || a[static_cast<std::size_t>(i)] != b[static_cast<std::size_t>(j)])
            return "symbol " + std::to_string(k) + " of the subsequence is at " + std::to_string(i) +
                   " in a and " + std::to_string(j) + " in b: not ascending, not equal or not there";
    }
    return {};
}

}  // namespace wale::wavefront
