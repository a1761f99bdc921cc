// memory - a tile's shared memory, and the few operations of a stage that differ between host and device or
// between float and double.
#pragma once

#include "solvers/euler/advance/cuda/second_order/layout.hpp"
#include "solvers/euler/advance/shared/fused/near_number.hpp"

namespace wale::euler::second_order {

/// A tile's shared memory: records; then what the state is at the left and at the right side of each face.
template <class Real>
class tile_memory {
    static constexpr int pieces = record_chunks<Real>::count;

public:
    WALE_HD tile_memory(char* base, int places)
        : records_(reinterpret_cast<chunk*>(base)),
          sides_(reinterpret_cast<Real*>(records_ + (places + places_together - 1) / places_together *
                                                        places_together * pieces)) {}
    /// Of a place as piece_of_place() says it.
    [[nodiscard]] WALE_HD record<Real> get(unsigned piece) const {
        record_chunks<Real> r;
        for (int i = 0; i < pieces; ++i)
            r.pieces[i] = records_[piece + static_cast<unsigned>(i * places_together)];
        return r.whole;
    }
    /// Counted as the pieces lie.
    [[nodiscard]] WALE_HD chunk* piece(int i) const { return records_ + i; }
    /// Of a side, by its first word.
    WALE_HD void put(int word, const Real* five) const {
        for (int v = 0; v < variables; ++v) sides_[word + v * faces_together] = five[v];
    }
    [[nodiscard]] WALE_HD primitives<Real> side(int word) const {
        primitives<Real> p;
        for (int v = 0; v < variables; ++v) p.at[v] = sides_[word + v * faces_together];
        return p;
    }

private:
    chunk* records_;
    Real* sides_;
};

/// The greater and the lesser of two.
WALE_HD inline float greater_of(float a, float b) {
    return std::fmax(a, b);
}
WALE_HD inline double greater_of(double a, double b) {
    return a > b ? a : b;
}
WALE_HD inline float lesser_of(float a, float b) {
    return std::fmin(a, b);
}
WALE_HD inline double lesser_of(double a, double b) {
    return a < b ? a : b;
}

/// A weighted vector to a neighbour; 0 where there is none, which is the cell itself. What is added to the
/// square lies far below any place's last digit.
template <class Real>
WALE_HD inline void weigh(Real (&d)[3]) {
    constexpr Real tiny = sizeof(Real) == 4 ? Real(1e-30) : Real(1e-290);
    const Real weight = near_inverse(std::fma(d[0], d[0], std::fma(d[1], d[1], std::fma(d[2], d[2], tiny))));
    for (Real& x : d) x *= weight;
}

WALE_HD inline void copy_chunk(chunk* to, const chunk* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(to))),
                 "l"(from)
                 : "memory");
#else
    *to = *from;
#endif
}

}  // namespace wale::euler::second_order
