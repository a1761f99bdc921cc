// tetrahedra - the session of the published scheme on tetrahedra: three launches of the fused kernel an
// iteration.
#pragma once

#include <array>
#include <optional>

#include "solvers/euler/advance/shared/fused/kernel.cuh"
#include "solvers/euler/advance/shared/fused/launched.cuh"

namespace wale::euler {

namespace {

template <class Real, euler_layout Layout, euler_constants Where>
class tetrahedra_session final : public launched_session<Real> {
    using states = flow_states<Real, Layout>;

public:
    tetrahedra_session(const advance_job& job, bool recorded)
        : tetrahedra_session(job, recorded, cuda::context(job.where)) {}

protected:
    void queue_iteration(const cuda::context& on, index_t number) override {
        tuning::with_row<fused_policies, sizeof(Real)>(row_, [&]<int Row>() {
            for (int stage = 0; stage < stages; ++stage)
                queue_stage<Row>(on, stage, (number * stages + stage) % 2 == 1);
        });
        cuda::check_launch();
    }
    void iterate(const cuda::context& on, index_t count) override {
        std::optional<constant_memory_in_use> held;
        if (Where == euler_constants::constant_memory) held.emplace(on, this->numbers());
        launched_session<Real>::iterate(on, count);
    }
    void store(const cuda::context& on, Real* to) override { queue_lay_back(on, to, buffer(0), cells()); }
    void load(const cuda::context& on, const Real* from) override {
        for (int b = 0; b < stages; ++b) queue_lay_out(on, buffer(b), from, cells(), this->numbers());
    }
    [[nodiscard]] std::string policy() const override {
        return std::string("layout=") + name_of(Layout) + " constants=" + name_of(Where) +
               " block=" + std::to_string(fused_policies[row_].policy.block) + this->how();
    }

private:
    tetrahedra_session(const advance_job& job, bool recorded, const cuda::context& on)
        : launched_session<Real>(job, recorded),
          row_(tuning::choose("euler/advance/fused", fused_policies, on.sm(), sizeof(Real))),
          stride_((cells() / woven_cells + 1) * woven_cells),
          geometry_(on, this->system()) {
        for (auto& b : buffers_) b = cuda::device_array<Real>(states::size(stride_), on.device());
    }
    template <int Row>
    void queue_stage(const cuda::context& on, int stage, bool backwards) const {
        constexpr int block = fused_policies[Row].policy.block;
        const fused_task<Real, Layout> task{cells(),
                                            geometry_.view(),
                                            buffer(stage),
                                            buffer(0),
                                            buffer((stage + 1) % stages),
                                            this->numbers(),
                                            stage,
                                            backwards};
        take_fused_stage<Row, Where><<<blocks_of(cells(), block), block, 0, on.stream()>>>(task);
    }
    [[nodiscard]] index_t cells() const { return this->system().cells(); }
    [[nodiscard]] states buffer(int b) const {
        return {buffers_[static_cast<std::size_t>(b)].data(), stride_};
    }

    std::size_t row_;
    index_t stride_;  // cells and the free stream, up to a multiple of a warp
    fused_geometry_arrays<Real> geometry_;
    std::array<cuda::device_array<Real>, stages> buffers_;
};

/// f(layout, constants) as template arguments, where the kernel is there.
template <class Real>
[[nodiscard]] std::unique_ptr<flow_session> create_tetrahedra_session(const advance_job& job, bool recorded) {
    using layout = euler_layout;
    using place = euler_constants;
    const euler_options& o = job.system->options;
    if (o.layout == layout::cell_major)
        return std::make_unique<tetrahedra_session<Real, layout::cell_major, place::parameters>>(job,
                                                                                                 recorded);
    if (o.layout == layout::variable_major)
        return std::make_unique<tetrahedra_session<Real, layout::variable_major, place::parameters>>(
            job, recorded);
    if (o.constants == place::constant_memory)
        return std::make_unique<tetrahedra_session<Real, layout::packed, place::constant_memory>>(job,
                                                                                                  recorded);
    if (o.constants == place::compiled)
        return std::make_unique<tetrahedra_session<Real, layout::packed, place::compiled>>(job, recorded);
    return std::make_unique<tetrahedra_session<Real, layout::packed, place::parameters>>(job, recorded);
}

}  // namespace
}  // namespace wale::euler
