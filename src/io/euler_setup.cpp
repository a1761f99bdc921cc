// euler_setup - a flow's case from TOML: every word known, every value of its type, every mistake with its
// line.
#include <filesystem>
#include <wale/euler_file.hpp>

#include "io/ascii_toml.hpp"
#include "io/byte_source.hpp"
#include "io/toml_section.hpp"

namespace wale {
namespace {

using io::in_table, io::section;

constexpr index_t most_bytes = 1 << 20;  // of a case

/// A text by its lines, so that a node is found in one step.
class lines_of {
public:
    explicit lines_of(std::string_view all) : all_(all) {
        for (std::size_t at = all.find('\n'); at != std::string_view::npos; at = all.find('\n', at + 1))
            starts_.push_back(at + 1);
    }
    /// The text that a node was read from, of one line.
    [[nodiscard]] std::string_view operator[](const toml::node& node) const {
        const auto [begin, end, path] = node.source();
        const std::size_t line = begin.line < 1 || begin.line > starts_.size() ? 0 : begin.line - 1;
        const std::size_t at = starts_[line] + begin.column - 1;
        return all_.substr(std::min(at, all_.size()), end.column - begin.column);
    }

private:
    std::string_view all_;
    std::vector<std::size_t> starts_{0};
};

/// The parser makes 0 of a number that is closer to 0 than any float64: such a number is refused.
void refuse_vanished(const toml::node& node, const lines_of& text, const std::string& name) {
    if (const toml::table* table = node.as_table())
        for (const auto& [key, value] : *table) refuse_vanished(value, text, name);
    if (const toml::array* array = node.as_array())
        for (const toml::node& value : *array) refuse_vanished(value, text, name);
    const auto* number = node.as_floating_point();
    if (number == nullptr || number->get() != 0) return;
    const std::string_view word = text[node];
    if (word.substr(0, word.find_first_of("eE")).find_first_of("123456789") != std::string_view::npos)
        throw bad_input(name + ":" + std::to_string(node.source().begin.line) + ": " + io::quoted(word) +
                        ", expected a number that float64 holds");
}

constexpr double most = 1e300;
constexpr index_t many = index_t{1} << 40;

/// What `generate` makes; without a shape it is of tetrahedra round a body, else flat. The ranges are those
/// of generate_mesh(), which names no line.
void read_recipe(section& s, mesh_recipe& to) {
    if (to.kind != mesh_kind::shell) to.shape = cell_shape::quadrilateral;
    s.get("size", to.size, index_t{1}, index_t{200000000});
    s.get_word("shape", to.shape);
    if (to.kind == mesh_kind::shell && to.shape != cell_shape::tetrahedron)
        s.refuse_value("shape", "tetrahedron, of which a shell is made");
    if (to.kind != mesh_kind::shell && to.shape == cell_shape::pyramid)
        s.refuse_value("shape", "another shape: no mesh is made of pyramids alone");
    s.get("thickness", to.thickness, 1e-6, 1);
    const bool section = to.kind == mesh_kind::o_grid || to.kind == mesh_kind::c_grid;
    if (section && dimensions_of(to.shape) != 2)
        s.refuse_value("shape", "triangle or quadrilateral, of which grids round a section are");
    s.get("outer", to.outer, section ? 2 : 1.001, 1e6);
    s.get("angle", to.angle, 0, 40);
    s.get("height", to.height, 0, 0.8);
    s.get("distortion", to.distortion, 0, 0.5);
    s.get("section", to.section);
    s.get("around", to.around, index_t{0}, index_t{1000000});
    if (to.around != 0 && (to.around < 8 || to.around % 2 != 0))
        s.refuse_value("around", "an even number from 8 to 1000000, or 0");
    s.get("outward", to.outward, index_t{0}, index_t{1000000});
    s.get("shuffled", to.shuffled);
    s.get("seed", to.seed, std::uint64_t{0}, std::uint64_t{1} << 62);
}

void read_mesh_words(section& s, euler_setup& to) {
    s.get("file", to.mesh_path);
    const bool generated = s.get_word("generate", to.recipe.kind);
    if (generated == !to.mesh_path.empty()) s.refuse(s.all(), "mesh: expected either file or generate");
    if (generated) {
        read_recipe(s, to.recipe);
        if (s.find("recover") || s.find("open_ends"))
            s.refuse(s.all(), "mesh: recover and open_ends are for files");
    } else {
        s.get("recover", to.recover);
        s.get("open_ends", to.mesh_options.open_ends);
    }
    cell_order order{};
    if (s.get_word("order", order)) to.options.order = order;
}

void read_stream(section& s, euler_stream& to) {
    s.get("mach", to.mach, 0, 1000);
    s.get("alpha", to.alpha, -180, 180);
    s.get("beta", to.beta, -90, 90);
    s.get("gamma", to.gamma, 1.0001, 9.9999);
    to.density = to.gamma;
    s.get("density", to.density, 1e-300, most);
    s.get("pressure", to.pressure, 1e-300, most);
}

void read_scheme(section& s, euler_scheme& to) {
    std::string preset;
    s.get("name", preset);
    if (preset == "rodinia")
        to = euler_scheme::rodinia();
    else if (!preset.empty())
        s.refuse_value("name", "rodinia, or flux, order and others without it");
    s.get_word("flux", to.flux);
    s.get("order", to.order, 1, 2);
    s.get_word("limiter", to.limiter);
    s.get("limiter_k", to.limiter_k, 0, 1e6);
    s.get_word("shocks", to.shocks);
    s.get_word("time", to.time);
    s.get_word("step", to.step);
    s.get("cfl", to.cfl, 1e-6, 1e6);
    s.get("fixed_step", to.fixed_step, 0, most);
    s.get("dissipation", to.dissipation, 0, 10);
    s.get("smoothing", to.smoothing, 0, 100);
    s.get("smoothing_factor", to.smoothing_factor, 0, 100);
    s.get("levels", to.levels, 1, 30);
}

euler_patch read_patch(section& s, const std::string& name, const euler_stream& stream) {
    euler_patch p{.name = name};
    if (!s.get_word("kind", p.kind)) s.refuse(s.all(), name + ": expected kind = \"wall\" or another");
    using enum euler_boundary;
    struct meaning {
        const char* key;
        euler_boundary kind, other;
    };
    for (const auto& [key, kind, other] : {meaning{"velocity", inflow, inflow},
                                           {"density", inflow, inflow},
                                           {"pressure", inflow, pressure_outlet},
                                           {"total_pressure", pressure_inlet, pressure_inlet},
                                           {"total_temperature", pressure_inlet, mass_inlet},
                                           {"direction", pressure_inlet, mass_inlet},
                                           {"mass_flux", mass_inlet, mass_inlet}}) {
        const toml::node* node = s.find(key);
        if (node == nullptr || p.kind == kind || p.kind == other) continue;
        s.refuse(*node, name + "." + key + ": is said of " + name_of(kind) +
                            (other == kind ? "" : std::string(" and ") + name_of(other)) + " only");
    }
    const auto get = [&s](const char* key, std::optional<double>& to) {
        double v = 0;
        s.get(key, v, 1e-300, most);
        if (s.find(key) != nullptr) to = v;
    };
    get("total_pressure", p.total_pressure);
    get("total_temperature", p.total_temperature);
    get("mass_flux", p.mass_flux);
    if (std::array<double, 3> v{}; s.find("direction") != nullptr) s.get("direction", v), p.direction = v;
    if (p.kind == pressure_outlet) return get("pressure", p.pressure), p;
    double density = stream.density, pressure = stream.pressure;
    std::array<double, 3> velocity{};
    const bool said = s.find("velocity") != nullptr;
    s.get("density", density, 1e-300, most);
    s.get("pressure", pressure, 1e-300, most);
    s.get("velocity", velocity);
    if (!said) {
        for (const char* key : {"density", "pressure"})
            if (const toml::node* node = s.find(key))
                s.refuse(*node, name + "." + key + ": expected velocity = [x, y, z] beside it");
        return p;
    }
    const double square = velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2];
    p.state = {density, density * velocity[0], density * velocity[1], density * velocity[2],
               pressure / (stream.gamma - 1) + 0.5 * density * square};
    return p;
}

void read_boundaries(section& s, euler_setup& to) {
    for (const auto& [key, node] : s.all()) {
        const std::string name(key.str());
        if (const toml::node* pairs = name == "periodic" ? s.find("periodic") : nullptr;
            pairs && pairs->is_array()) {
            for (const toml::node& pair : *pairs->as_array()) {
                const toml::array* two = pair.as_array();
                if (two == nullptr || two->size() != 2 || !two->get(0)->is_string() ||
                    !two->get(1)->is_string())
                    s.refuse(pair, "boundary.periodic: expected pairs of patches, [[\"left\", \"right\"]]");
                to.periodic_lines.push_back(pair.source().begin.line);
                to.options.periodic.push_back(
                    {two->get(0)->as_string()->get(), two->get(1)->as_string()->get()});
            }
            continue;
        }
        to.patch_lines.push_back(node.source().begin.line);
        in_table(s, name.c_str(), [&](section& patch) {
            to.options.patches.push_back(read_patch(patch, name, to.options.stream));
        });
    }
}

void read_run(section& s, euler_setup& to) {
    euler_options& o = to.options;
    s.get("iterations", to.iterations, index_t{0}, many);
    s.get("check_every", o.check_every, index_t{0}, many);
    s.get("stop_decades", o.stop_decades, 0, 300);
    s.get("stop_force", o.stop_force, 0, 1);
    s.get("end_time", o.end_time, 0, most);
    std::string precision;
    s.get("precision", precision);
    if (!precision.empty()) {
        const std::optional<scalar> type = find_named<scalar>(precision);
        if (!type || is_complex(*type)) s.refuse_value("precision", "float32 or float64");
        o.precision = *type;
    }
    if (s.get_word("start", to.start)) return;
    s.get("restart", to.start_path);
    if (!to.start_path.empty()) to.start = euler_start::file;
    s.get("restart_mesh", to.start_mesh);
}

void read_reference(section& s, euler_options& o) {
    s.get("area", o.reference_area, 1e-300, most);
    s.get("length", o.reference_length, 1e-300, most);
    s.get("moment_centre", o.moment_centre);
}

void read_sweep(section& s, euler_setup& to) {
    s.get("alpha", to.sweep, -180, 180);
    if (s.find("mach") != nullptr) {
        if (!to.sweep.empty()) s.refuse(s.all(), "sweep: expected either alpha or mach");
        to.swept = euler_swept::mach;
        s.get("mach", to.sweep, 0, 1000);
    }
    if (to.sweep.empty()) s.refuse(s.all(), "sweep: expected alpha = [...] or mach = [...]");
}

void read_output(section& s, euler_setup& to) {
    s.get("probes", to.probes);
    s.get("probe_points", to.points);
    s.get("probe_every", to.probe_every, index_t{0}, many);
    if (to.probes.empty() != to.points.empty())
        s.refuse(s.all(), "output: expected probes and probe_points together");
    s.get("series", to.series);
    s.get("series_every", to.series_every, index_t{0}, many);
    s.get("surface_picture", to.surface_picture);
    s.get("surface_reference", to.surface_reference);
    if (to.surface_picture.empty() && !to.surface_reference.empty())
        s.refuse(s.all(), "output: surface_reference is shown by surface_picture, expected that too");
    s.get("polar", to.polar);
    s.get("polar_picture", to.polar_picture);
    if (to.sweep.empty() && !(to.polar + to.polar_picture).empty())
        s.refuse(s.all(), "output: polar and polar_picture are of a table [sweep]");
    s.get_word("history_columns", to.history_columns);
    s.get("history", to.history);
    s.get("flow", to.flow);
    s.get("surface", to.surface);
    s.get("surface_table", to.surface_table);
    s.get("forces", to.forces);
    s.get("checkpoint", to.checkpoint);
    s.get("checkpoint_every", to.checkpoint_every, index_t{0}, many);
    s.get("rodinia", to.rodinia);
    s.get("picture", to.picture);
    s.get_word("picture_of", to.picture_of);
}

}  // namespace

const char* name_of(euler_columns c) noexcept {
    return c == euler_columns::su2 ? "su2" : "wale";
}
const char* name_of(euler_swept s) noexcept {
    return s == euler_swept::mach ? "mach" : "alpha";
}
const char* name_of(euler_start s) noexcept {
    switch (s) {
        case euler_start::stream:
            return "stream";
        case euler_start::sod:
            return "sod";
        case euler_start::vortex:
            return "vortex";
        default:
            return "file";
    }
}

euler_setup parse_euler_setup(std::string_view text, const std::string& name) {
    toml::table root;
    const std::string ascii = io::ascii_toml(text, name);
    try {
        root = toml::parse(ascii, std::string_view(name));
    } catch (const toml::parse_error& e) {
        const std::string said(e.description());
        const bool bare =
            said.find("boolean") != std::string::npos || said.find("value") != std::string::npos;
        throw bad_input(name + ":" + std::to_string(e.source().begin.line) + ": " + io::escaped(said) +
                        (bare ? "; text stands in quotes" : ""));
    }
    refuse_vanished(root, lines_of(ascii), name);
    euler_setup setup;
    setup.name = name;
    section s(root, name, "");
    if (s.find("mesh") == nullptr)
        throw bad_input(name + ":1: no mesh, expected a table [mesh] with file or generate");
    in_table(s, "mesh", [&](section& t) { read_mesh_words(t, setup); });
    in_table(s, "stream", [&](section& t) { read_stream(t, setup.options.stream); });
    in_table(s, "scheme", [&](section& t) { read_scheme(t, setup.options.scheme); });
    in_table(s, "boundary", [&](section& t) { read_boundaries(t, setup); });
    in_table(s, "run", [&](section& t) { read_run(t, setup); });
    in_table(s, "reference", [&](section& t) { read_reference(t, setup.options); });
    in_table(s, "sweep", [&](section& t) { read_sweep(t, setup); });
    in_table(s, "output", [&](section& t) { read_output(t, setup); });
    s.end();
    return setup;
}

euler_setup read_euler_setup(const std::string& path) {
    euler_setup setup = io::parse_source(
        path, most_bytes, io::not_zero, [](const io::byte_source& bytes, const std::string& name) {
            return parse_euler_setup(io::all_bytes(bytes, name, most_bytes), name);
        });
    const std::filesystem::path folder = path == "-" ? "" : std::filesystem::path(path).parent_path();
    for (std::string* file :
         {&setup.mesh_path, &setup.start_path, &setup.history, &setup.flow, &setup.surface,
          &setup.surface_table, &setup.forces, &setup.checkpoint, &setup.rodinia, &setup.picture,
          &setup.start_mesh, &setup.probes, &setup.series, &setup.surface_picture, &setup.surface_reference,
          &setup.polar, &setup.polar_picture})
        if (!file->empty() && *file != "-") *file = (folder / *file).string();
    return setup;
}

}  // namespace wale
