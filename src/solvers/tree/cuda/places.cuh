// places - where the elements of a job's vectors lie, as kernels see it, and host arrays that go along.
#pragma once

#include <span>

#include "cuda/stream.cuh"
#include "solvers/tree/problem.hpp"

namespace wale::tree {

/// A vector_shape for kernels; `starts` on the device, or null.
struct places {
    vector_layout layout;
    index_t size, count, stride, width;
    const index_t* starts;
    [[nodiscard]] WALE_HD index_t begin_of(index_t v) const {
        if (starts != nullptr) return starts[v];
        switch (layout) {
            case vector_layout::interleaved:
                return v;
            case vector_layout::block_interleaved:
                return v / width * width * size + v % width;
            case vector_layout::unified:
                return v * stride * vector_shape::unified_step;
            default:
                return v * stride;
        }
    }
    [[nodiscard]] WALE_HD index_t step() const {
        switch (layout) {
            case vector_layout::interleaved:
                return stride;
            case vector_layout::block_interleaved:
                return width;
            case vector_layout::unified:
                return vector_shape::unified_step;
            default:
                return 1;
        }
    }
    [[nodiscard]] WALE_HD index_t size_of(index_t v) const {
        return starts != nullptr ? starts[v + 1] - starts[v] : size;
    }
};
[[nodiscard]] inline places places_of(const vector_shape& s, const index_t* starts) {
    return {s.layout, s.size, s.count, s.stride, s.width, s.ragged() ? starts : nullptr};
}

/// A host array on the device. From pageable memory: the copy has left it when the constructor returns.
template <class T>
class sent_to_device {
public:
    sent_to_device(const cuda::context& here, std::span<const T> host)
        : memory_(here, static_cast<index_t>(host.size())) {
        if (!host.empty())
            cuda::check(cudaMemcpyAsync(memory_.data(), host.data(), host.size_bytes(),
                                        cudaMemcpyHostToDevice, here.stream()));
    }
    [[nodiscard]] const T* data() const { return memory_.data(); }

private:
    cuda::scratch<T> memory_;
};

/// The matrices of a job, by value.
template <class T>
struct device_chains {
    const T *lower, *diagonal, *upper;
    places at;
    bool periodic, transposed;
    [[nodiscard]] __device__ bands<T> operator[](index_t system) const {
        const index_t first = at.begin_of(system), step = at.step();
        return {{lower + first, step},
                {diagonal + first, step},
                {upper + first, step},
                at.size_of(system),
                periodic,
                transposed};
    }
};
template <class T>
[[nodiscard]] device_chains<T> chains_on_device(const chain_matrix& a, const index_t* starts) {
    return {static_cast<const T*>(a.lower.data),
            static_cast<const T*>(a.diagonal.data),
            static_cast<const T*>(a.upper.data),
            places_of(a.shape(), starts),
            a.periodic,
            a.transposed};
}

/// The right sides of a job and where the solutions go, by value; `each` of them to a system.
template <class T>
struct device_sides {
    const T* rhs;
    T* solution;
    places at;
    index_t each;
    [[nodiscard]] __device__ line<const T> right_side(index_t v) const {
        return {rhs + at.begin_of(v), at.step()};
    }
    [[nodiscard]] __device__ line<T> answer(index_t v) const {
        return {solution + at.begin_of(v), at.step()};
    }
};

}  // namespace wale::tree
