// scratch - memory for a while, on a cache line, not cleared: large work space costs its first touch only.
#pragma once

#include <memory>
#include <wale/layout.hpp>

#include "base/aligned.hpp"

namespace wale::lu {

template <class T>
class scratch {
public:
    /// At least `size` elements; what was there is lost when it grows.
    T* take(index_t size) {
        if (size > size_) {
            memory_.reset();
            memory_.reset(base::aligned_allocator<T>().allocate(static_cast<std::size_t>(size)));
            size_ = size;
        }
        return memory_.get();
    }
    [[nodiscard]] T* data() const { return memory_.get(); }

private:
    struct release {
        void operator()(T* p) const { base::aligned_allocator<T>().deallocate(p, 0); }
    };
    std::unique_ptr<T[], release> memory_;
    index_t size_ = 0;
};

}  // namespace wale::lu
