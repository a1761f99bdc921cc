// codes - the symbols of a pair by their type, without common ends, and as dense codes, which a few bit
// planes distinguish.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

template <class Symbol>
[[nodiscard]] std::span<const Symbol> typed(const symbols& s) {
    return {static_cast<const Symbol*>(s.data), static_cast<std::size_t>(s.size)};
}

/// f(a, b) with both as spans of their symbol type. Both have the same width (api.cpp checks).
template <class F>
auto visit_symbols(const symbols& a, const symbols& b, F&& f) {
    if (a.bytes == 1) return f(typed<std::uint8_t>(a), typed<std::uint8_t>(b));
    if (a.bytes == 2) return f(typed<std::uint16_t>(a), typed<std::uint16_t>(b));
    return f(typed<std::uint32_t>(a), typed<std::uint32_t>(b));
}

/// Sequence k of a batch.
[[nodiscard]] inline symbols sequence(const batch_side& side, index_t k) {
    const auto* const first = static_cast<const char*>(side.data);  // null: sizes alone
    return {first == nullptr ? nullptr : first + side.offsets[k] * side.bytes,
            side.offsets[k + 1] - side.offsets[k], side.bytes};
}

[[nodiscard]] inline symbols part(const symbols& s, index_t first, index_t size) {
    return {static_cast<const char*>(s.data) + first * s.bytes, size, s.bytes};
}

/// What two sequences have in common at their ends needs no table: texts that people compare mostly agree.
struct trimmed_pair {
    symbols a, b;        // without the common ends
    index_t prefix = 0;  // symbols
    index_t suffix = 0;
};

[[nodiscard]] trimmed_pair trim(const symbols& a, const symbols& b);

using code_span = std::span<const std::uint32_t>;

/// Two sequences whose codes are equal where their symbols are. Codes are 0..count-1; every symbol of b that
/// a does not hold has the same code, as nothing needs to distinguish such symbols.
struct coded_pair {
    std::vector<std::uint32_t> a, b;
    std::uint32_t count = 0;
    [[nodiscard]] int planes() const;  // bits of the largest code, at least 1
};

[[nodiscard]] coded_pair encode(const symbols& a, const symbols& b);

/// Sets the answer from method(a, b) of what the common ends do not settle.
template <class Method>
void without_ends(lcs_length_job& job, Method&& method) {
    const trimmed_pair t = trim(job.a, job.b);
    job.length = t.prefix + t.suffix;
    if (t.a.size > 0 && t.b.size > 0) job.length += method(t.a, t.b);
}
template <class Method>
void without_ends(edit_distance_job& job, Method&& method) {
    const trimmed_pair t = trim(job.a, job.b);
    job.distance = std::max(t.a.size, t.b.size);
    if (t.a.size > 0 && t.b.size > 0) job.distance = method(t.a, t.b);
}

/// The same from method(codes).
template <class Job, class Method>
void with_codes(Job& job, Method&& method) {
    without_ends(job, [&](const symbols& a, const symbols& b) { return method(encode(a, b)); });
}

/// The `threads` of on_cpu (0: all); 1 elsewhere.
[[nodiscard]] inline int threads_asked(const execution& where) {
    const on_cpu* cpu = std::get_if<on_cpu>(&where);
    return cpu != nullptr ? cpu->threads : 1;
}

}  // namespace wale::wavefront
