// part_cells - how a rank's part is stored and computed on the host: records of words a cell, in as many
// buffers as there are stages, which go from buffer 0 to 1, 1 to 2 and 2 to 0.
#pragma once

#include <memory>

#include "solvers/euler/advance/session.hpp"
#include "solvers/euler/advance/shared/measure.hpp"
#include "solvers/euler/advance/shared/ranks/part.hpp"

namespace wale::euler {

/// What makes a part's cells.
struct part_setup {
    const flow_system& whole;
    const flow_system& own;  // mesh_of_part()
    const mesh_part& part;
};

/// Ranges of cells are shared out among threads; those of one call do not overlap.
template <class Real>
class part_cells {
public:
    part_cells() = default;
    part_cells(const part_cells&) = delete;
    part_cells& operator=(const part_cells&) = delete;
    virtual ~part_cells() = default;

    [[nodiscard]] virtual const char* name() const noexcept = 0;
    [[nodiscard]] virtual index_t words() const noexcept = 0;
    [[nodiscard]] virtual Real* records(int buffer) noexcept = 0;
    virtual void keep() = 0;
    virtual void go_back() = 0;

    /// The least step of time that these cells may take, and that which they shall.
    [[nodiscard]] virtual double least_step(index_t first, index_t last) = 0;
    virtual void set_steps(index_t first, index_t last, double step) = 0;
    /// Whether stages want prepare() of all cells up to `near` before.
    [[nodiscard]] virtual bool is_prepared() const noexcept { return false; }
    virtual void prepare(int /*stage*/, index_t /*first*/, index_t /*last*/) {}
    virtual void stage(int stage, index_t first, index_t last) = 0;

    /// With residual smoothing a stage is: rough(), sweep() by sweep(), each before an exchange of
    /// residuals(), and take().
    [[nodiscard]] virtual Real* residuals(int /*sweep*/) noexcept { return nullptr; }
    virtual void rough(int /*stage*/, index_t /*first*/, index_t /*last*/) {}
    virtual void sweep(int /*sweep*/, index_t /*first*/, index_t /*last*/) {}
    virtual void take(int /*stage*/, index_t /*first*/, index_t /*last*/) {}

    /// find_residuals() of a cell comes before its measure(); prepare() before both.
    virtual void find_residuals(index_t first, index_t last) = 0;
    [[nodiscard]] virtual cell_measure measure(index_t cell) const = 0;
    [[nodiscard]] virtual bool is_bad_cell(index_t cell) const = 0;
};

/// By the templates of cell.hpp: any case.
template <class Real>
[[nodiscard]] std::unique_ptr<part_cells<Real>> plain_cells(const part_setup& setup,
                                                            const std::vector<euler_state>& state);
/// By the vectors of cpu/vectors: what that row takes. The part is padded to lanes_of<Real>().
template <class Real>
[[nodiscard]] std::unique_ptr<part_cells<Real>> vector_cells(const part_setup& setup,
                                                             const std::vector<euler_state>& state);

}  // namespace wale::euler
