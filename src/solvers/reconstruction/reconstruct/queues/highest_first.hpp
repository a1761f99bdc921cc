// highest_first - the queue of the downhill filter: the highest pixel leaves first. Nothing that enters is
// higher than what left last.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>
#include <wale/layout.hpp>

namespace wale::reconstruction {

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

/// Wider keys: a heap, and a stack for the level that is leaving, where most of what enters belongs.
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

}  // namespace wale::reconstruction
