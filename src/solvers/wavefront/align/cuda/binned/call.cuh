// call - what calls of a batch of alignments share: the letters that occur and their codes, the classes of
// the pairs, and the order in which kernels take them.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "solvers/wavefront/align/cuda/binned/plan.cuh"
#include "solvers/wavefront/batch/shared/plan.cuh"
#include "solvers/wavefront/batch/shared/sorted.cuh"

namespace wale::wavefront::binned {

/// The letters of a call and their scores.
struct alphabet {
    std::vector<std::uint8_t> code = std::vector<std::uint8_t>(256);  // of a byte
    std::vector<std::uint8_t> unknown = std::vector<std::uint8_t>(256);
    bool has_unknown = false;
    int letters = 0;                  // of bytes; 0: wider symbols
    std::vector<std::int32_t> table;  // letters x letters; empty: by equality
    std::int64_t highest = 0, lowest = 0;

    /// swapped: of the matrix with its rows as columns.
    alphabet(const substitution_matrix& matrix, const batch::findings& found, int bytes, bool swapped);

    [[nodiscard]] std::int32_t score(int a, int b, const substitution_matrix& matrix) const {
        if (table.empty()) return a == b ? matrix.match() : matrix.mismatch();
        return table[static_cast<std::size_t>(a * letters + b)];
    }
    /// Rows of bytes, what the packed kernel adds for a pair of symbols included. The last row is for those
    /// below the query: its cells gain nothing.
    [[nodiscard]] std::vector<word> packed(const substitution_matrix& matrix, int added, bool local) const;

private:
    void take_letters(const std::array<std::int16_t, 256>& letter_of, const batch::findings& found, int all,
                      const std::vector<std::int32_t>& scores);
};

/// Pairs on the device: of each side's sequences of the same number, or of each query with each target.
/// swapped: what the caller calls queries are the targets here.
struct call_job : alignment_batch_job {
    index_t queries = 0, targets = 0;
    bool cross = false, swapped = false;
};

/// A call after a look at its symbols.
class batch_call {
public:
    explicit batch_call(const call_job& job);

protected:
    using range = std::array<index_t, 2>;

    /// Encodes bytes and finds classes and order. `trace`, unless null: of pairs that are traced; run() of
    /// their kernels finds other classes than those of scores.
    void prepare(const trace_work* trace);
    static constexpr int resident_warps = 32;  // blocks of a warp that a multiprocessor may have

    /// As many warps as are of use, `resident` a multiprocessor, and as have room for `bytes` each in `room`.
    [[nodiscard]] unsigned blocks_for(index_t tasks, index_t bytes, index_t room,
                                      int resident = resident_warps) const;
    /// What kernels of packed cells and of wide ones take, but for what they write besides scores.
    [[nodiscard]] packed_work packed_part(const word* table) const;
    [[nodiscard]] wide_work wide_part(const std::int32_t* table, word first, word count) const;
    /// The pairs of a shape, of 1 to 32 lanes each, from pair `first` on; returns the first pair behind.
    std::uint32_t take_shape(packed_work& work, int shape, std::uint32_t first) const;
    /// Whether kernels that record decisions are there with so many words of a lane, and profiles of so many
    /// leave room for other warps.
    [[nodiscard]] bool may_trace_with(int words) const {
        constexpr int small = 16;
        const bool looks = price_.local || price_.target_end;
        return words <= small || ((!looks || words <= most_words_looking) &&
                                  letters_.letters * words * 2 * warp_size <= large_profile);
    }
    [[nodiscard]] std::vector<word> packed_table() const {
        return letters_.packed(options_.matrix, price_.local ? 0 : 2 * price_.extend, price_.local);
    }
    [[nodiscard]] std::string described(double kernel_seconds) const;
    [[nodiscard]] double cells() const {
        return 0x1p32 * static_cast<double>(found_.cells_high) + static_cast<double>(found_.cells_low);
    }

    const call_job& job_;
    const alignment_options& options_;
    cuda::context c_;
    const prices price_;
    const batch::findings found_;
    const alphabet letters_;
    std::int64_t* scores_;    // of the device, one a pair
    range first_{}, last_{};  // where the symbols of both sides begin and end
    pairs input_;
    sizes sizes_{};
    bool packed_ = false;  // letters and scores fit packed cells
    std::optional<cuda::scratch<std::uint8_t>> codes_[2];
    std::optional<cuda::scratch<std::uint32_t>> tickets_;
    std::optional<batch::sorted> order_;

private:
    batch::findings look() const;
    /// As the caller has it.
    [[nodiscard]] const char* name_of(std::size_t side) const {
        return (side == 0) == job_.swapped ? "target" : "query";
    }
    [[nodiscard]] index_t count_of(std::size_t side) const { return side == 0 ? job_.queries : job_.targets; }
    void find_ranges();
    void refuse_unknown() const;
    [[noreturn]] void refuse_letter(std::size_t which, index_t at) const;
    [[nodiscard]] limits limits_of(bool traces) const;
};

}  // namespace wale::wavefront::binned
