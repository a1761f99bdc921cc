// canvas - pixels, letters and lines, written as PNG.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
#include <wale/output_file.hpp>
#include <wale/view.hpp>

namespace wale::io {

using colour = std::array<double, 3>;  // red, green, blue from 0 to 1
inline constexpr colour ink = {0, 0, 0};

/// Pixels that are coloured one by one, the first row at the top.
class canvas {
public:
    canvas(index_t columns, index_t rows)
        : columns_(columns), rows_(rows), bytes_(static_cast<std::size_t>(3 * columns * rows), 255) {}
    void set(index_t column, index_t row, const colour& c) {
        for (std::size_t d = 0; d < 3; ++d)
            bytes_[static_cast<std::size_t>(3 * (row * columns_ + column)) + d] =
                static_cast<std::uint8_t>(std::lround(255 * c[d]));
    }
    /// What lies outside of the picture is left out.
    void fill(index_t column, index_t row, index_t columns, index_t rows, const colour& c) {
        for (index_t j = std::max<index_t>(row, 0); j < std::min(row + rows, rows_); ++j)
            for (index_t i = std::max<index_t>(column, 0); i < std::min(column + columns, columns_); ++i)
                set(i, j, c);
    }
    /// Two pixels wide.
    void line(double x0, double y0, double x1, double y1, const colour& c);
    /// Lower-case letters, digits and `.-+_=()`; all else is a blank. 12 pixels a letter, 15 high.
    void text(index_t column, index_t row, std::string_view what, const colour& c = ink);
    /// Three digits of a number.
    void number(index_t column, index_t row, double value);
    void write_png(output_file& out) const;

private:
    index_t columns_, rows_;
    std::vector<std::uint8_t> bytes_;
};

inline constexpr index_t dot = 3;  // pixels a side, of which letters are made
inline constexpr index_t letter = 4 * dot, line_height = 5 * dot;

}  // namespace wale::io
