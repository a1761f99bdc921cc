// flow_part - one device's part of a flow that several devices of a process compute. A device moves the cells
// of its share; what these cells read of others comes from the devices that move those. A device has arrays
// of the whole flow, or, where flow_parts::pieces says so, of its own cells and of those that these look at.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "solvers/euler/advance/shared/device/device_mesh.cuh"
#include "solvers/euler/advance/shared/device/time_step.cuh"
#include "solvers/euler/advance/shared/parts/deal.hpp"
#include "solvers/euler/advance/shared/ranks/part.hpp"

namespace wale::euler {

/// Records, by number; all of `bytes` bytes.
struct record_array {
    char* first = nullptr;
    index_t bytes = 0;
};
/// What a pass writes and others read: of a record one piece in each array.
struct written_records {
    std::array<record_array, 2> pieces;
    bool by_row = false;  // else by cell or ghost
    [[nodiscard]] index_t bytes() const { return pieces[0].bytes + pieces[1].bytes; }
};

template <class Real>
class flow_part {
public:
    flow_part() = default;
    flow_part(const flow_part&) = delete;
    flow_part& operator=(const flow_part&) = delete;
    virtual ~flow_part() = default;

    /// Of an iteration; behind each, what it wrote at the border travels.
    [[nodiscard]] virtual int passes() const = 0;
    /// Queues a pass of what lies at the border, or of the rest. `number` counts iterations from the start.
    virtual void queue_pass(const cuda::context& on, index_t number, int pass, bool border) = 0;
    [[nodiscard]] virtual written_records written(index_t number, int pass) const = 0;
    /// Queues a copy of the state before iteration `number` to or from [cells][5], in the numbering of the
    /// system that devices compute, or of its piece: of the cells of its share, and of others whatever it
    /// has.
    virtual void queue_store(const cuda::context& on, index_t number, Real* states) = 0;
    virtual void queue_load(const cuda::context& on, index_t number, const Real* states) = 0;
    /// Iterations take their step from there.
    virtual void follow(const device_time*) {}

    /// Of the whole mesh or of its piece.
    [[nodiscard]] virtual const device_mesh<Real>& grid() const = 0;
    /// [cells] of a cell that is dealt, its place among states, on the device.
    [[nodiscard]] virtual const std::int32_t* numbering() const = 0;
    [[nodiscard]] virtual std::string choices() const = 0;
};

/// What a device knows of the mesh.
struct mesh_piece {
    mesh_part part;
    std::unique_ptr<const flow_system> system;  // of the part's cells
};

template <class Real>
struct flow_parts {
    /// Where devices compute in a numbering of their own: the system in that numbering, and [cells] the
    /// case's number of each cell.
    std::unique_ptr<const flow_system> renumbered;
    std::vector<std::int32_t> origin;
    std::vector<mesh_piece> pieces;                    // [devices], or none: each has the whole mesh
    std::vector<std::unique_ptr<flow_part<Real>>> of;  // [devices]
    std::vector<part_share> shares;                    // [devices]; of pieces, in numbers of their own
    /// [cells] Of a cell that is dealt, its place among states; none of pieces.
    std::vector<std::int32_t> order;
};

}  // namespace wale::euler
