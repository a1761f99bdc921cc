// experiments - h-domes, hole filling and rebuilding from a corner, of natural and adversarial
// images.
#include <algorithm>
#include <map>
#include <wale/buffer.hpp>
#include <wale/error.hpp>
#include <wale/image_file.hpp>

#include "solvers/reconstruction/problem.hpp"
#include "solvers/reconstruction/study/experiments.hpp"
#include "solvers/reconstruction/study/inputs.hpp"

namespace wale::reconstruction {
namespace {

enum class scene { tissue, field, serpentine, percolation };

constexpr double dome_height = 40;  // of 8-bit images; 257 times that of 16-bit ones
constexpr int percent_open = 60;
constexpr index_t batch_side = 512;        // pixels of an image of a batch
constexpr index_t longest_corridor = 512;  // rows there and back that schedules of passes are asked to follow

struct recipe_of_experiment {
    const char* name;
    question asked;
    scene shown;
    pixel type;
    int connectivity;
    int rank = 2;
    bool batch = false;  // `size` counts images
};

constexpr recipe_of_experiment all_experiments[] = {
    {"h_domes", question::domes, scene::tissue, pixel::u8, 8},
    {"h_domes_4", question::domes, scene::tissue, pixel::u8, 4},
    {"h_domes_u16", question::domes, scene::tissue, pixel::u16, 8},
    {"h_domes_i32", question::domes, scene::tissue, pixel::i32, 8},
    {"h_domes_f32", question::domes, scene::tissue, pixel::f32, 8},
    {"fill_holes", question::holes, scene::tissue, pixel::u8, 8},
    {"fill_holes_u16", question::holes, scene::tissue, pixel::u16, 8},
    {"fill_holes_field", question::holes, scene::field, pixel::u8, 8},
    {"fill_holes_field_u16", question::holes, scene::field, pixel::u16, 8},
    {"binary", question::holes, scene::tissue, pixel::boolean, 8},
    {"bits", question::holes, scene::tissue, pixel::bit, 8},
    {"serpentine", question::marked, scene::serpentine, pixel::u8, 4},
    {"percolation", question::marked, scene::percolation, pixel::u8, 4},
    {"serpentine_bits", question::marked, scene::serpentine, pixel::bit, 4},
    {"percolation_bits", question::marked, scene::percolation, pixel::bit, 4},
    {"volume_domes", question::domes, scene::field, pixel::u8, 26, 3},
    {"batch_domes", question::domes, scene::tissue, pixel::u8, 8, 2, true},
};

using bytes = std::vector<std::uint8_t>;

/// A flat file of 8 bits, or of colour in 8 bits; dark is high, as tissue is looked at.
bytes from_file(const std::string& path, image_size size) {
    const image_file_data file =
        read_image(path, {.colour = colour_rule::luminance, .alpha = alpha_rule::drop});
    if (file.shape.type != pixel::u8 || file.shape.rank != 2 || file.shape.pixels() == 0)
        throw bad_input(path + ": is " + name_of(file.shape.type) + ", expected a flat image of 8 bits");
    const auto* pixels = static_cast<const std::uint8_t*>(file.pixels.data());
    bytes dark(pixels, pixels + file.shape.pixels());
    for (std::uint8_t& v : dark) v = static_cast<std::uint8_t>(~v);
    return mirrored(dark, {1, file.shape.rows, file.shape.columns}, size);
}

bytes grey_image(scene s, image_size size) {
    switch (s) {
        case scene::tissue:
            return blots(size, 1);
        case scene::field:
            return high_bytes(smooth_field(size, 2, 1));
        case scene::serpentine:
            return serpentine(size);
        case scene::percolation:
            return percolation(size, percent_open, 1);
    }
    return {};
}

/// Grey values in the experiment's type: 8 bits are stretched, not filled up with noise; binary: bright or
/// not.
bytes as_pixels(const bytes& grey, const raster& r) {
    if (r.type == pixel::u8) return grey;
    bytes out(static_cast<std::size_t>(r.span_elements() * bytes_of(r.type)));
    const auto bright = [&](std::size_t i) { return grey[i] >= 128; };
    if (r.type == pixel::bit) {
        auto* words = reinterpret_cast<std::uint32_t*>(out.data());
        for (std::size_t i = 0; i < grey.size(); ++i) {
            const auto row = static_cast<index_t>(i) / r.columns,  // of all planes and images, packed
                column = static_cast<index_t>(i) % r.columns;
            if (bright(i)) words[row * r.row_stride + column / 32] |= std::uint32_t{1} << column % 32;
        }
        return out;
    }
    visit(r.type, [&]<class T>() {
        auto* to = reinterpret_cast<T*>(out.data());
        for (std::size_t i = 0; i < grey.size(); ++i)
            to[i] = r.type == pixel::boolean ? static_cast<T>(bright(i))
                                             : static_cast<T>(grey[i] * (r.type == pixel::u16 ? 257 : 1));
    });
    return out;
}

/// Input and output in the memory of one backend.
struct place {
    execution where;
    buffer<std::uint8_t> image, marker, out;
};

class experiment_of_image final : public image_experiment {
public:
    explicit experiment_of_image(image_recipe what);
    double cells() const override { return static_cast<double>(what_.shape.pixels()); }
    std::string hindrance(const std::string& variant) const override {
        const bool named =
            std::find(what_.hopeless.begin(), what_.hopeless.end(), variant) != what_.hopeless.end();
        return named ? variant + ": a pass over the image for every turn of the corridor" : "";
    }
    double reference_rate() const override { return 5e5; }  // its passes are many
    bool certified() const override { return true; }
    void prepare(const execution& where) override;
    report run(const execution& where, const std::string& variant) override {
        return run_connected(where, variant, 0);
    }
    report run_connected(const execution& where, const std::string& variant, int connectivity) override;
    std::string flaw() override;
    ceiling bound(const execution& where, const report& run) override;

private:
    [[nodiscard]] bytes certified_marker() const;

    image_recipe what_;
    bytes image_, marker_;  // in the type of the images; the marker only where it is given
    std::optional<place> at_;
    int connectivity_ = 0;               // of the last run
    std::map<int, double> copy_rate_{};  // [bytes/s] by threads; -1: the device
};

experiment_of_image::experiment_of_image(image_recipe what) : what_(std::move(what)) {
    image_ = as_pixels(what_.grey, what_.shape);
    if (what_.asked == question::marked) marker_ = as_pixels(what_.marker, what_.shape);
}

void experiment_of_image::prepare(const execution& where) {
    const bool device = backend_of(where) == backend::cuda;
    if (at_ && (backend_of(at_->where) == backend::cuda) == device) return;
    at_.reset();
    place p{where,
            to_device(where, std::span<const std::uint8_t>(image_)),
            to_device(where, std::span<const std::uint8_t>(marker_)),
            {}};
    p.out = buffer<std::uint8_t>(std::ssize(image_), device ? memory_space::device : memory_space::host);
    at_ = std::move(p);
}

report experiment_of_image::run_connected(const execution& where, const std::string& variant,
                                          int connectivity) {
    prepare(where);
    connectivity_ = connectivity != 0 ? connectivity : what_.connectivity;
    const reconstruction_options options{
        .variant = variant, .connectivity = connectivity_, .beyond = marker_beyond::clamp};
    const const_image_view image(at_->image.data(), what_.shape);
    const image_view out(at_->out.data(), what_.shape);
    switch (what_.asked) {
        case question::domes:
            return h_domes(where, image, what_.height, out, options).run;
        case question::holes:
            return fill_holes(where, image, out, options).run;
        case question::marked:
            return reconstruct(where, const_image_view(at_->marker.data(), what_.shape), image, out, options)
                .run;
    }
    return {};
}

/// The marker that the question stands for, as an image, so that the certificate can look at it.
bytes experiment_of_image::certified_marker() const {
    if (what_.asked == question::marked) return marker_;
    bytes marker = image_;
    const auto on_border = [this](index_t row, index_t column) {  // rows count on over planes and images
        const raster& r = what_.shape;
        return at_border(r, row / r.rows % r.planes, row % r.rows, column);
    };
    if (what_.shape.type == pixel::bit) {  // holes: everything but the border is up
        auto* words = reinterpret_cast<std::uint32_t*>(marker.data());
        for (index_t row = 0; row < what_.shape.images * what_.shape.planes * what_.shape.rows; ++row)
            for (index_t c = 0; c < what_.shape.columns; ++c)
                if (!on_border(row, c))
                    words[row * what_.shape.row_stride + c / 32] |= std::uint32_t{1} << c % 32;
        return marker;
    }
    visit(what_.shape.type, [&]<class T>() {
        auto* to = reinterpret_cast<T*>(marker.data());
        const T up = what_.shape.type == pixel::boolean ? T{1} : mirrored(lowest_key<T>());
        if (what_.asked == question::domes) {
            for (index_t i = 0; i < what_.shape.pixels(); ++i) to[i] = lowered(to[i], what_.height);
            return;
        }
        for (index_t row = 0; row < what_.shape.images * what_.shape.planes * what_.shape.rows; ++row)
            for (index_t column = 0; column < what_.shape.columns; ++column)
                if (!on_border(row, column)) to[row * what_.shape.columns + column] = up;
    });
    return marker;
}

std::string experiment_of_image::flaw() {
    bytes result(image_.size());
    copy_bytes(at_->where, result.data(), at_->out.data(), std::ssize(result));
    if (what_.asked == question::domes)  // the domes are what was cut off
        visit(what_.shape.type, [&]<class T>() {
            const auto* image = reinterpret_cast<const T*>(image_.data());
            auto* cut = reinterpret_cast<T*>(result.data());
            for (index_t i = 0; i < what_.shape.pixels(); ++i) cut[i] = static_cast<T>(image[i] - cut[i]);
        });
    const bytes marker = certified_marker();
    const auto method =
        what_.asked == question::holes ? reconstruction_method::erosion : reconstruction_method::dilation;
    return reconstruction_flaw(
        const_image_view(marker.data(), what_.shape), const_image_view(image_.data(), what_.shape),
        const_image_view(result.data(), what_.shape), {.method = method, .connectivity = connectivity_});
}

experiments::ceiling experiment_of_image::bound(const execution& where, const report& run) {
    const auto* device = std::get_if<on_cuda>(&where);
    const int key = device ? -1 : run.threads;
    if (!copy_rate_.contains(key))
        copy_rate_[key] = device
                              ? experiments::device_copy_rate(*device)
                              : experiments::host_write_rate(at_->out.data(), at_->out.size(), run.threads);
    if (run.bytes == 0) return {};
    return {copy_rate_[key] * cells() / run.bytes,
            device ? "device memory (copy)" : "memory (memset), image in, answer out"};
}

}  // namespace

const std::vector<std::string>& experiment_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const recipe_of_experiment& e : all_experiments) all.emplace_back(e.name);
        return all;
    }();
    return names;
}

std::unique_ptr<image_experiment> make_images(image_recipe what) {
    return std::make_unique<experiment_of_image>(std::move(what));
}

std::unique_ptr<image_experiment> make_image(const std::string& name, index_t size,
                                             const std::string& input) {
    const auto& recipe = *std::find_if(std::begin(all_experiments), std::end(all_experiments),
                                       [&](const recipe_of_experiment& e) { return name == e.name; });
    image_recipe what;
    what.asked = recipe.asked;
    what.connectivity = recipe.connectivity;
    what.height = recipe.type == pixel::u16 ? 257 * dome_height : dome_height;
    raster& shape = what.shape;
    shape.type = recipe.type;
    shape.rank = recipe.rank;
    shape.images = recipe.batch ? size : 1;
    shape.planes = recipe.rank == 3 ? size : 1;
    shape.rows = shape.columns = recipe.batch ? batch_side : size;
    shape.pack();
    const image_size extent{shape.planes, shape.images * shape.rows, shape.columns};
    what.grey = input.empty() ? grey_image(recipe.shown, extent) : from_file(input, extent);
    if (recipe.asked == question::marked) what.marker = corner_marker(what.grey);
    if (recipe.shown == scene::serpentine && shape.rows > longest_corridor)
        what.hopeless = {"cuda/elementary", "cpu/raster", "reference/plain", "cuda/sweep"};
    return make_images(std::move(what));
}

namespace {

std::unique_ptr<experiment> make(const study_options& options, index_t size) {
    return make_image(options.operation, size, options.input);
}

[[maybe_unused]] const bool enlisted =
    experiments::enlist({.solver = "reconstruction",
                         .names = experiment_names(),
                         .sizes = {512, 2048},
                         .unit = "pixel",
                         .operation_of = +[](const std::string&) { return std::string("reconstruct"); },
                         .make = make,
                         .claims = judge_claims,
                         .drawings = drawings()});

}  // namespace
}  // namespace wale::reconstruction
