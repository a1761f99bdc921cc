// buffer - allocation and copies in the three memory spaces.
#include <cstring>
#include <new>
#include <wale/buffer.hpp>
#include <wale/error.hpp>
#include <wale/host_memory.hpp>

#include "base/aligned.hpp"
#include "base/argument.hpp"
#include "base/checked.hpp"
#include "base/enumerator.hpp"
#include "cuda/device_api.hpp"

namespace wale {

index_t checked_bytes(index_t count, index_t size) {
    const auto bytes = base::multiply(count, size);
    if (count < 0 || !bytes) base::refuse("buffer", "size is " + std::to_string(count), "0..2^63 bytes");
    return *bytes;
}

memory::memory(index_t bytes, memory_space space, int device)
    : bytes_(bytes), space_(space), device_(device) {
    base::check_enumerator("memory", "space", space, memory_space::device);
    (void)checked_bytes(bytes, 1);
    if (bytes == 0) return;
    if (space != memory_space::host) {
        data_ = cuda::require().allocate(bytes, space, device);
        return;
    }
    demand_host_memory("host memory", static_cast<double>(bytes));
    data_ =
        ::operator new (static_cast<std::size_t>(bytes), std::align_val_t{base::cache_line}, std::nothrow);
    if (data_ == nullptr) throw out_of_memory("host memory", bytes, available_host_memory());
}

memory::~memory() {
    if (data_ == nullptr) return;
    if (space_ == memory_space::host)
        ::operator delete (data_, std::align_val_t{base::cache_line});
    else
        cuda::api()->release(data_, space_, device_);
}

void copy_bytes(const execution& where, void* to, const void* from, index_t bytes) {
    (void)checked_bytes(bytes, 1);
    if (bytes == 0) return;
    if (to == nullptr || from == nullptr) base::refuse("to, from", "one is null", "memory");
    if (const auto* on = std::get_if<on_cuda>(&where))
        cuda::require().copy(*on, to, from, bytes);
    else
        std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

}  // namespace wale
