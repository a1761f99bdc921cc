// scores - where the score of a row and a column comes from, two cells of 16 bits at a time. at(r) has the
// low half's row r with the column's letter, and the high half's row r with the letter of the column before.
// What cells are stored with for a column is included. Rows below the query gain nothing.
#pragma once

#include "solvers/wavefront/align/cuda/binned/words.cuh"
#include "solvers/wavefront/align/cuda/strips/plan.cuh"

namespace wale::wavefront::strips {

using cuda::whole_warp;

/// Up to four letters: the scores of a letter of the target are the bytes of a word, and each row has the
/// selector of its byte. No memory is read.
template <int Words>
class few_scores {
public:
    __host__ __device__ static int shared_words(int) { return 0; }
    __device__ few_scores(const sweep_job& w, word*)
        : mine_(w.table[threadIdx.x % 4]), target_(static_cast<const std::uint8_t*>(w.target)) {}
    __device__ void load_rows(const sweep_job& w, int first) {
#pragma unroll
        for (int r = 0; r < Words; ++r)
            selector_[r] = of_half(w, first + r, 0) | of_half(w, first + Words + r, 4) << 8;
    }
    [[nodiscard]] __device__ word letter(index_t column) const {
        return target_[column];
    }
    __device__ void enter(word letter) {
        high_ = low_;
        low_ = __shfl_sync(whole_warp, mine_, static_cast<int>(letter));
    }
    [[nodiscard]] __device__ word at(int r) const {
        return binned::permuted(low_, high_, selector_[r]);
    }

private:
    /// The byte, then its sign. Below the query the sign alone, twice: 0 or -1, so that nothing is gained.
    [[nodiscard]] __device__ static word of_half(const sweep_job& w, int row, word from) {
        if (row >= w.rows) return 0x88;
        const word byte = from + static_cast<const std::uint8_t*>(w.query)[row];
        return (8 | byte) << 4 | byte;
    }
    const word mine_;
    const std::uint8_t* target_;
    word selector_[Words];
    word low_ = 0, high_ = 0;
};

/// Up to 32 letters: profiles of bytes in shared memory.
template <int Words>
class table_scores {
public:
    __host__ __device__ static int shared_words(int letters) { return letters * (Words / 2) * warp_size; }
    __device__ table_scores(const sweep_job& w, word* profile)
        : profile_(profile + threadIdx.x % warp_size), target_(static_cast<const std::uint8_t*>(w.target)) {}
    __device__ void load_rows(const sweep_job& w, int first) {
        binned::fill_profile<Words>(profile_, w.table, w.letters, [&](int r) {
            return first + r < w.rows ? int{static_cast<const std::uint8_t*>(w.query)[first + r]} : w.letters;
        });
        low_ = high_ = profile_;
    }
    [[nodiscard]] __device__ word letter(index_t column) const { return target_[column]; }
    __device__ void enter(word letter) {
        high_ = low_;
        low_ = profile_ + static_cast<int>(letter) * (Words / 2) * warp_size;
    }
    [[nodiscard]] __device__ word at(int r) const {
        return binned::permuted(low_[r / 4 * warp_size], high_[(Words / 4 + r / 4) * warp_size],
                                binned::row_of_four(r));
    }

private:
    word* profile_;
    const std::uint8_t* target_;
    const word *low_ = nullptr, *high_ = nullptr;
};

/// Any number of letters with codes below 2^15, by equality.
template <int Words>
class equal_scores {
public:
    __host__ __device__ static int shared_words(int) { return 0; }
    __device__ equal_scores(const sweep_job& w, word*)
        : match_(w.match), mismatch_(w.mismatch), target_(static_cast<const std::uint16_t*>(w.target)) {}
    __device__ void load_rows(const sweep_job& w, int first) {
#pragma unroll
        for (int r = 0; r < Words; ++r)
            codes_[r] = binned::both(code(w, first + r), code(w, first + Words + r));
    }
    [[nodiscard]] __device__ word letter(index_t column) const {
        return target_[column];
    }
    __device__ void enter(word letter) {
        letters_ = letters_ << 16 | letter;
    }
    [[nodiscard]] __device__ word at(int r) const {
        const word differs = __vminu2(codes_[r] ^ letters_, 0x00010001u) * 0xffffu;  // all bits of a half
        return binned::select(differs, mismatch_, match_);
    }

private:
    [[nodiscard]] __device__ static int code(const sweep_job& w, int row) {
        return row < w.rows ? static_cast<const std::uint16_t*>(w.query)[row] : 0x8000;
    }
    const word match_, mismatch_;
    const std::uint16_t* target_;
    word codes_[Words];
    word letters_ = 0;
};

}  // namespace wale::wavefront::strips
