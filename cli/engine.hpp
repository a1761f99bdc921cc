// engine - lengths and distances of many pairs on one backend: the small ones as batches, the large ones one
// by one.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>
#include <wale/alignment.hpp>
#include <wale/wavefront.hpp>

#include "backend.hpp"
#include "options.hpp"
#include "verification.hpp"

namespace wale::cli {

/// One line of the output.
struct alignment {
    std::string query, target;
    index_t query_length = 0, target_length = 0;
    bool edit = false;  // value is a distance, else the length of an LCS
    index_t value = 0;
    bool within_bound = true;
    bool both_strands = false;  // asked for
    bool reverse = false;       // the query's reverse complement is the better one
    bool has_string = false;
    std::string string;             // the subsequence
    std::vector<index_t> in_query;  // its positions; of the reverse complement if `reverse`
    std::vector<index_t> in_target;

    [[nodiscard]] double similarity() const {
        const index_t longer = query_length > target_length ? query_length : target_length;
        if (longer == 0) return 1;
        const double share = static_cast<double>(value) / static_cast<double>(longer);
        return edit ? 1 - share : share;
    }
};

/// One alignment of the output of --measure score.
struct scored_pair {
    std::string query, target;
    bool reverse = false;                       // the query's reverse complement is aligned:
    std::string query_symbols, target_symbols;  // these
    alignment_result result;                    // in positions of these
    bool searched = false;                      // of `wale search`: with
    double bits = 0, evalue = 0;                // these; NaN: not known
    std::string_view quality{};                 // of the query, as in its file
};

struct align_totals {
    index_t pairs = 0;
    bool verified = false;
    report run;  // of all calls: names with "+" between, sums of work and times
};

struct job {
    std::string_view a, b;
    index_t value = 0;  // out
    bool within_bound = true;
    [[nodiscard]] double cells() const {
        return static_cast<double>(a.size()) * static_cast<double>(b.size());
    }
};

class engine {
public:
    /// `cells`: of everything to come; little work is not worth starting a device for.
    engine(const align_options& options, double cells);

    /// The value of every job.
    void run(std::span<job> jobs, const std::function<void(index_t done)>& progress);
    /// Whether run() has a row of the variant that was asked for.
    [[nodiscard]] bool has_lengths() const { return pairs_ || batches_; }
    /// A longest common subsequence of one pair.
    [[nodiscard]] lcs_string_result string(const job& j);
    /// Why the value of a job is wrong, by another row; empty: both say the same.
    [[nodiscard]] std::string flaw(const job& j) const;
    /// Work that a chunk of jobs should hold: enough to keep the backend busy, little enough to report
    /// progress.
    [[nodiscard]] double chunk_cells() const;
    [[nodiscard]] const align_totals& totals() const { return totals_; }

private:
    void run_batch(std::span<job*> jobs);
    void run_pair(job& j);
    void account(const report& run, double cells, double transfer_seconds);
    template <class F>
    auto on_backend(F&& f);

    const align_options& options_;
    second_rows second_;
    chosen_backend chosen_;
    bool batches_ = true, pairs_ = true;  // which operations have the variant asked for
    align_totals totals_;
};

}  // namespace wale::cli
