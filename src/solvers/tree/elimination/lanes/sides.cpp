// sides - the vector code for right sides in lanes, compiled once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/tree/elimination/lanes/sides.cpp"
#include "cpu/lane_targets.hpp"

#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include "solvers/tree/elimination/lanes/sides-inl.hpp"
#include "solvers/tree/elimination/lanes/stored_factors.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::tree::HWY_NAMESPACE {

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
HWY_EXPORT(sides_f32);
HWY_EXPORT(sides_f64);
HWY_EXPORT(lanes_f32);
HWY_EXPORT(lanes_f64);

index_t vector_lanes(scalar type) {
    return type == scalar::f32 ? HWY_DYNAMIC_DISPATCH(lanes_f32)() : HWY_DYNAMIC_DISPATCH(lanes_f64)();
}
void solve_sides(scalar type, const side_group& g) {
    if (type == scalar::f32) return HWY_DYNAMIC_DISPATCH(sides_f32)(g);
    HWY_DYNAMIC_DISPATCH(sides_f64)(g);
}

namespace {

bool aligned_rows(const vectors& v, index_t each) {
    const index_t line = index_t{base::cache_line} / bytes_of(v.type);
    return reinterpret_cast<std::uintptr_t>(v.data) % base::cache_line == 0 && each % line == 0;
}

}  // namespace

bool may_stream(const vectors& x, double bytes) {
    if (bytes < chain_lanes.streamed_bytes || x.ragged()) return false;
    const bool line_vectors = vector_lanes(x.type) * bytes_of(x.type) == index_t{base::cache_line};
    switch (x.layout) {
        case vector_layout::interleaved:
            return aligned_rows(x, x.stride);
        case vector_layout::block_interleaved:
            return aligned_rows(x, x.width);
        case vector_layout::flat:
            return line_vectors && aligned_rows(x, x.stride);
        default:
            return false;
    }
}

}  // namespace wale::tree
#endif
