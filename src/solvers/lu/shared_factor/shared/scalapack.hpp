// scalapack - what both rows of that name share: what they refuse, and their matrix as ScaLAPACK sees it.
#pragma once

#include <limits>
#include <string>

#include "cpu/team.hpp"
#include "mpi/scalapack_api.hpp"
#include "mpi/transport.hpp"
#include "solvers/lu/problem.hpp"
#include "solvers/lu/shared_factor/shared/columns.hpp"

namespace wale::lu {

/// Of either shared job.
template <class Job>
[[nodiscard]] std::string scalapack_refusal(const Job& job) {
    if (job.group->empty() || !job.group->transport()->is_mpi())
        return "needs the processes of an mpirun as its group";
    std::string why;
    if (mpi::scalapack(why) == nullptr) return why;
    if (job.own.order != storage_order::column_major) return "needs a column-major matrix";
    constexpr index_t most = std::numeric_limits<int>::max() - 1024;  // its numbers of elements have 32 bits
    const index_t own = dealt_columns(job.whole, 0, job.group->size()).own();
    if (job.whole.columns > most || job.own.leading > most ||
        job.whole.rows * std::max<index_t>(1, own) > most)
        return "counts elements in 32 bits, and a rank's part has more";
    return {};
}

template <class Job>
[[nodiscard]] int scalapack_threads(const Job& job) {
    return cpu::team_size(std::get<on_cpu>(job.where).threads, 1 << 20);
}

[[nodiscard]] inline mpi::scalapack_matrix scalapack_view(const ranks& group, const matrix_shape& whole,
                                                          void* own, index_t leading) {
    const dealt_columns dealt(whole, group.rank(), group.size());
    return {whole.type,
            static_cast<int>(whole.rows),
            static_cast<int>(whole.columns),
            static_cast<int>(dealt.block),
            own,
            static_cast<int>(std::max(leading, whole.rows))};
}

/// ScaLAPACK looks for the largest of numbers, which NaN has no place among.
template <class T>
[[nodiscard]] bool all_finite(const const_matrices& m) {
    const auto a = elements<T>(m);
    real_of<T> poison = 0;  // 0 times what is finite stays 0
    for (index_t j = 0; j < m.columns; ++j)
        for (index_t i = 0; i < m.rows; ++i) {
            if constexpr (is_complex_type<T>)
                poison += 0 * a(i, j).real() + 0 * a(i, j).imag();
            else
                poison += 0 * a(i, j);
        }
    return poison == 0;
}

}  // namespace wale::lu
