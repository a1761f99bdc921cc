// strips - one pair of any length: strips of rows by ticket, cells of 16 bits relative to corners.
#include <string>

#include "solvers/wavefront/align/cpu/diagonals/tile.hpp"
#include "solvers/wavefront/align/cuda/strips/sweeper.cuh"
#include "solvers/wavefront/align/cuda/strips/trace.hpp"

namespace wale::wavefront {
namespace {

using namespace strips;

std::string refusal(const alignment_job& job) {
    constexpr index_t most_symbols = (index_t{1} << 31) - (index_t{1} << 16);
    const alignment_options& o = *job.options;
    const scores_of_call scores(o);
    if (job.query.size > most_symbols || job.target.size > most_symbols)
        return "needs sequences of fewer than 2^31 symbols";
    if (o.task > alignment_task::ends && diagonal_kernels().wide.run == nullptr)
        return "needs vectors of the host for starts and paths";
    if (!scores.fit(std::end(shapes)[-1].policy))
        return "needs scores and gaps whose sums over a strip fit 16 bits";
    if (!o.matrix.by_equality() &&
        (std::ssize(o.matrix.letters()) > binned::most_letters || !scores.are_bytes()))
        return "needs a matrix of up to 32 letters whose scores fit a byte";
    return "";
}

/// Symbols of the device on the host.
std::vector<std::uint8_t> fetched(const cuda::context& c, const symbols& s) {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(s.size * s.bytes));
    if (!bytes.empty())
        cuda::check(cudaMemcpyAsync(bytes.data(), s.data, bytes.size(), cudaMemcpyDefault, c.stream()));
    c.synchronize();
    return bytes;
}

/// The border alone, where a side is empty.
swept without_cells(const alignment_problem& p) {
    if (p.local()) return {0, {{0, 0}}};
    best_ends ends(p);
    ends.offer_border();
    const std::int64_t score = ends.score();
    return {score, ends.sorted()};
}

/// Columns of a panel: as asked, but for tables of more than two million tasks.
index_t panel_of(const alignment_problem& p, const sweep_policy& policy, index_t least) {
    index_t panel = base::ceil_div(std::max<index_t>(least, 1), policy.block) * policy.block;
    const double tasks =
        static_cast<double>(p.rows()) / (64 * policy.words) * static_cast<double>(p.columns());
    while (tasks / static_cast<double>(panel) > 2e6) panel *= 2;
    return panel;
}

void solve(const cuda::context& c, const alignment_problem& p, alignment_job& job) {
    alignment_result& out = *job.result;
    const bool walks = job.options->task > alignment_task::ends;
    swept found;
    if (p.rows() == 0 || p.columns() == 0) {
        found = without_cells(p);
        path_walker walker(p, found.ends.front(), found.score);
        if (walks) walker.finish(out, job.options->task == alignment_task::path);
    } else {
        sweeper s(c, p, *job.options);
        if (walks) {
            const index_t panel = panel_of(p, s.policy(), fine_unit(s.policy()));
            const kept_part lines(c, {0, 0, p.rows(), p.columns()},
                                  step_of_lines(p.rows(), p.columns(), whole_bytes(), panel), s.policy(),
                                  panel);
            found = s.run(&lines, panel);
            trace(s, c, p, lines, found, job.options->task == alignment_task::path, out);
        } else {
            constexpr std::size_t most = std::size_t{1} << 20;
            const std::size_t least =
                tuning::overridden("wavefront/align/panel", most, static_cast<std::size_t>(s.policy().panel));
            found = s.run(nullptr, panel_of(p, s.policy(), static_cast<index_t>(least)));
        }
        job.run->policy = s.described();
        job.run->bytes = static_cast<double>(s.bytes());
    }
    out.score = found.score;
    out.best_ends = std::move(found.ends);
}

void run(alignment_job& job) {
    const cuda::context c(job.where);
    cuda::timer whole(c);
    const std::vector<std::uint8_t> query = fetched(c, job.query), target = fetched(c, job.target);
    const coded_alignment coded({query.data(), job.query.size, job.query.bytes},
                                {target.data(), job.target.size, job.target.bytes}, *job.options);
    solve(c, coded.problem(), job);
    job.run->compute_seconds = whole.stop();
}

}  // namespace

extern constinit const catalogue::row<alignment_job> align_cuda_strips{
    "cuda/strips",
    "rows in registers, a warp a strip of a panel of columns, cells of 16 bits relative to corners", run,
    refusal};

}  // namespace wale::wavefront
