// finish - what follows from factors and pivots on the device: permutation, first zero, determinant, and the
// outcome of the call. Rows that know it in their own pass use outcome_on_device alone.
#pragma once

#include "cuda/stream.cuh"
#include "solvers/lu/jobs.hpp"

namespace wale::lu {

/// Gathered over all matrices by atomics on integers, so that the order does not matter.
struct outcome {
    unsigned long long singular;        // matrices with a zero pivot
    unsigned long long not_finite;      // matrices with an infinite or NaN pivot
    unsigned long long perturbed;       // pivots moved
    unsigned long long first_singular;  // least (matrix << 32 | column); all ones: none
    int permutation_sign;               // of matrix 0
    int failed;                         // a bounded wait ran out
};

class outcome_on_device {
public:
    explicit outcome_on_device(const cuda::context& c);  // cleared in stream order
    [[nodiscard]] outcome* data() const { return memory_.data(); }
    /// Unless the job is asynchronous: waits, fills in job.result; throws device_error if a wait ran out.
    void report(const factor_job& job, const char* row) const;

private:
    cuda::scratch<outcome> memory_;
};

/// One thread notes what became of one matrix.
__device__ inline void note(outcome* to, long long matrix, int first_zero, bool finite) {
    if (first_zero >= 0) {
        atomicAdd(&to->singular, 1ull);
        atomicMin(&to->first_singular, static_cast<unsigned long long>(matrix) << 32 | unsigned(first_zero));
    }
    if (!finite) atomicAdd(&to->not_finite, 1ull);
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
