// lines - one pass over marker and mask on the host: NaN, and markers beyond their mask.
#include <algorithm>
#include <vector>

#include "cpu/poll.hpp"
#include "cpu/team.hpp"
#include "solvers/reconstruction/problem.hpp"

namespace wale::reconstruction {
namespace {

constexpr index_t pixels_a_thread = 1 << 18;  // fewer are not worth a thread

struct findings {
    index_t mask_nan = -1, marker_nan = -1, beyond_at = -1, beyond_count = 0;  // pixels, row by row
};

template <class T>
index_t first_nan(const T* row, index_t columns) {
    bool any = false;
    for (index_t c = 0; c < columns; ++c) any |= row[c] != row[c];
    if (!any) return -1;
    index_t c = 0;
    while (row[c] == row[c]) ++c;
    return c;
}

template <class T>
void look_at_row(const T* marker, const T* mask, index_t columns, bool mirror, index_t first, findings& f) {
    std::uint8_t any = 0;  // in byte lanes, unlike the count that a good row does not need
    for (index_t c = 0; c < columns; ++c)
        any |= static_cast<std::uint8_t>(mirror ? marker[c] < mask[c] : mask[c] < marker[c]);
    if (!any) return;
    index_t count = 0;
    for (index_t c = 0; c < columns; ++c) count += mirror ? marker[c] < mask[c] : mask[c] < marker[c];
    f.beyond_count += count;
    if (f.beyond_at >= 0) return;
    index_t c = 0;
    while (!(mirror ? marker[c] < mask[c] : mask[c] < marker[c])) ++c;
    f.beyond_at = first + c;
}

void look_at_words(const std::uint32_t* marker, const std::uint32_t* mask, index_t columns, bool mirror,
                   index_t first, findings& f) {
    for (index_t w = 0; 32 * w < columns; ++w) {
        std::uint32_t wrong = mirror ? ~marker[w] & mask[w] : marker[w] & ~mask[w];
        if (columns - 32 * w < 32) wrong &= (std::uint32_t{1} << (columns - 32 * w)) - 1;
        f.beyond_count += std::popcount(wrong);
        if (wrong != 0 && f.beyond_at < 0) f.beyond_at = first + 32 * w + std::countr_zero(wrong);
    }
}

/// `count` pixels side by side.
template <class T>
void look_at_elements(const inspect_job& job, index_t offset, index_t marker_offset, index_t first,
                      index_t count, findings& f) {
    const T* mask = static_cast<const T*>(job.mask.data) + offset;
    const T* marker = job.marker.data ? static_cast<const T*>(job.marker.data) + marker_offset : nullptr;
    const auto note_nan = [&](const T* row, index_t& at) {
        if (const index_t c = first_nan(row, count); at < 0 && c >= 0) at = first + c;
    };
    if constexpr (std::is_floating_point_v<T>) {
        note_nan(mask, f.mask_nan);
        if (marker) note_nan(marker, f.marker_nan);
    }
    const bool mirror = job.method == reconstruction_method::erosion;
    if (job.beyond && marker) look_at_row(marker, mask, count, mirror, first, f);
}

/// `row` counts the rows of all planes of all images.
void look_at(const inspect_job& job, index_t row, findings& f) {
    const index_t r = row % job.mask.rows, plane = row / job.mask.rows % job.mask.planes;
    const index_t image = row / job.mask.rows / job.mask.planes, first = row * job.mask.columns;
    const index_t offset = job.mask.offset(image, plane, r);
    const index_t marker_offset = job.marker.offset(image, plane, r);
    if (job.mask.type != pixel::bit)
        return visit(job.mask.type, [&]<class T>() {
            look_at_elements<T>(job, offset, marker_offset, first, job.mask.columns, f);
        });
    if (job.beyond && job.marker.data)
        look_at_words(static_cast<const std::uint32_t*>(job.marker.data) + marker_offset,
                      static_cast<const std::uint32_t*>(job.mask.data) + offset, job.mask.columns,
                      job.method == reconstruction_method::erosion, first, f);
}

/// Whether the pixels of all images lie side by side, an element each.
bool is_gapless(const raster& r) {
    return r.type != pixel::bit && r.row_stride == r.columns &&
           (r.planes == 1 || r.plane_stride == r.rows * r.columns) &&
           (r.images == 1 || r.image_stride == r.planes * r.rows * r.columns);
}

void run(inspect_job& job) {
    // Narrow images have many rows of few pixels: without gaps they are looked at in longer pieces.
    constexpr index_t piece = 1 << 12;
    const bool whole = is_gapless(job.mask) && (job.marker.data == nullptr || is_gapless(job.marker));
    const index_t pixels = job.mask.pixels();
    const index_t rows =
        whole ? (pixels + piece - 1) / piece : job.mask.images * job.mask.planes * job.mask.rows;
    const auto look = [&](index_t i, findings& f) {
        if (!whole) return look_at(job, i, f);
        const index_t first = i * piece, count = std::min(piece, pixels - first);
        visit(job.mask.type, [&]<class T>() { look_at_elements<T>(job, first, first, first, count, f); });
    };
    const int threads = cpu::team_size(job.where, job.mask.pixels() / pixels_a_thread);
    std::vector<findings> found(static_cast<std::size_t>(threads));
    cpu::run_team(threads, [&](int rank) {
        findings mine;
        for (index_t row = rows * rank / threads; row < rows * (rank + 1) / threads; ++row, cpu::poll())
            look(row, mine);
        found[static_cast<std::size_t>(rank)] = mine;
    });
    index_t mask_nan = -1, marker_nan = -1;
    for (const findings& f : found) {  // in the order of the rows
        if (mask_nan < 0) mask_nan = f.mask_nan;
        if (marker_nan < 0) marker_nan = f.marker_nan;
        if (job.beyond_at < 0) job.beyond_at = f.beyond_at;
        job.beyond_count += f.beyond_count;
    }
    job.nan_in_marker = mask_nan < 0 && marker_nan >= 0;
    job.nan_at = job.nan_in_marker ? marker_nan : mask_nan;
}

}  // namespace

extern constinit const catalogue::row<inspect_job> inspect_cpu_lines{
    "cpu/lines", "one pass over the lines of both images, shared by threads", run};

}  // namespace wale::reconstruction
