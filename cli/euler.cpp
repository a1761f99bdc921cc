// euler - reads a case, lets the flow develop, writes what the case asks for.
#include "euler.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <wale/flow_picture.hpp>
#include <wale/ranks.hpp>

#include "backend.hpp"
#include "failure.hpp"
#include "json.hpp"
#include "numbers.hpp"
#include "placement.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace wale::cli {
namespace {

constexpr double device_pays = 5e7;  // cell iterations from which starting the device (0.3 s) pays

/// The flow at z = 0, or the mesh itself where it is flat.
void write_flow_picture(output_file& out, euler_case& flow, const euler_setup& setup) {
    const auto values = quantity(setup.picture_of, flow.state(), flow.options().stream);
    const slice_options options = slice_round_walls(flow.grid());
    const slice picture = cut(flow.grid(), values, options);
    write_coloured(out, picture, options);
}

class euler_run {
public:
    explicit euler_run(const euler_command& command)
        : command_(command), setup_(read_euler_setup(command.file)) {
        if (command.iterations >= 0) setup_.iterations = command.iterations;
        if (!command.restart.empty()) setup_.start_path = command.restart;
        expect_distinct(outputs());
        if (ranks::launched()) setup_.options.group = ranks::world();
        report_.command = &command_;
        report_.setup = &setup_;
    }

    int run() {
        try {
            run_together();
        } catch (...) {
            setup_.options.group.abandon();  // the other ranks shall not wait
            throw;
        }
        const euler_end end = report_.result.end;
        if (end != euler_end::diverged && end != euler_end::not_converged) return exit_good;
        if (is_first())
            throw verdict_error(end == euler_end::diverged ? why_diverged() : why_not_converged());
        return exit_verdict;
    }

private:
    /// Of several ranks the first writes; the others only compute.
    [[nodiscard]] bool is_first() const { return setup_.options.group.rank() == 0; }
    void say(const std::string& text) {
        if (is_first()) line_.say(text);
    }

    void run_together() {
        say("reading the mesh");
        const stopwatch reading;
        euler_case flow = made_case();
        report_.mesh_seconds = reading.seconds();
        report_.cells = flow.grid().cells();
        report_.rows = flow.grid().rows();
        check_outputs(flow.grid());
        start(flow);
        const stopwatch running;
        compute(flow, running);
        report_.run_seconds = running.seconds();
        report_.iteration = flow.iteration();
        report_.time = flow.time();
        report_.history = flow.history();
        if (report_.result.end == euler_end::not_converged) report_.worst = flow.largest_residual();
        report_.warnings = flow.warnings();
        report_.forces = flow.forces();
        say("writing");
        write_all(flow);
        line_.stop();
        if (is_first()) report();
    }

    /// What the options of the case and the mesh do not fit in is a fault of the case.
    [[nodiscard]] euler_case made_case() const {
        mesh grid = mesh_of(setup_);
        try {
            return euler_case(std::move(grid), setup_.options);
        } catch (const bad_argument& e) {
            const std::string of =
                setup_.mesh_path.empty() ? "" : " (mesh " + printable(setup_.mesh_path) + ")";
            throw input_error(printable(command_.file) + of + ": " + e.what());
        }
    }

    /// Files that the case reads: none of them is written over.
    [[nodiscard]] std::vector<std::string> inputs() const {
        std::vector<std::string> all{command_.file};
        if (!setup_.mesh_path.empty()) all.push_back(setup_.mesh_path);
        return all;
    }

    /// Not a pipe, whose reader would take its opening and closing for all that comes.
    [[nodiscard]] static bool has_a_place(const std::string& path) {
        using kind = std::filesystem::file_type;
        std::error_code ignored;
        const kind what = std::filesystem::status(path, ignored).type();
        return what == kind::regular || what == kind::directory || what == kind::not_found;
    }

    /// What cannot be written is better known before the flow is computed than after.
    void check_outputs(const mesh& grid) const {
        const bool pictures = !setup_.flow.empty() || !setup_.surface.empty();
        if (!grid.has_points() && ((pictures && grid.cells() > 0) || !setup_.picture.empty()))
            throw input_error(printable(command_.file) +
                                  ": the mesh has no coordinates, which flow, surface and picture need",
                              "[mesh] recover = true gives tetrahedra their corners back");
        if (!is_first()) return;
        for (const named_output& one : outputs())
            if (!one.path.empty() && has_a_place(one.path)) {
                std::vector<std::string> read = inputs();
                // A flow may go on in its own checkpoint, which has been read by then; nothing else replaces
                // it.
                if (one.argument != "output.checkpoint") read.push_back(setup_.start_path);
                output_file(one.path, read);
            }
    }

    [[nodiscard]] std::vector<named_output> outputs() const {
        std::vector<named_output> all{
            {"output.history", setup_.history}, {"output.flow", setup_.flow},
            {"output.surface", setup_.surface}, {"output.surface_table", setup_.surface_table},
            {"output.forces", setup_.forces},   {"output.checkpoint", setup_.checkpoint},
            {"output.picture", setup_.picture}, {"--output", command_.json ? command_.output : ""}};
        for (const std::string& path : rodinia_paths(setup_.rodinia)) all.push_back({"output.rodinia", path});
        return all;
    }

    void start(euler_case& flow) {
        if (!setup_.start_path.empty())
            restore(flow, read_checkpoint(setup_.start_path));
        else if (setup_.start != euler_start::stream)
            flow.set_state(starting_state(flow.grid(), setup_.options.stream, setup_.start));
    }

    void compute(euler_case& flow, const stopwatch& clock) {
        say("computing");
        const index_t first = flow.iteration(), goal = first + setup_.iterations;
        const auto watch = [&](const euler_sample& s) {
            say(progress_text(s, first, goal, clock.seconds()));
            return true;
        };
        const double work = static_cast<double>(report_.cells) * static_cast<double>(setup_.iterations);
        chosen_backend chosen =
            choose_backend(command_.backend, command_.variant, command_.threads, work >= device_pays);
        on_backend(chosen, command_.threads, [&](const execution& where) {
            advance(flow, where, goal, watch);
            return 0;
        });
    }

    /// In pieces between checkpoints.
    void advance(euler_case& flow, const execution& where, index_t goal, const euler_case::watcher& watch) {
        double seconds = 0;
        index_t done = 0;
        do {
            const index_t every = setup_.checkpoint.empty() ? 0 : setup_.checkpoint_every;
            const index_t left = goal - flow.iteration();
            const index_t piece = every > 0 ? std::min(left, every - flow.iteration() % every) : left;
            report_.result = flow.run(where, piece, command_.variant, watch);
            seconds += report_.result.run.compute_seconds;
            done += report_.result.iterations;
            if (every > 0) write_checkpoint_of(flow);
        } while (may_go_on(report_.result.end) && flow.iteration() < goal);
        report_.result.run.compute_seconds = seconds;
        report_.result.iterations = done;
        report_.result.run.work = static_cast<double>(report_.cells) * static_cast<double>(done);
    }

    [[nodiscard]] static bool may_go_on(euler_end end) {
        return end == euler_end::iterations || end == euler_end::not_converged;
    }

    template <class Write>
    void write_file(const std::string& path, Write&& write) const {
        if (path.empty()) return;
        output_file out(path, inputs());
        write(out);
        out.commit();
    }

    void write_checkpoint_of(euler_case& flow) {
        (void)flow.state();  // of all ranks together
        if (!is_first()) return;
        write_file(setup_.checkpoint, [&](output_file& out) { write_checkpoint(out, checkpoint_of(flow)); });
    }

    void write_all(euler_case& flow) {
        (void)flow.state();  // of all ranks together
        if (setup_.checkpoint_every == 0) write_checkpoint_of(flow);
        if (!is_first()) return;
        write_file(setup_.history, [&](output_file& out) { write_history(out, flow.history()); });
        write_file(setup_.flow, [&](output_file& out) { write_flow(out, flow); });
        write_file(setup_.surface, [&](output_file& out) { write_flow(out, flow, true); });
        write_file(setup_.forces, [&](output_file& out) { write_forces(out, report_.forces); });
        write_file(setup_.surface_table, [&](output_file& out) { write_surface_table(out, flow); });
        write_file(setup_.picture, [&](output_file& out) { write_flow_picture(out, flow, setup_); });
        if (!setup_.rodinia.empty()) write_rodinia(setup_.rodinia, flow);
    }

    [[nodiscard]] static std::string progress_text(const euler_sample& s, index_t first, index_t goal,
                                                   double seconds) {
        std::string text = "iteration " + std::to_string(s.iteration) + ", residual " +
                           short_text(s.residual[0]) + ", drag " + short_text(s.drag) + ", lift " +
                           short_text(s.lift);
        const double done = static_cast<double>(s.iteration - first);
        if (done > 0)
            text +=
                ", " + time_text(seconds * static_cast<double>(goal - s.iteration) / done) + " left at most";
        return text;
    }

    [[nodiscard]] static std::string cell_text(index_t cell, const std::array<double, 3>& at) {
        return "cell " + std::to_string(cell) + " at (" + short_text(at[0]) + ", " + short_text(at[1]) +
               ", " + short_text(at[2]) + ")";
    }
    [[nodiscard]] std::string why_not_converged() const {
        const euler_options& o = setup_.options;
        std::string text = printable(command_.file) + ": not converged after iteration " +
                           std::to_string(report_.iteration) + ": the residual of density fell by " +
                           short_text(report_.result.decades) + " decades";
        if (o.stop_decades > 0) text += ", expected " + short_text(o.stop_decades);
        if (o.stop_force > 0)
            text += "; drag did not rest within " + short_text(o.stop_force) + " over ten measurements";
        if (report_.worst.cell < 0) return text;
        return text + "; the residual is largest in " + cell_text(report_.worst.cell, report_.worst.at);
    }
    [[nodiscard]] std::string why_diverged() const {
        const euler_result& r = report_.result;
        return printable(command_.file) + ": " + cell_text(r.bad_cell, r.bad_place) +
               " is no gas after iteration " + std::to_string(r.bad_iteration) +
               "; the flow is kept as it was at iteration " + std::to_string(report_.iteration);
    }

    void report() const {
        const wale::report& run = report_.result.run;
        std::string text = "wale: euler, " + std::to_string(report_.cells) + " cells, iteration " +
                           std::to_string(report_.iteration) + ": ended by " + name_of(report_.result.end);
        if (report_.time > 0) text += " at time " + short_text(report_.time);
        if (!report_.history.empty()) {
            const euler_sample& s = report_.history.back();
            text += "; residual " + short_text(s.residual[0]) + ", drag " + short_text(s.drag) + ", lift " +
                    short_text(s.lift);
        }
        text += "; " + time_text(run.compute_seconds);
        if (run.compute_seconds > 0)
            text += ", " + rate_text(run.work / run.compute_seconds, "cell iteration");
        text += ran_text(run);
        std::cerr << text << ")\n";
        for (const std::string& warning : report_.warnings) std::cerr << "wale: note: " << warning << "\n";
        if (!command_.json) return;
        output_file out(command_.output);
        out.write(to_json(report_) + "\n");
        out.commit();
    }

    const euler_command& command_;
    euler_setup setup_;
    euler_report report_;
    progress line_;
};

}  // namespace

int euler(const euler_command& command) {
    return euler_run(command).run();
}

void add_euler(CLI::App& app, euler_command& o) {
    CLI::App& verb = *app.add_subcommand("euler", "flow round a body on an unstructured mesh");
    verb.add_option("case", o.file, "TOML; - is standard input")->required();
    add_number(verb, "-n,--iterations", o.iterations, {0, index_t{1} << 40}, "instead of the case's")
        .type_name("N");
    verb.add_option("--restart", o.restart, "go on from this checkpoint")->type_name("FILE");
    add_run(verb, o, "auto takes CUDA for long runs where a device is there",
            "a row of `wale list euler`, such as cpu/one_pass");
    CLI::Option* const json =
        verb.add_flag("--json", o.json, "write what ran to standard output as JSON, errors too");
    verb.add_flag("--samples", o.samples, "with --json: every measurement")->needs(json);
    verb.add_option("-o,--output", o.output, "with --json: write it to FILE instead")
        ->type_name("FILE")
        ->needs(json);
    verb.footer(
        "The case says which mesh, stream, scheme, boundaries and outputs;\ndocs/guide/euler.md has every "
        "word:\n\n"
        "  [mesh]\n"
        "  file = \"wing.su2\"            # fvcorr, SAC, SU2, Gmsh or Wale's cache; or generate = \"shell\", "
        "size "
        "= 20000\n"
        "  [stream]\n"
        "  mach = 1.2\n"
        "  alpha = 2.0                  # degrees\n"
        "  [boundary.body]\n"
        "  kind = \"wall\"                # far_field, symmetry, inflow, outflow, pressure_inlet, ...\n"
        "  [run]\n"
        "  iterations = 2000\n"
        "  stop_decades = 6\n"
        "  [output]\n"
        "  history = \"history.csv\"\n"
        "  flow = \"flow.vtu\"\n"
        "  picture = \"mach.png\"\n\n"
        "Exit code 1 where the flow is no gas any more: the line says which cell, where and when, and what "
        "is\n"
        "written is the last good state. Exit code 1, too, where the case has stop_decades or stop_force "
        "and\n"
        "neither is met: the line says how far the residual fell and where it is largest.\n\n"
        "Examples:\n"
        "  wale euler case.toml\n"
        "  wale euler case.toml --restart flow.checkpoint -n 5000 --json\n"
        "  mpirun -np 4 wale euler case.toml\n");
}

}  // namespace wale::cli
