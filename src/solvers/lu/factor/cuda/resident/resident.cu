// resident - cuda/resident: the matrix stays in the registers of the thread blocks from the first column to
// the last, one launch a matrix.
#include <optional>

#include "solvers/lu/factor/cuda/resident/pivoted.cuh"
#include "solvers/lu/factor/cuda/resident/unpivoted.cuh"
#include "solvers/lu/factor/cuda/resident/workspace.cuh"
#include "solvers/lu/factor/shared/refusals.hpp"

namespace wale::lu {
namespace {

using namespace resident;

struct need {
    index_t tallest;  // rows
    int bytes;        // of shared memory of a thread block
};

template <class Kind>
[[nodiscard]] need need_of(const cuda::context& on, const factor_job& job) {
    return cuda::with_device_type(job.a.type(), [&](auto zero) {
        using T = decltype(zero);
        const auto row = tuning::choose(Kind::name, Kind::policies, on.sm(), sizeof(T));
        return tuning::with_row<Kind::policies, sizeof(T)>(row, [&]<int Row>() {
            constexpr policy p = Kind::policies[Row].policy;
            const int s = p.pick(job.a.largest_rows(), sizeof(T));
            const int bytes = tuning::with_number<shapes>(static_cast<std::size_t>(s), [&]<int Shape>() {
                return Kind::template shared_bytes<T, Row, Shape>;
            });
            return need{p.tallest(sizeof(T)), bytes};
        });
    });
}

/// What the workspace counts in int stays below 2^31 elements.
constexpr index_t widest = index_t{1} << 19;  // columns

template <class T>
[[nodiscard]] workspace<T> workspace_of(const factor_job& job, index_t number, outcome* to) {
    const matrices m = job.a[number];
    workspace<T> in{};
    in.a = elements<T>(m);
    in.rows = static_cast<int>(m.rows);
    in.columns = static_cast<int>(m.columns);
    in.smallest_pivot = job.smallest_pivot;
    in.out = job.out;
    const auto shift = [](auto*& p, index_t by) { p = p ? p + by : nullptr; };
    index_t rows_before = number * m.rows;
    if (job.a.listed()) {
        rows_before = 0;
        for (index_t i = 0; i < number; ++i) rows_before += job.a[i].rows;
    }
    shift(in.out.pivots, job.a.pivot_start(number));
    shift(in.out.permutation, rows_before);
    shift(in.out.first_zero, number);
    shift(in.out.sign, number);
    shift(in.out.log_magnitude, number);
    in.to = to;
    in.number = number;
    if (job.is_complex() && wants_more_than_summary(job)) {
        in.out = {.pivots = in.out.pivots};
        in.number = -1;
    }
    return in;
}

[[nodiscard]] bool any_empty(const factor_job& job) {
    for (index_t i = 0; i < job.a.count(); ++i)
        if (job.a[i].diagonal() == 0) return true;
    return false;
}

template <class T>
shape queue_one(const cuda::context& on, const factor_job& job, index_t number, outcome* to) {
    // WALE_TUNING="lu/factor/resident_blocks=1" shows that one resident block is enough.
    const auto most = tuning::overridden("lu/factor/resident_blocks", 1u << 16,
                                         static_cast<std::size_t>(on.multiprocessors()));
    const workspace<T> in = workspace_of<T>(job, number, to);
    const int blocks = std::max(1, static_cast<int>(most));
    if constexpr (!is_complex_type<T>)
        if (job.pivoting == pivoting::none) return queue_unpivoted(on, in, blocks);
    return queue_pivoted(on, in, blocks);
}

std::string refuses_resident(const factor_job& job) {
    if (std::string no = refuses_tournament(job); !no.empty()) return no;
    if (job.is_complex() && job.pivoting == pivoting::none) return "factors complex numbers with pivots only";
    const cuda::context on(job.where);
    const need found = job.pivoting == pivoting::none ? need_of<resident::unpivoted>(on, job)
                                                      : need_of<resident::pivoted>(on, job);
    if (job.a.largest_rows() > found.tallest)
        return "keeps at most " + std::to_string(found.tallest) + " rows of " + name_of(job.a.type());
    if (job.a.largest_columns() > widest) return "takes at most " + std::to_string(widest) + " columns";
    const int available = on.facts().shared_per_block;
    if (found.bytes > available)
        return "needs " + std::to_string(found.bytes) + " bytes of shared memory a block; the device has " +
               std::to_string(available);
    return "";
}

/// Without pivots cuda/tile_dag is faster for float64 of more rows (H100, us: 57 beside 67 at 114 rows, 196
/// beside 223 at 512).
constexpr index_t most_unpivoted_f64 = 104;

/// Of smaller complex matrices a lane of cuda/panels has a row.
constexpr index_t complex_suits_from = 33;

/// One matrix at a time: batches have better rows. Not much wider than the device has multiprocessors for.
bool suits_resident(const factor_job& job) {
    const resident::policy& p = job.pivoting == pivoting::none ? resident::unpivoted_policies[0].policy
                                                               : resident::pivoted_policies[0].policy;
    const int rows = job.a.type() == scalar::f32 ? p.suits_f32 : p.suits_f64;
    const index_t own = job.a.largest_rows(), count = job.a.count();
    if (job.is_complex())
        return count == 1 && own >= complex_suits_from && job.a.largest_columns() <= 2 * rows;
    if (count == 1 && job.pivoting == pivoting::none && job.a.type() == scalar::f64 &&
        own > most_unpivoted_f64)
        return false;
    // One after the other where a batch is too small for cuda/batched and a matrix large enough for the
    // device.
    const bool one_by_one =
        job.pivoting == pivoting::none ? own > 512 && count <= 16 : own > 1024 && job.a.type() == scalar::f32;
    return (count == 1 || one_by_one) && own <= rows && job.a.largest_columns() <= 2 * rows;
}

void factor_resident(factor_job& job) {
    const cuda::context on(job.where);
    std::optional<cuda::timer> timer;
    const outcome_on_device outcomes(on, job);
    if (!job.asynchronous) timer.emplace(on);
    outcome* const to = outcomes.data();
    resident::shape dealt{};
    index_t launches = 0;
    const bool finishes = job.is_complex() && wants_more_than_summary(job);
    if (!finishes && any_empty(job)) {
        // The outputs of empty matrices are written first; those of the others are written again.
        factor_job empty = job;
        empty.result = nullptr;
        const outcome_on_device ignored(on, job);
        queue_finish(on, empty, ignored);
    }
    for (index_t i = 0; i < job.a.count(); ++i) {
        if (job.a[i].diagonal() == 0) continue;
        dealt = cuda::with_device_type(job.a.type(),
                                       [&](auto zero) { return queue_one<decltype(zero)>(on, job, i, to); });
        ++launches;
    }
    if (finishes) queue_finish(on, job, outcomes);
    job.result->run.policy =
        "columns=" + std::to_string(resident::width) + " warps=" + std::to_string(dealt.warps);
    if (job.asynchronous) return;
    job.result->run.compute_seconds = timer->stop(outcomes.words());
    outcomes.report(job, "cuda/resident");
    job.result->run.iterations = launches;
}

}  // namespace

extern constinit const catalogue::row<factor_job> factor_cuda_resident{
    "cuda/resident",
    "one matrix after the other, each in one launch: blocks keep 16 columns of all rows in registers and "
    "hand on multipliers that are their own flags; iterations are launches",
    factor_resident,
    refuses_resident,
    suits_resident,
    true};

}  // namespace wale::lu
