// euler_outputs - what a flow leaves behind: history and surface as tables, the field as VTU, Rodinia's
// texts.
#include <cmath>
#include <wale/error.hpp>
#include <wale/euler_file.hpp>

#include "io/euler_lines.hpp"

namespace wale {

using io::append, io::append_all, io::field;

namespace {

/// A cell a line: the numbers that `of` puts behind each other.
template <class Of>
void write_cells(const std::string& path, const std::vector<euler_state>& state, Of&& of) {
    output_file out(path);
    const std::string count = std::to_string(state.size());
    out.write(count + " " + count + "\n");
    std::string line;
    for (const euler_state& s : state) {
        line.clear();
        of(line, s);
        line += '\n';
        out.write(line);
    }
    out.commit();
}

/// As SU2's history.csv: names in quotes, residuals as their powers of ten.
void write_su2_history(output_file& out, std::span<const euler_sample> history, bool deep) {
    std::string head = R"("Time_Iter","Outer_Iter","Inner_Iter")";
    for (const char* name : {"rms[Rho]", "rms[RhoU]", "rms[RhoV]", "rms[RhoW]", "rms[RhoE]", "CD", "CL",
                             "CSF", "CMx", "CMy", "CMz"})
        if (deep || std::string_view(name) != "rms[RhoW]") head += ",\"" + std::string(name) + "\"";
    out.write(head + "\n");
    for (const euler_sample& s : history) {
        std::string line = "0,0,";
        append(line, s.iteration);
        for (std::size_t v = 0; v < s.residual.size(); ++v)
            if (deep || v != 3) append_all(line, {std::log10(s.residual[v])});
        append_all(line, {s.drag, s.lift, s.side, s.moment[0], s.moment[1], s.moment[2]});
        out.write(line + "\n");
    }
}

}  // namespace

void write_history(output_file& out, std::span<const euler_sample> history, euler_columns columns,
                   int dimensions) {
    if (columns == euler_columns::su2) return write_su2_history(out, history, dimensions == 3);
    out.write(
        "iteration,time,residual_density,residual_momentum_x,residual_momentum_y,residual_momentum_z,"
        "residual_energy,drag,lift,side,moment_x,moment_y,moment_z,total_mass,total_momentum_x,total_"
        "momentum_y,"
        "total_momentum_z,total_energy\n");
    std::string line;
    for (const euler_sample& s : history) {
        line.clear();
        append(line, s.iteration);
        append_all(line, {s.time});
        for (const double v : s.residual) append_all(line, {v});
        append_all(line, {s.drag, s.lift, s.side, s.moment[0], s.moment[1], s.moment[2]});
        for (const double v : s.total) append_all(line, {v});
        line += '\n';
        out.write(line);
    }
}

void write_forces(output_file& out, std::span<const euler_force> forces) {
    out.write("patch,drag,lift,side,moment_x,moment_y,moment_z\n");
    for (const euler_force& f : forces) {
        std::string line = field(f.patch);
        append_all(line, {f.drag, f.lift, f.side, f.moment[0], f.moment[1], f.moment[2]});
        out.write(line + "\n");
    }
}

void write_surface_table(output_file& out, euler_case& c) {
    const mesh& m = c.grid();
    const auto pressure = quantity(euler_quantity::pressure_coefficient, c.state(), c.options().stream);
    out.write("patch,cell,x,y,z,area_x,area_y,area_z,pressure_coefficient\n");
    std::string line;
    for (std::size_t i = 0; i < static_cast<std::size_t>(m.cells()); ++i)
        for (auto r = static_cast<std::size_t>(m.first_face[i]);
             r < static_cast<std::size_t>(m.first_face[i + 1]); ++r) {
            if (!is_patch(m.neighbour[r])) continue;
            const std::string& patch = m.patches[static_cast<std::size_t>(patch_of(m.neighbour[r]))];
            line = field(patch) + ",";
            append(line, static_cast<index_t>(i));
            for (std::size_t d = 0; d < 3; ++d)
                append_all(line,
                           {m.has_centres() ? m.centre[3 * i + d] + m.face_offset[3 * r + d] : std::nan("")});
            for (std::size_t d = 0; d < 3; ++d) append_all(line, {m.normal[3 * r + d]});
            append_all(line, {pressure[i]});
            line += '\n';
            out.write(line);
        }
}

void write_flow(output_file& out, euler_case& c, bool surface) {
    const std::vector<euler_state>& state = c.state();
    const euler_stream& stream = c.options().stream;
    std::vector<double> velocity, number;
    for (const euler_state& s : state) {
        for (std::size_t d = 1; d < 4; ++d) velocity.push_back(s[d] / s[0]);
        number.push_back(static_cast<double>(number.size()));
    }
    const auto density = quantity(euler_quantity::density, state, stream);
    const auto pressure = quantity(euler_quantity::pressure, state, stream);
    const auto mach = quantity(euler_quantity::mach, state, stream);
    const auto coefficient = quantity(euler_quantity::pressure_coefficient, state, stream);
    const cell_field fields[] = {{"density", 1, density},
                                 {"velocity", 3, velocity},
                                 {"pressure", 1, pressure},
                                 {"mach", 1, mach},
                                 {"pressure_coefficient", 1, coefficient},
                                 {"cell", 1, number}};
    write_vtu(out, c.grid(), fields, {.type = c.options().precision, .surface = surface});
}

std::vector<std::string> rodinia_paths(const std::string& prefix) {
    if (prefix.empty()) return {};
    return {prefix + ".density", prefix + ".momentum", prefix + ".density_energy"};
}

void write_rodinia(const std::string& prefix, euler_case& c) {
    const std::vector<euler_state>& state = c.state();
    const std::vector<std::string> paths = rodinia_paths(prefix);
    write_cells(paths[0], state, [](std::string& line, const euler_state& s) { append(line, s[0]); });
    write_cells(paths[1], state, [](std::string& line, const euler_state& s) {
        append(line, s[1]);
        for (const double v : {s[2], s[3]}) {
            line += ' ';
            append(line, v);
        }
    });
    write_cells(paths[2], state, [](std::string& line, const euler_state& s) { append(line, s[4]); });
}

}  // namespace wale
