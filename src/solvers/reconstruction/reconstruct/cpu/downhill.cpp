// downhill - the highest pixel raises its neighbours first (Robinson and Whelan 2004), so that none rises
// twice: O(pixels) for keys of 8 and 16 bits, O(pixels log pixels) for wider ones, whatever the image.
#include <algorithm>
#include <type_traits>
#include <vector>

#include "solvers/reconstruction/reconstruct/shared/bounded.hpp"
#include "solvers/reconstruction/reconstruct/shared/padded_image.hpp"

namespace wale::reconstruction {
namespace {

// Two queues that the highest pixel leaves first. No pixel that enters is higher than the one that left last.

/// Keys of 8 and 16 bits: a stack for each level.
template <class T>
class level_stacks {
public:
    level_stacks() : stacks_(std::size_t{1} << 8 * sizeof(T)), top_(stacks_.size() - 1) {}
    void push(T key, index_t p) { stacks_[key].push_back(p); }
    /// False: nothing is left.
    bool pop(T& key, index_t& p) {
        while (stacks_[top_].empty()) {
            std::vector<index_t>().swap(stacks_[top_]);
            if (top_ == 0) return false;
            --top_;
        }
        key = static_cast<T>(top_);
        p = stacks_[top_].back();
        stacks_[top_].pop_back();
        return true;
    }

private:
    std::vector<std::vector<index_t>> stacks_;
    std::size_t top_;
};

/// Wider keys: a heap, and a stack for the level that is leaving, which most of what enters has.
template <class T>
class heap_and_stack {
public:
    void push(T key, index_t p) {
        if (leaving_ && key == level_) {
            stack_.push_back(p);
        } else {
            heap_.push_back({key, p});
            if (leaving_) std::push_heap(heap_.begin(), heap_.end());
        }
    }
    bool pop(T& key, index_t& p) {
        if (!leaving_) std::make_heap(heap_.begin(), heap_.end());
        leaving_ = true;
        if (!stack_.empty()) {
            key = level_;
            p = stack_.back();
            stack_.pop_back();
            return true;
        }
        if (heap_.empty()) return false;
        std::pop_heap(heap_.begin(), heap_.end());
        key = level_ = heap_.back().key;
        p = heap_.back().pixel;
        heap_.pop_back();
        return true;
    }

private:
    struct entry {
        T key;
        index_t pixel;
        bool operator<(const entry& o) const { return key < o.key; }
    };
    std::vector<entry> heap_;
    std::vector<index_t> stack_;
    T level_{};
    bool leaving_ = false;  // the first has left: until then the heap is in no order
};

template <class T>
using highest_first = std::conditional_t<sizeof(T) <= 2, level_stacks<T>, heap_and_stack<T>>;

template <int N, class T>
void settle(padded_image<T>& f, highest_first<T>& queue) {
    T key{};
    index_t p = 0;
    cpu::rare_poll poll(pixels_a_poll);
    while (queue.pop(key, p)) {
        poll();
        if (key < f.rising[static_cast<std::size_t>(p)]) continue;  // it rose after it was queued, and left
        raise_neighbours<N>(f, p, [&](index_t q) { queue.push(f.rising[static_cast<std::size_t>(q)], q); });
    }
}

void run(reconstruct_job& job) {
    reconstruct_padded(job, []<int N, class T>(padded_image<T>& f) {
        highest_first<T> queue;
        seed_everywhere(f, [&](index_t p) { queue.push(f.rising[static_cast<std::size_t>(p)], p); });
        settle<N>(f, queue);
        return index_t{1};
    });
}

}  // namespace

void finish_downhill(reconstruct_job& job) {
    reconstruct_padded(job, []<int N, class T>(padded_image<T>& f) {
        highest_first<T> queue;
        sweep_and_seed(f, [&](index_t p) { queue.push(f.rising[static_cast<std::size_t>(p)], p); });
        settle<N>(f, queue);
        return index_t{2};
    });
}

extern constinit const catalogue::row<reconstruct_job> reconstruct_cpu_downhill{
    "cpu/downhill", "the highest pixel first, none rises twice (Robinson and Whelan 2004)", run,
    refuses_bits};

}  // namespace wale::reconstruction
