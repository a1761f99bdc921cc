// morphology - what the agreement tests of the derived operations need: backends, images in their memory,
// and plain definitions that share nothing with the library.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>
#include <wale/wale.hpp>

#include "agreement/images.hpp"

namespace wale::agreement {

struct place_to_run {
    std::string name;  // as in a test's name
    execution where;
    bool asynchronous = false;
};
/// The reference, the CPU with one thread and three, CUDA where there is a device, also asynchronous.
[[nodiscard]] std::vector<place_to_run> places_to_run();

/// The fixture of the tests that run everywhere.
class Everywhere : public testing::TestWithParam<place_to_run> {};
[[nodiscard]] inline std::string place_name(const testing::TestParamInfo<place_to_run>& info) {
    return info.param.name;
}

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

/// What a derived operation answers for an image of values, with `gap` foreign elements in every row; fails
/// the test where it touches a gap or its input.
struct operation_call {
    const place_to_run& at;
    int connectivity = 0;
    index_t gap = 0;
};
using operation =
    std::function<void(const operation_call&, const const_image_view& image, const image_view& out)>;
[[nodiscard]] values answer(const operation_call& how, const raster& shape, const values& v, pixel out_type,
                            const operation& run);

/// Shapes of all kinds: flat and deep, batches, one pixel, none, one more than a word.
[[nodiscard]] std::vector<raster> small_shapes(pixel type);
/// Values of few levels, of many, at the type's ends, or all equal, by seed.
[[nodiscard]] values random_values(const raster& shape, unsigned seed);

/// Calls f(at, neighbour) for all pairs of neighbours, f(i, i) not.
void for_each_pair(const raster& shape, int connectivity, const std::function<void(index_t, index_t)>& f);
/// The numbers of the pixels where the image ends.
[[nodiscard]] std::vector<char> border_of(const raster& shape);

/// reconstruct(marker, mask) by widest paths; by erosion where `falls`.
[[nodiscard]] values rebuilt(const raster& shape, values marker, values mask, int connectivity,
                             bool falls = false);
/// Plateaus with neighbours, all of them lower; higher where `minima`.
[[nodiscard]] values extrema(const raster& shape, const values& v, int connectivity, bool minima = false);
/// Pixels of `open` that are connected to one of `seeds`.
[[nodiscard]] values flooded(const raster& shape, const values& open, const values& seeds, int connectivity);
/// v + step as the type holds it, at most and at least its ends.
[[nodiscard]] double shifted(pixel type, double v, double step);

}  // namespace wale::agreement
