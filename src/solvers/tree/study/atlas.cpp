// atlas - random sizes, counts and layouts of chains and trees.
#include <algorithm>
#include <wale/enumerators.hpp>

#include "solvers/tree/study/experiments.hpp"

namespace wale::tree {
namespace {

using experiments::cell_limits;
using experiments::dice;
using experiments::drawn_cell;
using experiments::traits;

constexpr double fast_rate = 3e8;  // unknowns a second on one thread
constexpr double words = 5;        // of an unknown
// A star's backward error grows as the root adds up its leaves, one after the other or in parts.
constexpr double largest_star = 1000;

drawn_cell draw_systems(dice& d, const cell_limits& most, recipe what, const char* form) {
    what.type = d.pick({scalar::f32, scalar::f64});
    what.layout = d.pick({vector_layout::flat, vector_layout::interleaved, vector_layout::block_interleaved,
                          vector_layout::unified});
    what.transposed = d.one_in(6);
    const double unknowns =
        std::fmin(most.seconds * fast_rate, most.bytes / words / static_cast<double>(bytes_of(what.type)));
    const index_t all = d.size(unknowns);
    index_t size = d.size(static_cast<double>(all));
    if (what.what == recipe::form::star) size = std::min<index_t>(size, static_cast<index_t>(largest_star));
    const index_t count = std::max<index_t>(1, all / size);
    const index_t width = d.pick({index_t{4}, index_t{8}, index_t{16}, index_t{32}, index_t{7}});
    traits t;
    t.add("type", name_of(what.type))
        .add("layout", name_of(what.layout))
        .add("rows", size)
        .add("count", count);
    if (what.layout == vector_layout::block_interleaved) t.add("width", width);
    t.add("form", form)
        .add("periodic", what.periodic ? "yes" : "no")
        .add("transposed", what.transposed ? "yes" : "no");
    return {t.text(), make_systems(what, size, count, width)};
}

drawn_cell draw_chains(dice& d, const cell_limits& most) {
    const bool pivoted = d.one_in(2);
    recipe what{"", scalar::f64, vector_layout::flat,
                pivoted ? recipe::form::pivoted_chains : recipe::form::chains};
    what.periodic = d.one_in(6);
    return draw_systems(d, most, what, pivoted ? "pivoted" : "dominant");
}

drawn_cell draw_trees(dice& d, const cell_limits& most) {
    using form = recipe::form;
    const auto what = d.pick({form::neurons, form::neurons, form::one_path, form::random_trees, form::star});
    const char* name = what == form::neurons    ? "neuron"
                       : what == form::one_path ? "path"
                       : what == form::star     ? "star"
                                                : "random";
    return draw_systems(d, most, {"", scalar::f64, vector_layout::flat, what}, name);
}

}  // namespace

std::vector<experiments::drawing> drawings() {
    return {{"tridiagonal", "tridiagonal", draw_chains}, {"hines", "hines", draw_trees}};
}

}  // namespace wale::tree
