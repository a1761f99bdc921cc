// of_thread - an object of each thread that stays from call to call.
#pragma once

#include <utility>

namespace wale::base {

/// The calling thread's T, made at its first use. A static destructor of a program may call the library after
/// the thread's objects are destroyed: the T that is made then stays.
template <class T>
T& of_thread() {
    constinit thread_local T* own = nullptr;
    if (own == nullptr) {
        struct release {
            ~release() { delete std::exchange(own, nullptr); }
        };
        [[maybe_unused]] thread_local release at_end;
        own = new T;
    }
    return *own;
}

}  // namespace wale::base
