// scratch - memory that is not set before it is used, and that a thread keeps from call to call, up to a few
// MB: new pages cost more than what is computed in them.
#pragma once

#include <cstddef>
#include <utility>
#include <wale/layout.hpp>

namespace wale::wavefront {

class scratch {
public:
    scratch() = default;
    explicit scratch(index_t bytes);  // the content is undefined
    scratch(scratch&& other) noexcept { swap(other); }
    scratch& operator=(scratch&& other) noexcept {
        swap(other);
        return *this;
    }
    ~scratch();
    [[nodiscard]] index_t bytes() const { return bytes_; }
    template <class T>
    [[nodiscard]] T* as() const {
        return static_cast<T*>(data_);
    }

private:
    void swap(scratch& other) noexcept {
        std::swap(bytes_, other.bytes_);
        std::swap(data_, other.data_);
    }
    index_t bytes_ = 0;  // a power of two
    void* data_ = nullptr;
};

}  // namespace wale::wavefront
