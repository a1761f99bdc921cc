// reconstruct_operations - the operations: what each takes, answers and calls.
#include <sstream>

#include "failure.hpp"
#include "numbers.hpp"
#include "reconstruct.hpp"
#include "text.hpp"

namespace wale::cli {
namespace {

using method = reconstruction_method;
using proof = operation::certificate;

image_outcome outcome_of(const reconstruction_result& r) {
    return {r};
}

/// For the functions that take (where, image, out, options) and nothing else.
template <auto Function>
image_outcome plain(const image_call& c) {
    return outcome_of(Function(c.where, c.in[0], c.out, c.options));
}
template <auto Function>
image_outcome with_height(const image_call& c) {
    return outcome_of(Function(c.where, c.in[0], c.command.height, c.out, c.options));
}
template <auto Function>
image_outcome with_size(const image_call& c) {
    return outcome_of(Function(c.where, c.in[0], c.command.size, c.out, c.options));
}

image_outcome run_reconstruct(const image_call& c) {
    return outcome_of(wale::reconstruct(c.where, c.in[0], c.in[1], c.out, c.options));
}

image_outcome run_depressions(const image_call& c) {
    depression_options options{c.options};
    options.has_no_data = c.command.has_no_data;
    options.no_data = c.command.no_data;
    return outcome_of(fill_depressions(c.where, c.in[0], c.out, options));
}

image_outcome run_impose(const image_call& c) {
    return outcome_of(impose_minima(c.where, c.in[0], c.in[1], c.out, c.options));
}

image_outcome run_hysteresis(const image_call& c) {
    return outcome_of(
        hysteresis_threshold(c.where, c.in[0], c.command.low, c.command.high, c.out, c.options));
}

/// "column,row" or "column,row,plane".
pixel_position point_of(const std::string& text) {
    std::vector<index_t> places;
    std::string word;
    for (std::istringstream words(text); std::getline(words, word, ',');)
        places.push_back(number_of<index_t>("--point '" + printable(text) + "'", word, {.least = 0}));
    if (places.size() < 2 || places.size() > 3 || text.ends_with(','))
        throw usage_error("--point: is '" + printable(text) +
                          "', expected COLUMN,ROW or COLUMN,ROW,PLANE, from 0");
    return {places.size() == 3 ? places[2] : 0, places[1], places[0]};
}

image_outcome run_select(const image_call& c) {
    std::vector<pixel_position> points;
    for (const std::string& text : c.command.points) points.push_back(point_of(text));
    const selection_result r = select_objects(c.where, c.in[0], points, c.out, c.options);
    image_outcome outcome = outcome_of(r);
    outcome.area = r.area;
    return outcome;
}

image_outcome run_watershed(const image_call& c) {
    const watershed_options options{
        .variant = c.options.variant, .connectivity = c.options.connectivity, .line = c.command.line};
    image_outcome outcome;
    outcome.run = watershed(c.where, c.in[0], c.in[1], c.in[2], c.out, options).run;
    return outcome;
}

std::vector<operation> make_operations() {
    const std::vector<operation_input> image{{"image"}};
    const auto none = proof::none;
    const auto up = method::dilation, down = method::erosion;
    const auto values = answer_kind::values, residue = answer_kind::residue, flags = answer_kind::flags;
    return {
        {"reconstruct",
         "the marker rises under the mask until its neighbourhood and the mask hold it",
         {{"marker"}, {"mask"}},
         1,
         takes_method | takes_clamp,
         values,
         proof::given,
         up,
         run_reconstruct,
         "marker.png mask.png -o out.png --verify"},
        {"fill-holes", "fill the basins that do not reach the border up to their lowest way out", image, 0, 0,
         values, proof::border, down, plain<fill_holes>, "cells.png -o filled.png --compare see.png"},
        {"clear-border", "remove what is connected to the border", image, 0, 0, residue, proof::border, up,
         plain<clear_border>, "cells.png -o inside.png"},
        {"depressions",
         "fill an elevation model, so that water runs off at its border or where data end",
         {{"elevation"}},
         0,
         takes_no_data,
         values,
         proof::border,
         down,
         run_depressions,
         "dem.tif -o filled.tif --no-data -9999"},
        {"h-domes", "what rises by up to H above its surroundings: image - h-maxima-transform", image, 0,
         takes_height, residue, proof::lowered, up, with_height<h_domes>,
         "photo.png --gray --h 40 -o domes.png"},
        {"h-basins", "what sinks by up to H below its surroundings: h-minima-transform - image", image, 0,
         takes_height, residue, proof::lowered, down, with_height<h_basins>,
         "scan.tif --h 500 -o basins.tif"},
        {"h-maxima-transform", "cut domes down by H", image, 0, takes_height, values, proof::lowered, up,
         with_height<h_maxima_transform>, "scan.tif --h 500 -o cut.tif"},
        {"h-minima-transform", "fill basins up by H", image, 0, takes_height, values, proof::lowered, down,
         with_height<h_minima_transform>, "scan.tif --h 500 -o raised.tif"},
        {"regional-maxima", "plateaus whose neighbours are all lower, as 0 and 1", image, 0, 0, flags, none,
         up, plain<regional_maxima>, "smooth.png -o peaks.png"},
        {"regional-minima", "plateaus whose neighbours are all higher, as 0 and 1", image, 0, 0, flags, none,
         down, plain<regional_minima>, "smooth.png -o pits.png"},
        {"extended-maxima", "summits that rise by more than H, as 0 and 1", image, 0, takes_height, flags,
         none, up, with_height<extended_maxima>, "cells.png --h 20 -o seeds.png"},
        {"extended-minima", "pits that sink by more than H, as 0 and 1", image, 0, takes_height, flags, none,
         down, with_height<extended_minima>, "cells.png --h 20 -o seeds.png"},
        {"opening", "remove bright parts that a box of SIZE does not fit into, keep the others whole", image,
         0, takes_size, values, none, up, with_size<opening_by_reconstruction>,
         "page.png --size 15 -o opened.png"},
        {"closing", "remove dark parts that a box of SIZE does not fit into, keep the others whole", image, 0,
         takes_size, values, none, down, with_size<closing_by_reconstruction>,
         "page.png --size 15 -o closed.png"},
        {"impose-minima",
         "make the pixels set in MINIMA the only minima",
         {{"image"}, {"minima", input_kind::flags}},
         0,
         0,
         values,
         none,
         down,
         run_impose,
         "relief.png seeds.png -o imposed.png"},
        {"hysteresis", "pixels above LOW that are connected to one above HIGH, as 0 and 1", image, 0,
         takes_thresholds, flags, none, up, run_hysteresis, "edges.tif --low 20 --high 60 -o edges.png"},
        {"select",
         "the connected parts that hold one of the points; pixels other than 0 are set",
         {{"image", input_kind::flags}},
         0,
         takes_points,
         answer_kind::selection,
         none,
         up,
         run_select,
         "cells.png --point 120,45 -o cell.png"},
        {"watershed",
         "flood the image from MARKERS, whose values other than 0 become the labels of basins",
         {{"image"}, {"markers", input_kind::labels}},
         0,
         takes_flood,
         answer_kind::labels,
         none,
         up,
         run_watershed,
         "gradient.png seeds.tif -o basins.tif"}};
}

}  // namespace

const std::vector<operation>& reconstruct_operations() {
    static const std::vector<operation> all = make_operations();
    return all;
}

const operation& find_operation(const std::string& name) {
    for (const operation& op : reconstruct_operations())
        if (op.name == name) return op;
    throw usage_error("reconstruct: no operation '" + name + "'");
}

reconstruction_options options_of(const reconstruct_command& command) {
    reconstruction_options o;
    o.variant = command.variant;
    o.method = command.erosion ? method::erosion : method::dilation;
    o.connectivity = command.connectivity;
    o.beyond = command.clamp ? marker_beyond::clamp : marker_beyond::refuse;
    return o;
}

}  // namespace wale::cli
