// flow_picture - a plane through a mesh, coloured by what its cells hold.
#pragma once

#include <array>
#include <limits>
#include <span>
#include <string>
#include <vector>
#include <wale/mesh.hpp>
#include <wale/output_file.hpp>

namespace wale {

struct slice_options {
    int axis = 2;   // normal of the plane: 0 x, 1 y, 2 z
    double at = 0;  // its place
    index_t columns = 960, rows = 640;
    /// least and greatest of the plane's first and second axis; all 0: what the mesh takes
    std::array<double, 4> window{};
    /// of the colours; NaN: what is seen
    double low = std::numeric_limits<double>::quiet_NaN(), high = low;
};

struct slice {
    index_t columns = 0, rows = 0;
    std::vector<float> values;  // [rows][columns], the first row at the top; NaN where no cell is
};

/// A window round these patches, three times as wide as they; z = 0. The whole of a flat mesh where the window
/// would reach beyond it, as in a channel.
[[nodiscard]] slice_options slice_round_walls(const mesh& m, std::span<const std::string> walls);

/// The value of the cell that each pixel's middle lies in; where cells share a face, the last of them. Flat
/// meshes are seen as they are. Throws bad_argument without corners, or for values of another length.
/// O(cells + pixels of cells cut).
[[nodiscard]] slice cut(const mesh& m, std::span<const double> values, const slice_options& options = {});

/// As PNG: blue for `low` over white to red for `high`, grey where no cell is; to the right of pictures of
/// 160 rows and more a bar of the colours with numbers, 180 columns wide.
void write_coloured(output_file& out, const slice& s, const slice_options& options = {});

/// Points joined by lines, or each by itself.
struct curve {
    std::string name;  // lower case
    std::vector<double> x{}, y{};
    bool points = false;
};
/// Curves over a common axis; `downwards`: the ordinate grows downwards, as that of pressure coefficients
/// does.
struct plot_panel {
    std::vector<curve> curves;
    std::string x_name, y_name;
    bool downwards = false;
};
/// Panels below each other as PNG, 960 columns wide, 480 rows each. Points that are not finite are left out.
/// Throws bad_argument for curves whose lengths differ.
void write_plot(output_file& out, std::span<const plot_panel> panels);

}  // namespace wale
