// asking - one call of a row of reconstruction, with everything checked that must hold whatever the answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "agreement/reconstruct_rows.hpp"
#include "cuda/device_api.hpp"
#include "solvers/reconstruction/check.hpp"
#include "solvers/reconstruction/reconstruct/cpu/bits/tuning.hpp"
#include "solvers/reconstruction/reconstruct/cpu/clamp_scan/tuning.hpp"
#include "solvers/reconstruction/reconstruct/cuda/basins/tuning.hpp"
#include "solvers/reconstruction/reconstruct/cuda/bits/tuning.hpp"
#include "solvers/reconstruction/reconstruct/cuda/elementary/tuning.hpp"
#include "solvers/reconstruction/reconstruct/cuda/sweep/tuning.hpp"
#include "solvers/reconstruction/reconstruct/cuda/tiles/tuning.hpp"
#include "solvers/reconstruction/reconstruct/cuda/tiles_3d/tuning.hpp"

namespace wale::agreement {
namespace {

/// Runs call(marker, mask, out), which returns a result, on images where the backend wants them.
template <class Call>
std::optional<values> run(const execution& where, const question& q, bool with_marker, pixel out_type,
                          std::string* refusal, const Call& call) {
    const specimen& s = *q.s;
    const bool turned = q.method == reconstruction_method::erosion;
    stored marker(s.shape, q.gap, turned ? complement(s.shape.type, s.marker) : s.marker);
    stored mask(s.shape, 3 * q.gap, turned ? complement(s.shape.type, s.mask) : s.mask);
    raster out_shape = s.shape;
    out_shape.type = out_type;
    out_shape.pack();
    stored out(out_shape, 5 * q.gap);
    const std::vector<std::byte> marker_before = marker.bytes(), mask_before = mask.bytes();
    placed_image marker_at(where, marker), mask_at(where, mask), out_at(where, out);
    stored& answer = q.in_place ? marker : out;
    try {
        call(with_marker ? marker_at.view() : const_image_view(nullptr, marker.where()), mask_at.view(),
             q.in_place ? marker_at.view() : out_at.view());
    } catch (const unsupported_variant& e) {
        *refusal = e.what();
        return std::nullopt;
    }
    out_at.fetch();
    marker_at.fetch();
    mask_at.fetch();
    EXPECT_TRUE(answer.gaps_untouched()) << "the answer's gaps were written";
    EXPECT_TRUE(mask.bytes() == mask_before) << "the mask was written";
    EXPECT_TRUE(q.in_place || marker.bytes() == marker_before) << "the marker was written";
    return answer.get();
}

}  // namespace

std::optional<values> ask(const execution& where, const std::string& variant, const question& q,
                          std::string* refusal) {
    reconstruction_options options;
    options.variant = variant;
    options.method = q.method;
    options.connectivity = q.connectivity;
    options.asynchronous = q.asynchronous;
    if (q.clamp) options.beyond = marker_beyond::clamp;
    auto found =
        run(where, q, true, q.s->shape.type, refusal,
            [&](const const_image_view& marker, const const_image_view& mask, const image_view& out) {
                const auto result = reconstruct(where, marker, mask, out, options);
                EXPECT_EQ(result.run.variant, variant);
                EXPECT_EQ(result.run.work, static_cast<double>(mask.pixels()));
                if (!q.asynchronous && mask.pixels() > 0) {
                    EXPECT_GT(result.run.compute_seconds, 0);
                }
            });
    if (!found) return found;
    const bool turned = q.method == reconstruction_method::erosion;
    const stored marker(q.s->shape, 2, turned ? complement(q.s->shape.type, q.s->marker) : q.s->marker);
    const stored mask(q.s->shape, 0, turned ? complement(q.s->shape.type, q.s->mask) : q.s->mask);
    EXPECT_EQ(reconstruction_flaw(marker.view(), mask.view(), stored(q.s->shape, 1, *found).view(), options),
              "");
    if (turned) found = complement(q.s->shape.type, std::move(*found));
    return found;
}

std::optional<values> ask(const execution& where, const std::string& variant, const question& q,
                          const rules& r, std::string* refusal) {
    using namespace reconstruction;
    const pixel type = q.s->shape.type;
    const bool flag = r.finish == finish_rule::flag && type != pixel::bit;
    return run(where, q, r.start == start_rule::given, flag ? pixel::boolean : type, refusal,
               [&](const const_image_view& marker, const const_image_view& mask, const image_view& out) {
                   reconstruct_job job;
                   job.where = where;
                   job.marker = marker;
                   job.mask = mask;
                   job.out = out;
                   job.method = q.method;
                   job.reach = checked_reach(q.connectivity, mask.rank);
                   job.start = r.start;
                   job.height = r.height;
                   job.finish = r.finish;
                   job.asynchronous = q.asynchronous;
                   (void)run_job(job, variant);
               });
}

namespace {

/// Adds `row` with each row of one of its tuning tables. Tables of the CPU hold no compiled code: all rows of
/// them can be asked for.
template <class Policy, std::size_t N>
void add_tuning(std::vector<tried_row>& all, const named_row& row, const std::string& table,
                const tuning::row<Policy> (&rows)[N]) {
    for (std::size_t i = 0; i < N; ++i) {
        if (row.where == backend::cpu && i == tuning::pick(rows, 0, 0)) continue;  // as it is
        tried_row tuned{row_with(row.name, "reconstruction/reconstruct/" + table, i)};
        if (row.where == backend::cuda) {
            const bool words = table == "bits";  // one kernel for all types
            tuned.compiled = [i, &rows, words](int bytes) {
                return tuning::compiled(rows, i, words ? 0 : bytes);
            };
            if (!tuned.compiled(1) && !tuned.compiled(2) && !tuned.compiled(4) && !tuned.compiled(8))
                continue;
        }
        all.push_back(tuned);
    }
}

void add_tunings(std::vector<tried_row>& all, const named_row& row) {
    using namespace reconstruction;
    if (row.name == "cpu/bits") add_tuning(all, row, "cpu_bits", bits_policies);
    if (row.name == "cpu/clamp_scan") add_tuning(all, row, "clamp_scan", clamp_scan_policies);
    if (row.name == "cuda/bits") add_tuning(all, row, "bits", bits_tile_policies);
    if (row.name == "cuda/sweep") add_tuning(all, row, "sweep", sweep::policies);
    if (row.name == "cuda/elementary") add_tuning(all, row, "elementary", elementary::policies);
    if (row.name == "cuda/tiles") add_tuning(all, row, "tiles", tiles_policies);
    if (row.name == "cuda/tiles_3d") add_tuning(all, row, "tiles_3d", tiles_3d::policies);
    if (row.name != "cuda/basins") return;
    add_tuning(all, row, "basins", basins::flat_policies);
    add_tuning(all, row, "basins_volume", basins::volume_policies);
    add_tuning(all, row, "basins_join", basins::join_policies);
}

}  // namespace

std::vector<tried_row> tried_rows() {
    std::vector<tried_row> all;
    for (named_row row : rows_of(reconstruction::reconstruct_rows)) {
        row.operation.clear();  // the name of the test says the operation
        all.push_back({row});
        add_tunings(all, row);
        const std::string& name = row.name;
        if (name != "cuda/tiles" && name != "cuda/tiles_3d" && name != "cuda/basins") continue;
        const std::string hook = "reconstruction/" + name.substr(5);
        for (const std::size_t blocks : {1u, 2u})
            all.push_back({row_with(name, hook + "/max_blocks", blocks)});
        if (name != "cuda/basins") all.push_back({row_with(name, hook + "/jitter", 1)});
    }
    return all;
}

bool may_refuse(const std::string& row, const question& q) {
    struct refusals {
        bool bits = true, grey = false, flat = false, volumes = false, asynchronous = false;
    };
    static const std::map<std::string_view, refusals> known{
        {"reference/plain", {.bits = false}},
        {"cpu/bits", {.bits = false, .grey = true}},
        {"cuda/bits", {.bits = false, .grey = true, .volumes = true}},
        {"cuda/tiles", {.volumes = true}},
        {"cuda/tiles_3d", {.flat = true}},
        {"cuda/sweep", {.volumes = true, .asynchronous = true}},
        {"cuda/elementary", {.asynchronous = true}},
    };
    const auto found = known.find(row);
    const refusals may = found == known.end() ? refusals{} : found->second;
    const raster& shape = q.s->shape;
    const bool bits = shape.type == pixel::bit, grey = !bits && shape.type != pixel::boolean;
    return (bits && may.bits) || (grey && may.grey) || (q.asynchronous && may.asynchronous) ||
           (shape.rank == 3 ? may.volumes : may.flat);
}

}  // namespace wale::agreement
