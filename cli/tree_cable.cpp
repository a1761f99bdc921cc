// tree_cable - reads a neuron's form, computes some milliseconds of its voltage, writes what the probes saw.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iostream>
#include <optional>
#include <wale/enumerators.hpp>

#include "backend.hpp"
#include "failure.hpp"
#include "json.hpp"
#include "numbers.hpp"
#include "placement.hpp"
#include "progress.hpp"
#include "text.hpp"
#include "tree.hpp"

namespace wale::cli {
namespace {

constexpr double device_pays = 2e9;  // compartment steps from which starting the device (0.3 s) pays

void append(std::string& line, double v) {
    char digits[32];
    line.append(digits, std::to_chars(digits, digits + sizeof digits, v).ptr);
}

/// "soma", or "soma of cell 3".
std::string column(const cable_report& r, std::size_t probe) {
    const std::size_t places = r.probe_names.size();
    std::string name = r.probe_names[probe % places];
    if (r.command->options.cells > 1) name += " of cell " + std::to_string(probe / places);
    return name;
}

/// time, then a column for each probe, in milliseconds and millivolts.
void write_table(output_file& out, const cable_report& r) {
    std::string line = "time [ms]";
    const std::size_t probes = r.result.spikes.size();
    for (std::size_t p = 0; p < probes; ++p) line += "," + column(r, p) + " [mV]";
    out.write(line + "\n");
    for (std::size_t s = 0; s < r.result.times.size(); ++s) {
        line.clear();
        append(line, r.result.times[s]);
        for (std::size_t p = 0; p < probes; ++p) {
            line += ',';
            append(line, r.result.voltages[s * probes + p]);
        }
        out.write(line + "\n");
    }
}

std::string line_of(const cable_report& r) {
    const report& run = r.result.run;
    std::size_t spikes = 0;
    for (const auto& all : r.result.spikes) spikes += all.size();
    std::string text = "wale: tree cable, " + std::to_string(r.command->options.cells) +
                       (r.command->options.cells == 1 ? " cell of " : " cells of ") +
                       std::to_string(r.model->size()) + " compartments, " + std::to_string(r.result.steps) +
                       " steps: ";
    text += r.result.diverged < 0 ? "good" : "cell " + std::to_string(r.result.diverged) + " is not finite";
    text += "; " + std::to_string(spikes) + (spikes == 1 ? " spike" : " spikes");
    text += "; " + time_text(run.compute_seconds);
    if (run.compute_seconds > 0) text += ", " + rate_text(run.work / run.compute_seconds, "compartment step");
    return text + ran_text(run) + ")\n";
}

cable_options options_of(const cable_command& command, const swc_tree& form, const cable_model& model) {
    cable_options o = command.options;
    std::string method = command.method;
    std::replace(method.begin(), method.end(), '-', '_');
    o.method = named<cable_method>("--method", method);
    o.membranes = {membranes_of(command.membranes)};
    o.clamps = clamps_of(command, form, model);
    for (index_t cell = 0; cell < o.cells; ++cell)
        for (const std::string& place : command.probes)
            o.probes.push_back({cell, compartment_named("--probe", place, form, model)});
    return o;
}

}  // namespace

void warn_of_thickened(const swc_tree& form) {
    if (form.thickened == 0) return;
    std::cerr << "wale: warning: " << printable(form.name) << ":" << form.first_thickened << ": radius 0, "
              << form.thickened << (form.thickened == 1 ? " such point" : " such points")
              << "; each takes its parent's radius, at the root and at the soma the file's smallest\n";
}

int tree_cable(const cable_command& command) {
    const bool table = !command.json || command.output != "-";
    expect_text_name(command.output, "csv");
    progress line;
    line.say("reading " + printable(command.file));
    cable_report r;
    r.command = &command;
    r.input = command.file;
    r.output = table ? command.output : "";
    const stopwatch watch;
    const swc_tree form = read_swc(command.file);
    r.read_seconds = watch.seconds();
    r.points = std::ssize(form.points);
    r.thickened = form.thickened;
    warn_of_thickened(form);
    for (const std::string& place : command.probes) r.probe_names.push_back(place);
    const cable_model model(form, command.geometry);
    cable cells(model, options_of(command, form, model));
    r.model = &model;
    std::optional<output_file> out;
    if (table) out.emplace(command.output, std::vector<std::string>{command.file});
    line.say("computing");
    const index_t steps = cells.steps_until(command.stop);
    const double work = static_cast<double>(model.size()) * static_cast<double>(command.options.cells) *
                        static_cast<double>(steps);
    chosen_backend chosen =
        choose_backend(command.backend, command.variant, command.threads, work >= device_pays);
    on_backend(chosen, command.threads,
               [&](const execution& where) { r.result = cells.run(where, steps, command.variant); });
    if (out) {
        write_table(*out, r);
        out->commit();
    }
    line.stop();
    std::cerr << line_of(r);
    if (command.json) write_standard_output(to_json(r) + "\n");
    if (r.result.diverged >= 0)
        throw verdict_error(printable(command.file) + ": the voltage of cell " +
                            std::to_string(r.result.diverged) + " is not finite");
    return exit_good;
}

int tree_grow(const grow_command& command) {
    const swc_tree form = grow_neuron(command.options);
    expect_text_name(command.output, "swc");
    output_file out(command.output);
    write_swc(out, form);
    out.commit();
    std::cerr << "wale: tree grow, " << form.points.size() << " points\n";
    return exit_good;
}

namespace {

void add_membrane_options(CLI::App& verb, cable_command& o) {
    verb.add_option(
            "--membrane", o.membranes,
            "passive or hh, of all or of REGION=: soma, axon, dendrite, apical; with ,cm= [uF/cm2] ,g= "
            "[S/cm2]\n,e= [mV] of the leak and ,gna= ,gk= [S/cm2]; may be repeated, later words count")
        ->type_name("[REGION=]KIND[,...]");
    add_number(verb, "--celsius", o.options.celsius, {}, "temperature").capture_default_str();
    add_number(verb, "--q10", o.options.q10, positive,
               "how much faster gates are for each 10 degrees above 6.3")
        .capture_default_str();
    add_number(verb, "--initial", o.options.initial, {},
               "voltage at the beginning [mV], gates at rest for it")
        .capture_default_str();
}

void add_form_options(CLI::App& verb, cable_command& o) {
    add_number(verb, "--ra", o.geometry.axial_resistivity, positive, "axial resistivity [ohm cm]")
        .capture_default_str();
    add_number(verb, "--max-length", o.geometry.max_length, not_negative,
               "longest compartment [um]; 0: a tenth of the length constant at 100 Hz")
        .capture_default_str();
    add_number(verb, "--d-lambda", o.geometry.d_lambda, positive, "or this part of it").capture_default_str();
    add_number(verb, "--frequency", o.geometry.frequency, positive, "of the length constant [Hz]")
        .capture_default_str();
}

void add_stimulus_options(CLI::App& verb, cable_command& o) {
    add_number(verb, "--cells", o.options.cells, {1, 100000000}, "cells of this form, side by side")
        .capture_default_str();
    verb.add_option(
            "--clamp", o.clamps,
            "delay and duration [ms] and current [nA] into the soma, or at a point of the file by its\n"
            "number; a current A:B goes from A in the first cell to B in the last; may be repeated")
        ->type_name("DELAY,DURATION,CURRENT[@POINT]");
    verb.add_option("--probe", o.probes, "soma, or the number of a point; may be repeated")
        ->type_name("PLACE")
        ->default_str("soma");
    add_number(verb, "--sample-every", o.options.sample_every, {.least = 1}, "steps between samples")
        .capture_default_str();
    add_number(verb, "--threshold", o.options.threshold, {}, "voltage that a spike crosses upwards [mV]")
        .capture_default_str();
}

}  // namespace

void add_tree_cable(CLI::App& tree, cable_command& o, grow_command& g) {
    CLI::App& verb = *tree.add_subcommand("cable", "the voltage of a neuron: SWC, membranes, clamps, probes");
    verb.add_option("form", o.file,
                    "SWC; - is standard input; a point of radius 0 takes its parent's, with a warning")
        ->required();
    add_number(verb, "--tstop", o.stop, not_negative, "until when [ms]").capture_default_str();
    add_number(verb, "--dt", o.options.dt, positive, "step [ms]").capture_default_str();
    verb.add_option(
            "--method", o.method,
            "of the step in time: backward_euler, order 1; crank_nicolson, order 2, rings as NEURON's does\n"
            "where there is no membrane; sdirk2, order 2, damps that ringing, two solves a step")
        ->check(
            CLI::IsMember({"backward_euler", "crank_nicolson", "sdirk2", "backward-euler", "crank-nicolson"}))
        ->capture_default_str();
    add_membrane_options(verb, o);
    add_form_options(verb, o);
    add_stimulus_options(verb, o);
    add_run(verb, o, "auto takes CUDA for many steps of many cells where a device is there",
            "a row of `wale list tree`, such as cpu/lanes");
    CLI::Option* const json =
        verb.add_flag("--json", o.json, "write spikes and what ran to standard output as JSON, errors too");
    verb.add_flag("--sections", o.sections, "with --json: every section and compartment")->needs(json);
    verb.add_option("-o,--output", o.output, "write the table to FILE instead of standard output")
        ->type_name("FILE");
    verb.footer(
        "Writes a table with commas: time [ms] and the voltage of each probe [mV]. What ran is said on "
        "standard\n"
        "error. Exit code 1 where a voltage is no longer finite.\n\n"
        "Examples:\n"
        "  wale tree grow -o neuron.swc\n"
        "  wale tree cable neuron.swc --membrane hh --clamp 5,50,1.5 --tstop 60 -o soma.csv\n"
        "  wale tree cable neuron.swc --membrane passive,g=0.0002,e=-65 --membrane soma=hh --probe soma "
        "--probe "
        "300\n"
        "  wale tree cable neuron.swc --membrane hh --cells 64 --clamp 5,90,0.1:6.4 --json\n");
    CLI::App& grow = *tree.add_subcommand("grow", "a made-up neuron as SWC, to try things with");
    add_number(grow, "--seed", g.options.seed, {}, "another seed, another neuron").capture_default_str();
    add_number(grow, "--stems", g.options.stems, {0, 1000}, "dendrites at the soma").capture_default_str();
    add_number(grow, "--levels", g.options.levels, {0, 20}, "forks on the way to a tip")
        .capture_default_str();
    grow.add_option("-o,--output", g.output, "write to FILE instead of standard output")->type_name("FILE");
    grow.footer("Example:\n  wale tree grow --seed 7 --levels 5 -o neuron.swc\n");
}

}  // namespace wale::cli
