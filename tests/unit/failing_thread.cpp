#include "unit/failing_thread.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <cerrno>
#include <limits>

namespace wale::faults {
std::atomic<long> threads_left{std::numeric_limits<long>::max()};

}  // namespace wale::faults

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                              void* argument) noexcept {
    if (wale::faults::threads_left.fetch_sub(1) <= 0) return EAGAIN;
    static const auto create =
        reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
    return create(thread, attributes, run, argument);
}
