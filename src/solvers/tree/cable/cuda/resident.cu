// resident - a block a cell, for cells that are too few to fill a device by themselves. All that changes lies
// in shared memory for a whole launch. Assembly and gates are spread over the block; one warp solves, level
// by level, each compartment gathering what its children give. The block waits for that warp, the warp's
// lanes for each other, at barriers only: no block waits for another.
#include "solvers/tree/cable/shared/device_session.cuh"
#include "solvers/tree/cable/shared/gates.cuh"
#include "solvers/tree/cable/shared/level_order.hpp"

namespace wale::tree {
namespace {

constexpr int lanes_of_warp = 32;
constexpr unsigned all_lanes = 0xffffffffu;

/// A compartment in level order: the root first, children of one parent together.
struct level_node {
    double area, axial, joined;
    int parent, first_child, end_child;
    int region;  // + 8: has channels
    [[nodiscard]] __device__ bool active() const { return region >= 8; }
    [[nodiscard]] __device__ int kind() const { return region & 7; }
};

struct resident_memory {
    const level_node* nodes;
    const int* levels;  // [level_count + 1] where they start
    int size, level_count;
    bool shared;
    int stages;  // as in cable_system
    double stretch[2];
    double gate_time;
    double reversal[2];     // of sodium and potassium [mV]
    const double* patches;  // [cells or 1][regions][5]
    double* state;          // [cells][4][size]: voltages, gates m, h, n
    const int *clamp_starts, *probe_starts;
    const device_clamp* clamps;
    const device_probe* probes;
    double* before;  // [probes] voltages before the step, for steps of two stages
};

/// Arrays of `size` in shared memory: a diagonal becomes the factor, a right side the solution.
class resident_cell {
public:
    __device__ resident_cell(const resident_memory& m, double* memory, const double* patches)
        : m_(m),
          patches_(patches),
          v_(memory),
          factor_(v_ + m.size),
          solved_(factor_ + m.size),
          gates_{solved_ + m.size, solved_ + 2 * m.size, solved_ + 3 * m.size} {}

    template <bool Channels>
    __device__ void load() const {
        const double* from = m_.state + static_cast<index_t>(blockIdx.x) * 4 * m_.size;
        for (int i = threadIdx.x; i < m_.size; i += blockDim.x) {
            v_[i] = from[i];
            for (int g = 0; Channels && g < 3; ++g) gates_[g][i] = from[(g + 1) * m_.size + i];
        }
    }
    template <bool Channels>
    __device__ bool store() const {
        double* to = m_.state + static_cast<index_t>(blockIdx.x) * 4 * m_.size;
        bool finite = true;
        for (int i = threadIdx.x; i < m_.size; i += blockDim.x) {
            to[i] = v_[i];
            finite = finite && v_[i] - v_[i] == 0;
            for (int g = 0; Channels && g < 3; ++g) to[(g + 1) * m_.size + i] = gates_[g][i];
        }
        return finite;
    }

    template <bool Channels>
    __device__ void assemble() const {
        for (int i = threadIdx.x; i < m_.size; i += blockDim.x) {
            const level_node& node = m_.nodes[i];
            const double* patch = patches_ + 5 * node.kind();
            double conductance = patch[0] + patch[1], current = fma(patch[0], v_[i], patch[2]);
            if (Channels && node.active())
                add_channels({gates_[0][i], gates_[1][i], gates_[2][i]}, patch[3], patch[4], m_.reversal,
                             conductance, current);
            factor_[i] = fma(node.area, conductance, node.joined);
            solved_[i] = node.area * current;
        }
    }

    /// By one lane: several clamps may share a compartment.
    __device__ void inject(const launch_span& span, int k) const {
        for (int c = m_.clamp_starts[blockIdx.x]; c < m_.clamp_starts[blockIdx.x + 1]; ++c)
            solved_[m_.clamps[c].at] += span.current(m_.clamps[c], k);
    }

    /// By one warp.
    __device__ void solve(int lane) const {
        for (int level = m_.level_count - 1; level >= 0; --level) {
            for (int i = m_.levels[level] + lane; i < m_.levels[level + 1]; i += lanes_of_warp) eliminate(i);
            __syncwarp(all_lanes);
        }
        for (int level = 1; level < m_.level_count; ++level) {
            for (int i = m_.levels[level] + lane; i < m_.levels[level + 1]; i += lanes_of_warp)
                solved_[i] = fma(factor_[i], solved_[m_.nodes[i].parent], solved_[i]);
            __syncwarp(all_lanes);
        }
    }

    /// By one warp, when a stage is solved and no voltage moved. A lane reads from `before` what it wrote.
    __device__ void note(const launch_span& span, int k, int stage, int lane) const {
        for (int p = m_.probe_starts[blockIdx.x] + lane; p < m_.probe_starts[blockIdx.x + 1];
             p += lanes_of_warp) {
            const device_probe& probe = m_.probes[p];
            if (stage + 1 < m_.stages)
                m_.before[probe.number] = v_[probe.at];
            else
                span.note(probe.number, k, stage > 0 ? m_.before[probe.number] : v_[probe.at],
                          moved(probe.at, stage));
        }
    }

    /// Gates follow the voltages of the last stage.
    template <bool Channels>
    __device__ void move(int stage) const {
        for (int i = threadIdx.x; i < m_.size; i += blockDim.x) {
            const double v = moved(i, stage);
            v_[i] = v;
            if (!Channels || stage + 1 < m_.stages || !m_.nodes[i].active()) continue;
            const gate_triple g = moved_gates({gates_[0][i], gates_[1][i], gates_[2][i]}, v, m_.gate_time);
            gates_[0][i] = g.m;
            gates_[1][i] = g.h;
            gates_[2][i] = g.n;
        }
    }

private:
    __device__ double moved(int i, int stage) const {
        return stretched(v_[i], solved_[i], m_.stretch[stage]);
    }

    __device__ void eliminate(int i) const {
        const level_node& node = m_.nodes[i];
        double diagonal = factor_[i], right = solved_[i];
        for (int c = node.first_child; c < node.end_child; ++c) {
            const double axial = m_.nodes[c].axial;
            diagonal = fma(-axial, factor_[c], diagonal);
            right = fma(axial, solved_[c], right);
        }
        const double pivot = 1 / diagonal;
        factor_[i] = node.axial * pivot;
        solved_[i] = right * pivot;
    }

    const resident_memory& m_;
    const double* patches_;
    double *v_, *factor_, *solved_, *gates_[3];
};

template <int Row, bool Channels>
__global__ void __launch_bounds__(cable_resident_policies[Row].policy.threads)
    step_resident(const __grid_constant__ resident_memory m, const __grid_constant__ launch_span span) {
    extern __shared__ double memory[];
    __shared__ double patches[5 * cable_regions];
    const double* own = m.patches + (m.shared ? 0 : static_cast<index_t>(blockIdx.x) * 5 * cable_regions);
    if (threadIdx.x < 5 * cable_regions) patches[threadIdx.x] = own[threadIdx.x];
    const resident_cell cell(m, memory, patches);
    cell.load<Channels>();
    __syncthreads();
    for (int k = 0; k < span.steps; ++k)
        for (int stage = 0; stage < m.stages; ++stage) {
            cell.assemble<Channels>();
            __syncthreads();
            if (threadIdx.x < lanes_of_warp) {
                if (threadIdx.x == 0) cell.inject(span, k);
                __syncwarp(all_lanes);
                cell.solve(threadIdx.x);
                cell.note(span, k, stage, threadIdx.x);
            }
            __syncthreads();
            cell.move<Channels>(stage);
        }
    if (!cell.store<Channels>()) atomicMin(span.diverged, static_cast<int>(blockIdx.x));
}

/// Bytes of shared memory that a cell takes.
index_t bytes_of_cell(const cable_system& s) {
    return (s.any_active ? 6 : 3) * s.size * static_cast<index_t>(sizeof(double));
}

int attribute(const cable_job& job, cudaDeviceAttr which) {
    int value = 0;
    cuda::check(cudaDeviceGetAttribute(&value, which, std::get<on_cuda>(job.where).device));
    return value;
}

class resident_session final : public device_session {
public:
    explicit resident_session(const cable_job& job) : device_session(job), order_(system_) {
        const cuda::context on(job.where);
        row_ = tuning::overridden("tree/cable/resident", std::size(cable_resident_policies), pick(on));
        place_nodes(on);
        std::vector<double> state(static_cast<std::size_t>(system_.cells * 4 * system_.size));
        each_number([&](std::size_t here, double cell) { state[here] = cell; }, *job.state);
        state_ = device_array<double>(on, state);
        std::vector<double> patches;
        for (const auto& of_cell : system_.patches)
            for (const patch& p : of_cell)
                patches.insert(patches.end(), {p.charge, p.g_leak, p.i_leak, p.g_na, p.g_k});
        patches_ = device_array<double>(on, patches);
        const auto place = [&](index_t i) { return order_.place[static_cast<std::size_t>(i)]; };
        clamps_ = clamps(on, place);
        probes_ = probes(on, place);
        before_ = device_array<double>(static_cast<index_t>(system_.probes.size()), on.device());
    }

    void fetch(cable_state& state) override {
        const cuda::context on(on_cuda{device_, nullptr});
        cuda::check(cudaDeviceSynchronize());
        const std::vector<double> here = state_.on_host();
        each_number([&](std::size_t at, double& cell) { cell = here[at]; }, state);
    }

protected:
    void launch(const cuda::context& on, const launch_span& span) override {
        const auto shared_bytes = static_cast<std::size_t>(bytes_of_cell(system_));
        tuning::with_number<std::size(cable_resident_policies)>(row_, [&]<int Row>() {
            constexpr int threads = cable_resident_policies[Row].policy.threads;
            const auto kernel = system_.any_active ? step_resident<Row, true> : step_resident<Row, false>;
            cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(shared_bytes)));
            kernel<<<static_cast<unsigned>(system_.cells), threads, shared_bytes, on.stream()>>>(memory_of(),
                                                                                                 span);
        });
        cuda::check_launch();
    }
    [[nodiscard]] std::string policy() const override {
        return "threads=" + std::to_string(cable_resident_policies[row_].policy.threads);
    }

private:
    /// The first row for this device and this many cells.
    [[nodiscard]] std::size_t pick(const cuda::context& on) const {
        std::size_t row = 0;
        for (; row + 1 < std::size(cable_resident_policies); ++row) {
            const auto& [from_sm, bytes, policy, evidence] = cable_resident_policies[row];
            if (on.sm() >= from_sm &&
                (policy.most == 0 || system_.cells <= index_t{policy.most} * on.multiprocessors()))
                break;
        }
        return row;
    }

    void place_nodes(const cuda::context& on) {
        std::vector<level_node> nodes;
        std::vector<int> levels, level_of;
        for (std::size_t k = 0; k < order_.caller.size(); ++k) {
            const auto i = static_cast<std::size_t>(order_.caller[k]);
            const int parent = order_.parent[k];
            nodes.push_back({system_.area[i], system_.axial[i], system_.joined[i], parent, 0, 0,
                             system_.region[i] + (system_.active[i] ? 8 : 0)});
            level_of.push_back(k == 0 ? 0 : level_of[static_cast<std::size_t>(parent)] + 1);
            if (level_of.back() == static_cast<int>(levels.size())) levels.push_back(static_cast<int>(k));
            if (k == 0) continue;
            level_node& p = nodes[static_cast<std::size_t>(parent)];
            if (p.end_child == 0) p.first_child = static_cast<int>(k);
            p.end_child = static_cast<int>(k) + 1;
        }
        level_count_ = static_cast<int>(levels.size());
        levels.push_back(static_cast<int>(nodes.size()));
        nodes_ = device_array<level_node>(on, nodes);
        levels_ = device_array<int>(on, levels);
    }

    /// f(place in the device's state, number of the cable's) for all voltages and gates.
    template <class F, class State>
    void each_number(F&& f, State& state) const {
        for (index_t k = 0; k < system_.cells; ++k)
            for (index_t i = 0; i < system_.size; ++i) {
                const auto cell = static_cast<std::size_t>(k * system_.size + i);
                const auto here = static_cast<std::size_t>(4 * k * system_.size +
                                                           order_.place[static_cast<std::size_t>(i)]);
                f(here, state.v[cell]);
                for (std::size_t g = 0; g < 3; ++g)
                    f(here + (g + 1) * static_cast<std::size_t>(system_.size), state.gates[g][cell]);
            }
    }

    [[nodiscard]] resident_memory memory_of() const {
        resident_memory m{};
        m.nodes = nodes_.data();
        m.levels = levels_.data();
        m.size = static_cast<int>(system_.size);
        m.level_count = level_count_;
        m.shared = system_.alike;
        m.stages = system_.stages;
        std::copy_n(system_.stretch, 2, m.stretch);
        m.before = before_.data();
        m.gate_time = system_.dt * system_.speed;
        m.reversal[0] = system_.e_na;
        m.reversal[1] = system_.e_k;
        m.patches = patches_.data();
        m.state = state_.data();
        m.clamp_starts = clamps_.starts.data();
        m.probe_starts = probes_.starts.data();
        m.clamps = clamps_.items.data();
        m.probes = probes_.items.data();
        return m;
    }

    level_order order_;
    std::size_t row_ = 0;
    int level_count_ = 0;
    device_array<level_node> nodes_;
    device_array<int> levels_;
    device_array<double> state_, patches_, before_;
    by_cell<device_clamp> clamps_;
    by_cell<device_probe> probes_;
};

std::string why_not_resident(const cable_job& job) {
    if (job.system->cells > 2147483000) return "counts cells in 32 bits";
    const index_t most =
        attribute(job, cudaDevAttrMaxSharedMemoryPerBlockOptin) - 8 * index_t{sizeof(double)} * cable_regions;
    return bytes_of_cell(*job.system) <= most
               ? ""
               : "needs " + std::to_string(bytes_of_cell(*job.system)) +
                     " bytes of shared memory a cell, the device has " + std::to_string(most);
}

bool resident_suits(const cable_job& job) {
    const index_t together =
        attribute(job, cudaDevAttrMaxSharedMemoryPerMultiprocessor) / bytes_of_cell(*job.system);
    const index_t multiprocessors = attribute(job, cudaDevAttrMultiProcessorCount);
    return together >= cable_resident_suits.together ||
           job.system->cells <= cable_resident_suits.cells * multiprocessors;
}

}  // namespace

extern constinit const cable_row cable_cuda_resident{
    "cuda/resident", "a block a cell, its state in shared memory for many steps; solved level by level",
    create_session<resident_session>, why_not_resident, resident_suits};

}  // namespace wale::tree
