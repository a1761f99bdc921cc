// tree_fuzz - tridiagonal systems, open and periodic, dominant or to be pivoted: the solution of every row of
// the host leaves a residual of some roundings of the largest terms in a dominant system. With pivots it is
// small beside the norms of matrix and solution: below the ratio of 30 that LAPACK's testers allow.
#include <algorithm>

#include "fuzz/solver_fuzz.hpp"
#include "solvers/tree/jobs.hpp"

namespace wale::tree {

extern const catalogue::row<chain_job> chains_cpu_lanes, chains_cpu_partition, chains_cpu_thomas,
    chains_reference_plain;

}  // namespace wale::tree

namespace {

using namespace wale;
using namespace wale::tree;

template <class T>
void compare(fuzz::numbers_of& from, scalar type) {
    const int n = 1 + from.below(300), count = 1 + from.below(20), threads = 1 + from.below(3);
    const bool pivoted = from.byte() % 3 == 0, periodic = n > 2 && from.byte() % 4 == 0;
    const auto all = static_cast<std::size_t>(n * count);
    std::vector<T> low(all), on(all), up(all), right(all);
    for (std::size_t i = 0; i < all; ++i) {
        low[i] = static_cast<T>(from.number());
        up[i] = static_cast<T>(from.number());
        right[i] = static_cast<T>(from.number());
        const T own = static_cast<T>(from.number()), sum = std::fabs(low[i]) + std::fabs(up[i]) + 1;
        on[i] = pivoted && !periodic ? own : own < 0 ? own - sum : own + sum;
    }
    const vector_shape shape = vector_shape::flat(type, n, count);
    for (const auto* row :
         {&chains_reference_plain, &chains_cpu_lanes, &chains_cpu_partition, &chains_cpu_thomas}) {
        std::vector<T> x(all);
        tridiagonal_result result;
        chain_job job;
        job.where = on_cpu{.threads = threads};
        job.a = {{low.data(), shape}, {on.data(), shape}, {up.data(), shape}, periodic, false};
        job.rhs = {right.data(), shape};
        job.solution = {x.data(), shape};
        job.pivoting = pivoted ? pivoting::partial : pivoting::none;
        job.result = &result;
        if (!fuzz::ran(*row, job, result.run) || result.first_bad_system >= 0) continue;
        for (int s = 0; s < count; ++s) {
            const auto at = [&](const std::vector<T>& v, int i) {
                return static_cast<long double>(v[static_cast<std::size_t>(s * n + i)]);
            };
            long double largest = 0, worst = 0, matrix = 0, longest = 0;
            bool finite = true;
            for (int i = 0; i < n; ++i) {
                const int before = i > 0 ? i - 1 : n - 1, after = i + 1 < n ? i + 1 : 0;
                const long double a = i > 0 || periodic ? at(low, i) * at(x, before) : 0;
                const long double b = at(on, i) * at(x, i);
                const long double c = i + 1 < n || periodic ? at(up, i) * at(x, after) : 0;
                const long double size = std::fabs(a) + std::fabs(b) + std::fabs(c) + std::fabs(at(right, i));
                finite = finite && std::isfinite(static_cast<double>(at(x, i)));
                largest = std::max(largest, size);
                matrix =
                    std::max(matrix, std::fabs(at(low, i)) + std::fabs(at(on, i)) + std::fabs(at(up, i)));
                longest = std::max(longest, std::fabs(at(x, i)));
                worst = std::max(worst, std::fabs(a + b + c - at(right, i)));
            }
            const long double unit = std::numeric_limits<T>::epsilon();
            const long double most = pivoted ? 30 * n * unit * matrix * longest : 64 * n * unit * largest;
            fuzz::demand(!finite || worst <= most + std::numeric_limits<T>::min(), row->name);
            fuzz::demand(finite || pivoted, row->name);
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::numbers_of from(data, size);
    if (from.byte() % 2 == 0)
        compare<double>(from, scalar::f64);
    else
        compare<float>(from, scalar::f32);
    return 0;
}
