// one_thread_per_tree - the two passes of cuHinesBatch (Valero-Lara et al., ICCS 2017) by the letter: a
// thread takes a whole tree of a vector, and every child finds its parent in memory. The inputs are kept:
// pivots go to scratch, reduced right sides to the solution, and the first child to arrive reads what its
// parent was.
#include "solvers/tree/hines/shared/forms.hpp"
#include "solvers/tree/hines/shared/thread_tuning.hpp"
#include "solvers/tree/hines/shared/vectors.cuh"
#include "solvers/tree/jobs.hpp"
#include "tuning/override.hpp"

namespace wale::tree {
namespace {

using thread_sweeps::policies;

struct plain_row {
    std::int32_t node, parent;  // from the tree's lowest; parent -1: the root
    std::int32_t leaf, first;   // no child; the first child that reaches its parent
};
struct plain_tree {
    std::int64_t first_row;
    std::int32_t rows, base;
};
struct plain_trees_on_device {
    buffer<plain_row> rows;  // parents first
    buffer<plain_tree> trees;
};

void append_rows(const form& f, std::vector<plain_row>& rows) {
    const auto begin = rows.size();
    rows.resize(begin + f.node.size());
    std::vector<char> reached(f.node.size(), 0);
    for (std::size_t k = f.node.size(); k-- > 0;) {
        const std::int32_t p = f.parent[k];
        const std::size_t parent = p < 0 ? 0 : static_cast<std::size_t>(p);
        rows[begin + k] = {f.node[k], p < 0 ? -1 : f.node[parent], !reached[k], p >= 0 && !reached[parent]};
        if (p >= 0) reached[parent] = 1;
    }
}

std::shared_ptr<const plain_trees_on_device> make_plain(const execution& where, const forms& f) {
    const auto made = std::make_shared<plain_trees_on_device>();
    std::vector<plain_row> rows;
    std::vector<plain_tree> trees;
    for (std::size_t k = 0; k < f.all.size(); ++k) {
        const std::int64_t first = std::ssize(rows);
        append_rows(f.all[k], rows);
        for (auto m = f.starts[k]; m < f.starts[k + 1]; ++m)
            trees.push_back({first, f.all[k].size(), f.trees[static_cast<std::size_t>(m)].base});
    }
    made->rows = to_device<plain_row>(where, rows);
    made->trees = to_device<plain_tree>(where, trees);
    return made;
}

template <class T>
struct plain_work {
    device_tree_vectors<T> v;
    T* pivot;  // placed as the vectors are
    const plain_row* rows;
    const plain_tree* trees;
    index_t workers;
};

template <int Row, class T>
__global__ void __launch_bounds__(policies[Row].policy.threads) two_passes(const plain_work<T> w) {
    const index_t me = index_t{blockIdx.x} * policies[Row].policy.threads + threadIdx.x;
    if (me >= w.workers) return;
    const device_tree_vectors<T>& v = w.v;
    const index_t vector = me % v.at.count, step = v.at.step();
    const plain_tree tree = w.trees[me / v.at.count];
    const plain_row* rows = w.rows + tree.first_row;
    const index_t begin = v.at.begin_of(vector) + tree.base * step;
    for (std::int32_t k = tree.rows - 1; k >= 0; --k) {
        const plain_row r = rows[k];
        const index_t i = begin + r.node * step, p = begin + r.parent * step;
        const T d = r.leaf ? v.diagonal[i] : w.pivot[i], b = r.leaf ? v.rhs[i] : v.solution[i];
        if (is_bad(d)) v.bad.note(vector, tree.base + r.node);
        if (r.leaf) {
            w.pivot[i] = d;
            v.solution[i] = b;
        }
        if (r.parent < 0) continue;
        const T factor = v.upper[i] / d;
        w.pivot[p] = fma(-factor, v.lower[i], r.first ? v.diagonal[p] : w.pivot[p]);
        v.solution[p] = fma(-factor, b, r.first ? v.rhs[p] : v.solution[p]);
    }
    for (std::int32_t k = 0; k < tree.rows; ++k) {
        const plain_row r = rows[k];
        const index_t i = begin + r.node * step, p = begin + r.parent * step;
        const T b = r.parent < 0 ? v.solution[i] : fma(-v.lower[i], v.solution[p], v.solution[i]);
        v.solution[i] = b / w.pivot[i];
    }
}

template <class T>
void launch(const tree_call& call, hines_job& job, const plain_trees_on_device& s) {
    const bool wanted = job.eliminated.data != nullptr;
    const cuda::scratch<T> pivot(call.here, wanted ? 0 : job.rhs.span_elements());
    const device_tree_vectors<T> v = vectors_on_device<T>(job, call.status);
    const plain_work<T> w{v, wanted ? v.eliminated : pivot.data(), s.rows.data(), s.trees.data(),
                          s.trees.size() * job.rhs.count};
    const auto row = tuning::choose("tree/hines/one_thread_per_tree", policies, call.here.sm(), sizeof(T));
    tuning::with_row<policies, sizeof(T)>(row, [&]<int Row>() {
        constexpr unsigned threads = policies[Row].policy.threads;
        const auto blocks = static_cast<unsigned>((w.workers + threads - 1) / threads);
        if (blocks > 0) two_passes<Row><<<blocks, threads, 0, call.here.stream()>>>(w);
        cuda::check_launch();
        job.result->run.policy = "threads=" + std::to_string(threads);
    });
}

void solve_one_thread_per_tree(hines_job& job) {
    const auto f = forms_of(*job.tree);
    const auto s = job.tree->kept<plain_trees_on_device>(on_device_of(job, "plain trees"),
                                                         [&] { return make_plain(job.where, *f); });
    tree_call call(job);
    with_type(job.rhs.type, [&](auto zero) { launch<decltype(zero)>(call, job, *s); });
    call.finish(1);
}

}  // namespace

extern constinit const catalogue::row<hines_job> hines_cuda_one_thread_per_tree{
    "cuda/one_thread_per_tree",
    "a thread a tree, every child finds its parent in memory: the two passes of cuHinesBatch",
    solve_one_thread_per_tree};

}  // namespace wale::tree
