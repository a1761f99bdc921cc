// clamp_scan - what the threads of cpu/clamp_scan and its vector code share: one image as lines of units.
// A unit is a vector of pixels of a row; the last one overlaps its neighbour where the row is no multiple.
// Raising a pixel twice does no harm, so nothing has to be padded.
#pragma once

#include <cstdint>

#include "solvers/reconstruction/jobs.hpp"

namespace wale::reconstruction {

/// A row that touches a row, and whether pixels one column off are neighbours too.
struct line_step {
    int plane, row;
    bool wide;
};

/// One image. Values are as stored; by erosion `falling` swaps least and largest, so that nothing needs to
/// be mirrored. strides: [elements].
struct scan_field {
    pixel type = pixel::u8;
    bool falling = false;
    bool volume = false;      // slices are planes, else rows
    bool all_border = false;  // a volume of one plane
    start_rule start = start_rule::given;
    finish_rule finish = finish_rule::value;
    double height = 0;
    index_t planes = 0, rows = 0, columns = 0;
    const void* mask = nullptr;
    index_t mask_row = 0, mask_plane = 0;
    const void* marker = nullptr;
    index_t marker_row = 0, marker_plane = 0;
    void* rising = nullptr;  // J; may be `out`
    index_t rising_row = 0, rising_plane = 0;
    void* out = nullptr;
    index_t out_row = 0, out_plane = 0;
    line_step before[4] = {}, after[4] = {};  // in raster order of lines
    int steps = 0;                            // of each
    bool wide = false;                        // of any step
    index_t units = 0, words = 0;             // of a line; words of 64 units
    std::uint64_t* dirty = nullptr;           // [planes * rows][words]: units that a neighbour may raise

    [[nodiscard]] index_t slices() const { return volume ? planes : rows; }
    [[nodiscard]] index_t lines_of_slice() const { return volume ? rows : 1; }
};

/// Some slices that one thread brings to rest while no other thread touches the slices beside them.
struct scan_band {
    index_t begin = 0, end = 0;                      // slices
    bool before_ready = false, after_ready = false;  // the neighbouring bands hold values already
    bool woke_before = false, woke_after = false;    // out: their edges may rise now
    index_t visits = 0;                              // out: units visited
    index_t limit = 0;                               // of visits, before it gives up
    bool gave_up = false;                            // out: not at rest
    std::uint64_t* scratch = nullptr;                // [3][words], zero
};

/// cpu/clamp_scan from job.out, which is at rest but for what its outermost pixels start: by
/// start_rule::given and finish_rule::value. Looks at the outermost units and at what rises.
void run_onward(reconstruct_job& job);

/// Pixels of a unit of this type on this machine.
[[nodiscard]] index_t scan_lanes(pixel type);
/// Makes the marker and brings the band to rest for the first time.
void scan_start(const scan_field& field, scan_band& band);
/// Brings the band to rest from its dirty units.
void scan_settle(const scan_field& field, scan_band& band);
/// Writes the answer of these slices, where that is not J itself.
void scan_finish(const scan_field& field, index_t begin, index_t end);

}  // namespace wale::reconstruction
