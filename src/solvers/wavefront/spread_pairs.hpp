// spread_pairs - a batch of pairs in host memory over several devices, by the cells of the pairs.
#pragma once

#include <span>

#include "cuda/spread.hpp"

namespace wale::wavefront {

/// call(where, a, b, answers) computes a part of the batch on one device. The offsets have been checked.
template <class Result, class T, class Call>
[[nodiscard]] Result spread_pairs(const on_cuda& where, const sequence_batch& a, const sequence_batch& b,
                                  std::span<T> answers, const Call& call) {
    const auto cells = [&](index_t k) {
        return static_cast<double>(a.offsets[k + 1] - a.offsets[k]) *
               static_cast<double>(b.offsets[k + 1] - b.offsets[k]);
    };
    const auto parts = cuda::split_by_work(a.count, where.devices.size(), 1, cells);
    return cuda::spread<Result>(
        where, parts,
        [&](cuda::carrier& c, cuda::part p) {
            T* const out = c.part_of(answers.data(), p, cuda::traffic::out);
            return call(c.where(), c.part_of(a, p), c.part_of(b, p),
                        std::span<T>(out, static_cast<std::size_t>(p.count())));
        },
        [](Result&, const Result&, index_t) {});
}

}  // namespace wale::wavefront
