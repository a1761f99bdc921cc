// euler_newton - how soon Newton's method makes a flow steady, on the host and on a device; one CSV line a
// case and row. Seconds are those of a whole run from the free stream, the session made and every cycle
// measured; the median of three after one that warms up. A flow that the reference does not find at rest is
// not printed.
//   euler_newton OUT.csv [FILTER]      FILTER: only cases whose name contains it
//   WALE_ROW=cuda                      only rows whose name contains it
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>
#include <wale/wale.hpp>

#include "cases.hpp"
#include "csv.hpp"
#include "timing.hpp"

namespace wale::bench {
namespace {

/// The windward side of a cylinder of radius 1 out to its bow shock: 48 x 60 quadrilaterals, layer by layer
/// from the wall.
mesh round_a_cylinder() {
    constexpr index_t columns = 48, layers = 60;
    constexpr double half = 75 * std::numbers::pi / 180;
    mesh_elements e;
    e.dimensions = 2;
    e.patches.resize(3);
    for (std::size_t p = 0; p < 3; ++p) e.patches[p].name = p == 0 ? "wall" : p == 1 ? "inflow" : "outflow";
    const auto point = [](index_t i, index_t j) { return static_cast<std::int32_t>(j * (columns + 1) + i); };
    const auto face = [&e](std::size_t patch, std::int32_t a, std::int32_t b) {
        e.patches[patch].corners.insert(e.patches[patch].corners.end(), {a, b});
        e.patches[patch].first_corner.push_back(std::ssize(e.patches[patch].corners));
    };
    for (index_t j = 0; j <= layers; ++j)
        for (index_t i = 0; i <= columns; ++i) {
            const double angle = half * static_cast<double>(2 * i - columns) / columns;
            const double r = 1 + (4.2 - 2 * std::cos(angle)) * static_cast<double>(j) / layers;
            e.points.insert(e.points.end(), {-r * std::cos(angle), r * std::sin(angle), 0.0});
        }
    for (index_t j = 0; j < layers; ++j)
        for (index_t i = 0; i < columns; ++i) {
            e.shapes.push_back(cell_shape::quadrilateral);
            e.corners.insert(e.corners.end(),
                             {point(i, j), point(i, j + 1), point(i + 1, j + 1), point(i + 1, j)});
            e.first_corner.push_back(std::ssize(e.corners));
            if (j == 0) face(0, point(i, 0), point(i + 1, 0));
            if (j + 1 == layers) face(1, point(i, layers), point(i + 1, layers));
            if (i == 0) face(2, point(0, j), point(0, j + 1));
            if (i + 1 == columns) face(2, point(columns, j), point(columns, j + 1));
        }
    return build_mesh(e);
}

struct newton_case {
    std::string name;
    mesh_recipe grid;
    double mach = 0.8, alpha = 0;
    double decades = 6;
    bool large = false;  // on a device alone, and once after a run that warms up
    bool bow = false;    // in place of `grid`, round_a_cylinder()
};

std::vector<newton_case> cases() {
    const auto foil = [](cell_shape shape, index_t around, index_t outward) {
        return mesh_recipe{
            .kind = mesh_kind::o_grid, .shape = shape, .outer = 20, .around = around, .outward = outward};
    };
    const auto bump = [](cell_shape shape) {
        return mesh_recipe{.kind = mesh_kind::bump, .size = 2000, .shape = shape};
    };
    const mesh_recipe even = foil(cell_shape::triangle, 120, 43);
    return {{"even-mach0.8", even, 0.8, 1.25},
            {"even-mach0.63", even, 0.63, 2},
            {"even-mach1.2", even, 1.2, 7},
            {"squares-mach0.8", foil(cell_shape::quadrilateral, 172, 60), 0.8, 1.25},
            {"fine-mach0.8", foil(cell_shape::triangle, 480, 172), 0.8, 1.25},
            {"bump-triangles-mach0.3", bump(cell_shape::triangle), 0.3},
            {"bump-triangles-mach0.5", bump(cell_shape::triangle), 0.5},
            {"bump-squares-mach0.5", bump(cell_shape::quadrilateral), 0.5},
            {"wedge-mach2", {.kind = mesh_kind::wedge, .size = 2000, .shape = cell_shape::triangle}, 2},
            {.name = "bow-mach2", .grid = {}, .mach = 2, .bow = true},
            {.name = "bow-mach3", .grid = {}, .mach = 3, .bow = true},
            {.name = "bow-mach6", .grid = {}, .mach = 6, .bow = true},
            {.name = "bow-mach20", .grid = {}, .mach = 20, .bow = true},
            {.name = "wing-mach0.84",
             .grid = {.kind = mesh_kind::shell, .size = 1'000'000},
             .mach = 0.84,
             .alpha = 3,
             .large = true}};
}

class newton_table {
public:
    explicit newton_table(const std::string& path)
        : file_(path, "case,cells,decades,variant,threads,cycles,lift,drag,seconds,processor_s") {}
    void add(const newton_case& c, index_t cells, const euler_result& r, const taken& t) const {
        const euler_sample& last = r.history.back();
        file_.add(c.name, cells, c.decades, r.run.variant, r.run.threads, r.iterations, last.lift, last.drag,
                  t.seconds, t.processor);
    }

private:
    csv_lines file_;
};

/// False where the reference does not find the flow at rest.
bool run(const newton_case& c, const mesh& m, const execution& where, const std::string& variant,
         const newton_table& out) {
    euler_options o;
    o.stream.mach = c.mach;
    o.stream.alpha = c.alpha;
    o.scheme.time = euler_time::newton;
    o.stop_decades = c.decades;
    std::vector<double> seconds, processor;
    const int rounds = c.large ? 2 : 4;  // the first warms up
    for (int round = 0; round < rounds; ++round) {
        euler_case flow(m, o);
        const double start = now(), processor_start = processor_seconds();
        const euler_result r = flow.run(where, 300, variant);
        const double took = now() - start;
        if (round > 0) {
            seconds.push_back(took);
            processor.push_back(processor_seconds() - processor_start);
        }
        if (round + 1 < rounds) continue;
        const double rest = flow.measure().residual[0] / r.history.front().residual[0];
        if (r.end != euler_end::residual || !(rest <= 1.01 * std::pow(10, -c.decades))) {
            std::fprintf(stderr, "%s by %s: ends by '%s', residual %g of the first\n", c.name.c_str(),
                         variant.c_str(), name_of(r.end), rest);
            return false;
        }
        out.add(c, m.cells(), r, {median(seconds), median(processor)});
    }
    return true;
}

bool run(const newton_case& c, const newton_table& out) {
    const mesh m = c.bow ? round_a_cylinder() : generate_mesh(c.grid);
    const char* const wanted = std::getenv("WALE_ROW");
    bool good = true;
    for (const std::string row : {"cpu/levels", "cpu/colours", "cuda/colours"}) {
        const bool device = row.starts_with("cuda");
        if ((wanted != nullptr && row.find(wanted) == std::string::npos) ||
            (device ? !is_available(backend::cuda) : c.large))
            continue;
        good = run(c, m, device ? execution(on_cuda{}) : execution(on_cpu{1}), row, out) && good;
    }
    return good;
}

}  // namespace
}  // namespace wale::bench

int main(int argc, char** argv) {
    using namespace wale::bench;
    return run_cases<newton_table>(argc, argv, cases(),
                                   [](const newton_case& c, const newton_table& out) { return run(c, out); });
}
