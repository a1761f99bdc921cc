// sweeps - the vector code of cpu/lanes, once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/tree/chains/lanes/sweeps.cpp"
#include "solvers/tree/chains/lanes/targets.hpp"

#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include "solvers/tree/chains/lanes/sides-inl.hpp"
#include "solvers/tree/chains/lanes/sweep-inl.hpp"

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
template <class T>
void sides(const side_group& g) {
    if (g.of_one)
        side_sweep<T, true>(g).solve();
    else
        side_sweep<T, false>(g).solve();
}
void sides_f32(const side_group& g) {
    sides<float>(g);
}
void sides_f64(const side_group& g) {
    sides<double>(g);
}
index_t lanes_f32() {
    return vector_size<float>;
}
index_t lanes_f64() {
    return vector_size<double>;
}

}  // namespace wale::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::tree {
HWY_EXPORT(sweep_f32);
HWY_EXPORT(sweep_f64);
HWY_EXPORT(sides_f32);
HWY_EXPORT(sides_f64);
HWY_EXPORT(lanes_f32);
HWY_EXPORT(lanes_f64);
namespace {
void sweep(scalar type, const chain_group& g, bool down) {
    if (type == scalar::f32) return HWY_DYNAMIC_DISPATCH(sweep_f32)(g, down);
    HWY_DYNAMIC_DISPATCH(sweep_f64)(g, down);
}
}  // namespace

index_t vector_lanes(scalar type) {
    return type == scalar::f32 ? HWY_DYNAMIC_DISPATCH(lanes_f32)() : HWY_DYNAMIC_DISPATCH(lanes_f64)();
}
void lanes_down(scalar type, const chain_group& g) {
    sweep(type, g, true);
}
void lanes_up(scalar type, const chain_group& g) {
    sweep(type, g, false);
}
void solve_sides(scalar type, const side_group& g) {
    if (type == scalar::f32) return HWY_DYNAMIC_DISPATCH(sides_f32)(g);
    HWY_DYNAMIC_DISPATCH(sides_f64)(g);
}
}  // namespace wale::tree
#endif
