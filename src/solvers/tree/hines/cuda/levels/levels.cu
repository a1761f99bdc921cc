// levels - few big trees, or many: a block takes each by the k-deepest schedule, with its factors in shared
// memory where they fit.
#include "solvers/tree/hines/cuda/levels/levels.cuh"

#include "solvers/tree/hines/shared/thread_tuning.hpp"
#include "solvers/tree/jobs.hpp"
#include "tuning/override.hpp"

namespace wale::tree {
namespace block_levels {
namespace {

/// The schedules of all forms of a topology, on the device.
struct schedules_on_device {
    buffer<int4> rows;
    buffer<std::int32_t> share_ends, share_parents;
    buffer<device_form> forms;
    buffer<device_tree> trees;
    index_t most_shares = 0;  // of a tree that is not resident
    bool all_resident = true;
    index_t shared_bytes = 0;
};

struct schedules_on_host {
    std::vector<int4> rows;
    std::vector<std::int32_t> share_ends, share_parents;
    std::vector<device_form> forms;

    device_schedule add(const levels& s) {
        const device_schedule made{std::ssize(rows), std::ssize(share_ends), s.steps};
        for (const level_row& r : s.rows) rows.push_back({static_cast<int>(r.bits), r.edge, r.in, r.out});
        share_ends.insert(share_ends.end(), s.share_ends.begin(), s.share_ends.end());
        share_parents.insert(share_parents.end(), s.share_parents.begin(), s.share_parents.end());
        return made;
    }
};

struct maker {
    const hines_job& job;
    int lanes;
    index_t shared_bytes;  // of a block

    [[nodiscard]] std::shared_ptr<const schedules_on_device> operator()(const forms& f) const {
        const auto made = std::make_shared<schedules_on_device>();
        schedules_on_host host;
        const auto word = static_cast<index_t>(bytes_of(job.rhs.type));
        for (const form& one : f.all) {
            const levels plain(one, lanes, false);
            device_form form{host.add(plain), {}, one.size(), 0};
            auto most = std::ssize(plain.share_ends);
            const auto bytes = [&] { return 2 * word * (one.size() + most); };
            if (one.extent == one.size() && bytes() <= shared_bytes) {
                const levels centred(one, lanes, true);
                most = std::max(most, std::ssize(centred.share_ends));
                form.resident = bytes() <= shared_bytes;
                if (form.resident) form.centred = host.add(centred);
            }
            host.forms.push_back(form);
            if (form.resident)
                made->shared_bytes = std::max(made->shared_bytes, bytes());
            else
                made->most_shares = std::max<index_t>(made->most_shares, std::ssize(plain.share_ends));
            made->all_resident = made->all_resident && form.resident;
        }
        std::vector<device_tree> trees;
        for (const forms::member& m : f.trees) trees.push_back({m.form, m.base});
        made->rows = to_device<int4>(job.where, host.rows);
        made->share_ends = to_device<std::int32_t>(job.where, host.share_ends);
        made->share_parents = to_device<std::int32_t>(job.where, host.share_parents);
        made->forms = to_device<device_form>(job.where, host.forms);
        made->trees = to_device<device_tree>(job.where, trees);
        return made;
    }
};

template <int Row, class T>
void launch(const tree_call& call, hines_job& job, const schedules_on_device& s) {
    const index_t instances = s.trees.size() * job.rhs.count;
    if (instances == 0) return;
    const cuda::scratch<T> factor(call.here, s.all_resident ? 0 : job.rhs.span_elements());
    const cuda::scratch<share<T>> shares(call.here, s.most_shares * instances);
    const level_work<T> w{vectors_on_device<T>(job, call.status),
                          factor.data(),
                          shares.data(),
                          s.most_shares,
                          s.forms.data(),
                          s.trees.data(),
                          s.rows.data(),
                          s.share_ends.data(),
                          s.share_parents.data(),
                          instances};
    const auto kernel = solve_levels_of_trees<Row, T>;
    cuda::launch_limits::permit(call.here, kernel, static_cast<std::size_t>(s.shared_bytes));
    kernel<<<static_cast<unsigned>(instances), policies[Row].policy.lanes,
             static_cast<std::size_t>(s.shared_bytes), call.here.stream()>>>(w);
    cuda::check_launch();
}

}  // namespace
}  // namespace block_levels

namespace {

std::string refuses_levels(const hines_job& job) {
    constexpr index_t most_blocks = 2147483647;
    if (static_cast<index_t>(job.tree->roots.size()) * job.rhs.count > most_blocks)
        return "more than 2^31 - 1 trees";
    return job.tree->size() >= level_row::most_nodes ? "2^28 nodes or more" : "";
}

bool suits_levels(const hines_job& job) {
    return !thread_sweeps::many_short_trees(job) &&
           static_cast<index_t>(job.tree->roots.size()) * job.rhs.count <=
               block_levels::policies[0].policy.most_trees;
}

void solve_levels(hines_job& job) {
    using namespace block_levels;
    const auto f = forms_of(*job.tree);
    int sm = 0, shared_bytes = 0;
    {
        const cuda::context here(job.where);
        sm = here.sm();
        shared_bytes = here.facts().shared_per_block;
    }
    const auto word = static_cast<int>(bytes_of(job.rhs.type));
    const auto row = tuning::choose("tree/hines/levels", policies, sm, word);
    const int lanes = policies[row].policy.lanes;
    const auto schedules = job.tree->kept<schedules_on_device>(
        on_device_of(job, "levels " + std::to_string(lanes) + " " + std::to_string(word)), [&] {
            return maker{job, lanes, shared_bytes - 64}(*f);
        });
    tree_call call(job);
    with_type(job.rhs.type, [&](auto zero) {
        tuning::with_row<policies, sizeof(zero)>(
            row, [&]<int Row>() { launch<Row, decltype(zero)>(call, job, *schedules); });
    });
    job.result->run.policy = "lanes=" + std::to_string(lanes);
    call.finish(1);
}

}  // namespace

extern constinit const catalogue::row<hines_job> hines_cuda_levels{
    "cuda/levels",
    "a block a tree, in each step the deepest nodes whose children are done; shares are gathered",
    solve_levels, refuses_levels, suits_levels};

}  // namespace wale::tree
