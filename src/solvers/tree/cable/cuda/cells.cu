// cells - a thread a cell: neighbouring threads have neighbouring cells, whose numbers lie side by side. No
// thread waits for another. Gates are moved on the way up, just before they are used, so that each of them
// passes through the processor once a step; the last launch's end moves them to where they belong.
#include "solvers/tree/cable/shared/device_session.cuh"
#include "solvers/tree/cable/shared/gates.cuh"
#include "solvers/tree/cable/shared/walk.hpp"

namespace wale::tree {
namespace {

/// [x][stride] means one number a cell. `shared` coefficients are the same for all cells and stand once.
struct cells_memory {
    const walk_node* nodes;
    int size, cells, stride;
    int coefficient_step;  // 1: shared, else stride
    bool shared, in_place;
    int stages;  // as in cable_system
    double stretch[2];
    double gate_time;
    double reversal[2];       // of sodium and potassium [mV]
    const double* patches;    // [regions][5][coefficient_step]
    double *v, *gates;        // [size][stride], [gated][3][stride]
    double *solved, *factor;  // [size][stride]; factor of a tree without channels: [size][coefficient_step]
    double* pivot;            // [size][coefficient_step]
    double* given;            // [places][2][stride]
    double* before;           // [probes]
    const int *clamp_starts, *probe_starts;
    const device_clamp* clamps;
    const device_probe* probes;
};

class cell_walk {
public:
    __device__ cell_walk(const cells_memory& m, int cell)
        : m_(m), cell_(cell), coefficient_(m.shared ? 0 : cell), solution_(m.in_place ? m.v : m.solved) {}

    __device__ void inject(const launch_span& span, int k) const {
        for (int c = m_.clamp_starts[cell_]; c < m_.clamp_starts[cell_ + 1]; ++c)
            given(m_.clamps[c].at, 1) += span.current(m_.clamps[c], k);
    }
    __device__ void watch() const {
        for (int p = m_.probe_starts[cell_]; p < m_.probe_starts[cell_ + 1]; ++p)
            m_.before[m_.probes[p].number] = at(m_.v, m_.probes[p].at);
    }
    __device__ void note(const launch_span& span, int k) const {
        for (int p = m_.probe_starts[cell_]; p < m_.probe_starts[cell_ + 1]; ++p) {
            const device_probe& probe = m_.probes[p];
            const double now = at(m_.v, probe.at);
            span.note(probe.number, k, m_.before[probe.number], now);
            m_.before[probe.number] = now;
        }
    }

    /// `Moved`: the gates are where they belong; else they lag behind the voltages by a step.
    template <bool Channels>
    __device__ void up(bool moved) const {
        double carried_diagonal = 0, carried_right = 0;
        double next_v = at(m_.v, m_.size - 1);
        gate_triple next_gates = gates(m_.nodes[m_.size - 1]);
        for (int i = m_.size - 1; i >= 0; --i) {
            const walk_node& node = m_.nodes[i];
            const double v = next_v;
            gate_triple g = next_gates;
            if (i > 0) {  // fetched a compartment ahead
                next_v = at(m_.v, i - 1);
                if (Channels) next_gates = gates(m_.nodes[i - 1]);
            }
            double current = fma(patch(node, 0), v, patch(node, 2)), conductance = 0;
            if (Channels) {
                conductance = patch(node, 0) + patch(node, 1);
                if (node.gates >= 0) {
                    if (!moved) put(node, g = moved_gates(g, v, m_.gate_time));
                    add_channels(g, patch(node, 3), patch(node, 4), m_.reversal, conductance, current);
                }
            }
            double right = node.area * current;
            if (node.carried) right += carried_right;
            if (node.place >= 0) {
                right += given(node.place, 1);
                given(node.place, 1) = 0;
            }
            double pivot, part;
            if (Channels) {
                double diagonal = fma(node.area, conductance, node.joined);
                if (node.carried) diagonal -= carried_diagonal;
                if (node.place >= 0) {
                    diagonal -= given(node.place, 0);
                    given(node.place, 0) = 0;
                }
                pivot = 1 / diagonal;
                part = node.axial * pivot;
                at(m_.factor, i) = part;
                carried_diagonal = node.axial * part;
            } else {
                pivot = coefficient(m_.pivot, i);
                part = coefficient(m_.factor, i);
            }
            at(solution_, i) = right * pivot;
            carried_right = part * right;
            if (node.parent_place < 0) continue;
            if (Channels) given(node.parent_place, 0) += carried_diagonal;
            given(node.parent_place, 1) += carried_right;
        }
    }

    template <bool Channels>
    __device__ void down(double stretch) const {
        double last = 0;
        for (int i = 0; i < m_.size; ++i) {
            const walk_node& node = m_.nodes[i];
            const double parent = node.parent + 1 == i ? last : at(solution_, node.parent);
            const double part = Channels ? at(m_.factor, i) : coefficient(m_.factor, i);
            last = fma(part, parent, at(solution_, i));
            at(solution_, i) = last;
            if (!m_.in_place) at(m_.v, i) = stretched(at(m_.v, i), last, stretch);
        }
    }

    /// The gates follow the last voltages; trouble is found here.
    template <bool Channels>
    __device__ void finish(const launch_span& span) const {
        bool finite = true;
        for (int i = 0; i < m_.size; ++i) {
            const walk_node& node = m_.nodes[i];
            const double v = at(m_.v, i);
            finite = finite && v - v == 0;
            if (Channels && node.gates >= 0) put(node, moved_gates(gates(node), v, m_.gate_time));
        }
        if (!finite) atomicMin(span.diverged, cell_);
    }

    /// Factors and pivots of a tree without channels.
    __device__ void factor() const {
        double carried = 0;
        for (int i = m_.size - 1; i >= 0; --i) {
            const walk_node& node = m_.nodes[i];
            double diagonal = fma(node.area, patch(node, 0) + patch(node, 1), node.joined);
            if (node.carried) diagonal -= carried;
            if (node.place >= 0) {
                diagonal -= given(node.place, 0);
                given(node.place, 0) = 0;
            }
            const double pivot = 1 / diagonal, part = node.axial * pivot;
            coefficient(m_.pivot, i) = pivot;
            coefficient(m_.factor, i) = part;
            carried = node.axial * part;
            if (node.parent_place >= 0) given(node.parent_place, 0) += carried;
        }
    }

private:
    __device__ double& at(double* p, int i) const { return p[static_cast<index_t>(i) * m_.stride + cell_]; }
    __device__ double& given(int place, int which) const { return at(m_.given, 2 * place + which); }
    __device__ double& coefficient(double* p, int i) const {
        return p[static_cast<index_t>(i) * m_.coefficient_step + coefficient_];
    }
    __device__ double patch(const walk_node& node, int which) const {
        return m_.patches[static_cast<index_t>(node.region * 5 + which) * m_.coefficient_step + coefficient_];
    }
    __device__ gate_triple gates(const walk_node& node) const {
        if (node.gates < 0) return {0, 0, 0};
        return {at(m_.gates, 3 * node.gates), at(m_.gates, 3 * node.gates + 1),
                at(m_.gates, 3 * node.gates + 2)};
    }
    __device__ void put(const walk_node& node, const gate_triple& g) const {
        at(m_.gates, 3 * node.gates) = g.m;
        at(m_.gates, 3 * node.gates + 1) = g.h;
        at(m_.gates, 3 * node.gates + 2) = g.n;
    }

    const cells_memory& m_;
    int cell_, coefficient_;
    double* solution_;
};

template <int Row, bool Channels>
__global__ void __launch_bounds__(cable_cells_policies[Row].policy.threads,
                                  cable_cells_policies[Row].policy.blocks)
    step_cells(const __grid_constant__ cells_memory m, const __grid_constant__ launch_span span) {
    const int cell = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (cell >= m.cells) return;
    const cell_walk walk(m, cell);
    walk.watch();
    for (int k = 0; k < span.steps; ++k) {
        for (int stage = 0; stage < m.stages; ++stage) {
            walk.inject(span, k);
            walk.up<Channels>(k == 0 || stage > 0);
            walk.down<Channels>(m.stretch[stage]);
        }
        walk.note(span, k);
    }
    walk.finish<Channels>(span);
}

__global__ void factor_cells(const __grid_constant__ cells_memory m, int cells) {
    const int cell = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (cell < cells) cell_walk(m, cell).factor();
}

class cells_session final : public device_session {
public:
    explicit cells_session(const cable_job& job) : device_session(job), walk_(system_) {
        const cuda::context on(job.where);
        row_ = tuning::choose("tree/cable/cells", cable_cells_policies, on.sm(), 8);
        stride_ = (system_.cells + 31) / 32 * 32;
        nodes_ = device_array<walk_node>(on, walk_.nodes);
        place_state(on, *job.state);
        place_patches(on);
        const index_t coefficients = system_.alike ? 1 : stride_, channels = walk_.gated > 0;
        factor_ = device_array<double>(system_.size * (channels ? stride_ : coefficients), on.device());
        pivot_ = device_array<double>(channels ? 0 : system_.size * coefficients, on.device());
        solved_ = device_array<double>(system_.in_place() ? 0 : system_.size * stride_, on.device());
        given_ = device_array<double>(2 * walk_.places * stride_, on.device());
        given_.zero(on);
        before_ = device_array<double>(static_cast<index_t>(system_.probes.size()), on.device());
        clamps_ = clamps(on, [&](index_t i) { return walk_.nodes[static_cast<std::size_t>(i)].place; });
        probes_ = probes(on, [](index_t i) { return static_cast<int>(i); });
        if (channels) return;
        const index_t cells = system_.alike ? 1 : system_.cells;
        const unsigned threads = 32;
        factor_cells<<<static_cast<unsigned>((cells + threads - 1) / threads), threads, 0, on.stream()>>>(
            memory_of(), static_cast<int>(cells));
        cuda::check_launch();
    }

    void fetch(cable_state& state) override {
        const cuda::context on(on_cuda{device_, nullptr});
        cuda::check(cudaDeviceSynchronize());
        const std::vector<double> v = v_.on_host(), gates = gates_.on_host();
        for (index_t i = 0; i < system_.size; ++i) {
            const index_t g = walk_.nodes[static_cast<std::size_t>(i)].gates;
            for (index_t k = 0; k < system_.cells; ++k) {
                const auto to = static_cast<std::size_t>(k * system_.size + i);
                state.v[to] = v[static_cast<std::size_t>(i * stride_ + k)];
                for (index_t x = 0; g >= 0 && x < 3; ++x)
                    state.gates[x][to] = gates[static_cast<std::size_t>((3 * g + x) * stride_ + k)];
            }
        }
    }

protected:
    void launch(const cuda::context& on, const launch_span& span) override {
        tuning::with_row<cable_cells_policies, 8>(row_, [&]<int Row>() {
            const auto threads = static_cast<unsigned>(cable_cells_policies[Row].policy.threads);
            const auto blocks = static_cast<unsigned>((system_.cells + threads - 1) / threads);
            if (walk_.gated > 0)
                step_cells<Row, true><<<blocks, threads, 0, on.stream()>>>(memory_of(), span);
            else
                step_cells<Row, false><<<blocks, threads, 0, on.stream()>>>(memory_of(), span);
        });
        cuda::check_launch();
    }
    [[nodiscard]] std::string policy() const override {
        return "threads=" + std::to_string(cable_cells_policies[row_].policy.threads);
    }

private:
    void place_state(const cuda::context& on, const cable_state& state) {
        std::vector<double> v(static_cast<std::size_t>(system_.size * stride_)),
            gates(static_cast<std::size_t>(3 * walk_.gated * stride_));
        for (index_t i = 0; i < system_.size; ++i) {
            const index_t g = walk_.nodes[static_cast<std::size_t>(i)].gates;
            for (index_t k = 0; k < system_.cells; ++k) {
                const auto from = static_cast<std::size_t>(k * system_.size + i);
                v[static_cast<std::size_t>(i * stride_ + k)] = state.v[from];
                for (index_t x = 0; g >= 0 && x < 3; ++x)
                    gates[static_cast<std::size_t>((3 * g + x) * stride_ + k)] = state.gates[x][from];
            }
        }
        v_ = device_array<double>(on, v);
        gates_ = device_array<double>(on, gates);
    }
    void place_patches(const cuda::context& on) {
        const auto step = static_cast<std::size_t>(system_.alike ? 1 : stride_);
        std::vector<double> all(5 * cable_regions * step);
        for (std::size_t k = 0; k < system_.patches.size(); ++k)
            for (std::size_t r = 0; r < cable_regions; ++r) {
                const patch& p = system_.patches[k][r];
                const double numbers[5] = {p.charge, p.g_leak, p.i_leak, p.g_na, p.g_k};
                for (std::size_t x = 0; x < 5; ++x) all[(5 * r + x) * step + k] = numbers[x];
            }
        patches_ = device_array<double>(on, all);
    }
    [[nodiscard]] cells_memory memory_of() const {
        cells_memory m{};
        m.nodes = nodes_.data();
        m.size = static_cast<int>(system_.size);
        m.cells = static_cast<int>(system_.cells);
        m.stride = static_cast<int>(stride_);
        m.shared = system_.alike;
        m.coefficient_step = m.shared ? 1 : m.stride;
        m.in_place = system_.in_place();
        m.stages = system_.stages;
        std::copy_n(system_.stretch, 2, m.stretch);
        m.gate_time = system_.dt * system_.speed;
        m.reversal[0] = system_.e_na;
        m.reversal[1] = system_.e_k;
        m.patches = patches_.data();
        m.v = v_.data();
        m.gates = gates_.data();
        m.solved = solved_.data();
        m.factor = factor_.data();
        m.pivot = pivot_.data();
        m.given = given_.data();
        m.before = before_.data();
        m.clamp_starts = clamps_.starts.data();
        m.probe_starts = probes_.starts.data();
        m.clamps = clamps_.items.data();
        m.probes = probes_.items.data();
        return m;
    }

    walk walk_;
    std::size_t row_ = 0;
    index_t stride_ = 0;
    device_array<walk_node> nodes_;
    device_array<double> v_, gates_, patches_, factor_, pivot_, solved_, given_, before_;
    by_cell<device_clamp> clamps_;
    by_cell<device_probe> probes_;
};

std::string why_not_cells(const cable_job& job) {
    return job.system->cells > 2147483000 ? "counts cells in 32 bits" : "";
}

}  // namespace

extern constinit const cable_row cable_cuda_cells{
    "cuda/cells", "a thread a cell, cells interleaved; the tree is eliminated as it is assembled",
    create_session<cells_session>, why_not_cells};

}  // namespace wale::tree
