// generate_channel - what is drawn on a grid of squares: box, tube, channel over a wedge or a bump.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "base/vec.hpp"
#include "mesh/generate.hpp"

namespace wale::meshes {

using base::vec;

namespace {

struct grid {
    index_t columns = 1, rows = 1, layers = 0;  // along x, y, z
};

struct channel {
    vec low, high;  // corners of the box before it is bent
    std::function<double(double x)> floor = [](double) { return 0.0; };  // height of the lower side, of 1
    index_t column_unit = 1;  // the number of columns is a multiple of this
    std::string left, right;
    std::string before, bottom;    // the lower side up to x = 0, and from there on
    std::string top, sides, back;  // `sides`: both in z where back is empty
};

index_t cells_of_a_square(cell_shape s) {
    switch (s) {
        case cell_shape::triangle:
        case cell_shape::prism:
            return 2;
        case cell_shape::tetrahedron:
            return 6;
        default:
            return 1;
    }
}

/// Squares or cubes, as many as give `size` cells.
grid grid_for(const mesh_recipe& recipe, const channel& c) {
    const bool flat = dimensions_of(recipe.shape) == 2;
    const vec span = c.high - c.low;
    const double squares =
        static_cast<double>(recipe.size) / static_cast<double>(cells_of_a_square(recipe.shape));
    const double side =
        flat ? std::sqrt(span.x * span.y / squares) : std::cbrt(span.x * span.y * span.z / squares);
    const auto parts = [side](double extent, index_t unit) {
        return unit * std::max<index_t>(1, std::llround(extent / side / static_cast<double>(unit)));
    };
    return {parts(span.x, c.column_unit), parts(span.y, 1), flat ? 0 : parts(span.z, 1)};
}

channel box() {
    return {.low = {-5, -5, -5},
            .high = {5, 5, 5},
            .left = "left",
            .right = "right",
            .before = "bottom",
            .bottom = "bottom",
            .top = "top",
            .sides = "front",
            .back = "back"};
}

/// One square high and deep.
channel tube(index_t size) {
    const double side = 1 / static_cast<double>(size);
    return {.low = {0, 0, 0},
            .high = {1, side, side},
            .left = "left",
            .right = "right",
            .before = "sides",
            .bottom = "sides",
            .top = "sides",
            .sides = "sides",
            .back = {}};
}

/// The ramp begins at x = 0, on a grid line.
channel wedge(double degrees) {
    const double angle = degrees * std::numbers::pi / 180;
    const double slope = portable_sine(angle) / portable_sine(std::numbers::pi / 2 - angle);
    return {.low = {-0.5, 0, 0},
            .high = {1, 1, 0.25},
            .floor = [slope](double x) { return x > 0 ? slope * x : 0.0; },
            .column_unit = 3,
            .left = "inflow",
            .right = "outflow",
            .before = "symmetry",
            .bottom = "wall",
            .top = "symmetry",
            .sides = "symmetry",
            .back = {}};
}

/// h (1 - 4 x^2)^4: three derivatives continuous where it ends.
channel bump(double height) {
    const auto floor = [height](double x) {
        const double u = 1 - 4 * x * x;
        return u > 0 ? height * (u * u) * (u * u) : 0.0;
    };
    return {.low = {-1.5, 0, 0},
            .high = {1.5, 1, 0.25},
            .floor = floor,
            .left = "inflow",
            .right = "outflow",
            .before = "wall",
            .bottom = "wall",
            .top = "top",
            .sides = "sides",
            .back = {}};
}

channel channel_for(const mesh_recipe& r) {
    switch (r.kind) {
        case mesh_kind::wedge:
            return wedge(r.angle);
        case mesh_kind::bump:
            return bump(r.height);
        case mesh_kind::tube:
            return tube(r.size);
        default:
            return box();
    }
}

grid size_of(const mesh_recipe& r, const channel& c) {
    if (r.kind != mesh_kind::tube) return grid_for(r, c);
    return {r.size, 1, dimensions_of(r.shape) == 2 ? 0 : 1};
}

/// Number of a name in the list, to which it is added where it is new.
int patch_named(std::vector<std::string>& all, const std::string& name) {
    for (std::size_t p = 0; p < all.size(); ++p)
        if (all[p] == name) return static_cast<int>(p);
    all.push_back(name);
    return static_cast<int>(all.size()) - 1;
}

/// Points and squares column by column; a square is cut from its lower left corner.
class squares {
public:
    explicit squares(const grid& size) : size_(size) { base_.points = (size.columns + 1) * (size.rows + 1); }

    footprint cut(bool quadrilaterals) {
        base_.quadrilaterals = quadrilaterals;
        for (index_t i = 0; i < size_.columns; ++i)
            for (index_t j = 0; j < size_.rows; ++j) {
                const std::int32_t a = point(i, j), b = point(i + 1, j), c = point(i + 1, j + 1),
                                   e = point(i, j + 1);
                if (quadrilaterals)
                    base_.corners.insert(base_.corners.end(), {a, b, c, e});
                else
                    base_.corners.insert(base_.corners.end(), {a, b, c, a, c, e});
            }
        return std::move(base_);
    }

    void outline_columns(int left, int right) {
        for (index_t j = 0; j < size_.rows; ++j) {
            base_.edges.push_back({point(0, j), point(0, j + 1), left});
            base_.edges.push_back({point(size_.columns, j), point(size_.columns, j + 1), right});
        }
    }
    void outline_column_ends(index_t i, int bottom, int top) {
        base_.edges.push_back({point(i, 0), point(i + 1, 0), bottom});
        base_.edges.push_back({point(i, size_.rows), point(i + 1, size_.rows), top});
    }

private:
    [[nodiscard]] std::int32_t point(index_t i, index_t j) const {
        return static_cast<std::int32_t>(i * (size_.rows + 1) + j);
    }
    grid size_;
    footprint base_;
};

double between(double low, double high, index_t i, index_t parts) {
    return low + (high - low) * (static_cast<double>(i) / static_cast<double>(parts));
}

void place_points(drawing& d, const channel& c, const grid& size) {
    for (index_t i = 0; i <= size.columns; ++i)
        for (index_t j = 0; j <= size.rows; ++j)
            for (index_t k = 0; k <= size.layers; ++k) {
                const double x = between(c.low.x, c.high.x, i, size.columns);
                const double y = between(c.low.y + c.floor(x), c.high.y, j, size.rows);
                const double z = size.layers == 0 ? 0 : between(c.low.z, c.high.z, k, size.layers);
                d.points.insert(d.points.end(), {x, y, z});
            }
}

}  // namespace

drawing draw_channel(const mesh_recipe& recipe) {
    const channel c = channel_for(recipe);
    const grid size = size_of(recipe, c);
    drawing d;
    d.shape = recipe.shape;
    d.layers = static_cast<int>(size.layers);
    squares base(size);
    const int left = patch_named(d.patches, c.left), right = patch_named(d.patches, c.right);
    base.outline_columns(left, right);
    const double part_before = -c.low.x / (c.high.x - c.low.x);
    const index_t before = std::llround(static_cast<double>(size.columns) * part_before);
    for (index_t i = 0; i < size.columns; ++i)
        base.outline_column_ends(i, patch_named(d.patches, i < before ? c.before : c.bottom),
                                 patch_named(d.patches, c.top));
    if (size.layers > 0) {
        d.bottom = patch_named(d.patches, c.sides);
        d.top = patch_named(d.patches, c.back.empty() ? c.sides : c.back);
    }
    d.base = base.cut(recipe.shape == cell_shape::quadrilateral || recipe.shape == cell_shape::hexahedron);
    place_points(d, c, size);
    return d;
}

}  // namespace wale::meshes
