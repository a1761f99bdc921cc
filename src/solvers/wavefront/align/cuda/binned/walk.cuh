// walk - paths walked back by the lanes of a pair: each looks at a cell further along the run that is walked,
// and the lanes' votes say how far the run goes. The rule of ties is that of path_walker in problem.hpp.
#pragma once

#include "cuda/warp.cuh"
#include "solvers/wavefront/align/cuda/binned/traced_plan.cuh"

namespace wale::wavefront::binned {

__device__ inline word symbol(const void* data, index_t i, int bytes) {
    if (bytes == 1) return static_cast<const std::uint8_t*>(data)[i];
    if (bytes == 2) return static_cast<const std::uint16_t*>(data)[i];
    return static_cast<const std::uint32_t*>(data)[i];
}

/// A walk of `lanes` lanes of a warp; every lane of the warp takes part in every call, and all lanes of a
/// pair have the same state. Value: of scores. Bytes: of a symbol, 0 where trace_work says.
template <bool Local, class Value, int Bytes>
class path_lanes {
public:
    __device__ path_lanes(const trace_work& t, const prices& price, int lane, int log2_lanes)
        : t_(t),
          price_(price),
          lanes_(1 << log2_lanes),
          part_(lane & (lanes_ - 1)),
          first_(lane - part_),
          all_(lanes_ == 32 ? cuda::whole_warp : (1u << lanes_) - 1) {}

    /// From cell (i, j), whose H is `value`; a pair that is not there is at (0, 0).
    __device__ void begin(const pair& p, int i, int j, Value value) {
        p_ = p;
        i_ = i;
        j_ = j;
        value_ = value;
        state_ = in::pairs;
        stopped_ = Local && value == 0;
        slot_ = t_.runs + (p.query + p.rows + p.target + p.columns - t_.first_run);
        operation_ = count_ = length_ = 0;
    }
    [[nodiscard]] __device__ bool done() const { return i_ == 0 || j_ == 0 || stopped_; }
    [[nodiscard]] __device__ int row() const { return i_; }
    [[nodiscard]] __device__ int column() const { return j_; }

    /// While the cell is below row first_i and right of column first_j. bits(i, j): of a cell, as
    /// traced_plan.cuh says; score(i, j): of its symbols, asked of local alignments alone.
    template <class Bits, class Score>
    __device__ void walk(const Bits& bits, const Score& score, int first_i, int first_j) {
        for (;;) {
            const bool active = !done() && i_ > first_i && j_ > first_j;
            if (!__any_sync(cuda::whole_warp, active)) return;
            const int i = state_ == in::deletion ? i_ : i_ - part_;
            const int j = state_ == in::insertion ? j_ : j_ - part_;
            const bool valid = active && i > first_i && j > first_j;
            const word of_cell = valid ? bits(i, j) : 0;
            const bool equal = valid && same(i, j);
            bool goes_on = valid && (state_ == in::pairs      ? (of_cell & 1u) == 0
                                     : state_ == in::deletion ? (of_cell & 4u) != 0
                                                              : (of_cell & 8u) != 0);
            Value gained = 0;  // of the cells up to this one
            bool stops = false;
            if constexpr (Local) {
                const Value here = valid && state_ == in::pairs ? score(i, j) : 0;
                gained = here;
                for (int d = 1; d < lanes_; d *= 2) {
                    const Value before = __shfl_up_sync(cuda::whole_warp, gained, d);
                    if (part_ >= d) gained += before;
                }
                stops = valid && state_ == in::pairs && value_ == gained - here;
                goes_on = goes_on && !stops;
            }
            const word run = vote(goes_on);
            const int length = run == all_ ? lanes_ : __ffs(static_cast<int>(~run)) - 1;
            const word there = vote(valid), equals = vote(equal), no_deletion = vote((of_cell & 2u) != 0);
            const word ends = Local ? vote(stops) : 0;
            if constexpr (Local) gained = __shfl_sync(cuda::whole_warp, gained, first_ + max(length - 1, 0));
            if (!active) continue;
            take(length, equals, gained);
            if (length == lanes_ || (there >> length & 1u) == 0) continue;
            leave_run((no_deletion >> length & 1u) != 0, (ends >> length & 1u) != 0);
        }
    }

    /// Places and the last runs, at the border of the table. `number`: of the pair, -1 for none.
    __device__ void finish(index_t number) {
        if (!Local) {
            if (j_ > 0 && i_ == 0 && !price_.target_begin) {
                add(deletion_run, j_);
                j_ = 0;
            }
            if (i_ > 0 && j_ == 0 && !price_.query_begin) {
                add(insertion_run, i_);
                i_ = 0;
            }
        }
        flush();
        if (number < 0 || part_ != 0) return;
        t_.begins[0][number] = i_;
        t_.begins[1][number] = j_;
        if (t_.writes) t_.run_counts[number] = static_cast<word>(count_);
    }

private:
    enum class in { pairs, deletion, insertion };

    [[nodiscard]] __device__ word vote(bool yes) const {
        return __ballot_sync(cuda::whole_warp, yes) >> first_ & all_;
    }
    [[nodiscard]] __device__ word letter(const void* data, index_t at) const {
        const word c = symbol(data, at, Bytes == 0 ? t_.bytes : Bytes);
        return t_.folds_case && c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
    }
    [[nodiscard]] __device__ bool same(int i, int j) const {
        return letter(t_.query, p_.query + i - 1) == letter(t_.target, p_.target + j - 1);
    }
    /// `length` cells of the run.
    __device__ void take(int length, word equals, Value gained) {
        if (length == 0) return;
        if (state_ == in::pairs) {
            i_ -= length;
            j_ -= length;
            if (Local) value_ -= gained;
            for (int left = length; left > 0;) {
                const bool equal = (equals & 1u) != 0;
                const word other = equal ? ~equals : equals;
                const int size = other == 0 ? left : min(left, __ffs(static_cast<int>(other)) - 1);
                add(equal ? equal_run : unequal_run, size);
                equals = size < 32 ? equals >> size : 0;
                left -= size;
            }
        } else {
            (state_ == in::deletion ? j_ : i_) -= length;
            if (Local) value_ += Value{length} * price_.extend;
            add(state_ == in::deletion ? deletion_run : insertion_run, length);
        }
    }
    /// At a cell that does not belong to the run.
    __device__ void leave_run(bool no_deletion, bool stops) {
        if (state_ != in::pairs) {
            if (Local) value_ += price_.open;
            state_ = in::pairs;
        } else if (stops) {
            stopped_ = true;
        } else {
            state_ = no_deletion ? in::insertion : in::deletion;
            --(no_deletion ? i_ : j_);
            add(no_deletion ? insertion_run : deletion_run, 1);
        }
    }
    __device__ void add(word operation, int length) {
        if (static_cast<word>(operation_) != operation) flush();
        operation_ = static_cast<int>(operation);
        length_ += length;
    }
    __device__ void flush() {
        if (length_ > 0) {
            ++count_;
            if (part_ == 0 && t_.writes)
                slot_[-count_] = static_cast<word>(length_) << run_shift | static_cast<word>(operation_);
        }
        length_ = 0;
    }

    const trace_work& t_;
    const prices& price_;
    const int lanes_, part_, first_;
    const word all_;  // of votes of the pair
    pair p_;
    int i_, j_;
    Value value_;  // local: H of the cell, or of E and F while in a gap
    in state_;
    bool stopped_;
    word* slot_;  // the end of the pair's runs
    int operation_, length_, count_;
};

}  // namespace wale::wavefront::binned
