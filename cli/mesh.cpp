// mesh - reads or makes a mesh, says what it is like, writes what becomes of it.
#include "mesh.hpp"

#include <iostream>
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

file_format format_of(const mesh_command& said) {
    const auto named = [&](const char* name, const char* suffix) {
        return said.to.empty() ? said.output.ends_with(suffix) : said.to == name;
    };
    if (named("vtu", ".vtu")) return {.picture = true};
    if (named("fvcorr", ".fvcorr")) return {.format = mesh_format::fvcorr};
    if (named("sac", ".sac")) return {.format = mesh_format::sac};
    if (named("su2", ".su2")) return {.format = mesh_format::su2};
    if (named("cache", ".wmesh")) return {.format = mesh_format::cache};
    throw usage_error("'" + printable(said.output) + "': the name tells no format",
                      "--to fvcorr, sac, su2, cache or vtu tells it");
}

/// The enumerator that has this name.
template <class Enum>
Enum named(const std::string& name, std::initializer_list<Enum> all) {
    for (const Enum e : all)
        if (name == name_of(e)) return e;
    throw usage_error("'" + printable(name) + "' is not known");
}

mesh_recipe recipe_of(const mesh_command& said) {
    mesh_recipe recipe = said.recipe;
    recipe.kind = named(
        said.kind, {mesh_kind::shell, mesh_kind::wedge, mesh_kind::bump, mesh_kind::box, mesh_kind::tube});
    const bool solid = recipe.kind == mesh_kind::shell;
    recipe.shape =
        said.shape.empty()
            ? (solid ? cell_shape::tetrahedron : cell_shape::quadrilateral)
            : named(said.shape, {cell_shape::triangle, cell_shape::quadrilateral, cell_shape::tetrahedron,
                                 cell_shape::prism, cell_shape::hexahedron});
    return recipe;
}

class mesh_run {
public:
    explicit mesh_run(const mesh_command& said) : said_(said) {
        facts_.operation = said.verb;
        facts_.input = said.input;
        facts_.output = said.verb == "check" ? "" : said.output;
    }

    int check() {
        fetch({.threads = said_.threads, .open_ends = said_.open_ends, .unchecked = true});
        say();
        if (!facts_.report.verdict.empty())
            throw verdict_error(printable(said_.input) + ": " + facts_.report.verdict);
        return exit_good;
    }

    int convert() {
        const file_format format = format_of(said_);
        expect_own_places({});
        output_file out(said_.output, {said_.input});
        fetch(reading());
        write(out, format);
        return finish();
    }

    int generate() {
        const file_format format = format_of(said_);
        expect_own_places({});
        output_file out(said_.output);
        line_.say("making a mesh");
        const stopwatch watch;
        mesh_ = generate_mesh(recipe_of(said_));
        facts_.read_seconds = watch.seconds();
        learn();
        write(out, format);
        return finish();
    }

    int renumber() {
        const file_format format = format_of(said_);
        expect_own_places({"--permutation", said_.order_file});
        output_file out(said_.output, {said_.input});
        std::optional<output_file> permutation = open_more(said_.order_file);
        fetch(reading());
        line_.say("numbering");
        const stopwatch watch;
        const std::vector<std::int32_t> order =
            order_cells(mesh_,
                        named(said_.order, {cell_order::natural, cell_order::random,
                                            cell_order::reverse_cuthill_mckee, cell_order::hilbert}),
                        said_.seed);
        mesh_ = renumbered(mesh_, order);
        facts_.compute_seconds += watch.seconds();
        facts_.renumbered = inspect(mesh_);
        write(out, format);
        if (permutation) {
            write_indices(*permutation, order);
            permutation->commit();
        }
        return finish();
    }

    int partition_cells() {
        expect_own_places({"--picture", said_.picture});
        output_file out(said_.output, {said_.input});
        std::optional<output_file> picture = open_more(said_.picture);
        fetch(reading());
        demand_points(picture.has_value());
        line_.say("cutting");
        const stopwatch watch;
        const std::vector<std::int32_t> part =
            partition(mesh_, said_.parts,
                      said_.method == "metis"       ? partition_method::metis
                      : said_.method == "bisection" ? partition_method::bisection
                                                    : partition_method::automatic);
        facts_.compute_seconds += watch.seconds();
        count_parts(part);
        line_.say("writing");
        const stopwatch writing;
        write_indices(out, part);
        out.commit();
        if (picture) {
            const std::vector<double> values(part.begin(), part.end());
            const cell_field field{.name = "part", .values = values};
            write_vtu(*picture, mesh_, {&field, 1});
            picture->commit();
        }
        facts_.write_seconds = writing.seconds();
        return finish();
    }

private:
    [[nodiscard]] mesh_file_options reading() const {
        return {.threads = said_.threads, .open_ends = said_.open_ends};
    }

    void expect_own_places(const named_output& more) const {
        expect_distinct(
            std::vector<named_output>{{"--json", said_.json ? "-" : ""}, {"--output", said_.output}, more});
    }

    [[nodiscard]] std::optional<output_file> open_more(const std::string& path) const {
        if (path.empty()) return std::nullopt;
        return std::make_optional<output_file>(path, std::vector<std::string>{said_.input});
    }

    void fetch(const mesh_file_options& how) {
        line_.say("reading " + printable(said_.input));
        const stopwatch watch;
        mesh_ = read_mesh(said_.input, how);
        facts_.read_seconds = watch.seconds();
        if (said_.recover && !mesh_.has_points()) {
            line_.say("gluing cells");
            const stopwatch gluing;
            facts_.recovered = recover_points(mesh_);
            facts_.compute_seconds = gluing.seconds();
        }
        learn();
    }

    void learn() {
        facts_.normal_scale = mesh_.normal_scale;
        facts_.points = std::ssize(mesh_.points) / 3;
        facts_.patches = mesh_.patches;
        facts_.report = inspect(mesh_);
    }

    void demand_points(bool picture) const {
        if (picture && !mesh_.has_points())
            throw usage_error(printable(said_.input) + ": has no coordinates, which a picture needs",
                              "--recover gives tetrahedra their corners back");
    }

    void write(output_file& out, const file_format& format) {
        demand_points(format.picture);
        line_.say("writing " + printable(said_.output));
        const stopwatch watch;
        if (format.picture) {
            const cell_field volume{.name = "volume", .values = mesh_.volume};
            write_vtu(out, mesh_, {&volume, 1});
        } else {
            write_mesh(out, mesh_, format.format);
        }
        out.commit();
        facts_.write_seconds = watch.seconds();
    }

    void count_parts(const std::vector<std::int32_t>& part) {
        facts_.part_sizes.assign(static_cast<std::size_t>(said_.parts), 0);
        for (std::size_t c = 0; c < part.size(); ++c) {
            ++facts_.part_sizes[static_cast<std::size_t>(part[c])];
            for (index_t r = mesh_.first_face[c]; r < mesh_.first_face[c + 1]; ++r) {
                const std::int32_t n = mesh_.neighbour[static_cast<std::size_t>(r)];
                facts_.faces_cut += !is_patch(n) && part[static_cast<std::size_t>(n)] > part[c];
            }
        }
    }

    int finish() {
        say();
        if (facts_.recovered && !(facts_.recovered->mismatch <= glued_badly))
            throw verdict_error(printable(said_.input) + ": cells disagree about their corners by " +
                                short_text(facts_.recovered->mismatch) + " edges");
        return exit_good;
    }

    /// The report of `check` is its output; others say a line.
    void say() {
        line_.stop();
        if (said_.verb != "check") std::cerr << summary_of(facts_);
        if (!said_.json && said_.verb != "check") return;
        output_file out("-");
        out.write(said_.json ? to_json(facts_) + "\n" : report_of(facts_));
        out.commit();
    }

    const mesh_command& said_;
    mesh mesh_;
    mesh_facts facts_;
    progress line_;
};

}  // namespace

int mesh_verb(const mesh_command& said) {
    mesh_run run(said);
    if (said.verb == "check") return run.check();
    if (said.verb == "convert") return run.convert();
    if (said.verb == "generate") return run.generate();
    if (said.verb == "renumber") return run.renumber();
    return run.partition_cells();
}

}  // namespace wale::cli
