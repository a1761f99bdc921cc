#include "base/pool.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "base/aligned.hpp"
#include "base/threads.hpp"

namespace wale::base {
namespace {

/// A poll of this length costs less than the sleep and the wake-up that the poll may spare (5 to 50 us).
constexpr std::chrono::microseconds longest_poll{50};
constexpr std::size_t most_idle = 256;  // threads that stay without work

void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

/// One thread of the pool.
///
/// Who does what: the owner of a call writes the fields and stores `offered`; the thread makes that
/// `working`, and `idle` when the work is done. Where the system has not run the thread yet, the owner makes
/// `offered` `idle` again and does the work. What each waits for: the thread for an offer, the owner for
/// `idle`. Why it cannot deadlock: the thread was idle when the owner took the thread, and serves that owner
/// alone. Why this order: a release of `state` publishes the fields to the thread, and the thread's writes to
/// the owner.
class alignas(cache_line) worker {
public:
    worker() : thread_([this] { serve(); }) {}
    ~worker() {
        set(quitting);
        thread_.join();
    }
    worker(const worker&) = delete;
    worker& operator=(const worker&) = delete;

    void start(void (*run)(void*, int), void* what, int rank, const cpu_set_t& processors, bool poll) {
        if (!CPU_EQUAL(&processors, &processors_) &&
            pthread_setaffinity_np(thread_.native_handle(), sizeof processors, &processors) == 0)
            processors_ = processors;
        run_ = run;
        what_ = what;
        rank_ = rank;
        polls_ = poll;
        set(offered);
    }
    [[nodiscard]] bool has_ended() const { return state_.load(std::memory_order_acquire) == idle; }
    /// Whether the thread has not begun, and will not.
    [[nodiscard]] bool withdraw() { return change(offered, idle); }
    void finish() {
        for (std::uint32_t now = working; now != idle; now = state_.load(std::memory_order_acquire))
            state_.wait(now, std::memory_order_acquire);
    }

private:
    enum states : std::uint32_t { idle, offered, working, quitting };

    bool change(std::uint32_t from, std::uint32_t to) {
        return state_.compare_exchange_strong(from, to, std::memory_order_acq_rel, std::memory_order_acquire);
    }

    void set(states s) {
        state_.store(s, std::memory_order_release);
        state_.notify_one();
    }
    void wait_while(states s, bool poll) {
        if (poll) {
            const auto end = std::chrono::steady_clock::now() + longest_poll;
            do {
                for (int i = 0; i < 16; ++i) {
                    if (state_.load(std::memory_order_acquire) != s) return;
                    relax();
                }
            } while (std::chrono::steady_clock::now() < end);
        }
        state_.wait(s, std::memory_order_acquire);
    }
    void serve() {
        for (bool poll = false;;) {
            wait_while(idle, poll);
            if (state_.load(std::memory_order_acquire) == quitting) return;
            if (!change(offered, working)) continue;
            poll = polls_;  // read while the thread works: the next owner writes the field of an idle thread
            run_(what_, rank_);
            set(idle);
        }
    }

    std::atomic<std::uint32_t> state_ = idle;
    bool polls_ = false;
    int rank_ = 0;
    void (*run_)(void*, int) = nullptr;
    void* what_ = nullptr;
    cpu_set_t processors_{};  // empty: not known yet
    std::thread thread_;
};

using workers = std::vector<std::unique_ptr<worker>>;

/// Idle workers. The last one serves rank 1 of the next call, the one before rank 2: the same rank of
/// repeated calls meets the caches, and the memory, that its thread has touched.
class pool {
public:
    /// Moves idle workers to `mine` until `mine` has `count` of them or none is idle.
    void take(workers& mine, std::size_t count) {
        const std::scoped_lock lock(mutex_);
        for (; mine.size() < count && !idle_.empty(); idle_.pop_back())
            mine.push_back(std::move(idle_.back()));
    }
    /// The workers that remain in `mine` are superfluous.
    void give_back(workers& mine) noexcept {
        const std::scoped_lock lock(mutex_);
        for (; !mine.empty() && idle_.size() < std::min(most_idle, idle_.capacity()); mine.pop_back())
            idle_.push_back(std::move(mine.back()));
    }
    void reserve() {
        const std::scoped_lock lock(mutex_);
        idle_.reserve(most_idle);
    }
    /// All idle workers. Allocates nothing: a process that ends may be out of memory.
    workers take_all() {
        const std::scoped_lock lock(mutex_);
        return std::exchange(idle_, {});
    }

    /// Never destroyed: other threads may still call while the process ends.
    static pool& only() {
        [[maybe_unused]] static const bool watched = watch();  // after a throw the next call tries again
        return *std::launder(reinterpret_cast<pool*>(storage_));
    }

private:
    static bool watch() {
        new (storage_) pool;
        if (pthread_atfork(nullptr, nullptr, renew) != 0) throw std::bad_alloc();
        return true;
    }
    /// In a forked child the threads do not exist, and the lock may be held for ever: both are left behind.
    static void renew() { new (storage_) pool; }

    static std::byte storage_[];
    std::mutex mutex_;
    workers idle_;
};
alignas(pool) std::byte pool::storage_[sizeof(pool)];

/// Ends the idle threads before the code of the library goes away.
const struct at_the_end {
    ~at_the_end() {
        try {
            end_idle_threads();
        } catch (const std::bad_alloc&) {  // there was no pool, and no memory to make one
        }
    }
} ending;

void start_missing(workers& mine, int size) {
    sigset_t all, before;
    sigfillset(&all);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) sigdelset(&all, fault);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    try {
        while (std::ssize(mine) + 1 < size) mine.push_back(std::make_unique<worker>());
    } catch (const std::system_error& e) {
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        throw refused_thread(static_cast<int>(mine.size()) + 1, size, e);
    } catch (...) {
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        throw;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

/// The workers of one call.
class borrowed {
public:
    borrowed(int size, pool& from) : from_(from) {
        mine_.reserve(static_cast<std::size_t>(size));
        from_.reserve();
        from_.take(mine_, static_cast<std::size_t>(size) - 1);
        try {
            if (std::ssize(mine_) + 1 < size) start_missing(mine_, size);
        } catch (...) {
            from_.give_back(mine_);
            throw;
        }
    }
    ~borrowed() { from_.give_back(mine_); }
    borrowed(const borrowed&) = delete;
    borrowed& operator=(const borrowed&) = delete;
    [[nodiscard]] const workers& all() const { return mine_; }

private:
    pool& from_;
    workers mine_;
};

}  // namespace

void run_on_pool(int size, void (*run)(void*, int), void* what) {
    const borrowed team(size, pool::only());
    cpu_set_t processors;
    CPU_ZERO(&processors);
    const bool known = sched_getaffinity(0, sizeof processors, &processors) == 0;
    const bool poll = known && size <= CPU_COUNT(&processors);  // else a poll takes a processor from work
    // Where all processors are busy, the system may let a thread wait behind the caller who woke the thread.
    // Of two or three processors a thread needs all: another program may keep one busy.
    constexpr int many = 4;
    if (poll && CPU_COUNT(&processors) >= many)
        CPU_CLR(static_cast<std::size_t>(sched_getcpu()), &processors);
    for (int k = 1; const auto& w : team.all()) w->start(run, what, k++, processors, poll);
    run(what, 0);
    const auto ended = [&] {
        return std::all_of(team.all().begin(), team.all().end(),
                           [](const auto& w) { return w->has_ended(); });
    };
    const auto end = std::chrono::steady_clock::now() + longest_poll;
    while (poll && !ended() && std::chrono::steady_clock::now() < end) relax();
    for (int k = 1; const auto& w : team.all()) {
        if (w->withdraw()) run(what, k);
        ++k;
    }
    for (const auto& w : team.all()) w->finish();
}

int end_idle_threads() {
    return static_cast<int>(pool::only().take_all().size());
}

}  // namespace wale::base
