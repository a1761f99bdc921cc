// align - what the measures of `wale align` share.
#pragma once

#include <string>
#include <string_view>
#include <vector>
#include <wale/alignment.hpp>
#include <wale/profile.hpp>
#include <wale/sequence_file.hpp>

#include "options.hpp"
#include "progress.hpp"

namespace CLI {
class App;
}

namespace wale::cli {

using records = std::vector<sequence_record>;

/// Which records meet: pair k is (query(k), target(k)).
struct pairing {
    index_t queries = 0, targets = 0;
    bool diagonal = false;
    [[nodiscard]] index_t count() const { return diagonal ? queries : queries * targets; }
    [[nodiscard]] std::size_t query(index_t k) const {
        return static_cast<std::size_t>(diagonal ? k : k / targets);
    }
    [[nodiscard]] std::size_t target(index_t k) const {
        return static_cast<std::size_t>(diagonal ? k : k % targets);
    }
};

[[nodiscard]] pairing choose_pairing(const align_options& o, const records& a, const records& b);

[[nodiscard]] double total_cells(const pairing& p, const records& a, const records& b);

/// The records of a file; with --strings the argument is the only one.
[[nodiscard]] records read_records(const align_options& o, const std::string& argument, progress& line);

/// A profile as a record: its file's name and its consensus.
[[nodiscard]] sequence_record record_of(const score_profile& profile, const std::string& file);

/// "3 pairs, 1.2e9 cells in 3 ms, ..." on standard error.
struct align_totals;
void report_totals(const align_totals& t);

void add_align(CLI::App& app, align_options& o);

/// What --matrix takes, in words; the matrix that the library has, or of a file.
inline constexpr const char* known_matrices =
    "blosum30 (35, 40, 45, 50, 55, 60, 62, 65, 70, 75, 80, 85, 90, 100), pam10 (to 500 by 10), nuc44, or a "
    "matrix file of NCBI";
[[nodiscard]] substitution_matrix matrix_of(const std::string& name);
/// Texts that meet.
struct text_pair {
    std::string_view query, target;
};

/// Alignments with paths of the pairs of a run. A profile, unless null, is in the place of all queries.
class pair_aligner {
public:
    pair_aligner(const execution& where, const alignment_options& scoring, const score_profile* profile);
    /// In the order of the pairs.
    [[nodiscard]] std::vector<alignment_result> align_all(const std::vector<text_pair>& pairs);
    /// Of all calls: names with '+' between, sums of work and times.
    [[nodiscard]] const report& totals() const { return totals_; }

private:
    [[nodiscard]] alignment_result align_alone(const text_pair& pair);
    void account(const report& run, double transfer_seconds);

    const execution where_;
    const alignment_options scoring_;
    const score_profile* profile_;
    bool alone_, together_;  // whether the row that was asked for aligns one pair, or batches
    report totals_;
};

/// A pair in PAF, and as people read it.
struct scored_pair;
[[nodiscard]] std::string paf_line(const scored_pair& p);
[[nodiscard]] std::string text_view(const scored_pair& p);
/// Words that both sequences have as grey dots, target to the right and query down, and the path in black.
void write_dot_plot(const align_options& o, const scored_pair& p);

}  // namespace wale::cli
