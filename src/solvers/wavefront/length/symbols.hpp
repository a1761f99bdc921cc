// symbols - from typeless symbols to their type: f(span<const Symbol>...).
#pragma once

#include <cstdint>
#include <span>

#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

template <class Symbol>
[[nodiscard]] std::span<const Symbol> typed(const symbols& s) {
    return {static_cast<const Symbol*>(s.data), static_cast<std::size_t>(s.size)};
}

/// f(a, b) with both as spans of their symbol type. Both have the same width (api.cpp saw to it).
template <class F>
auto visit_symbols(const symbols& a, const symbols& b, F&& f) {
    if (a.bytes == 1) return f(typed<std::uint8_t>(a), typed<std::uint8_t>(b));
    if (a.bytes == 2) return f(typed<std::uint16_t>(a), typed<std::uint16_t>(b));
    return f(typed<std::uint32_t>(a), typed<std::uint32_t>(b));
}

/// Sequence k of a batch.
[[nodiscard]] inline symbols sequence(const batch_side& side, index_t k) {
    return {static_cast<const char*>(side.data) + side.offsets[k] * side.bytes,
            side.offsets[k + 1] - side.offsets[k], side.bytes};
}

}  // namespace wale::wavefront
