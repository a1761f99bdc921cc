// register_partition - flat trees read once and written once: a team of lanes keeps every factor of its trees
// in registers (partition.hpp says how a tree is cut), while bulk copies bring the next ones.
#include <array>

#include "solvers/tree/hines/cuda/register_partition/solve.cuh"
#include "solvers/tree/hines/shared/thread_tuning.hpp"
#include "solvers/tree/jobs.hpp"
#include "tuning/override.hpp"

namespace wale::tree {
namespace register_partition {
namespace {

constexpr int rows_of_table = static_cast<int>(std::size(policies));
constexpr int tries_of_all = 40000;  // exchanges of lanes, some ten milliseconds, once for a topology
constexpr const char* table_name = "tree/hines/register_partition";

/// The forms that one row of the table takes.
struct class_on_device {
    buffer<int2> rows;
    buffer<int4> records;
    buffer<device_form> forms;
    buffer<unit> trees, couples;  // couples: two trees of a form, for single vectors
    int most_separators = 0, most_chains = 0, most_steps = 0;
};
struct classes_on_device {
    std::array<class_on_device, rows_of_table> of_row;
};

bool takes(const policy& p, const form& f) {
    return f.size() <= p.pitch - policy::spare && partition::fits(f, {p.lanes, p.rows});
}

/// The row for a form: the first that takes it, or the one that was asked for; -1: none.
int row_for(const form& f, int forced) {
    for (int k = 0; k < rows_of_table; ++k)
        if ((forced == rows_of_table || forced == k) && takes(policies[k].policy, f)) return k;
    return -1;
}
int forced_row() {
    return static_cast<int>(tuning::overridden(table_name, rows_of_table, rows_of_table));
}

/// Arrays of all forms one after the other, on the host.
struct class_on_host {
    std::vector<int2> rows;
    std::vector<int4> records;
    std::vector<device_form> forms;
    std::vector<unit> trees, couples;
    int most_separators = 0, most_chains = 0, most_steps = 0;

    void add(const form& f, const policy& p, int tries) {
        const partition cut(f, {p.lanes, p.rows, tries}, p.idle());
        device_form made{};
        made.nodes = f.size();
        made.count = static_cast<std::int32_t>(cut.separators.size());
        made.up = add_rows(cut.up);
        made.down = add_rows(cut.down);
        made.plain = static_cast<std::int32_t>(rows.size());
        for (std::size_t k = 0; k < f.node.size(); ++k) {
            const std::int32_t parent = f.parent[k];
            rows.push_back({f.node[k], parent < 0 ? -1 : f.node[static_cast<std::size_t>(parent)]});
        }
        made.separators = static_cast<std::int32_t>(records.size());
        for (const separator& s : cut.separators) records.push_back(packed(s));
        for (const separator& s : cut.separators) records.push_back(round_record::of(s));
        made.steps_begin = static_cast<std::int32_t>(rows.size());
        made.steps = add_steps(cut);
        forms.push_back(made);
        most_separators = std::max(most_separators, made.count);
        most_chains = std::max(most_chains, cut.chains);
        most_steps = std::max(most_steps, made.steps);
    }
    std::int32_t add_rows(const std::vector<chain_row>& from) {
        const auto first = static_cast<std::int32_t>(rows.size());
        for (const chain_row& r : from) rows.push_back({static_cast<int>(r.where), static_cast<int>(r.link)});
        return first;
    }
    /// Rounds in steps of a warp.
    std::int32_t add_steps(const partition& cut) {
        std::int32_t steps = 0;
        for (std::size_t r = 0; r + 1 < cut.rounds.size(); ++r)
            for (auto first = cut.rounds[r]; first < cut.rounds[r + 1]; first += 32, ++steps)
                rows.push_back({first, std::min(first + 32, cut.rounds[r + 1])});
        return steps;
    }
    void add_tree(std::int32_t base, bool first_of_form) {
        const auto number = static_cast<std::int32_t>(forms.size()) - 1;
        trees.push_back({number, {base, -1}, forms.back().nodes});
        if (!first_of_form && couples.back().base[1] < 0)
            couples.back().base[1] = base;
        else
            couples.push_back({number, {base, -1}, forms.back().nodes});
    }
    void send(const execution& where, class_on_device& to) const {
        to.rows = to_device<int2>(where, rows);
        to.records = to_device<int4>(where, records);
        to.forms = to_device<device_form>(where, forms);
        to.trees = to_device<unit>(where, trees);
        to.couples = to_device<unit>(where, couples);
        to.most_separators = most_separators;
        to.most_chains = most_chains;
        to.most_steps = most_steps;
    }
};

std::shared_ptr<const classes_on_device> make_classes(const execution& where, const forms& f, int forced) {
    std::array<class_on_host, rows_of_table> host;
    for (std::size_t k = 0; k < f.all.size(); ++k) {
        const int row = row_for(f.all[k], forced);
        class_on_host& own = host[static_cast<std::size_t>(row)];
        own.add(f.all[k], policies[row].policy, tries_of_all / static_cast<int>(f.all.size()));
        for (auto m = f.starts[k]; m < f.starts[k + 1]; ++m)
            own.add_tree(f.trees[static_cast<std::size_t>(m)].base, m == f.starts[k]);
    }
    const auto made = std::make_shared<classes_on_device>();
    for (std::size_t k = 0; k < host.size(); ++k)
        if (!host[k].forms.empty()) host[k].send(where, made->of_row[k]);
    return made;
}

template <class T>
bool aligned_alike(const hines_job& job) {
    const auto skip = [](const const_vectors& v) { return reinterpret_cast<std::uintptr_t>(v.data) % 16; };
    return skip(job.upper) == skip(job.diagonal) && skip(job.lower) == skip(job.diagonal) &&
           skip(job.rhs) == skip(job.diagonal);
}

template <int Row, class T>
void launch(const tree_call& call, hines_job& job, const class_on_device& k) {
    constexpr policy p = policies[Row].policy;
    const bool couples = p.cells > 1 && job.rhs.count == 1;
    const buffer<unit>& units = couples ? k.couples : k.trees;
    const index_t groups = couples ? 1 : (job.rhs.count + p.cells - 1) / p.cells;
    const partition_work<T> w{vectors_on_device<T>(job, call.status),
                              k.forms.data(),
                              k.rows.data(),
                              k.records.data(),
                              units.data(),
                              groups,
                              units.size() * groups,
                              job.rhs.span_elements(),
                              k.most_separators,
                              k.most_chains,
                              k.most_steps,
                              aligned_alike<T>(job),
                              call.status.words().number_data()};
    const int shared = call.here.facts().shared_per_block;
    const int each = form_records::bytes(k.most_separators, k.most_steps) +
                     p.cells * static_cast<int>(sizeof(T)) *
                         cell_memory<T>::words(p.pitch, k.most_separators, k.most_chains);
    const int teams = std::min(p.teams, (shared - 128) / each);
    if (teams < 1) throw unsupported_variant("cuda/register_partition: a tree with too many branch points");
    const auto kernel = solve_teams<Row, T>;
    const int bytes = 128 + teams * each, threads = teams * p.lanes;
    const int blocks_each =
        cuda::launch_limits::blocks(call.here, kernel, threads, static_cast<std::size_t>(bytes));
    const auto blocks = std::min<index_t>(w.total, index_t{call.here.multiprocessors()} * blocks_each);
    kernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads), static_cast<std::size_t>(bytes),
             call.here.stream()>>>(w);
    cuda::check_launch();
    job.result->run.policy = "lanes=" + std::to_string(p.lanes) + " rows=" + std::to_string(p.rows) +
                             " cells=" + std::to_string(p.cells) + " teams=" + std::to_string(teams);
}

/// Why a topology cannot be taken; found once.
std::string refusal_of(const topology& t, int forced) {
    constexpr index_t most = policies[rows_of_table - 1].policy.pitch;
    const std::string large = "a tree of more than " + std::to_string(most) +
                              " nodes, or one whose nodes are not "
                              "consecutive";
    if (t.size() > most * std::ssize(t.roots)) return large;
    const auto f = forms_of(t);
    return *t.kept<std::string>("register_partition refuses " + std::to_string(forced), [&] {
        const bool all = std::ranges::all_of(f->all, [&](const form& k) { return row_for(k, forced) >= 0; });
        return std::make_shared<const std::string>(all ? "" : large);
    });
}

}  // namespace
}  // namespace register_partition

namespace {

std::string refuses_register_partition(const hines_job& job) {
    if (job.rhs.layout != vector_layout::flat) return "needs flat vectors";
    if (job.eliminated.data)
        return "does not have the eliminated diagonal: chains are eliminated by themselves";
    if (cuda::context(job.where).sm() < 90) return "needs compute capability 9.0 (bulk copies)";
    return register_partition::refusal_of(*job.tree, register_partition::forced_row());
}

/// Trees that a thread does not hold: 118,392 trees of one node took six times as long as in
/// cuda/register_sweep.
bool suits_register_partition(const hines_job& job) {
    return !thread_sweeps::many_short_trees(job);
}

void solve_register_partition(hines_job& job) {
    using namespace register_partition;
    const auto f = forms_of(*job.tree);
    const int forced = forced_row();
    const auto classes =
        job.tree->kept<classes_on_device>(on_device_of(job, "register_partition " + std::to_string(forced)),
                                          [&] { return make_classes(job.where, *f, forced); });
    tree_call call(job);
    index_t launches = 0;
    with_type(job.rhs.type, [&](auto zero) {
        for (std::size_t k = 0; k < classes->of_row.size(); ++k) {
            if (classes->of_row[k].forms.size() == 0 || job.rhs.count == 0) continue;
            ++launches;
            tuning::with_number<rows_of_table>(
                k, [&]<int Row>() { launch<Row, decltype(zero)>(call, job, classes->of_row[k]); });
        }
    });
    call.finish(launches);
    if (!job.asynchronous && call.status.words().number() != 0)
        throw device_error("cuda/register_partition: wait ran out");
}

}  // namespace

extern constinit const catalogue::row<hines_job> hines_cuda_register_partition{
    "cuda/register_partition",
    "flat trees read once: a team of lanes keeps its trees' chains in registers, and what joins them is "
    "contracted in rounds",
    solve_register_partition, refuses_register_partition, suits_register_partition};

}  // namespace wale::tree
