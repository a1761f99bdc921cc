// search_jobs - calls that compare many sequences with one text or with each other, typeless, as their
// variants see them; and the tables of those variants. search_api.cpp has checked everything before.
#pragma once

#include <vector>
#include <wale/alignment.hpp>
#include <wale/infix.hpp>

#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

/// The parts of the text that are nearest to a query.
struct infix_best {
    index_t distance = -1;      // -1: above the bound
    std::vector<index_t> ends;  // of all such parts, ascending; 0: the empty part before the text
};

/// Nearest parts of the text for each query. No query is empty, nor is the text. Queries s * strands to
/// s * strands + strands - 1 are strands of one: only those that have the least distance of all need an
/// answer.
struct infix_job {
    execution where;
    batch_side queries;
    index_t count = 0;
    int strands = 1;
    symbols text;
    bool prefix = false;              // parts begin where the text begins
    const index_t* bounds = nullptr;  // one a query, 0 to the query's size
    infix_best* best = nullptr;       // out, one a query
    report* run = nullptr;
};

/// answers[q * pitch + t] of query q and target t.
struct cross_job {
    execution where;
    batch_side queries, targets;
    index_t query_count = 0, target_count = 0;
    bool symmetric = false;  // both sides are the same sequences
    index_t cutoff = -1;     // edit distance only; rows may answer anything above it for "more"
    std::int32_t* answers = nullptr;
    index_t pitch = 0;
    report* run = nullptr;
};

/// scores[q * pitch + t] of query q and target t.
struct align_cross_job {
    execution where;
    batch_side queries, targets;
    index_t query_count = 0, target_count = 0;
    const alignment_options* options = nullptr;
    std::int64_t* scores = nullptr;
    index_t pitch = 0;
    report* run = nullptr;
    const score_profile* profiles =
        nullptr;  // else: in the place of the queries, which have sizes and no data

    [[nodiscard]] const score_profile* profile(index_t q) const {
        return profiles == nullptr ? nullptr : profiles + q;
    }
};

using infix_table = catalogue::table<infix_job>;
using cross_table = catalogue::table<cross_job>;
using align_cross_table = catalogue::table<align_cross_job>;

[[nodiscard]] infix_table& infix_rows();
[[nodiscard]] cross_table& lcs_cross_rows();
[[nodiscard]] cross_table& edit_cross_rows();
[[nodiscard]] align_cross_table& align_cross_rows();

}  // namespace wale::wavefront
