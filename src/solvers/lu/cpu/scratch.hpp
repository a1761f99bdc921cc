// scratch - memory for a while, on a cache line, not cleared: large work space costs its first touch only,
// and lies on huge pages where the system has them.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <wale/layout.hpp>

#include "cpu/blas.hpp"
#include "cpu/poll.hpp"
#include "cpu/team.hpp"

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

/// Independent parts of a job for a team of threads, each with memory of its own: work(task, memory) for task
/// = 0..tasks-1. Which thread does which part makes no difference to the parts.
template <class T, class Work>
void for_tasks(int threads, index_t tasks, const Work& work) {
    std::atomic<index_t> next{0};
    cpu::run_team(static_cast<int>(std::clamp<index_t>(tasks, 1, threads)), [&](int) {
        cpu::blas::reserve();
        scratch<T> memory;
        for (index_t t = next.fetch_add(1, std::memory_order_relaxed); t < tasks;
             t = next.fetch_add(1, std::memory_order_relaxed)) {
            cpu::poll();
            work(t, memory);
        }
    });
}

}  // namespace wale::lu
