// images - what the agreement tests of reconstruction need: images of any type that carry their values as
// doubles (every pixel type fits), an oracle that shares nothing with the library, and one call of a row.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>
#include <wale/wale.hpp>

#include "solvers/reconstruction/jobs.hpp"

namespace wale::agreement {

using values = std::vector<double>;  // of all pixels, row by row

/// A pair of images to reconstruct by dilation: marker <= mask.
struct specimen {
    std::string what;
    raster shape;  // packed
    values marker, mask;
};

/// A packed shape; `planes` < 0: rank 2.
[[nodiscard]] raster shape_of(pixel type, index_t rows, index_t columns, index_t planes = -1,
                              index_t images = 1);

/// Bytes of images with foreign bytes between rows, planes and images, `gap` elements wide at least, that no
/// row may touch. There is nothing behind the last pixel, so that AddressSanitizer sees a read there.
class stored {
public:
    stored(const raster& shape, index_t gap);
    stored(const raster& shape, index_t gap, const values& v);
    [[nodiscard]] const raster& where() const { return where_; }
    [[nodiscard]] std::vector<std::byte>& bytes() { return bytes_; }
    [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }
    [[nodiscard]] const_image_view view() const { return {bytes_.data(), where_}; }
    [[nodiscard]] image_view view() { return {bytes_.data(), where_}; }
    [[nodiscard]] values get() const;
    [[nodiscard]] bool gaps_untouched() const;

private:
    void for_each_row(const std::function<void(index_t offset, std::size_t first)>& f) const;
    raster where_;
    std::vector<std::byte> bytes_;
};

/// A stored image in the memory of a backend.
class placed_image {
public:
    placed_image(const execution& where, stored& s);
    [[nodiscard]] const image_view& view() const { return view_; }
    /// Back into the stored image; waits for what is queued.
    void fetch();

private:
    execution where_;
    stored& host_;
    buffer<std::byte> copy_;
    image_view view_;
};

/// How the values of a random image spread.
enum class spread { few, many, extreme };

[[nodiscard]] double lowest_of(pixel type);
[[nodiscard]] double highest_of(pixel type);
/// Reverses the order: ~x or -x.
[[nodiscard]] values complement(pixel type, values v);
[[nodiscard]] specimen random_specimen(const raster& shape, spread how, unsigned seed);
/// Mask from bytes (0: the type's lowest value, 255: its highest), marker: the corner, lowest elsewhere.
[[nodiscard]] specimen corner_specimen(std::string what, const raster& shape,
                                       const std::vector<std::uint8_t>& mask);
/// Mask from bytes as they are; the marker lies `drop` below it, at least 0: domes. Not for binary types.
[[nodiscard]] specimen dome_specimen(std::string what, const raster& shape,
                                     const std::vector<std::uint8_t>& mask, int drop);
/// The mask at the border, the lowest value elsewhere.
[[nodiscard]] values border_marker(const raster& shape, const values& mask);
/// Mask from bytes as they are, with its border as the marker: holes.
[[nodiscard]] specimen border_specimen(std::string what, const raster& shape,
                                       const std::vector<std::uint8_t>& mask);
/// All pairs of binary 3x3 images with marker <= mask, as one batch of 3^9 images.
[[nodiscard]] specimen all_three_by_three(pixel type);

/// The answer by its definition as widest paths: the highest pixel that is not settled yet settles its
/// neighbours at the least of itself and their mask. A heap, no scan order, no library code.
[[nodiscard]] const values& widest_paths(const specimen& s, int connectivity);

/// One call of a row.
struct question {
    const specimen* s = nullptr;
    reconstruction_method method =
        reconstruction_method::dilation;  // the specimen is complemented by erosion
    int connectivity = 0;
    index_t gap = 0;
    bool in_place = false;
    bool asynchronous = false;
    bool clamp = false;  // markers beyond the mask are allowed
};

/// The answer of a row as by dilation, or nothing and its reason where it refuses. Fails the test where it
/// touches a gap or an input.
[[nodiscard]] std::optional<values> ask(const execution& where, const std::string& variant, const question& q,
                                        std::string* refusal);

/// The same with a start and a finish rule, through a job; the values are as stored.
struct rules {
    reconstruction::start_rule start = reconstruction::start_rule::given;
    reconstruction::finish_rule finish = reconstruction::finish_rule::value;
    double height = 0;
};
[[nodiscard]] std::optional<values> ask(const execution& where, const std::string& variant, const question& q,
                                        const rules& r, std::string* refusal);

/// Whether this row is known to refuse such questions. Everything else must run.
[[nodiscard]] bool may_refuse(const std::string& row, const question& q);

/// "" or where the two differ first.
[[nodiscard]] std::string difference_text(const raster& shape, const values& found, const values& expected);

}  // namespace wale::agreement
