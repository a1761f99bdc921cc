// lu_on_device - matrices on the host and their twins on the device, for the CUDA tests of LU.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>
#include <wale/buffer.hpp>
#include <wale/error.hpp>
#include <wale/lu.hpp>
#include <wale/lu_refined.hpp>

namespace wale {

/// Uniform in [-1, 1), the same on every machine.
class numbers {
public:
    explicit numbers(std::uint64_t seed) : state_(seed) {}
    double next() {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
    }

private:
    std::uint64_t state_;
};

struct shape_of_test {
    index_t rows = 1, columns = 1;
    storage_order order = storage_order::column_major;
    index_t padding = 0;  // of the leading dimension
    index_t count = 1;
};

/// Matrices in host memory and a copy on the device; padding holds a mark that must stay.
template <class T>
class twin {
public:
    static constexpr T mark = T(-77);

    explicit twin(const shape_of_test& s) {
        shape_.type = scalar_of<T>::value;
        shape_.order = s.order;
        shape_.rows = s.rows;
        shape_.columns = s.columns;
        shape_.leading = (shape_.row_major() ? s.columns : s.rows) + s.padding;
        shape_.count = s.count;
        shape_.stride = shape_.leading * shape_.lines() + s.padding;
        host.assign(static_cast<std::size_t>(shape_.count * shape_.stride + 1), mark);
    }
    [[nodiscard]] T& at(index_t matrix, index_t i, index_t j) {
        return host[static_cast<std::size_t>(matrix * shape_.stride + i * shape_.row_step() +
                                             j * shape_.column_step())];
    }
    void fill_random(std::uint64_t seed, double diagonal = 0) {
        numbers random(seed);
        for (index_t c = 0; c < shape_.count; ++c)
            for (index_t i = 0; i < shape_.rows; ++i)
                for (index_t j = 0; j < shape_.columns; ++j)
                    at(c, i, j) = static_cast<T>(random.next() + (i == j ? diagonal : 0));
    }
    void upload() {
        device = buffer<T>(std::ssize(host), memory_space::device);
        copy_bytes(on_cuda{}, device.data(), host.data(), std::ssize(host) * index_t{sizeof(T)});
    }
    void download() {
        copy_bytes(on_cuda{}, host.data(), device.data(), std::ssize(host) * index_t{sizeof(T)});
    }
    [[nodiscard]] matrices on_host() { return {host.data(), shape_}; }
    [[nodiscard]] matrices on_device() const { return {device.data(), shape_}; }
    [[nodiscard]] const matrix_shape& shape() const { return shape_; }
    /// Elements that belong to no matrix and have changed.
    [[nodiscard]] index_t changed_padding() {
        std::vector<char> inside(host.size());
        for (index_t c = 0; c < shape_.count; ++c)
            for (index_t i = 0; i < shape_.rows; ++i)
                for (index_t j = 0; j < shape_.columns; ++j)
                    inside[static_cast<std::size_t>(&at(c, i, j) - host.data())] = 1;
        index_t changed = 0;
        for (std::size_t i = 0; i < host.size(); ++i) changed += !inside[i] && host[i] != mark;
        return changed;
    }

    std::vector<T> host;
    buffer<T> device;

private:
    matrix_shape shape_;
};

/// A vector on the device.
template <class T>
[[nodiscard]] buffer<T> on_device(const std::vector<T>& from) {
    return to_device(on_cuda{}, std::span<const T>(from));
}
template <class T>
[[nodiscard]] std::vector<T> on_host(const buffer<T>& from) {
    std::vector<T> to(static_cast<std::size_t>(from.size()));
    copy_bytes(on_cuda{}, to.data(), from.data(), from.size() * index_t{sizeof(T)});
    return to;
}

class LuCuda : public testing::Test {
protected:
    void SetUp() override {
        if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    }
};

}  // namespace wale
