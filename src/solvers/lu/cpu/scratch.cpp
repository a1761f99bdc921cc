#include "solvers/lu/cpu/scratch.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

#include "base/aligned.hpp"

namespace wale::lu {

void scratch_release::operator()(void* p) const {
    std::free(p);
}

scratch_bytes take_scratch(index_t bytes) {
    constexpr std::size_t huge = std::size_t{1} << 21;  // bytes of a huge page on x86-64 and most of ARM
    const auto wanted = static_cast<std::size_t>(bytes);
    const std::size_t unit = wanted >= huge ? huge : base::cache_line,
                      size = (wanted + base::cache_line - 1) / base::cache_line * base::cache_line;
    void* p = nullptr;
    if (posix_memalign(&p, unit, size) != 0) throw std::bad_alloc();
    scratch_bytes memory(p);
#ifdef MADV_HUGEPAGE
    if (unit == huge) (void)madvise(memory.get(), size / huge * huge, MADV_HUGEPAGE);  // a wish, no more
#endif
    return memory;
}

}  // namespace wale::lu
