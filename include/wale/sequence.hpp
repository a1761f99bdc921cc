// sequence - views of symbol streams: bytes, 16- or 32-bit codes (tokens, line numbers, code points).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <wale/layout.hpp>

namespace wale {

/// One sequence. Symbols are compared for equality as unsigned integers. Owns nothing.
class sequence_view {
public:
    constexpr sequence_view() = default;
    constexpr sequence_view(const void* data, index_t size, int symbol_bytes)
        : data_(data), size_(size), symbol_bytes_(symbol_bytes) {}
    sequence_view(std::string_view s) : sequence_view(s.data(), std::ssize(s), 1) {}
    sequence_view(const std::string& s) : sequence_view(std::string_view(s)) {}
    sequence_view(const char* s) : sequence_view(std::string_view(s)) {}
    sequence_view(std::u32string_view s) : sequence_view(s.data(), std::ssize(s), 4) {}
    sequence_view(std::span<const std::uint8_t> s) : sequence_view(s.data(), std::ssize(s), 1) {}
    sequence_view(std::span<const std::uint16_t> s) : sequence_view(s.data(), std::ssize(s), 2) {}
    sequence_view(std::span<const std::uint32_t> s) : sequence_view(s.data(), std::ssize(s), 4) {}

    [[nodiscard]] const void* data() const noexcept { return data_; }
    [[nodiscard]] index_t size() const noexcept { return size_; }              // symbols
    [[nodiscard]] int symbol_bytes() const noexcept { return symbol_bytes_; }  // 1, 2 or 4

private:
    const void* data_ = nullptr;
    index_t size_ = 0;
    int symbol_bytes_ = 1;
};

/// Many sequences end to end: sequence k is the symbols [offsets[k], offsets[k+1]) of `data` (an Arrow
/// string column, a StringZilla tape). `offsets` has count+1 entries in the memory space of `data`.
struct sequence_batch {
    const void* data = nullptr;
    const index_t* offsets = nullptr;  // symbols, ascending
    index_t count = 0;
    int symbol_bytes = 1;  // 1, 2 or 4
};

}  // namespace wale
