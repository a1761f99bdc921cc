// packed_sequences - each thread copies the sequences that begin in a part of the symbols.
#include <algorithm>
#include <cstring>
#include <wale/buffer.hpp>
#include <wale/error.hpp>
#include <wale/execution.hpp>
#include <wale/packed_sequences.hpp>

#include "base/argument.hpp"
#include "base/large_pages.hpp"
#include "base/pool.hpp"

namespace wale {
namespace {

constexpr index_t bytes_of_thread = index_t{1} << 20;  // below, starting a thread costs what it wins
constexpr int most_threads = 8;                        // these copy as fast as the memory of a host takes

struct packing {
    std::span<const sequence_view> from;
    packed_sequences& to;
    int parts;

    void run(int part) const noexcept {
        const auto begin = to.offsets.begin(), end = to.offsets.end() - 1;
        const index_t share = to.offsets.back() / parts + 1;
        const auto first = std::lower_bound(begin, end, part * share),
                   last = std::lower_bound(first, end, (part + 1) * share);
        for (auto k = first - begin; k < last - begin; ++k) copy(static_cast<std::size_t>(k));
    }

private:
    void copy(std::size_t k) const noexcept {
        const sequence_view& s = from[k];
        std::uint8_t* const at = to.data.data() + to.offsets[k] * to.symbol_bytes;
        if (s.size() == 0) return;
        if (s.symbol_bytes() == to.symbol_bytes)
            std::memcpy(at, s.data(), static_cast<std::size_t>(s.size() * s.symbol_bytes()));
        else if (s.symbol_bytes() == 2)
            widen(static_cast<const std::uint16_t*>(s.data()), s.size(), at);
        else
            widen(static_cast<const std::uint8_t*>(s.data()), s.size(), at);
    }
    template <class Symbol>
    void widen(const Symbol* symbols, index_t size, std::uint8_t* at) const noexcept {
        if (to.symbol_bytes == 2)
            std::copy(symbols, symbols + size, reinterpret_cast<std::uint16_t*>(at));
        else
            std::copy(symbols, symbols + size, reinterpret_cast<std::uint32_t*>(at));
    }
};

void check(const sequence_view& s, std::size_t k) {
    const int width = s.symbol_bytes();
    const bool there = s.size() == 0 || (s.size() > 0 && s.data() != nullptr);
    if (there && (width == 1 || width == 2 || width == 4)) return;
    base::refuse("sequences[" + std::to_string(k) + "]",
                 std::to_string(s.size()) + " symbols of " + std::to_string(width) + " bytes" +
                     (s.data() == nullptr ? " at no address" : ""),
                 "symbols of 1, 2 or 4 bytes in memory");
}

}  // namespace

packed_sequences pack(std::span<const sequence_view> sequences) {
    packed_sequences out;
    base::resize_in_large_pages(out.offsets, sequences.size() + 1);
    index_t symbols = 0;
    out.offsets[0] = 0;
    for (std::size_t k = 0; k < sequences.size(); ++k) {
        check(sequences[k], k);
        out.symbol_bytes = std::max(out.symbol_bytes, sequences[k].symbol_bytes());
        out.offsets[k + 1] = symbols += sequences[k].size();
    }
    const index_t bytes = checked_bytes(symbols, static_cast<std::size_t>(out.symbol_bytes));
    base::resize_in_large_pages(out.data, static_cast<std::size_t>(bytes));
    const index_t threads = std::min<index_t>({most_threads, available_threads(), bytes / bytes_of_thread});
    packing all{sequences, out, std::max(1, static_cast<int>(threads))};
    try {
        base::run_on_pool(
            all.parts, [](void* p, int k) { static_cast<packing*>(p)->run(k); }, &all);
    } catch (const out_of_memory&) {  // the system refuses threads
        for (int k = 0; k < all.parts; ++k) all.run(k);
    }
    return out;
}

}  // namespace wale
