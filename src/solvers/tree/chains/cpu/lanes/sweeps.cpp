// sweeps - the vector code of cpu/lanes, compiled once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/tree/chains/cpu/lanes/sweeps.cpp"
#include "cpu/lane_targets.hpp"

#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include "solvers/tree/chains/cpu/lanes/sweep-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::tree::HWY_NAMESPACE {

template <class T>
void sweep(const chain_group& g, bool down) {
    with_form(g.form, [&](auto pivoted, auto periodic) HWY_ATTR {
        lane_sweep<T, pivoted(), periodic()> lanes(g);
        down ? lanes.down() : lanes.up();
    });
}
void sweep_f32(const chain_group& g, bool down) {
    sweep<float>(g, down);
}
void sweep_f64(const chain_group& g, bool down) {
    sweep<double>(g, down);
}

}  // namespace wale::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::tree {
HWY_EXPORT(sweep_f32);
HWY_EXPORT(sweep_f64);
namespace {
void sweep(scalar type, const chain_group& g, bool down) {
    if (type == scalar::f32) return HWY_DYNAMIC_DISPATCH(sweep_f32)(g, down);
    HWY_DYNAMIC_DISPATCH(sweep_f64)(g, down);
}
}  // namespace

void lanes_down(scalar type, const chain_group& g) {
    sweep(type, g, true);
}
void lanes_up(scalar type, const chain_group& g) {
    sweep(type, g, false);
}
}  // namespace wale::tree
#endif
