// scratch - memory for a while, on a cache line, not cleared: large work space costs its first touch only,
// and lies on huge pages where the system has them.
#pragma once

#include <memory>
#include <wale/layout.hpp>

namespace wale::lu {

struct scratch_release {
    void operator()(void* p) const;
};
using scratch_bytes = std::unique_ptr<void, scratch_release>;
[[nodiscard]] scratch_bytes take_scratch(index_t bytes);

template <class T>
class scratch {
public:
    /// At least `size` elements; what was there is lost when it grows.
    T* take(index_t size) {
        if (size > size_) {
            memory_.reset();
            size_ = 0;
            memory_ = take_scratch(size * index_t{sizeof(T)});
            size_ = size;
        }
        return data();
    }
    [[nodiscard]] T* data() const { return static_cast<T*>(memory_.get()); }

private:
    scratch_bytes memory_;
    index_t size_ = 0;
};

}  // namespace wale::lu
