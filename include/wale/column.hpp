// column - a vector whose resize leaves the new elements without a value.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace wale {

/// std::allocator, but elements made without arguments keep what their memory held: a long column that is
/// written at once, by several threads, is not filled with zeros by one thread before.
template <class T>
struct unfilled : std::allocator<T> {
    template <class U>
    struct rebind {
        using other = unfilled<U>;
    };
    using std::allocator<T>::allocator;
    template <class U, class... Arguments>
    void construct(U* at, Arguments&&... arguments) {
        if constexpr (sizeof...(Arguments) == 0)
            ::new (static_cast<void*>(at)) U;
        else
            ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
    }
};

/// Numbers of an answer, one after the other.
template <class T>
using column = std::vector<T, unfilled<T>>;

}  // namespace wale
