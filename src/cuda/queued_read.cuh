// queued_read - some bytes that kernels leave in device memory, on their way to the host behind the work of a
// call: timer::stop() queues the copy and waits once for both. Two waits cost a small call a quarter of its
// time.
#pragma once

#include <cstring>

#include "cuda/stream.cuh"

namespace wale::cuda {

class queued_read {
public:
    queued_read(const context& c, const void* from, std::size_t bytes)
        : context_(c),
          from_(from),
          bytes_(checked(bytes)),
          slot_(report_shelf::borrow(c.device(), c.stream(), nullptr, 0)) {}
    queued_read(const queued_read&) = delete;
    queued_read& operator=(const queued_read&) = delete;
    ~queued_read() {
        if (fetched_ && !waited_) (void)cudaStreamSynchronize(context_.stream());
        slot_->known = 0;  // the device's side was not written
        report_shelf::give_back(context_.device(), slot_);
    }
    /// As timer::stop() calls them: after the work, and after the wait.
    void fetch() const {
        check(queue_copy(context_.stream(), *slot_, from_, bytes_));
        fetched_ = true;
    }
    void note_wait() const { waited_ = true; }
    /// After timer::stop().
    void copy_to(void* to) const { std::memcpy(to, slot_->on_host, bytes_); }

private:
    static std::size_t checked(std::size_t bytes) {
        if (bytes > report_slot::size) throw error("queued_read: more bytes than a slot holds");
        return bytes;
    }
    const context& context_;
    const void* from_;
    std::size_t bytes_;
    report_slot* slot_;
    mutable bool fetched_ = false, waited_ = false;
};

}  // namespace wale::cuda
