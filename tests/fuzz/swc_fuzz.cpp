// swc_fuzz - the parser of trees against arbitrary bytes; what it takes must make sense, and as its own words
// again.
#include <cstdint>
#include <wale/swc_file.hpp>

#include "fuzz/demand.hpp"

namespace {

using wale::fuzz::demand, wale::fuzz::takes;

/// Whether the bytes parse.
bool parses(std::string_view bytes, wale::swc_tree& out, const wale::swc_options& options = {}) {
    return takes([&] { out = wale::parse_swc(bytes, "fuzz", options); });
}

std::string serialised(const wale::swc_tree& tree) {
    std::string out;
    char line[256];
    for (const wale::swc_point& p : tree.points) {
        std::snprintf(line, sizeof line, "%lld %d %.17g %.17g %.17g %.17g %d\n",
                      static_cast<long long>(&p - tree.points.data()), p.type, p.x, p.y, p.z, p.radius,
                      p.parent);
        out += line;
    }
    return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    wale::swc_tree tree, again;
    wale::fuzz::option_bytes chosen({reinterpret_cast<const char*>(data), size});
    const wale::swc_options options{.max_points = chosen.limit(wale::swc_options{}.max_points)};
    if (!parses(chosen.file(), tree, options)) return 0;
    demand(std::ssize(tree.points) <= options.max_points, "the limit holds");
    demand(!tree.points.empty() && tree.points[0].parent == -1, "the root is the first");
    demand(tree.points.size() * 13 <= size + 1, "points are no more than lines hold");
    for (std::size_t i = 0; i < tree.points.size(); ++i) {
        const wale::swc_point& p = tree.points[i];
        demand(i == 0 || (p.parent >= 0 && static_cast<std::size_t>(p.parent) < i), "parents stand first");
        demand(p.radius > 0, "radii are positive");
    }
    demand(tree.thickened >= 0 && tree.thickened < static_cast<wale::index_t>(tree.points.size()),
           "some radius is the file's own");
    demand((tree.thickened > 0) == (tree.first_thickened > 0), "the first has a line");
    demand(parses(serialised(tree), again), "what was taken is taken again");
    demand(again.thickened == 0, "no radius is 0 any more");
    demand(again.points.size() == tree.points.size(), "with as many points");
    for (std::size_t i = 0; i < tree.points.size(); ++i)
        demand(again.points[i].parent == tree.points[i].parent && again.points[i].x == tree.points[i].x &&
                   again.points[i].radius == tree.points[i].radius,
               "and the same ones");
    return 0;
}
