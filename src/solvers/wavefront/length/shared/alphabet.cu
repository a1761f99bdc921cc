// alphabet - see alphabet.cuh.
#include "solvers/wavefront/length/shared/alphabet.cuh"

#include <algorithm>
#include <bit>

#include "base/checked.hpp"

namespace wale::wavefront {
namespace {

constexpr int threads = 256;

struct found {
    std::uint32_t varying;     // OR over symbols of symbol ^ first
    std::uint32_t seen[2][8];  // packed symbols of a, of b: 256 bits
};

/// The bits of `symbol` under `mask`, moved together.
__device__ std::uint32_t packed(std::uint32_t symbol, std::uint32_t mask) {
    std::uint32_t out = 0;
    for (int to = 0; mask != 0; ++to, mask &= mask - 1)
        out |= (symbol >> (__ffs(static_cast<int>(mask)) - 1) & 1u) << to;
    return out;
}

template <class Symbol>
__global__ void find_varying(const Symbol* s, index_t size, const Symbol* first, found* out) {
    const std::uint32_t origin = *first;
    std::uint32_t differs = 0;
    for (index_t i = blockIdx.x * index_t{threads} + threadIdx.x; i < size; i += index_t{threads} * gridDim.x)
        differs |= s[i] ^ origin;
    for (int offset = 16; offset > 0; offset /= 2) differs |= __shfl_xor_sync(~0u, differs, offset);
    if (threadIdx.x % 32 == 0 && differs != 0) atomicOr(&out->varying, differs);
}

template <class Symbol>
__global__ void find_seen(const Symbol* s, index_t size, std::uint32_t mask, std::uint32_t* out) {
    __shared__ std::uint32_t seen[8];
    if (threadIdx.x < 8) seen[threadIdx.x] = 0;
    __syncthreads();
    std::uint32_t last = ~0u;  // most symbols were seen a moment ago: few atomics
    std::uint32_t mine[8] = {};
    for (index_t i = blockIdx.x * index_t{threads} + threadIdx.x; i < size;
         i += index_t{threads} * gridDim.x) {
        const std::uint32_t c = mask == 0xff ? s[i] & 0xffu : packed(s[i], mask);
        if (c == last) continue;
        last = c;
#pragma unroll
        for (int k = 0; k < 8; ++k)
            mine[k] |= (c >> 5) == static_cast<std::uint32_t>(k) ? 1u << (c & 31) : 0u;
    }
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        for (int offset = 16; offset > 0; offset /= 2) mine[k] |= __shfl_xor_sync(~0u, mine[k], offset);
        if (threadIdx.x % 32 == 0) atomicOr(seen + k, mine[k]);
    }
    __syncthreads();
    if (threadIdx.x < 8 && seen[threadIdx.x] != 0) atomicOr(out + threadIdx.x, seen[threadIdx.x]);
}

template <class Symbol>
__global__ void encode_bytes(const Symbol* s, index_t size, coded_place place, alphabet with, int scale,
                             std::uint32_t* out) {
    __shared__ std::uint8_t number[256];
    for (int i = threadIdx.x; i < 256; i += threads)
        number[i] = static_cast<std::uint8_t>(with.number[i] * scale);
    __syncthreads();
    const index_t count = place.size / 4;
    for (index_t w = blockIdx.x * index_t{threads} + threadIdx.x; w < count;
         w += index_t{threads} * gridDim.x) {
        std::uint32_t four = 0;
        for (int b = 0; b < 4; ++b) {
            const index_t i = 4 * w + b - place.begin;
            if (i < 0 || i >= size) continue;
            const std::uint32_t symbol = s[place.reversed ? size - 1 - i : i];
            const std::uint32_t c = with.varying == 0xff ? symbol & 0xffu : packed(symbol, with.varying);
            four |= static_cast<std::uint32_t>(number[c]) << (8 * b);
        }
        out[w] = four;
    }
}

template <class Symbol>
__global__ void encode_words(const Symbol* s, index_t size, coded_place place, std::uint32_t varying,
                             std::uint32_t* out) {
    for (index_t w = blockIdx.x * index_t{threads} + threadIdx.x; w < place.size;
         w += index_t{threads} * gridDim.x) {
        const index_t i = w - place.begin;
        const bool real = i >= 0 && i < size;
        out[w] = real ? packed(s[place.reversed ? size - 1 - i : i], varying) : 0;
    }
}

int grid_for(const cuda::context& c, index_t items) {
    return static_cast<int>(std::clamp<index_t>(base::ceil_div(items, threads), 1, 8 * c.multiprocessors()));
}

template <class F>
void visit_width(const symbols& s, F&& f) {
    if (s.bytes == 1) return f(static_cast<const std::uint8_t*>(s.data));
    if (s.bytes == 2) return f(static_cast<const std::uint16_t*>(s.data));
    f(static_cast<const std::uint32_t*>(s.data));
}

std::uint32_t varying_bits(const cuda::context& c, const symbols& a, const symbols& b,
                           const cuda::scratch<found>& summary) {
    if (a.bytes == 1) return 0xff;
    visit_width(a, [&](const auto* first) {
        find_varying<<<grid_for(c, a.size), threads, 0, c.stream()>>>(first, a.size, first, summary.data());
        find_varying<<<grid_for(c, b.size), threads, 0, c.stream()>>>(static_cast<decltype(first)>(b.data),
                                                                      b.size, first, summary.data());
    });
    cuda::check_launch();
    found host{};
    summary.to_host(&host);
    return host.varying;
}

}  // namespace

alphabet find_alphabet(const cuda::context& c, const symbols& a, const symbols& b) {
    const cuda::scratch<found> summary(c, 1);
    summary.fill_bytes(0);
    alphabet result;
    result.varying = varying_bits(c, a, b, summary);
    result.bits = std::popcount(result.varying);
    if (result.bits > 8) return result;
    for (int side = 0; side < 2; ++side)
        visit_width(side == 0 ? a : b, [&](const auto* data) {
            const index_t size = side == 0 ? a.size : b.size;
            find_seen<<<grid_for(c, size), threads, 0, c.stream()>>>(data, size, result.varying,
                                                                     summary.data()->seen[side]);
        });
    cuda::check_launch();
    found host{};
    summary.to_host(&host);
    for (int s = 0; s < 256; ++s)
        if ((host.seen[0][s / 32] & host.seen[1][s / 32]) >> (s % 32) & 1u) {
            ++result.common;
            result.number[s] =
                static_cast<std::uint8_t>(result.common);  // 256 of 256 wrap to 0: fits_table is false
        }
    return result;
}

void encode(const cuda::context& c, const alphabet& with, const symbols& s, coded_place place, int scale,
            std::uint8_t* out) {
    visit_width(s, [&](const auto* data) {
        encode_bytes<<<grid_for(c, place.size / 4), threads, 0, c.stream()>>>(
            data, s.size, place, with, scale, reinterpret_cast<std::uint32_t*>(out));
    });
    cuda::check_launch();
}

void encode(const cuda::context& c, const alphabet& with, const symbols& s, coded_place place,
            std::uint32_t* out) {
    visit_width(s, [&](const auto* data) {
        encode_words<<<grid_for(c, place.size), threads, 0, c.stream()>>>(data, s.size, place, with.varying,
                                                                          out);
    });
    cuda::check_launch();
}

}  // namespace wale::wavefront
