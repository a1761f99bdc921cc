// sorted - numbers in the order of their keys.
#pragma once

#include "cuda/stream.cuh"

namespace wale::wavefront::batch {

/// Of each key the low `bits` count.
class sorted {
public:
    sorted(const cuda::context& c, int bits, const cuda::scratch<std::uint32_t>& keys,
           const cuda::scratch<std::uint32_t>& numbers);
    [[nodiscard]] const std::uint32_t* data() const { return numbers_.data(); }

private:
    cuda::scratch<std::uint32_t> numbers_;
};

}  // namespace wale::wavefront::batch
