// lu_fuzz - batches of small matrices: the factors of every row of the host have P A = L U to roundings,
// element by element (Higham 2002, theorem 9.3: |P A - L U| <= gamma_n |L| |U|), and so have the reference's.
#include <algorithm>

#include "fuzz/solver_fuzz.hpp"
#include "solvers/lu/jobs.hpp"

namespace wale::lu {

extern const catalogue::row<factor_job> factor_cpu_small, factor_cpu_recursive, factor_reference_plain;

}  // namespace wale::lu

namespace {

using namespace wale;
using namespace wale::lu;

template <class T>
void compare(fuzz::numbers_of& from) {
    const int rows = 1 + from.below(40), columns = 1 + from.below(40), count = 1 + from.below(20),
              least = std::min(rows, columns);
    const auto each = static_cast<std::size_t>(rows * columns);
    std::vector<T> given(each * static_cast<std::size_t>(count));
    for (T& v : given) v = static_cast<T>(from.number());
    const bool pivoted = from.byte() % 4 != 0;
    if (!pivoted)
        for (int i = 0; i < count; ++i)
            for (int k = 0; k < least; ++k)
                given[static_cast<std::size_t>(i) * each + static_cast<std::size_t>(k * columns + k)] +=
                    T(1e9);
    const int threads = 1 + from.below(3);
    for (const auto* row : {&factor_reference_plain, &factor_cpu_small, &factor_cpu_recursive}) {
        std::vector<T> a = given;
        std::vector<std::int32_t> pivots(static_cast<std::size_t>(count * least), -1);
        lu_result result;
        factor_job job;
        job.where = on_cpu{.threads = threads};
        job.a = matrices(view<T, 3>(a.data(), {count, rows, columns}));
        job.pivoting = pivoted ? pivoting::partial : pivoting::none;
        job.out.pivots = pivoted ? pivots.data() : nullptr;
        job.result = &result;
        if (!fuzz::ran(*row, job, result.run) || result.not_finite > 0) continue;
        for (int i = 0; i < count; ++i) {
            const T* const lu = a.data() + static_cast<std::size_t>(i) * each;
            std::vector<T> exchanged(
                given.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(i) * each),
                given.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(i + 1) * each));
            for (int k = 0; pivoted && k < least; ++k) {
                const int other = pivots[static_cast<std::size_t>(i * least + k)];
                fuzz::demand(other >= k && other < rows, "a pivot is a row below");
                std::swap_ranges(exchanged.begin() + k * columns, exchanged.begin() + (k + 1) * columns,
                                 exchanged.begin() + other * columns);
            }
            for (int r = 0; r < rows; ++r)
                for (int c = 0; c < columns; ++c) {
                    long double sum = 0, size = 0;
                    for (int k = 0; k <= std::min({r, c, least - 1}); ++k) {
                        const long double product =
                            (k == r ? 1 : static_cast<long double>(lu[r * columns + k])) *
                            static_cast<long double>(lu[k * columns + c]);
                        sum += product;
                        size += std::fabs(product);
                    }
                    const long double off = std::fabs(
                        sum - static_cast<long double>(exchanged[static_cast<std::size_t>(r * columns + c)]));
                    fuzz::demand(off <= 4.0L * least * std::numeric_limits<T>::epsilon() * size +
                                            std::numeric_limits<T>::min(),
                                 row->name);
                }
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::numbers_of from(data, size);
    if (from.byte() % 2 == 0)
        compare<double>(from);
    else
        compare<float>(from);
    return 0;
}
