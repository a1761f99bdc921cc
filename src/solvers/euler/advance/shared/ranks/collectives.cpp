// collectives - see collectives.hpp.
#include "solvers/euler/advance/shared/ranks/collectives.hpp"

#include <wale/error.hpp>
#include <wale/mesh_tools.hpp>

namespace wale::euler {
namespace {

/// FNV-1a, eight bytes at a time: ranks that differ are met by accident, not by intent.
class digest {
public:
    template <class T>
    void add(std::span<const T> values) {
        const char* at = reinterpret_cast<const char*>(values.data());
        std::size_t left = values.size_bytes();
        for (std::size_t length; left > 0; at += length, left -= length) {
            std::uint64_t word = 0;
            length = std::min(left, sizeof word);
            std::memcpy(&word, at, length);
            value_ = (value_ ^ word) * 0x100000001b3U;
        }
        value_ = (value_ ^ values.size()) * 0x100000001b3U;
    }
    [[nodiscard]] std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0xcbf29ce484222325U;
};

void expect_same_case(mpi::transport& t, const flow_system& system, std::span<const euler_state> state) {
    const mesh& m = system.grid;
    const euler_scheme& s = system.options.scheme;
    const int choices[] = {static_cast<int>(s.flux),
                           s.order,
                           static_cast<int>(s.time),
                           static_cast<int>(s.limiter),
                           static_cast<int>(s.shocks),
                           static_cast<int>(s.step),
                           static_cast<int>(system.options.precision),
                           s.smoothing};
    const euler_options& o = system.options;
    const double numbers[] = {s.cfl,
                              s.fixed_step,
                              s.dissipation,
                              s.limiter_k,
                              s.smoothing_factor,
                              o.stream.gamma,
                              o.reference_length,
                              o.end_time,
                              o.stop_decades,
                              o.stop_force,
                              static_cast<double>(o.check_every)};
    const euler_state far = o.stream.state();
    digest d;
    d.add(std::span(m.first_face));
    d.add(std::span(m.neighbour));
    d.add(std::span(m.normal));
    d.add(std::span(m.volume));
    d.add(state);
    d.add(std::span<const int>(choices));
    d.add(std::span<const double>(numbers));
    d.add(std::span<const double>(far));
    d.add(std::span(system.kinds));
    d.add(std::span(system.said));
    const std::vector<std::uint64_t> all = mpi::gathered(t, d.value());
    for (std::size_t r = 0; r < all.size(); ++r)
        if (all[r] != all[0])
            throw rank_error("rank " + std::to_string(r) + " holds another case than rank 0");
}

std::vector<std::int32_t> owners_of(mpi::transport& t, const mesh& m) {
    std::vector<std::int32_t> own, all(static_cast<std::size_t>(m.cells()));
    std::vector<index_t> bytes(static_cast<std::size_t>(t.size()), 0);
    bytes[0] = static_cast<index_t>(all.size() * sizeof(std::int32_t));
    if (t.rank() == 0) own = partition(m, t.size());
    t.gather(own.data(), bytes, all.data());
    return all;
}

}  // namespace

void demand_same_case(const advance_job& job) {
    expect_same_case(*job.system->options.group.transport(), *job.system, *job.state);
}

cut_case cut_for_ranks(const advance_job& job, index_t lanes) {
    const flow_system& system = *job.system;
    mpi::transport& t = *system.options.group.transport();
    demand_same_case(job);
    const auto order = order_cells(
        system.grid, system.options.order ? cell_order::natural : cell_order::reverse_cuthill_mckee);
    cut_case cut{owners_of(t, system.grid), {}};
    cut.part = cut_part(system.grid, cut.owner, order, t.rank(), layers_of(system), lanes);
    return cut;
}

void gather_states(mpi::transport& t, std::span<const std::int32_t> owner, std::span<const euler_state> own,
                   std::span<euler_state> all) {
    const auto size = static_cast<std::size_t>(t.size());
    std::vector<index_t> bytes(size, 0);
    for (const std::int32_t r : owner)
        bytes[static_cast<std::size_t>(r)] += static_cast<index_t>(sizeof(euler_state));
    std::vector<euler_state> by_rank(owner.size());
    t.gather(own.data(), bytes, by_rank.data());
    std::vector<std::size_t> next(size, 0);
    for (std::size_t r = 1; r < size; ++r)
        next[r] = next[r - 1] + static_cast<std::size_t>(bytes[r - 1]) / sizeof(euler_state);
    for (std::size_t c = 0; c < owner.size(); ++c)
        all[c] = by_rank[next[static_cast<std::size_t>(owner[c])]++];
}

}  // namespace wale::euler
