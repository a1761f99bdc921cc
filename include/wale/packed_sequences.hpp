// packed_sequences - sequences from anywhere in memory, copied end to end.
#pragma once

#include <cstdint>
#include <span>
#include <wale/column.hpp>
#include <wale/sequence.hpp>

namespace wale {

/// Owns what a sequence_batch views.
struct packed_sequences {
    column<std::uint8_t> data;  // the bytes of the symbols
    column<index_t> offsets;    // [symbols], one more than there are sequences
    int symbol_bytes = 1;

    [[nodiscard]] sequence_batch view() const noexcept {
        return {data.data(), offsets.data(), std::ssize(offsets) - 1, symbol_bytes};
    }
};

/// Copies the sequences, each symbol in the width of the widest sequence, on several threads where there are
/// megabytes. O(symbols) time. Throws std::bad_alloc, and bad_argument for symbols that are not there.
[[nodiscard]] packed_sequences pack(std::span<const sequence_view> sequences);

}  // namespace wale
