// sync_free - one large system, or a few: persistent blocks take blocks of rows by ticket.
#include <algorithm>
#include <climits>
#include <optional>

#include "cuda/stream.cuh"
#include "solvers/lu/solve/cuda/sync_free/kernel.cuh"

namespace wale::lu {
namespace sync_free {
namespace {

/// Systems of one shape.
struct uniform_systems {
    const_matrices factors;
    matrices b;
    const std::int32_t* pivots;
};

template <class T, int Sides, bool ByRow>
void launch(const cuda::context& c, const solve_call<T>& call) {
    const auto kernel = solve_sync_free<T, Sides, ByRow>;
    constexpr std::size_t bytes = sizeof(workplace<T, Sides>);
    cuda::launch_limits::permit(c, kernel, bytes);
    const index_t resident =
        std::max(1, cuda::launch_limits::blocks(c, kernel, threads, bytes) * c.multiprocessors());
    kernel<<<static_cast<unsigned>(std::min(call.tickets(), resident)), threads, bytes, c.stream()>>>(call);
    cuda::check_launch();
}

template <class T, int Sides>
void queue(const cuda::context& c, const solve_job& job, const uniform_systems& all, std::uint32_t* failed) {
    const const_matrices& f = all.factors;
    if (f.rows == 0 || f.count == 0 || all.b.columns == 0) return;
    const strided<const T> a{static_cast<const T*>(f.data), f.row_step(), f.column_step()};
    solve_call<T> call{};
    call.a = job.transposed ? a.transposed() : a;
    call.b = {static_cast<T*>(all.b.data), all.b.row_step(), all.b.column_step()};
    call.a_stride = f.stride;
    call.b_stride = all.b.stride;
    call.pivots = all.pivots;
    call.n = static_cast<int>(f.rows);
    call.sides = static_cast<int>(all.b.columns);
    call.strips = (all.b.columns + Sides - 1) / Sides;
    call.count = f.count;
    call.transposed = job.transposed;
    call.conjugated = job.conjugated;
    const index_t words = 2 * call.count * call.strips * Sides * f.rows * words_of<T>;
    const cuda::scratch<std::uint64_t> memory(c,
                                              words + 1);  // the last: the ticket, and a place for `failed`
    memory.fill_bytes(0);
    call.words = memory.data();
    call.next = reinterpret_cast<std::uint32_t*>(memory.data() + words);
    call.failed = failed ? failed : call.next + 1;
    if (job.transposed != f.row_major())
        launch<T, Sides, true>(c, call);
    else
        launch<T, Sides, false>(c, call);
}

template <class T>
void queue_any(const cuda::context& c, const solve_job& job, const uniform_systems& all,
               std::uint32_t* failed) {
    if constexpr (!is_complex_type<T>)  // of complex numbers the sums of several do not fit into registers
        if (all.b.columns > 1) return queue<T, most_of_a_strip>(c, job, all, failed);
    queue<T, 1>(c, job, all, failed);
}

template <class T>
void queue_all(const cuda::context& c, const solve_job& job, std::uint32_t* failed) {
    if (!job.factors.listed())
        return queue_any<T>(c, job, {job.factors.uniform(), job.b.uniform(), job.pivots}, failed);
    for (index_t i = 0; i < job.factors.count(); ++i)
        queue_any<T>(
            c, job,
            {job.factors[i], job.b[i], job.pivots ? job.pivots + job.factors.pivot_start(i) : nullptr},
            failed);
}

bool suits(const solve_job& job) {
    const index_t count = job.factors.count(), n = job.factors.largest_rows();
    const int sm = cuda::context(job.where).sm(), element = static_cast<int>(bytes_of(job.factors.type()));
    const auto& table = job.is_complex() ? complex_ranges : ranges;
    const range_policy& p = table[tuning::pick(table, sm, element)].policy;
    const index_t sides = job.b.largest_columns();
    const index_t strips = job.is_complex() ? sides : (sides + most_of_a_strip - 1) / most_of_a_strip;
    return n >= p.least && n <= p.most && sides <= p.sides && count * strips <= p.strips;
}

std::string refuses(const solve_job& job) {
    if (job.factors.largest_rows() > INT_MAX / 2) return "more than 1073741823 rows";
    if (job.b.largest_columns() > INT_MAX / 2) return "more than 1073741823 right-hand sides";
    const std::size_t bytes = cuda::with_device_type(job.factors.type(), [](auto zero) {
        using T = decltype(zero);
        constexpr int sides = is_complex_type<T> ? 1 : most_of_a_strip;
        return sizeof(workplace<T, sides>);
    });
    const bool fits = bytes <= static_cast<std::size_t>(cuda::context(job.where).facts().shared_per_block);
    return fits ? "" : "needs more shared memory a block than this device has";
}

void solve(solve_job& job) {
    const cuda::context c(job.where);
    const cuda::call_report<std::uint32_t> failed(c, 0, job.asynchronous);
    std::optional<cuda::timer> timer;
    if (!job.asynchronous) timer.emplace(c);
    cuda::with_device_type(job.factors.type(),
                           [&](auto zero) { queue_all<decltype(zero)>(c, job, failed.data()); });
    job.result->run.policy = "block=" + std::to_string(rows);
    job.result->run.iterations = 1;
    if (!timer) return;
    job.result->run.compute_seconds = timer->stop(failed);
    if (failed.read() != 0) throw device_error("cuda/sync_free: a bounded wait ran out");
}

}  // namespace
}  // namespace sync_free

extern constinit const catalogue::row<solve_job> solve_cuda_sync_free{
    "cuda/sync_free",
    "one system or a few: a block a block of rows by ticket, solutions sent as they are found",
    sync_free::solve,
    sync_free::refuses,
    sync_free::suits,
    true};

}  // namespace wale::lu
