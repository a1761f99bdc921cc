// codes - the symbols of a pair as small codes: rows of a substitution matrix, or numbers that are equal
// where the symbols are.
#pragma once

#include <array>
#include <functional>
#include <string_view>

#include "solvers/wavefront/align/problem.hpp"
#include "solvers/wavefront/jobs.hpp"
#include "solvers/wavefront/length/shared/codes.hpp"
#include "solvers/wavefront/search_jobs.hpp"

namespace wale::wavefront {

/// Letters of a matrix by their byte. Throws bad_argument for a byte that is no letter, with its position.
class letter_codes {
public:
    explicit letter_codes(std::string_view letters);
    explicit letter_codes(const substitution_matrix& matrix) : letter_codes(matrix.letters()) {}
    void encode(const char* name, const symbols& text, std::vector<std::uint32_t>& codes,
                std::vector<std::uint8_t>& letters) const;
    /// The code of each byte; negative: none.
    [[nodiscard]] const std::array<std::int16_t, 256>& all() const { return code_; }
    [[nodiscard]] std::uint32_t count() const { return count_; }
    /// Whether lower case counts as upper case.
    [[nodiscard]] bool folds_case() const { return folds_case_; }
    [[noreturn]] static void refuse(const char* name, std::uint8_t byte, std::size_t at);

private:
    static constexpr std::int16_t none = -1;
    std::array<std::int16_t, 256> code_{};
    std::uint32_t count_ = 0;
    bool folds_case_ = true;
};

/// Why a row that knows no heuristics cannot do this; empty if none is asked for.
[[nodiscard]] inline std::string asks_heuristics(const alignment_options& o) {
    return o.band >= 0 || o.x_drop >= 0 ? "computes the whole table: no band, no x_drop" : "";
}

/// Owns what a problem refers to.
class coded_alignment {
public:
    /// `profile`, unless null, is in the place of the query.
    coded_alignment(const symbols& query, const symbols& target, const alignment_options& options,
                    const score_profile* profile = nullptr);
    explicit coded_alignment(const alignment_job& job)
        : coded_alignment(job.query, job.target, *job.options, job.profile) {}
    coded_alignment(const coded_alignment&) = delete;
    coded_alignment& operator=(const coded_alignment&) = delete;
    [[nodiscard]] const alignment_problem& problem() const { return problem_; }

private:
    void take_positions(const score_profile& profile);
    std::vector<std::uint32_t> query_, target_;
    std::vector<std::uint8_t> query_text_, target_text_;
    alignment_problem problem_;
};

inline constexpr index_t slice_of_pairs = 16;

/// Runs slices of `count` pairs on `threads` threads (0: all); work(first, last).
void run_slices(index_t count, int threads, report& run, const std::function<void(index_t, index_t)>& work);

/// Sets every score of a batch from score(problem), on `threads` threads.
template <class Score>
void for_each_pair(alignment_batch_job& job, int threads, const Score& score) {
    run_slices(job.count, threads, *job.run, [&](index_t first, index_t last) {
        for (index_t k = first; k < last; ++k) {
            const coded_alignment codes(sequence(job.query, k), sequence(job.target, k), *job.options);
            job.scores[k] = score(codes.problem());
        }
    });
}

/// The same of each query with each target.
template <class Score>
void for_each_pair(align_cross_job& job, int threads, const Score& score) {
    run_slices(job.query_count * job.target_count, threads, *job.run, [&](index_t first, index_t last) {
        for (index_t k = first; k < last; ++k) {
            const index_t q = k / job.target_count, t = k % job.target_count;
            const coded_alignment codes(sequence(job.queries, q), sequence(job.targets, t), *job.options,
                                        job.profile(q));
            job.scores[q * job.pitch + t] = score(codes.problem());
        }
    });
}

}  // namespace wale::wavefront
