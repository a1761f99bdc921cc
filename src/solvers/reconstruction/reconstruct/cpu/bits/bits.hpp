// bits - what the parts of cpu/bits share: a binary image as words of mask and rising marker, 64 pixels a
// word, the leftmost in bit 0, in units: the rows of a plane or the planes of a volume. Two bands of threads
// exchange whole units.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>
#include <wale/buffer.hpp>

#include "base/aligned.hpp"
#include "solvers/reconstruction/jobs.hpp"

namespace wale::reconstruction {

/// Words before and after every line that hold no pixel and that a kernel may read and write as zeros; line
/// lengths are rounded up to as many.
inline constexpr index_t bits_margin = 8;

/// Which lines a line takes from: pixel for pixel, or with one pixel to the left and right as well.
struct bits_neighbours {
    int plain = 0, dilated = 0;
    const std::uint64_t* lines[8] = {};  // the plain ones first
};

/// Words [first, last) of a line.
struct word_range {
    index_t first = 0, last = 0;
    [[nodiscard]] bool empty() const { return first >= last; }
};

struct bits_line {
    const std::uint64_t* mask;
    std::uint64_t* rising;  // within the mask
    word_range look;        // where a neighbour may have risen
    bool first_visit;       // fill runs although nothing came from a neighbour
};

/// Raises the line as far as its neighbours and its mask let it; the words that changed.
using raise_line = word_range (*)(const bits_line&, const bits_neighbours&);
[[nodiscard]] raise_line best_raise_line();

/// Nonzero bytes to bits; the words are cleared beyond the last pixel.
void pack_line(const std::uint8_t* pixels, index_t columns, std::uint64_t* words);
/// Bits to bytes of 0 and 1.
void unpack_line(const std::uint64_t* words, index_t columns, std::uint8_t* pixels);

/// The line that is `units` and `lines` away.
struct bits_step {
    int units, lines;
    bool dilated;  // takes one pixel to the left and right as well
};

struct bits_shape {
    index_t units, lines;  // lines of a unit: 1 for a plane
    index_t columns;
    index_t words;                 // of a line
    index_t pitch;                 // words from line to line, a margin between them
    index_t margin;                // empty lines before and after those of a unit
    std::vector<bits_step> steps;  // plain ones first

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
        std::stable_partition(steps.begin(), steps.end(), [](const bits_step& s) { return !s.dilated; });
    }
    [[nodiscard]] index_t unit_words() const { return (lines + 2 * margin) * pitch; }
    /// From the start of a unit; the margin of words comes first.
    [[nodiscard]] index_t offset(index_t line) const { return (line + margin) * pitch + bits_margin; }
    [[nodiscard]] bool at_border(index_t unit, index_t line) const {
        return unit == 0 || unit == units - 1 || (margin > 0 && (line == 0 || line == lines - 1));
    }
};

/// Mask and marker in one block of memory: a second call of the same size then finds it in the heap, without
/// faults of pages. Uninitialised: load_unit() writes lines and margins.
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

/// Mask and marker of one line as keys (problem.hpp), in words: zeros beyond the last column.
void load_line(const reconstruct_job& job, index_t image, index_t unit, index_t line, const bits_shape& shape,
               std::uint64_t* mask, std::uint64_t* rising);

/// The answer of one line; `rising` is changed. Bits of the last word beyond the last column keep their
/// value.
void store_line(const reconstruct_job& job, index_t image, index_t unit, index_t line,
                const bits_shape& shape, const std::uint64_t* mask, std::uint64_t* rising);

/// All lines of one unit, with zeros in all margins.
void load_unit(const reconstruct_job& job, index_t image, index_t unit, const bits_field& field);

/// The answers of one unit.
void store_unit(const reconstruct_job& job, index_t image, index_t unit, const bits_field& field);

/// The workspace of a thread for small images whose lines are a few words (few_words.cpp).
class few_words {
public:
    few_words() = default;
    few_words(const few_words&) = delete;
    few_words& operator=(const few_words&) = delete;
    virtual ~few_words() = default;
    /// Null for more than `most` words and for lines of vectors of words.
    [[nodiscard]] static std::unique_ptr<few_words> of(const bits_shape& shape, index_t most);
    /// The sweeps that it took; 0, without an answer, where that would be many.
    [[nodiscard]] virtual int reconstruct(const reconstruct_job& job, index_t image) = 0;
};

/// Completes the reconstruction in `field` from any state between marker and answer, in bounded time
/// (runs.cpp).
void fill_by_runs(bits_field& field);

}  // namespace wale::reconstruction
