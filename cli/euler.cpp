// euler - reads a case, lets the flow develop, writes what the case asks for.
#include "euler.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <optional>
#include <wale/flow_picture.hpp>
#include <wale/ranks.hpp>

#include "backend.hpp"
#include "failure.hpp"
#include "json.hpp"
#include "placement.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace wale::cli {
namespace {

constexpr double device_pays = 5e7;  // cell iterations from which starting the device (0.3 s) pays

/// The flow round its walls at z = 0.
void write_flow_picture(output_file& out, euler_case& flow, const euler_setup& setup,
                        const std::vector<euler_force>& forces) {
    const auto values = quantity(setup.picture_of, flow.state(), flow.options().stream);
    std::vector<std::string> walls;
    for (const euler_force& wall : forces) walls.push_back(wall.patch);
    const slice_options options = slice_round_walls(flow.grid(), walls);
    const slice picture = cut(flow.grid(), values, options);
    write_coloured(out, picture, options);
}

/// Meshes, and the cases of another program, are taken for cases at times.
const std::string& case_of(const euler_command& command) {
    const std::string ending = ending_of(command.file);
    const std::string example = "`wale euler --help` shows a case";
    if (ending == "cfg")
        throw usage_error("case: is '" + printable(command.file) +
                              "', as SU2's configurations are called, expected a name that ends in .toml",
                          example);
    for (const char* mesh : {"cgns", "fvcorr", "msh", "sac", "su2", "vtu", "wmesh"})
        if (ending == mesh)
            throw usage_error("case: is '" + printable(command.file) +
                                  "', a mesh, expected a case that names it: [mesh] file = \"" +
                                  printable(command.file) + "\"",
                              example);
    return command.file;
}

class euler_run {
public:
    explicit euler_run(const euler_command& command)
        : command_(command), setup_(read_euler_setup(case_of(command))) {
        if (command.iterations >= 0) setup_.iterations = command.iterations;
        if (!command.restart.empty()) setup_.start_path = command.restart;
        if (!command.restart_mesh.empty()) setup_.start_mesh = command.restart_mesh;
        if (!setup_.start_mesh.empty() && setup_.start_path.empty())
            throw input_error(printable(command.file) +
                              ": restart_mesh is the mesh of a checkpoint, expected "
                              "restart beside it");
        expect_distinct(outputs());
        expect_ending("output.picture", setup_.picture, ".png");
        expect_ending("output.surface_picture", setup_.surface_picture, ".png");
        expect_ending("output.polar_picture", setup_.polar_picture, ".png");
        for (const auto& [word, name] : {std::pair("flow", &setup_.flow), {"surface", &setup_.surface}})
            if (name->ends_with(".vtk"))
                throw usage_error(
                    std::string("output.") + word + ": is '" + printable(*name) +
                    "', expected a name that ends in .vtu: VTK's format of XML, not the older one");
        if (ranks::launched()) setup_.options.group = ranks::world();
        report_.command = &command_;
        report_.setup = &setup_;
    }

    int run() {
        try {
            run_together();
        } catch (...) {
            setup_.options.group.abandon();  // the other ranks must not wait
            throw;
        }
        const std::string why = why_bad(report_);
        if (why.empty()) return exit_good;
        if (is_first()) throw verdict_error(why);
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
        euler_case flow = made_case(mesh_of(setup_));
        report_.mesh_seconds = reading.seconds();
        report_.cells = flow.grid().cells();
        report_.rows = flow.grid().rows();
        check_outputs(flow.grid());
        try {
            if (!setup_.probes.empty()) probes_.emplace(flow.grid(), setup_.points);
        } catch (const bad_argument& e) {
            throw input_error(printable(command_.file) + ": " + e.what());
        }
        if (!setup_.surface_reference.empty()) reference_ = read_pairs(setup_.surface_reference);
        start(flow);
        const stopwatch running;
        setup_.sweep.empty() ? compute(flow, running) : sweep(flow, running);
        report_.run_seconds = running.seconds();
        report_.iteration = flow.iteration();
        report_.time = flow.time();
        report_.history = flow.history();
        if (report_.result.end == euler_end::not_converged) report_.worst = flow.largest_residual();
        for (std::string& line : flow.warnings()) report_.warnings.push_back(std::move(line));
        report_.forces = flow.forces();
        report_.verified = command_.verify;
        if (command_.verify) report_.verdict = verdict_of(flow);
        say("writing");
        write_all(flow);
        line_.stop();
        if (is_first()) report();
    }

    /// What the options of the case and the mesh do not fit in is a fault of the case.
    [[nodiscard]] euler_case made_case(mesh grid) const {
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
        for (const std::string* one : {&setup_.mesh_path, &setup_.start_mesh, &setup_.surface_reference})
            if (!one->empty()) all.push_back(*one);
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
        const bool pictures = !(setup_.flow + setup_.surface + setup_.series).empty();
        if (!grid.has_points() && ((pictures && grid.cells() > 0) || !setup_.picture.empty()))
            throw input_error(
                printable(command_.file) +
                    ": the mesh has no coordinates, which flow, surface, series and picture need",
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
        std::vector<named_output> all{{"output.history", setup_.history},
                                      {"output.flow", setup_.flow},
                                      {"output.surface", setup_.surface},
                                      {"output.surface_table", setup_.surface_table},
                                      {"output.forces", setup_.forces},
                                      {"output.checkpoint", setup_.checkpoint},
                                      {"output.picture", setup_.picture},
                                      {"output.probes", setup_.probes},
                                      {"output.series", setup_.series},
                                      {"output.surface_picture", setup_.surface_picture},
                                      {"output.polar", setup_.polar},
                                      {"output.polar_picture", setup_.polar_picture},
                                      {"--output", command_.json ? command_.output : ""}};
        for (const std::string& path : rodinia_paths(setup_.rodinia)) all.push_back({"output.rodinia", path});
        return all;
    }

    void start(euler_case& flow) {
        if (!setup_.start_path.empty() && !setup_.start_mesh.empty())
            carry_over(flow);
        else if (!setup_.start_path.empty())
            restore_own(flow);
        else if (setup_.start != euler_start::stream)
            flow.set_state(starting_state(flow.grid(), setup_.options.stream, setup_.start));
    }

    void restore_own(euler_case& flow) const {
        const euler_checkpoint old = read_checkpoint(setup_.start_path);
        if (std::ssize(old.state) != flow.grid().cells())
            throw usage_error(printable(setup_.start_path) + ": has " + std::to_string(old.state.size()) +
                                  " cells, expected the " + std::to_string(flow.grid().cells()) +
                                  " of the case's mesh",
                              "--restart-mesh MESH carries the flow of another mesh over");
        restore(flow, old);
    }

    /// A checkpoint of another mesh: iterations and history begin anew.
    void carry_over(euler_case& flow) {
        const mesh from = read_mesh(setup_.start_mesh, setup_.mesh_options);
        const euler_checkpoint old = read_checkpoint(setup_.start_path);
        const euler_carried carried = carried_over(from, old.state, flow.grid());
        flow.set_state(carried.state);
        report_.warnings.push_back("the flow starts from " + printable(setup_.start_path) + " on the " +
                                   std::to_string(from.cells()) + " cells of " +
                                   printable(setup_.start_mesh) +
                                   ": each cell has the state of the nearest centroid, at most " +
                                   short_text(carried.farthest) + " away");
    }

    /// A flow after the other; each begins with state and history of the one before, so that all come to rest
    /// at the same residual.
    void sweep(euler_case& flow, const stopwatch& clock) {
        for (const double value : setup_.sweep) {
            const euler_checkpoint before = checkpoint_of(flow);
            euler_stream& stream = setup_.options.stream;
            (setup_.swept == euler_swept::mach ? stream.mach : stream.alpha) = value;
            flow = made_case(mesh(flow.grid()));
            if (!report_.polar.empty() || !setup_.start_path.empty())
                restore(flow, before);
            else
                start(flow);
            compute(flow, clock);
            const euler_sample s = flow.history().empty() ? euler_sample{} : flow.history().back();
            report_.polar.push_back({value, report_.result.iterations, report_.result.end,
                                     report_.result.decades, s.lift, s.drag, s.side, s.moment});
            if (report_.result.end == euler_end::diverged) return;
        }
    }

    void compute(euler_case& flow, const stopwatch& clock) {
        say("computing");
        const index_t first = flow.iteration(), goal = first + setup_.iterations;
        const auto watch = [&](const euler_sample& s) {
            say(progress_text(s, first, goal, clock.seconds()));
            return true;
        };
        const double work = static_cast<double>(report_.cells) * static_cast<double>(setup_.iterations);
        chosen_backend chosen = choose_backend(command_, command_.threads, work >= device_pays);
        on_backend(chosen, command_.threads, [&](const execution& where) {
            advance(flow, where, goal, watch);
            return 0;
        });
    }

    /// In pieces between checkpoints.
    void advance(euler_case& flow, const execution& where, index_t goal, const euler_case::watcher& watch) {
        double seconds = 0;
        index_t done = 0;
        const index_t check = setup_.options.check_every;
        const auto every = [&](const std::string& path, index_t asked, index_t else_every) {
            return path.empty() ? 0 : asked > 0 ? asked : else_every;
        };
        const index_t checkpoints = every(setup_.checkpoint, setup_.checkpoint_every, 0);
        const index_t probes = every(setup_.probes, setup_.probe_every, check);
        const index_t series = every(setup_.series, setup_.series_every, check);
        do {
            const index_t at = flow.iteration();
            index_t piece = goal - at;
            for (const index_t n : {checkpoints, probes, series})
                if (n > 0) piece = std::min(piece, n - at % n);
            report_.result = flow.run(where, piece, command_.variant, watch);
            seconds += report_.result.run.compute_seconds;
            done += report_.result.iterations;
            const bool last = !may_go_on(report_.result.end) || flow.iteration() >= goal;
            const auto due = [&](index_t n) { return n > 0 && (last || flow.iteration() % n == 0); };
            if (checkpoints > 0) write_checkpoint_of(flow);
            if (probes_ && due(std::max<index_t>(probes, 1))) sample_probes(flow);
            if (due(series) || (last && !setup_.series.empty())) write_series_of(flow);
        } while (may_go_on(report_.result.end) && flow.iteration() < goal);
        report_.result.run.compute_seconds = seconds;
        report_.result.iterations = done;
        report_.result.run.work = static_cast<double>(report_.cells) * static_cast<double>(done);
    }

    [[nodiscard]] static bool may_go_on(euler_end end) {
        return end == euler_end::iterations || end == euler_end::not_converged;
    }

    void sample_probes(euler_case& flow) {
        (void)flow.state();  // of all ranks together
        if (is_first()) probes_->sample(flow);
    }
    /// The flow of this iteration beside the collection, and the collection itself: after a run that was
    /// ended all that was written can be seen.
    void write_series_of(euler_case& flow) {
        (void)flow.state();  // of all ranks together
        if (!is_first()) return;
        const std::filesystem::path whole(setup_.series);
        char number[32];
        (void)std::snprintf(number, sizeof number, "_%08lld.vtu", static_cast<long long>(flow.iteration()));
        const std::string path = (whole.parent_path() / (whole.stem().string() + number)).string();
        write_file(path, [&](output_file& out) { write_flow(out, flow); });
        const double time = flow.time() > 0 ? flow.time() : static_cast<double>(flow.iteration());
        series_.push_back({path, time});
        write_file(setup_.series, [&](output_file& out) { write_series(out, series_); });
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
        write_file(setup_.history, [&](output_file& out) {
            write_history(out, flow.history(), setup_.history_columns, flow.grid().dimensions);
        });
        write_file(setup_.probes, [&](output_file& out) { probes_->write(out); });
        write_file(setup_.polar, [&](output_file& out) { write_polar(out, setup_.swept, report_.polar); });
        write_file(setup_.polar_picture,
                   [&](output_file& out) { write_polar_picture(out, setup_.swept, report_.polar); });
        write_file(setup_.surface_picture,
                   [&](output_file& out) { write_surface_picture(out, flow, reference_); });
        write_file(setup_.flow, [&](output_file& out) { write_flow(out, flow); });
        write_file(setup_.surface, [&](output_file& out) { write_flow(out, flow, true); });
        write_file(setup_.forces, [&](output_file& out) { write_forces(out, report_.forces); });
        write_file(setup_.surface_table, [&](output_file& out) { write_surface_table(out, flow); });
        write_file(setup_.picture,
                   [&](output_file& out) { write_flow_picture(out, flow, setup_, report_.forces); });
        if (!setup_.rodinia.empty()) write_rodinia(setup_.rodinia, flow);
    }

    void report() const {
        std::cerr << "wale: " << line_of(report_) << "\n";
        for (const std::string& warning : report_.warnings) std::cerr << "wale: note: " << warning << "\n";
        if (!command_.json) return;
        output_file out(command_.output);
        out.write(to_json(report_) + "\n");
        out.commit();
    }

    const euler_command& command_;
    euler_setup setup_;
    euler_report report_;
    std::optional<euler_probes> probes_;
    std::vector<euler_series_file> series_;
    std::array<std::vector<double>, 2> reference_;  // of surface_picture
    progress line_;
};

}  // namespace

int euler(const euler_command& command) {
    return euler_run(command).run();
}

}  // namespace wale::cli
