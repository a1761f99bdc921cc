// euler_curves - what a flow is at some points, at some times and for some streams: probes, series, polars,
// pressure coefficients beside those of others.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <wale/error.hpp>
#include <wale/euler_file.hpp>
#include <wale/flow_picture.hpp>

#include "base/argument.hpp"
#include "io/euler_lines.hpp"

namespace wale {

using io::append, io::append_all;

euler_probes::euler_probes(const mesh& m, std::vector<std::array<double, 3>> points)
    : points_(std::move(points)), cells_(cells_at(m, points_)) {
    for (std::size_t p = 0; p < points_.size(); ++p) {
        if (cells_[p] >= 0) continue;
        std::string at;
        append_all(at, {points_[p][0], points_[p][1], points_[p][2]});
        base::refuse("probe " + std::to_string(p), "is at (" + at.substr(1) + ")", "a point in the mesh");
    }
}

void euler_probes::sample(euler_case& c) {
    const std::vector<euler_state>& all = c.state();
    std::vector<euler_state> here;
    for (const index_t cell : cells_) here.push_back(all[static_cast<std::size_t>(cell)]);
    const auto of = [&](euler_quantity q) { return quantity(q, here, c.options().stream); };
    const auto pressure = of(euler_quantity::pressure), mach = of(euler_quantity::mach);
    const auto coefficient = of(euler_quantity::pressure_coefficient);
    for (std::size_t p = 0; p < here.size(); ++p) {
        append(lines_, c.iteration());
        append_all(lines_, {c.time(), points_[p][0], points_[p][1], points_[p][2]});
        lines_ += ',';
        append(lines_, cells_[p]);
        const euler_state& s = here[p];
        append_all(lines_,
                   {s[0], s[1] / s[0], s[2] / s[0], s[3] / s[0], pressure[p], mach[p], coefficient[p]});
        lines_ += '\n';
    }
}

void euler_probes::write(output_file& out) const {
    out.write(
        "iteration,time,x,y,z,cell,density,velocity_x,velocity_y,velocity_z,pressure,mach,"
        "pressure_coefficient\n");
    out.write(lines_);
}

void write_series(output_file& out, std::span<const euler_series_file> files) {
    out.write("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n");
    for (const euler_series_file& f : files) {
        std::string name;
        for (const char c : std::filesystem::path(f.path).filename().string())
            name += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '"' ? "&quot;" : std::string(1, c);
        std::string line = "<DataSet timestep=\"";
        append(line, f.time);
        out.write(line + "\" part=\"0\" file=\"" + name + "\"/>\n");
    }
    out.write("</Collection>\n</VTKFile>\n");
}

void write_polar(output_file& out, euler_swept swept, std::span<const euler_polar_point> points) {
    out.write(std::string(name_of(swept)) +
              ",lift,drag,side,moment_x,moment_y,moment_z,iterations,decades,end\n");
    for (const euler_polar_point& p : points) {
        std::string line;
        append(line, p.value);
        append_all(line, {p.lift, p.drag, p.side, p.moment[0], p.moment[1], p.moment[2]});
        line += ',';
        append(line, p.iterations);
        append_all(line, {p.decades});
        out.write(line + "," + name_of(p.end) + "\n");
    }
}

void write_polar_picture(output_file& out, euler_swept swept, std::span<const euler_polar_point> points) {
    std::vector<plot_panel> panels;
    const auto add = [&](const char* name, auto&& of) {
        curve c{.name = name};
        for (const euler_polar_point& p : points) {
            c.x.push_back(p.value);
            c.y.push_back(of(p));
        }
        panels.push_back({.curves = {std::move(c)}, .x_name = name_of(swept), .y_name = ""});
    };
    add("lift", [](const euler_polar_point& p) { return p.lift; });
    add("drag", [](const euler_polar_point& p) { return p.drag; });
    add("moment_z", [](const euler_polar_point& p) { return p.moment[2]; });
    write_plot(out, panels);
}

void write_surface_picture(output_file& out, euler_case& c,
                           const std::array<std::vector<double>, 2>& reference) {
    const mesh& m = c.grid();
    if (m.cells() > 0 && !m.has_centres())
        throw bad_argument("surface picture: needs a mesh with coordinates");
    const auto pressure = quantity(euler_quantity::pressure_coefficient, c.state(), c.options().stream);
    std::vector<bool> is_wall(m.patches.size());
    for (const euler_force& f : c.forces()) is_wall[static_cast<std::size_t>(m.patch(f.patch))] = true;
    plot_panel panel{
        .curves = {{.name = "flow", .points = true}}, .x_name = "x", .y_name = "cp", .downwards = true};
    for (std::size_t i = 0; i < pressure.size(); ++i)
        for (auto r = static_cast<std::size_t>(m.first_face[i]);
             r < static_cast<std::size_t>(m.first_face[i + 1]); ++r) {
            if (!is_patch(m.neighbour[r]) || !is_wall[static_cast<std::size_t>(patch_of(m.neighbour[r]))])
                continue;
            panel.curves[0].x.push_back(m.centre[3 * i] + m.face_offset[3 * r]);
            panel.curves[0].y.push_back(pressure[i]);
        }
    if (!reference[0].empty())
        panel.curves.push_back({.name = "reference", .x = reference[0], .y = reference[1], .points = true});
    write_plot(out, {&panel, 1});
}

}  // namespace wale
