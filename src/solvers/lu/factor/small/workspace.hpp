// workspace - scratch memory of one thread: on the stack where it is little, so that a call for a matrix of a
// few rows allocates nothing.
#pragma once

#include <cstddef>
#include <new>
#include <wale/layout.hpp>

#include "base/aligned.hpp"

namespace wale::lu {

class small_workspace {
public:
    explicit small_workspace(index_t bytes)
        : data_(bytes <= index_t{sizeof near_}
                    ? near_
                    : ::operator new (static_cast<std::size_t>(bytes), std::align_val_t{base::cache_line})) {}
    ~small_workspace() {
        if (data_ != near_) ::operator delete (data_, std::align_val_t{base::cache_line});
    }
    small_workspace(const small_workspace&) = delete;
    small_workspace& operator=(const small_workspace&) = delete;
    [[nodiscard]] void* data() const { return data_; }

private:
    alignas(base::cache_line) std::byte near_[32768];
    void* data_;
};

}  // namespace wale::lu
