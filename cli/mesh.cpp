// mesh - reads or makes a mesh, says what it is like, writes what becomes of it.
#include "mesh.hpp"

#include <iostream>
#include <wale/enumerators.hpp>
#include <wale/matrix_file.hpp>
#include <wale/mesh_file.hpp>

#include "failure.hpp"
#include "json.hpp"
#include "placement.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace wale::cli {
namespace {

constexpr double glued_badly = 0.01;  // of an edge: such corners belong to a mesh that is none

/// A mesh in one of Wale's formats, or a picture.
struct file_format {
    bool picture = false;
    mesh_format format = mesh_format::automatic;
};

file_format format_of(const mesh_command& command) {
    const auto is = [&](const char* name, const char* suffix) {
        return command.to.empty() ? command.output.ends_with(suffix) : command.to == name;
    };
    if (is("vtu", ".vtu")) return {.picture = true};
    if (is("fvcorr", ".fvcorr")) return {.format = mesh_format::fvcorr};
    if (is("sac", ".sac")) return {.format = mesh_format::sac};
    if (is("su2", ".su2")) return {.format = mesh_format::su2};
    if (is("cache", ".wmesh")) return {.format = mesh_format::cache};
    throw usage_error(printable(command.output) + ": names no format",
                      "expected .fvcorr, .sac, .su2, .wmesh or .vtu, or --to fvcorr, sac, su2, cache or vtu");
}

mesh_recipe recipe_of(const mesh_command& command) {
    mesh_recipe recipe = command.recipe;
    recipe.kind = named<mesh_kind>("kind", command.kind);
    const bool solid = recipe.kind == mesh_kind::shell;
    recipe.shape = command.shape.empty() ? (solid ? cell_shape::tetrahedron : cell_shape::quadrilateral)
                                         : named<cell_shape>("--shape", command.shape);
    return recipe;
}

class mesh_run {
public:
    explicit mesh_run(const mesh_command& command) : command_(command) {
        summary_.operation = command.verb;
        summary_.input = command.input;
        summary_.output = command.verb == "check" ? "" : command.output;
    }

    int check() {
        fetch({.threads = command_.threads, .open_ends = command_.open_ends, .unchecked = true});
        say();
        if (!summary_.report.verdict.empty())
            throw verdict_error(printable(command_.input) + ": " + summary_.report.verdict);
        return exit_good;
    }

    int convert() {
        const file_format format = format_of(command_);
        expect_own_places({});
        output_file out(command_.output, {command_.input});
        fetch(reading());
        write(out, format);
        return finish();
    }

    int generate() {
        const file_format format = format_of(command_);
        expect_own_places({});
        output_file out(command_.output);
        line_.say("making a mesh");
        const stopwatch watch;
        mesh_ = generate_mesh(recipe_of(command_));
        summary_.read_seconds = watch.seconds();
        learn();
        write(out, format);
        return finish();
    }

    int renumber() {
        const file_format format = format_of(command_);
        expect_own_places({"--permutation", command_.order_file});
        expect_ending("--permutation", command_.order_file, ".npy");
        output_file out(command_.output, {command_.input});
        std::optional<output_file> permutation = open_more(command_.order_file);
        fetch(reading());
        line_.say("numbering");
        const stopwatch watch;
        const std::vector<std::int32_t> order =
            order_cells(mesh_, named<cell_order>("--order", command_.order), command_.seed);
        mesh_ = renumbered(mesh_, order);
        summary_.compute_seconds += watch.seconds();
        summary_.renumbered = inspect(mesh_);
        if (permutation) write_indices(*permutation, order);
        write(out, format, permutation ? &*permutation : nullptr);
        return finish();
    }

    int partition_cells() {
        expect_own_places({"--picture", command_.picture});
        expect_ending("--picture", command_.picture, ".vtu");
        expect_ending("--output", command_.output, ".npy");
        output_file out(command_.output, {command_.input});
        std::optional<output_file> picture = open_more(command_.picture);
        fetch(reading());
        demand_points(picture.has_value());
        line_.say("cutting");
        const stopwatch watch;
        const std::vector<std::int32_t> part =
            partition(mesh_, command_.parts, named<partition_method>("--method", command_.method));
        summary_.compute_seconds += watch.seconds();
        count_parts(part);
        line_.say("writing");
        const stopwatch writing;
        write_indices(out, part);
        if (picture) {
            const std::vector<double> values(part.begin(), part.end());
            const cell_field field{.name = "part", .values = values};
            write_vtu(*picture, mesh_, {&field, 1});
            picture->commit();
        }
        out.commit();
        summary_.write_seconds = writing.seconds();
        return finish();
    }

private:
    [[nodiscard]] mesh_file_options reading() const {
        return {.threads = command_.threads, .open_ends = command_.open_ends};
    }

    void expect_own_places(const named_output& more) const {
        expect_distinct(std::vector<named_output>{
            {"--json", command_.json ? "-" : ""}, {"--output", command_.output}, more});
    }

    [[nodiscard]] std::optional<output_file> open_more(const std::string& path) const {
        if (path.empty()) return std::nullopt;
        return std::make_optional<output_file>(path, std::vector<std::string>{command_.input});
    }

    void fetch(const mesh_file_options& how) {
        line_.say("reading " + printable(command_.input));
        const stopwatch watch;
        mesh_ = read_mesh(command_.input, how);
        summary_.read_seconds = watch.seconds();
        if (command_.recover && !mesh_.has_points()) {
            line_.say("gluing cells");
            const stopwatch gluing;
            summary_.recovered = recover_points(mesh_);
            summary_.compute_seconds = gluing.seconds();
        }
        learn();
    }

    void learn() {
        summary_.normal_scale = mesh_.normal_scale;
        summary_.points = std::ssize(mesh_.points) / 3;
        summary_.patches = mesh_.patches;
        summary_.report = inspect(mesh_);
    }

    void demand_points(bool picture) const {
        if (picture && !mesh_.has_points())
            throw usage_error(printable(command_.input) + ": has no coordinates, which a picture needs",
                              "--recover gives tetrahedra their corners back");
    }

    /// A run that fails leaves neither file: the mesh appears last.
    void write(output_file& out, const file_format& format, output_file* beside = nullptr) {
        demand_points(format.picture);
        line_.say("writing " + printable(command_.output));
        const stopwatch watch;
        if (format.picture) {
            const cell_field volume{.name = "volume", .values = mesh_.volume};
            write_vtu(out, mesh_, {&volume, 1});
        } else {
            write_mesh(out, mesh_, format.format);
        }
        if (beside != nullptr) beside->commit();
        out.commit();
        summary_.write_seconds = watch.seconds();
    }

    void count_parts(const std::vector<std::int32_t>& part) {
        summary_.part_sizes.assign(static_cast<std::size_t>(command_.parts), 0);
        for (std::size_t c = 0; c < part.size(); ++c) {
            ++summary_.part_sizes[static_cast<std::size_t>(part[c])];
            for (index_t r = mesh_.first_face[c]; r < mesh_.first_face[c + 1]; ++r) {
                const std::int32_t n = mesh_.neighbour[static_cast<std::size_t>(r)];
                summary_.faces_cut += !is_patch(n) && part[static_cast<std::size_t>(n)] > part[c];
            }
        }
    }

    int finish() {
        say();
        if (summary_.recovered && !(summary_.recovered->mismatch <= glued_badly))
            throw verdict_error(printable(command_.input) + ": cells disagree about their corners by " +
                                short_text(summary_.recovered->mismatch) + " edges");
        return exit_good;
    }

    /// The report of `check` is its output; others say a line.
    void say() {
        line_.stop();
        if (command_.verb != "check") std::cerr << line_of(summary_);
        if (!command_.json && command_.verb != "check") return;
        write_standard_output(command_.json ? to_json(summary_) + "\n" : report_of(summary_));
    }

    const mesh_command& command_;
    mesh mesh_;
    mesh_summary summary_;
    progress line_;
};

}  // namespace

int mesh_verb(const mesh_command& command) {
    mesh_run run(command);
    if (command.verb == "check") return run.check();
    if (command.verb == "convert") return run.convert();
    if (command.verb == "generate") return run.generate();
    if (command.verb == "renumber") return run.renumber();
    return run.partition_cells();
}

}  // namespace wale::cli
