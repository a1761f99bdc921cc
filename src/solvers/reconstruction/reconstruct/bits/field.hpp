// field - one binary image as words of mask and rising marker, in units: the rows of a plane or the
// planes of a volume. A unit is what two bands of threads exchange.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>
#include <wale/buffer.hpp>

#include "base/aligned.hpp"
#include "solvers/reconstruction/jobs.hpp"
#include "solvers/reconstruction/reconstruct/bits/line.hpp"

namespace wale::reconstruction {

/// The line that is `units` and `lines` away.
struct line_step {
    int units, lines;
    bool dilated;  // takes one pixel to the left and right as well
};

struct bits_shape {
    index_t units, lines;  // lines of a unit: 1 for a plane
    index_t columns;
    index_t words;                 // of a line
    index_t pitch;                 // words from line to line, a margin between them
    index_t margin;                // empty lines before and after those of a unit
    std::vector<line_step> steps;  // plain ones first

    bits_shape(const raster& r, int reach)
        : units(r.rank == 2 ? r.rows : r.planes),
          lines(r.rank == 2 ? 1 : r.rows),
          columns(r.columns),
          words((columns + 63) / 64),
          pitch((words + bits_margin - 1) / bits_margin * bits_margin + bits_margin),
          margin(r.rank == 2 ? 0 : 1) {
        for (int unit = -1; unit <= 1; ++unit)
            for (int line = r.rank == 2 ? 0 : -1; line <= (r.rank == 2 ? 0 : 1); ++line) {
                const int differing = (unit != 0) + (line != 0);
                if (differing > 0 && differing <= reach) steps.push_back({unit, line, differing < reach});
            }
        std::stable_partition(steps.begin(), steps.end(), [](const line_step& s) { return !s.dilated; });
    }
    [[nodiscard]] index_t unit_words() const { return (lines + 2 * margin) * pitch; }
    /// From the start of a unit; the margin of words comes first.
    [[nodiscard]] index_t offset(index_t line) const { return (line + margin) * pitch + bits_margin; }
    [[nodiscard]] bool at_border(index_t unit, index_t line) const {
        return unit == 0 || unit == units - 1 || (margin > 0 && (line == 0 || line == lines - 1));
    }
};

/// Mask and marker in one block of memory: a second call of the same size then finds it in the heap, without
/// faults of pages. Uninitialised: load_unit() (bits_pixels.hpp) writes lines and margins.
class bits_field {
public:
    explicit bits_field(const bits_shape& shape)
        : shape_(shape), words_(2 * shape.units * shape.unit_words() + bits_margin) {
        std::fill(words_.data() + words_.size() - bits_margin, words_.data() + words_.size(), 0);
    }
    [[nodiscard]] const bits_shape& shape() const { return shape_; }
    [[nodiscard]] std::uint64_t* mask_unit(index_t unit) const {
        return words_.data() + unit * shape_.unit_words();
    }
    [[nodiscard]] std::uint64_t* rising_unit(index_t unit) const { return mask_unit(shape_.units + unit); }
    [[nodiscard]] std::uint64_t* mask(index_t unit, index_t line) const {
        return mask_unit(unit) + shape_.offset(line);
    }
    [[nodiscard]] std::uint64_t* rising(index_t unit, index_t line) const {
        return rising_unit(unit) + shape_.offset(line);
    }

private:
    const bits_shape& shape_;
    buffer<std::uint64_t> words_;
};

}  // namespace wale::reconstruction
