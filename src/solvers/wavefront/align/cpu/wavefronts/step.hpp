// step - the kernel of cpu/wavefronts: what one more unit of cost reaches, diagonal by diagonal.
#pragma once

#include <cstdint>
#include <wale/layout.hpp>

namespace wale::wavefront {

/// Rows of an affine-gap wavefront. Element k belongs to the diagonal j - i = low + k and holds the largest i
/// that the costs allow; below 0: none. What is read has an element before `first` and a vector behind
/// `last`.
struct wave_step {
    const std::int32_t *before, *unequal, *opened, *e_before, *f_before;
    std::int32_t *h, *e, *f;  // out: first to last, a vector's rest behind it is overwritten
    index_t first, last;      // elements
    index_t low;
    const std::uint8_t *query, *target;  // with text_margin bytes behind the last symbol
    index_t query_size, target_size;
};

inline constexpr index_t text_margin = 8;  // bytes behind a sequence
inline constexpr index_t row_margin = 16;  // elements at both sides of a row: a vector has no more
inline constexpr std::int32_t wave_none = -(1 << 30);

/// The recurrence: h, e and f without runs of equal symbols.
void step_wave(const wave_step& w);
/// Lengthens h by the runs of equal symbols.
void extend_wave(const wave_step& w);

}  // namespace wale::wavefront
