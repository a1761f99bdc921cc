// uploaded - an array of the host in device scratch.
#pragma once

#include <vector>

#include "cuda/stream.cuh"

namespace wale::cuda {

template <class T>
class uploaded {
public:
    uploaded(const context& c, const std::vector<T>& values) : data_(c, std::ssize(values)) {
        if (values.empty()) return;
        check(cudaMemcpyAsync(data_.data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice,
                              c.stream()));
    }
    [[nodiscard]] T* data() const { return data_.data(); }

private:
    scratch<T> data_;
};

}  // namespace wale::cuda
