// first_in_first_out - a queue of pixels as two generations, so that its memory is that of the front.
#pragma once

#include <vector>
#include <wale/layout.hpp>

namespace wale::reconstruction {

class first_in_first_out {
public:
    void push(index_t p) { next_.push_back(p); }
    /// Calls f(pixel), which may push, until nothing is left.
    template <class F>
    void run(const F& f) {
        while (!next_.empty()) {
            now_.swap(next_);
            for (const index_t p : now_) f(p);
            now_.clear();
        }
    }

private:
    std::vector<index_t> now_, next_;
};

}  // namespace wale::reconstruction
