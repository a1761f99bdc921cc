// threads - ranks that are threads of one process: a hall with a mailbox for each pair of them.
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <wale/error.hpp>
#include <wale/ranks.hpp>

#include "base/argument.hpp"
#include "base/threads.hpp"
#include "mpi/transport.hpp"

namespace wale {
namespace mpi {
namespace {

struct hall {
    explicit hall(int ranks_in_it) : size(ranks_in_it) {}
    using letter = std::vector<char>;
    [[nodiscard]] std::deque<letter>& box(int from, int to) { return boxes[{from, to}]; }
    void leave(int rank, std::exception_ptr why) noexcept {
        const std::lock_guard guard(lock);
        if (gone < 0) gone = rank;
        if (gone == rank && why) cause = std::move(why);
        news.notify_all();
    }
    const int size;
    std::mutex lock;
    std::condition_variable news;
    std::map<std::pair<int, int>, std::deque<letter>> boxes;
    int gone = -1;               // the first rank that left
    std::exception_ptr cause{};  // what it threw
};

class thread_transport final : public transport {
public:
    thread_transport(std::shared_ptr<hall> h, int rank) : own_(std::move(h)), rank_(rank) {}
    [[nodiscard]] int rank() const noexcept override { return rank_; }
    [[nodiscard]] int size() const noexcept override { return hall_.size; }
    [[nodiscard]] int rank_on_host() const noexcept override { return rank_; }

    void send(int to, const void* bytes, index_t count) override {
        const char* first = static_cast<const char*>(bytes);
        hall::letter copy(first, first + count);
        const std::lock_guard guard(hall_.lock);
        hall_.box(rank_, to).push_back(std::move(copy));
        hall_.news.notify_all();
    }
    void receive(int from, void* bytes, index_t count) override { awaited_.push_back({from, bytes, count}); }
    void progress() override {}
    [[nodiscard]] bool settled() override {
        const std::lock_guard guard(hall_.lock);
        return std::ranges::all_of(awaited_, [&](const awaited& a) {
            const auto alike = std::ranges::count(awaited_, a.from, &awaited::from);
            return std::ssize(hall_.box(a.from, rank_)) >= alike;
        });
    }
    [[nodiscard]] bool is_mpi() const noexcept override { return false; }
    void finish() override {
        for (const awaited& a : std::exchange(awaited_, {})) take(a);
    }
    void abandon() noexcept override { hall_.leave(rank_, {}); }

private:
    struct awaited {
        int from;
        void* bytes;
        index_t count;
    };
    void take(const awaited& a) {
        std::unique_lock guard(hall_.lock);
        auto& box = hall_.box(a.from, rank_);
        const bool came =
            hall_.news.wait_for(guard, longest_wait, [&] { return !box.empty() || hall_.gone >= 0; });
        if (box.empty())
            throw rank_error("rank " + std::to_string(rank_) +
                             (came ? ": rank " + std::to_string(hall_.gone) + " has gone"
                                   : ": the wait for rank " + std::to_string(a.from) + " ran out"));
        const hall::letter letter = std::move(box.front());
        box.pop_front();
        if (static_cast<index_t>(letter.size()) != a.count)
            throw rank_error("rank " + std::to_string(rank_) + ": " + std::to_string(letter.size()) +
                             " bytes came from rank " + std::to_string(a.from) + ", expected " +
                             std::to_string(a.count));
        if (a.count > 0) std::memcpy(a.bytes, letter.data(), letter.size());
    }

    const std::shared_ptr<hall> own_;  // a handle may be kept beyond run_ranks()
    hall& hall_ = *own_;
    int rank_;
    std::vector<awaited> awaited_;
};

void run_rank(const std::shared_ptr<hall>& shared, const std::function<void(const ranks&)>& work,
              int rank) noexcept {
    try {
        work(ranks(std::make_shared<thread_transport>(shared, rank)));
    } catch (...) {
        shared->leave(rank, std::current_exception());
    }
}

}  // namespace
}  // namespace mpi

void run_ranks(int size, const std::function<void(const ranks&)>& work) {
    if (size < 1) base::refuse("ranks", "is " + std::to_string(size), "1 or more");
    if (!work) base::refuse("work", "is empty", "a function");
    const auto shared = std::make_shared<mpi::hall>(size);
    {
        std::vector<std::jthread> threads;
        const auto run = [&](int rank) { mpi::run_rank(shared, work, rank); };
        if (const std::exception_ptr why = base::start_threads(threads, 0, size, run))
            shared->leave(static_cast<int>(threads.size()), why);
    }
    shared->leave(0, {});
    if (shared->cause) std::rethrow_exception(shared->cause);
}

}  // namespace wale
