// reference - defines the result: the table row by row, cell by cell. Read this first.
#include "cpu/poll.hpp"
#include "solvers/wavefront/fill/problem.hpp"

namespace wale::wavefront {
namespace {

template <class R>
void fill_plain(const R& r, const fill_job& job) {
    using T = typename R::value_type;
    T* table = static_cast<T*>(job.table);
    for (index_t i = 0; i < job.rows; ++i) {
        T* row = table + i * job.pitch;
        const T* above = row - job.pitch;
        cpu::poll();
        for (index_t j = 0; j < job.columns; ++j) {
            const T up = i > 0 ? above[j] : r.top(j);
            const T left = j > 0 ? row[j - 1] : r.left(i);
            const T diagonal = i > 0 && j > 0 ? above[j - 1]
                               : i > 0        ? r.left(i - 1)
                               : j > 0        ? r.top(j - 1)
                                              : r.corner();
            row[j] = r.cell(diagonal, up, left, i, j);
        }
    }
}

void run(fill_job& job) {
    visit(job, [&](const auto& r) { fill_plain(r, job); });
}

}  // namespace

extern constinit const catalogue::row<fill_job> fill_reference_plain{
    "reference/plain", "row by row, cell by cell: the reference", run};

}  // namespace wale::wavefront
