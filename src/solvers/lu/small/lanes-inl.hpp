// lanes-inl - matrices of one shape side by side, one in each lane of a vector: what all of them do at once.
// No lane ever sees another. Once for each Highway target.
#if defined(WALE_LU_SMALL_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_LU_SMALL_LANES_INL
#undef WALE_LU_SMALL_LANES_INL
#else
#define WALE_LU_SMALL_LANES_INL
#endif

#include <hwy/highway.h>

#include "solvers/lu/small/small.hpp"
#include "solvers/lu/small/tiles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::lu::HWY_NAMESPACE {

/// Elements (i, j) of all matrices are a vector.
template <class T>
struct lane_matrices {
    static constexpr index_t lanes = tile_traits<T>::lanes;
    T* data;
    index_t row_step, column_step;  // elements of `data`

    lane_matrices(T* memory, const matrix_shape& m)
        : data(memory),
          row_step(lanes * (m.row_major() ? m.columns : 1)),
          column_step(lanes * (m.row_major() ? 1 : m.rows)) {}
    HWY_INLINE T* at(index_t i, index_t j) const { return data + i * row_step + j * column_step; }
    HWY_INLINE auto load(index_t i, index_t j) const { return hn::Load(hn::ScalableTag<T>(), at(i, j)); }
    template <class V>
    HWY_INLINE void store(V v, index_t i, index_t j) const {
        hn::Store(v, hn::ScalableTag<T>(), at(i, j));
    }

    /// From all matrices of m, at most `lanes`; the other lanes get zeros.
    void fetch(const const_matrices& m) const {
        if (m.count < lanes) std::fill(data, data + m.rows * m.columns * lanes, T(0));
        const auto* from = static_cast<const T*>(m.data);
        if (m.leading == m.line_size())
            return transpose<along::from, T>({from, m.stride}, m.count, m.rows * m.columns, {data, lanes});
        for (index_t line = 0; line < m.lines(); ++line)
            transpose<along::from, T>({from + line * m.leading, m.stride}, m.count, m.line_size(),
                                      {data + line * m.line_size() * lanes, lanes});
    }
    void put(const matrices& m) const {
        auto* to = static_cast<T*>(m.data);
        if (m.leading == m.line_size())
            return transpose<along::to, T>({data, lanes}, m.rows * m.columns, m.count, {to, m.stride});
        for (index_t line = 0; line < m.lines(); ++line)
            transpose<along::to, T>({data + line * m.line_size() * lanes, lanes}, m.line_size(), m.count,
                                    {to + line * m.leading, m.stride});
    }
};

}  // namespace wale::lu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
