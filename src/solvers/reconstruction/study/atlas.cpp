// atlas - random images of every type and shape: natural ones, noise, plateaus, corridors; domes, holes,
// markers of few and of many seeds; floods.
#include <algorithm>
#include <cmath>
#include <wale/buffer.hpp>
#include <wale/enumerators.hpp>

#include "solvers/reconstruction/study/experiments.hpp"
#include "solvers/reconstruction/study/inputs.hpp"

namespace wale::reconstruction {
namespace {

using experiments::cell_limits;
using experiments::dice;
using experiments::drawn_cell;
using experiments::traits;
using bytes = std::vector<std::uint8_t>;

constexpr double fast_rate = 5e7;     // pixels a second on one thread
constexpr double longest_side = 300;  // of corridors: schedules of passes need one for every turn

enum class scene { tissue, field, noise, plateaus, constant, percolation, serpentine };
constexpr const char* scene_names[] = {"tissue",   "field",       "noise",     "plateaus",
                                       "constant", "percolation", "serpentine"};

bytes grey_scene(dice& d, scene s, image_size size) {
    const auto pixels = static_cast<std::size_t>(size.pixels());
    const image_size flat{1, size.planes * size.rows, size.columns};  // for scenes without depth
    switch (s) {
        case scene::tissue:
            return blots(flat, d.next());
        case scene::field:
            return high_bytes(smooth_field(size, std::min<index_t>(2, size.columns / 2), d.next()));
        case scene::plateaus: {
            bytes all = high_bytes(smooth_field(size, std::min<index_t>(4, size.columns / 2), d.next()));
            for (std::uint8_t& v : all) v &= 0xe0;
            return all;
        }
        case scene::noise: {
            bytes all(pixels);
            for (std::uint8_t& v : all) v = static_cast<std::uint8_t>(d.next() >> 56);
            return all;
        }
        case scene::constant:
            return bytes(pixels, 130);
        case scene::percolation:
            return percolation(flat, static_cast<int>(50 + d.below(20)), d.next());
        case scene::serpentine:
            return serpentine(flat);
    }
    return {};
}

raster draw_shape(dice& d, const cell_limits& most, bool bits, traits& t) {
    raster r;
    r.type = d.pick(
        {pixel::u8, pixel::u8, pixel::u16, pixel::i32, pixel::f32, pixel::f64, pixel::boolean, pixel::bit});
    if (!bits && r.type == pixel::bit) r.type = pixel::u8;
    r.rank = d.one_in(4) ? 3 : 2;
    const double pixels =
        std::fmin(most.seconds * fast_rate, most.bytes / 4 / static_cast<double>(bytes_of(r.type)));
    const index_t all = d.size(pixels);
    r.columns = d.one_in(2)
                    ? static_cast<index_t>(std::round(std::pow(static_cast<double>(all), 1.0 / r.rank)))
                    : d.size(static_cast<double>(all));
    const index_t rest = std::max<index_t>(1, all / r.columns);
    r.rows =
        r.rank == 2 ? rest : std::max<index_t>(1, static_cast<index_t>(std::sqrt(static_cast<double>(rest))));
    if (r.rank == 3) r.planes = std::max<index_t>(1, rest / r.rows);
    if (d.one_in(5)) {
        r.images = d.size(static_cast<double>(std::max<index_t>(1, r.rows)));
        r.rows = std::max<index_t>(1, r.rows / r.images);
    }
    r.pack();
    t.add("type", name_of(r.type)).add("rank", r.rank).add("images", r.images).add("planes", r.planes);
    t.add("rows", r.rows).add("columns", r.columns);
    return r;
}

/// `part` of the pixels, at least one, keep the mask's value; the others are at 0.
bytes seeds(dice& d, const bytes& mask, double part) {
    bytes marker(mask.size(), 0);
    const auto count = std::max<index_t>(1, static_cast<index_t>(part * static_cast<double>(mask.size())));
    for (index_t k = 0; k < count && !mask.empty(); ++k) {
        const auto at = static_cast<std::size_t>(d.below(std::ssize(mask)));
        marker[at] = mask[at];
    }
    return marker;
}

struct drawn_image {
    raster shape;
    bytes grey;
    int connectivity;
};

drawn_image draw_image(dice& d, cell_limits most, bool bits, traits& t) {
    const auto s = static_cast<scene>(d.below(std::ssize(scene_names)));
    if (s == scene::serpentine)
        most.seconds = std::fmin(most.seconds, longest_side * longest_side / fast_rate);
    t.add("scene", scene_names[static_cast<int>(s)]);
    drawn_image out{draw_shape(d, most, bits, t), {}, 0};
    if (s == scene::serpentine) {  // one pixel wide or long, it would have as many turns as pixels
        out.shape.rows = std::min<index_t>(out.shape.rows, static_cast<index_t>(longest_side));
        out.shape.pack();
    }
    const raster& r = out.shape;
    out.grey = grey_scene(d, s, {r.images * r.planes, r.rows, r.columns});
    out.connectivity = r.rank == 2 ? d.pick({4, 8}) : d.pick({6, 18, 26});
    t.add("connectivity", out.connectivity);
    return out;
}

drawn_cell draw_question(dice& d, const cell_limits& most, question asked) {
    traits t;
    image_recipe what;
    what.asked = asked;
    drawn_image image = draw_image(d, most, asked != question::domes, t);
    if (asked == question::domes && image.shape.type == pixel::boolean) image.shape.type = pixel::u8;
    what.shape = image.shape;
    what.grey = std::move(image.grey);
    what.connectivity = image.connectivity;
    if (asked == question::domes) {
        const index_t height = d.size(100);
        what.height = static_cast<double>(height * (what.shape.type == pixel::u16 ? 257 : 1));
        t.add("height", height);
    }
    if (asked == question::marked) {
        const index_t one_in = d.size(static_cast<double>(what.grey.size()));
        what.marker = seeds(d, what.grey, 1 / static_cast<double>(one_in));
        t.add("seeds_one_in", one_in);
    }
    return {t.text(), make_images(std::move(what))};
}

/// A flood from random markers. Labels are compared with the reference's.
class flood_experiment final : public experiment {
public:
    flood_experiment(drawn_image image, std::vector<std::int32_t> markers, bool line)
        : image_(std::move(image)), markers_(std::move(markers)), labels_(markers_.size()), line_(line) {}
    double cells() const override { return static_cast<double>(image_.shape.pixels()); }
    double reference_rate() const override { return 2e6; }
    bool certified() const override { return false; }
    std::string flaw() override { return {}; }
    std::vector<index_t> outcome() const override { return {labels_.begin(), labels_.end()}; }
    std::vector<index_t> reference_outcome() override {
        (void)run(on_reference{}, "automatic");
        return outcome();
    }
    ceiling bound(const execution&, const report&) override { return {}; }
    void prepare(const execution&) override {}
    report run(const execution& where, const std::string& variant) override {
        raster labels = image_.shape;
        labels.type = pixel::i32;
        return watershed(where, const_image_view(image_.grey.data(), image_.shape),
                         const_image_view(markers_.data(), labels), {}, image_view(labels_.data(), labels),
                         {.variant = variant, .connectivity = image_.connectivity, .line = line_})
            .run;
    }

private:
    drawn_image image_;
    std::vector<std::int32_t> markers_, labels_;
    bool line_;
};

drawn_cell draw_flood(dice& d, cell_limits most) {
    traits t;
    most.seconds *= 0.04;  // a queue of single pixels is slow
    drawn_image image = draw_image(d, most, false, t);
    image.shape.type = pixel::u8;
    image.shape.pack();
    const index_t one_in = d.size(static_cast<double>(image.grey.size()));
    std::vector<std::int32_t> markers(image.grey.size(), 0);
    const index_t count = std::ssize(markers) / one_in;
    for (std::int32_t k = 0; k < count; ++k)
        markers[static_cast<std::size_t>(d.below(std::ssize(markers)))] = k + 1;
    const bool line = d.one_in(2);
    t.add("markers_one_in", one_in).add("line", line ? "yes" : "no");
    return {t.text(), std::make_unique<flood_experiment>(std::move(image), std::move(markers), line)};
}

}  // namespace

std::vector<experiments::drawing> drawings() {
    return {
        {"h_domes", "reconstruct",
         +[](dice& d, const cell_limits& m) { return draw_question(d, m, question::domes); }},
        {"fill_holes", "reconstruct",
         +[](dice& d, const cell_limits& m) { return draw_question(d, m, question::holes); }},
        {"reconstruct", "reconstruct",
         +[](dice& d, const cell_limits& m) { return draw_question(d, m, question::marked); }},
        {"watershed", "watershed", +[](dice& d, const cell_limits& m) { return draw_flood(d, m); }},
    };
}

}  // namespace wale::reconstruction
