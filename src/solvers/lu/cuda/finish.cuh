// finish - what follows from factors and pivots on the device: permutation, first zero, determinant, and the
// outcome of the call. Rows that know it in their own pass use outcome_on_device alone.
#pragma once

#include "cuda/stream.cuh"
#include "solvers/lu/jobs.hpp"

namespace wale::lu {

/// Gathered over all matrices by atomics on integers, so that the order does not matter.
struct outcome : cuda::marked {
    unsigned long long singular;        // matrices with a zero pivot
    unsigned long long not_finite;      // matrices with an infinite or NaN pivot
    unsigned long long perturbed;       // pivots moved
    unsigned long long first_singular;  // least (matrix << 32 | column); all ones: none
    unsigned long long failed;          // a bounded wait ran out
};

class outcome_on_device {
public:
    outcome_on_device(const cuda::context& c, const factor_job& job)
        : words_(c, {{}, 0, 0, 0, ~0ull, 0}, job.asynchronous, 1) {}
    /// Null of an asynchronous job, which reads nothing back.
    [[nodiscard]] outcome* data() const { return words_.data(); }
    /// For the timer, which waits for them.
    [[nodiscard]] const auto& words() const { return words_; }
    /// Unless the job is asynchronous: fills in job.result; throws device_error if a wait ran out.
    void report(const factor_job& job, const char* row) const;

private:
    cuda::call_report<outcome> words_;  // the number: the sign of matrix 0's permutation
};

/// Of a count of the outcome: the thread that counts first marks the change for the host.
__device__ inline void count(outcome* to, unsigned long long& what, unsigned long long more) {
    if (atomicAdd(&what, more) == 0) cuda::mark_changed(to);
}
/// One thread notes what became of one matrix. `to` may be null here and below.
__device__ inline void note(outcome* to, long long matrix, int first_zero, bool finite) {
    if (to == nullptr) return;
    if (first_zero >= 0) {
        count(to, to->singular, 1);
        atomicMin(&to->first_singular, static_cast<unsigned long long>(matrix) << 32 | unsigned(first_zero));
    }
    if (!finite) count(to, to->not_finite, 1);
}
__device__ inline void note_perturbed(outcome* to, unsigned long long pivots) {
    if (to != nullptr && pivots != 0) count(to, to->perturbed, pivots);
}
__device__ inline void note_sign(outcome* to, long long matrix, int sign) {
    if (to != nullptr && matrix == 0 && sign != 1) cuda::host_words_of(to)->number = sign;
}
__device__ inline void note_failure(outcome* to) {
    if (to == nullptr) return;
    to->failed = 1;
    cuda::mark_changed(to);
}

/// Queues the kernel that fills in job.out and the outcome from the finished factors and pivots of every
/// matrix.
void queue_finish(const cuda::context& c, const factor_job& job, const outcome_on_device& to);

/// Queues the sign and log of every determinant. pivots: null for P = I.
void queue_determinants(const cuda::context& c, const determinant_job& job);

/// Queues the permutations that `pivots` make of the rows of every matrix, one after the other.
void queue_permutations(const cuda::context& c, const const_batch& all, const std::int32_t* pivots,
                        std::int32_t* permutation);

}  // namespace wale::lu
