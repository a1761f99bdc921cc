// study - what is studied of this solver: the experiments, their inputs, the checks of their results without
// trust in the code that made them, and the claims of the sources beside what was measured.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include <wale/alignment.hpp>
#include <wale/study.hpp>

#include "solvers/wavefront/jobs.hpp"
#include "study/experiment.hpp"

namespace wale::wavefront {

using experiments::ceiling;
using experiments::device_copy_rate;
using experiments::experiment;
using experiments::host_write_rate;
using experiments::integer_ceiling;

/// A table that may be computed in tiles of the caller's choice.
class tiled_experiment : public experiment {
public:
    virtual report run_tiled(const execution& where, const std::string& variant, tile_shape tile) = 0;
};

[[nodiscard]] std::unique_ptr<tiled_experiment> make_fill(recurrence kind, index_t size);
[[nodiscard]] std::unique_ptr<experiment> make_pair(const std::string& operation, index_t size);
[[nodiscard]] std::unique_ptr<experiment> make_batch(bool edit, index_t count);
/// align (one letter in ten differs), align_similar (one in a hundred), align_local, align_batch,
/// align_pairs.
[[nodiscard]] std::unique_ptr<experiment> make_alignment(const std::string& name, index_t size);

/// warping: series of 128 points with each other, `size` points in all on each side. warping_path: one pair.
[[nodiscard]] std::unique_ptr<experiment> make_warping(bool path, index_t size);

/// Points whose differences are within +-1, the same for the same seed on every machine.
[[nodiscard]] std::vector<double> random_walk(index_t size, std::uint64_t seed);

/// The letters as symbols of 1, 2 or 4 bytes, least significant first.
[[nodiscard]] std::string widened(const std::string& letters, int symbol_bytes);

/// `size` letters of ACGT, the same for the same seed on every machine.
[[nodiscard]] std::string random_dna(index_t size, std::uint64_t seed);

/// The text with one letter in `one_in` replaced, deleted or followed by another.
[[nodiscard]] std::string mutated(const std::string& text, std::uint64_t one_in, std::uint64_t seed);

/// Sequences end to end; offsets has one entry more than there are sequences.
struct tape {
    std::string symbols;
    std::vector<index_t> offsets{0};
    void add(const std::string& text) {
        symbols += text;
        offsets.push_back(static_cast<index_t>(symbols.size()));
    }
};

struct pair_tapes {
    tape a, b;
    double cells = 0;  // sum of |a_k| * |b_k|
    void add(const std::string& one, const std::string& other) {
        a.add(one);
        b.add(other);
        cells += static_cast<double>(one.size()) * static_cast<double>(other.size());
    }
};

/// Lengths, a string, an alignment or a batch: `operation` as in the table of variants.
struct sequence_recipe {
    std::string operation;
    pair_tapes pairs{};
    int symbol_bytes = 1;
    index_t bound = -1;           // of edit distances
    alignment_options scoring{};  // of alignments
};
[[nodiscard]] std::unique_ptr<experiment> make_sequences(sequence_recipe what);

/// A whole table.
struct table_recipe {
    recurrence kind = recurrence::lcs;
    index_t rows = 0, columns = 0;
    index_t gap = 0;  // elements behind each row
    element type = element::i32;
    int symbol_bytes = 1;
    dtw_cost cost = dtw_cost::absolute;
};
[[nodiscard]] std::unique_ptr<tiled_experiment> make_table(const table_recipe& what);

/// What an atlas draws from.
[[nodiscard]] std::vector<experiments::drawing> drawings();

/// Reads of 64..192 letters, each against a copy with about a tenth of its letters changed.
[[nodiscard]] pair_tapes random_pairs(index_t count, std::uint64_t seed);

/// Why the host table is not the one that `job` asks for; empty if it is. Every cell is recomputed from its
/// three neighbours in the table and compared: by induction from the border that equals comparing with the
/// reference, but needs no second table and no order.
[[nodiscard]] std::string wrong_table(const fill_job& job);

/// The same for the rows [begin, end) of a table in pieces: `rows` starts with row begin - 1, unless begin is
/// 0.
[[nodiscard]] std::string wrong_rows(const fill_job& job, const void* rows, index_t begin, index_t end);

/// Why the positions do not spell a common subsequence of a and b; empty if they do.
[[nodiscard]] std::string wrong_subsequence(std::string_view a, std::string_view b,
                                            const std::vector<index_t>& in_a,
                                            const std::vector<index_t>& in_b);

/// Times one verified run of a variant with a tile of the caller's choice; nothing where it refuses.
using tile_timer = std::function<std::optional<double>(const std::string& variant, tile_shape tile)>;

/// The claims on whole tables, judged from the rows of the largest size. `cuda_reason`: why there are no CUDA
/// rows.
[[nodiscard]] std::vector<study_claim> judge_claims(const std::vector<study_row>& rows, bool with_cuda,
                                                    const tile_timer& timer);

}  // namespace wale::wavefront
