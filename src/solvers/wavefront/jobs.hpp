// jobs - one call of each operation, typeless, as its variants see it; and the tables of those variants.
// api.cpp has checked everything before a variant runs: shapes, proofs of range, memory spaces, NaN.
#pragma once

#include <cstdint>
#include <vector>
#include <wale/profile.hpp>
#include <wale/wavefront.hpp>

#include "variants/table.hpp"

namespace wale {
struct pair_alignments;
}

namespace wale::wavefront {

/// One sequence: on_cuda device memory, else host memory.
struct symbols {
    const void* data = nullptr;
    index_t size = 0;
    int bytes = 1;  // of a symbol: 1, 2 or 4; of a number in a series: 4 or 8
};

enum class element { i16, i32, i64, f32, f64 };

[[nodiscard]] constexpr int size_of(element e) {
    return e == element::i16 ? 2 : e == element::i64 || e == element::f64 ? 8 : 4;
}

/// Write the whole table. lcs, edit, global: i16 or i32 over a and b; dtw: f32 or f64 over series a and b of
/// that type;
/// summed_area: i32 or i64 over `image`. Row i of the table starts at table + i * pitch elements.
struct fill_job {
    execution where;
    recurrence kind = recurrence::lcs;
    scoring score{};
    dtw_cost cost = dtw_cost::absolute;
    symbols a;  // rows
    symbols b;  // columns
    const std::uint8_t* image = nullptr;
    index_t image_pitch = 0;  // pixels
    void* table = nullptr;
    element type = element::i32;
    index_t rows = 0, columns = 0, pitch = 0;
    tile_shape tile{};  // 0: from the tuning table
    report* run = nullptr;
};

/// Length of the LCS of a and b.
struct lcs_length_job {
    execution where;
    symbols a, b;
    index_t length = 0;  // out
    report* run = nullptr;
};

/// Edit distance; with bound >= 0 `distance` may be bound + 1 for "more than bound".
struct edit_distance_job {
    execution where;
    symbols a, b;
    index_t bound = -1;
    index_t distance = 0;  // out
    report* run = nullptr;
};

struct lcs_string_job {
    execution where;
    symbols a, b;
    std::vector<index_t>* in_a = nullptr;  // out, ascending
    std::vector<index_t>* in_b = nullptr;  // out, ascending
    report* run = nullptr;
};

struct batch_side {
    const void* data = nullptr;
    const index_t* offsets = nullptr;  // count + 1
    int bytes = 1;
};

/// answers[k] for pair k. lcs length, or edit distance with a bound as above.
struct batch_job {
    execution where;
    batch_side a, b;
    index_t count = 0;
    std::int32_t* answers = nullptr;
    index_t bound = -1;  // edit distance only
    report* run = nullptr;
};

/// The best alignment of a pair; `result` is empty at first.
struct alignment_job {
    execution where;
    symbols query, target;
    const alignment_options* options = nullptr;
    alignment_result* result = nullptr;
    report* run = nullptr;
    const score_profile* profile =
        nullptr;  // else: in the place of the query, which has its size and no data
};

/// scores[k] of pair k.
struct alignment_batch_job {
    execution where;
    batch_side query, target;
    index_t count = 0;
    const alignment_options* options = nullptr;
    std::int64_t* scores = nullptr;
    report* run = nullptr;
};

/// Alignments of pairs; the columns of `result` that the task wants have an entry a pair, first_run one more.
struct align_pairs_job {
    execution where;
    batch_side query, target;
    index_t count = 0;
    const alignment_options* options = nullptr;
    pair_alignments* result = nullptr;
    report* run = nullptr;
};

using fill_table = catalogue::table<fill_job>;
using lcs_length_table = catalogue::table<lcs_length_job>;
using edit_distance_table = catalogue::table<edit_distance_job>;
using lcs_string_table = catalogue::table<lcs_string_job>;
using batch_table = catalogue::table<batch_job>;
using alignment_table = catalogue::table<alignment_job>;
using alignment_batch_table = catalogue::table<alignment_batch_job>;
using align_pairs_table = catalogue::table<align_pairs_job>;

/// The tables. The CUDA plugin appends its rows to them when it is loaded.
[[nodiscard]] fill_table& fill_rows();
[[nodiscard]] lcs_length_table& lcs_length_rows();
[[nodiscard]] edit_distance_table& edit_distance_rows();
[[nodiscard]] lcs_string_table& lcs_string_rows();
[[nodiscard]] batch_table& lcs_batch_rows();
[[nodiscard]] batch_table& edit_batch_rows();
[[nodiscard]] alignment_table& align_rows();
[[nodiscard]] alignment_batch_table& align_batch_rows();
[[nodiscard]] align_pairs_table& align_pairs_rows();

}  // namespace wale::wavefront
