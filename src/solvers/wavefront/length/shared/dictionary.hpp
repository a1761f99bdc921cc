// dictionary - dense codes for the symbols of many sequences, and one text in these codes: encoded once,
// whatever is compared with it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>

#include "solvers/wavefront/length/shared/codes.hpp"

namespace wale::wavefront {

/// Codes 0..size()-1 of the symbols that the sequences hold; size() for all others.
class dictionary {
public:
    dictionary(const batch_side& side, index_t count) {
        low_.fill(absent);
        for (index_t k = 0; k < count; ++k) {
            const symbols s = sequence(side, k);
            visit_symbols(s, s, [&](auto x, auto) {
                for (const auto symbol : x) learn(symbol);
            });
        }
        for (std::uint32_t& code : low_)
            if (code == absent) code = size_;
    }
    [[nodiscard]] std::uint32_t size() const { return size_; }
    [[nodiscard]] std::uint32_t code(std::uint32_t symbol) const {
        if (symbol < low_.size()) return low_[symbol];
        const auto at = high_.find(symbol);
        return at == high_.end() ? size_ : at->second;
    }
    /// Writes the codes of a sequence; `Code` holds size().
    template <class Code>
    void encode(const symbols& from, Code* to) const {
        visit_symbols(from, from, [&](auto x, auto) {
            for (const auto symbol : x) *to++ = static_cast<Code>(code(symbol));
        });
    }

private:
    static constexpr std::uint32_t absent = ~std::uint32_t{0};
    void learn(std::uint32_t symbol) {
        if (symbol < low_.size()) {
            if (low_[symbol] == absent) low_[symbol] = size_++;
        } else if (high_.emplace(symbol, size_).second) {
            ++size_;
        }
    }
    std::array<std::uint32_t, 256> low_;
    std::unordered_map<std::uint32_t, std::uint32_t> high_;
    std::uint32_t size_ = 0;
};

/// A text in the codes of the sequences that are sought in it.
class coded_text {
public:
    coded_text(const batch_side& side, index_t count, const symbols& text) : words_(side, count) {
        const auto size = static_cast<std::size_t>(text.size);
        wide_.resize(byte_codes() ? 0 : size);
        narrow_.resize(byte_codes() ? size : 0);
        if (byte_codes())
            words_.encode(text, narrow_.data());
        else
            words_.encode(text, wide_.data());
    }
    [[nodiscard]] std::uint32_t codes() const { return words_.size(); }
    /// Whether codes, and that of symbols that no sequence holds, fit a byte.
    [[nodiscard]] bool byte_codes() const { return words_.size() < 256; }
    [[nodiscard]] int planes() const { return std::max(1, static_cast<int>(std::bit_width(words_.size()))); }
    [[nodiscard]] int code_bytes() const { return byte_codes() ? 1 : 4; }
    [[nodiscard]] const void* data() const { return at(0); }
    [[nodiscard]] const void* at(index_t symbol) const {
        return byte_codes() ? static_cast<const void*>(narrow_.data() + symbol) : wide_.data() + symbol;
    }
    /// f(code) for each symbol of a sequence.
    template <class F>
    void for_codes(const symbols& s, F&& f) const {
        visit_symbols(s, s, [&](auto x, auto) {
            for (const auto symbol : x) f(words_.code(symbol));
        });
    }

private:
    dictionary words_;
    std::vector<std::uint8_t> narrow_;
    std::vector<std::uint32_t> wide_;
};

}  // namespace wale::wavefront
