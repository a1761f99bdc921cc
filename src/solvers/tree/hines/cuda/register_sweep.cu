// register_sweep - a thread takes a whole tree, heaviest child first (sweep.hpp): the sums of the running
// parent stay in registers, those of the few open branch points in shared memory, so that nothing is
// scattered. Up: four numbers of a node are read, its two factors written; down: both are read, the unknown
// is written. 9 words a node. Neighbouring threads take neighbouring vectors.
#include "solvers/tree/hines/shared/sweep.hpp"
#include "solvers/tree/hines/shared/thread_tuning.hpp"
#include "solvers/tree/hines/shared/vectors.cuh"
#include "solvers/tree/jobs.hpp"
#include "tuning/override.hpp"

namespace wale::tree {
namespace {

using thread_sweeps::policies;

struct swept_tree {
    std::int64_t first_row;
    std::int32_t rows, base;
};

/// All trees of a topology, on the device.
struct sweeps_on_device {
    buffer<sweep_row> rows;
    buffer<swept_tree> trees;
    int slots = 0;
};

std::shared_ptr<const sweeps_on_device> make_sweeps(const execution& where, const forms& f) {
    const auto made = std::make_shared<sweeps_on_device>();
    std::vector<sweep_row> rows;
    std::vector<swept_tree> trees;
    trees.reserve(f.trees.size());
    for (std::size_t k = 0; k < f.all.size(); ++k) {
        const sweep s(f.all[k]);
        made->slots = std::max(made->slots, s.slots);
        const swept_tree form{std::ssize(rows), f.all[k].size(), 0};
        rows.insert(rows.end(), s.rows.begin(), s.rows.end());
        for (auto m = f.starts[k]; m < f.starts[k + 1]; ++m)
            trees.push_back({form.first_row, form.rows, f.trees[static_cast<std::size_t>(m)].base});
    }
    made->rows = to_device<sweep_row>(where, rows);
    made->trees = to_device<swept_tree>(where, trees);
    return made;
}

template <class T>
struct sweep_work {
    device_tree_vectors<T> v;
    T* factor;  // lower / pivot of every node, placed as the vectors are
    const sweep_row* rows;
    const swept_tree* trees;
    index_t workers;  // trees * vectors
};

/// Diagonal and right side on their way up.
template <class T>
struct sums {
    T d = 0, b = 0;
    __device__ void add(const sums& s) {
        d += s.d;
        b += s.b;
    }
};

/// One thread's tree: where its numbers and its slots are.
template <class T>
struct worker {
    const sweep_work<T>& w;
    const sweep_row* rows;
    index_t begin, step, vector;
    std::int32_t base;
    sums<T>* slots;
    unsigned stride;  // from slot to slot

    __device__ index_t place(std::int32_t node) const { return begin + node * step; }

    __device__ void eliminate(const sweep_row& r, const T (&in)[4], sums<T>& carry) const {
        const index_t here = place(r.node);
        if (r.link.is(sweep_link::leaf)) carry = {};
        if (r.link.is(sweep_link::join)) carry.add(slots[r.link.own() * stride]);
        const T d = in[0] - carry.d, b = in[1] - carry.b;
        if (is_bad(d)) w.v.bad.note(vector, base + r.node);
        const T inverse = reciprocal(d), c = r.link.is(sweep_link::root) ? T(0) : in[3] * inverse,
                g = b * inverse;
        if (w.v.eliminated) w.v.eliminated[here] = d;
        w.factor[here] = c;
        w.v.solution[here] = g;
        carry = {in[2] * c, in[2] * g};
        if (!r.link.is(sweep_link::aside)) return;
        sums<T>& slot = slots[r.link.parents() * stride];
        if (r.link.is(sweep_link::further)) carry.add(slot);
        slot = carry;
    }
    __device__ T substitute(const sweep_row& r, T c, T g, T above) const {
        if (r.link.is(sweep_link::aside)) above = slots[r.link.parents() * stride].d;
        const T x = r.link.is(sweep_link::root) ? g : fma(-c, above, g);
        w.v.solution[place(r.node)] = x;
        if (r.link.is(sweep_link::join)) slots[r.link.own() * stride].d = x;
        return x;
    }
};

template <int Row, class T>
__device__ void sweep_up(const worker<T>& k, std::int32_t rows) {
    constexpr int ahead = policies[Row].policy.ahead;
    const device_tree_vectors<T>& v = k.w.v;
    const bool symmetric = v.upper == v.lower;
    sums<T> carry;
    for (std::int32_t first = 0; first < rows; first += ahead) {
        sweep_row r[ahead];
        T in[ahead][4];
#pragma unroll
        for (int j = 0; j < ahead; ++j) {
            if (first + j >= rows) break;
            r[j] = k.rows[first + j];
            const index_t here = k.place(r[j].node);
            in[j][0] = v.diagonal[here];
            in[j][1] = v.rhs[here];
            in[j][2] = v.upper[here];
            in[j][3] = symmetric ? in[j][2] : v.lower[here];
        }
#pragma unroll
        for (int j = 0; j < ahead; ++j)
            if (first + j < rows) k.eliminate(r[j], in[j], carry);
    }
}

template <int Row, class T>
__device__ void sweep_down(const worker<T>& k, std::int32_t rows) {
    constexpr int ahead = policies[Row].policy.ahead;
    T x = 0;
    for (std::int32_t last = rows - 1; last >= 0; last -= ahead) {
        sweep_row r[ahead];
        T c[ahead], g[ahead];
#pragma unroll
        for (int j = 0; j < ahead; ++j) {
            if (last - j < 0) break;
            r[j] = k.rows[last - j];
            c[j] = k.w.factor[k.place(r[j].node)];
            g[j] = k.w.v.solution[k.place(r[j].node)];
        }
#pragma unroll
        for (int j = 0; j < ahead; ++j)
            if (last - j >= 0) x = k.substitute(r[j], c[j], g[j], x);
    }
}

template <int Row, class T>
__global__ void __launch_bounds__(policies[Row].policy.threads) sweep_trees(const sweep_work<T> w) {
    extern __shared__ __align__(16) char slots[];
    constexpr unsigned threads = policies[Row].policy.threads;
    const index_t me = index_t{blockIdx.x} * threads + threadIdx.x;
    if (me >= w.workers) return;
    const index_t vector = me % w.v.at.count;
    const swept_tree tree = w.trees[me / w.v.at.count];
    const index_t step = w.v.at.step();
    const worker<T> k{w,
                      w.rows + tree.first_row,
                      w.v.at.begin_of(vector) + tree.base * step,
                      step,
                      vector,
                      tree.base,
                      reinterpret_cast<sums<T>*>(slots) + threadIdx.x,
                      threads};
    sweep_up<Row>(k, tree.rows);
    sweep_down<Row>(k, tree.rows);
}

template <class T>
void launch(const tree_call& call, hines_job& job, const sweeps_on_device& s) {
    const cuda::scratch<T> factor(call.here, job.rhs.span_elements());
    const sweep_work<T> w{vectors_on_device<T>(job, call.status), factor.data(), s.rows.data(),
                          s.trees.data(), s.trees.size() * job.rhs.count};
    const auto row = tuning::choose("tree/hines/register_sweep", policies, call.here.sm(), sizeof(T));
    tuning::with_row<policies, sizeof(T)>(row, [&]<int Row>() {
        constexpr unsigned threads = policies[Row].policy.threads;
        const auto kernel = sweep_trees<Row, T>;
        const std::size_t bytes = static_cast<std::size_t>(s.slots) * threads * sizeof(sums<T>);
        cuda::launch_limits::permit(call.here, kernel, bytes);
        const auto blocks = static_cast<unsigned>((w.workers + threads - 1) / threads);
        if (blocks > 0) kernel<<<blocks, threads, bytes, call.here.stream()>>>(w);
        cuda::check_launch();
        job.result->run.policy =
            "threads=" + std::to_string(threads) + " ahead=" + std::to_string(policies[Row].policy.ahead);
    });
}

void solve_register_sweep(hines_job& job) {
    const auto f = forms_of(*job.tree);
    const auto s = job.tree->kept<sweeps_on_device>(on_device_of(job, "sweeps"),
                                                    [&] { return make_sweeps(job.where, *f); });
    tree_call call(job);
    with_type(job.rhs.type, [&](auto zero) { launch<decltype(zero)>(call, job, *s); });
    call.finish(1);
}

}  // namespace

extern constinit const catalogue::row<hines_job> hines_cuda_register_sweep{
    "cuda/register_sweep",
    "a thread a tree, heaviest child first: the running parent's sums stay in registers, those of open "
    "branch points in shared memory",
    solve_register_sweep};

}  // namespace wale::tree
