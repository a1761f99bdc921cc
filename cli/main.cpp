// main - the command line: what there is to say, and what its outcome means for the caller.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <new>
#include <wale/enumerators.hpp>
#include <wale/study.hpp>
#include <wale/variants.hpp>

#include "align.hpp"
#include "backend.hpp"
#include "euler.hpp"
#include "failure.hpp"
#include "group.hpp"
#include "help_text.hpp"
#include "lu.hpp"
#include "map.hpp"
#include "mesh.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "reconstruct.hpp"
#include "search.hpp"
#include "text.hpp"
#include "tree.hpp"
#include "warp.hpp"

namespace {

using namespace wale::cli;

constexpr const char* exit_codes =
    "Exit codes: 0 good; 1 computed, but a result failed its verification (a singular matrix); 2 usage;\n"
    "65 bad input data; 66 an input cannot be opened or read; 69 the backend is not available; 70 internal\n"
    "error; 71 out of memory or threads; 73 the output cannot be created; 74 it cannot be written;\n"
    "75 out of device memory; 128 + n ended by signal n (130, 143: interrupted). Errors are one line on\n"
    "standard error, `wale: error: file:line: value, expected range`, at times with a `wale: hint:`; with\n"
    "--json an object {code, where, what, hint}. A file named by -o appears whole or not at all.";

void add_common(CLI::App& verb, common_options& o) {
    verb.add_flag("--json", o.json, "write JSON, errors too");
    verb.add_option("-o,--output", o.output, "write to FILE instead of standard output")->type_name("FILE");
}

/// The options that only some operations take.
void add_own_options(CLI::App& verb, unsigned takes, reconstruct_command& o) {
    if (takes & takes_method)
        verb.add_flag("--erosion", o.erosion, "the marker falls to the mask from above");
    if (takes & takes_clamp)
        verb.add_flag("--clamp", o.clamp, "where the marker is beyond the mask, take the mask's value");
    if (takes & takes_height)
        add_number(verb, "--h", o.height, positive, "height, in the units of the pixels")
            .required()
            ->type_name("H");
    if (takes & takes_size)
        add_number(verb, "--size", o.size, {.least = 1}, "pixels of a side of the box, odd")
            .required()
            ->type_name("N");
    if (takes & takes_thresholds) {
        add_number(verb, "--low", o.low, {}, "weak above this").required()->type_name("V");
        add_number(verb, "--high", o.high, {}, "strong above this").required()->type_name("V");
    }
    if (takes & takes_points)
        verb.add_option("--point", o.points, "X,Y or X,Y,Z: column, row and plane from 0; may be repeated")
            ->required()
            ->type_name("X,Y");
    if (takes & takes_no_data)
        add_number(verb, "--no-data", o.no_data, {.any = true},
                   "cells of this height have no data; NaN has none either; by default as GDAL's tag says")
            .type_name("V")
            ->each([&o](const std::string&) { o.has_no_data = true; });
    if (takes & takes_flood) {
        verb.add_option("--mask", o.mask, "flood only where this image is not 0")->type_name("FILE");
        verb.add_flag("--line", o.line, "leave a line of 0 between basins");
    }
}

void add_operation(CLI::App& group, const operation& op, reconstruct_command& o) {
    CLI::App& verb = *group.add_subcommand(op.name, op.summary);
    std::string python = op.name;  // fill_holes
    std::ranges::replace(python, '-', '_');
    if (python != op.name) verb.alias(python);
    for (const operation_input& input : op.inputs)
        verb.add_option_function<std::string>(
                input.name, [&o](const std::string& file) { o.files.push_back(file); },
                "PNG, TIFF, JPEG, NPY or FILE.npz:NAME; - is standard input")
            ->required();
    add_own_options(verb, op.takes, o);
    verb.add_option("-c,--connectivity", o.connectivity,
                    "neighbours of a pixel: 4 or 8, in volumes 6, 18 or 26; 0: all")
        ->check(CLI::IsMember({0, 4, 6, 8, 18, 26}))
        ->capture_default_str();
    verb.add_flag("--gray,--grey", o.grey, "colour becomes luminance (BT.709), in its depth");
    add_number(verb, "--channel", o.channel, {0, 65535}, "colour becomes this one of its channels, from 0")
        .type_name("K");
    verb.add_flag("--drop-alpha", o.drop_alpha, "leave an alpha channel out");
    verb.add_flag("--batch", o.batch, "the pages of a file are images by themselves, not planes of a volume");
    add_run(verb, o, "auto takes CUDA for large images where a device is there, else the CPU",
            "a row of `wale list reconstruction`, such as reference/plain");
    if (op.proof != operation::certificate::none)
        verb.add_flag("--verify", o.verify, "check the answer's certificate; exit 1 if it fails");
    verb.add_option("--compare", o.compare, "write before, after and difference side by side")
        ->type_name("FILE.png");
    verb.add_option("-o,--output", o.output,
                    "the image: .png, .tif, .tiff or .npy; else standard output, in the input's format")
        ->type_name("FILE");
    verb.add_flag("--json", o.json, "write what ran and what changed to standard output as JSON, errors too");
    verb.callback([&o, &op] { o.operation = op.name; });
    verb.footer(std::string("The answer has the depth of the input. What ran and what changed is said on "
                            "standard error.\n\nExample:\n  wale reconstruct ") +
                op.name + " " + op.example + "\n");
}

void add_reconstruct(CLI::App& app, reconstruct_command& o) {
    CLI::App& group = *app.add_subcommand("reconstruct", "fill holes, find domes, rebuild objects in images");
    group.require_subcommand(1);
    for (const operation& op : reconstruct_operations()) add_operation(group, op, o);
    group.footer(
        "`wale reconstruct VERB --help` shows more.\n\n"
        "Examples:\n"
        "  wale reconstruct fill-holes cells.png -o filled.png --compare see.png\n"
        "  wale reconstruct h-domes photo.png --gray --h 40 -o domes.png\n"
        "  wale reconstruct depressions dem.npz:elevation -o filled.tif --json\n");
}

struct tree_verbs {
    tree_command solve, info;
    cable_command cable;
    grow_command grow;
};

void add_tree(CLI::App& app, tree_verbs& o) {
    CLI::App& group = *app.add_subcommand("tree", "systems whose graph is a tree; the voltage of neurons");
    group.require_subcommand(1);
    add_tree_solve(group, o.solve, o.info);
    add_tree_cable(group, o.cable, o.grow);
    group.footer(
        "`wale tree VERB --help` shows more.\n\n"
        "Examples:\n"
        "  wale tree solve case.txt -o solved.txt\n"
        "  wale tree solve --lower l.npy --diagonal d.npy --upper u.npy --rhs b.npy -o x.npy\n"
        "  wale tree info neuron.swc\n"
        "  wale tree grow -o neuron.swc\n"
        "  wale tree cable neuron.swc --membrane hh --clamp 5,50,1.5 -o soma.csv\n");
}

void add_study(CLI::App& app, study_command& o) {
    CLI::App& verb = *app.add_subcommand("study", "run every variant of a solver, verify and compare them");
    const std::vector<std::string> solvers = wale::study_operations();
    verb.add_option("solver", o.solver, "whose variants")->required()->check(CLI::IsMember(solvers));
    verb.add_option("--operation", o.operation, operations_text(solvers));
    add_numbers(verb, "--sizes", o.sizes, {.least = 1},
                "symbols or pixels a side, or pairs of a batch; a list with commas")
        .type_name("N,...");
    verb.add_option("--input", o.input, "reconstruction: an image file, tiled by mirroring; else one is made")
        ->type_name("FILE");
    verb.add_option("--variant", o.variant, "only variants whose names contain this");
    add_number(verb, "--repeats", o.repeats, {1, 1000000}, "runs, of which the median is shown")
        .capture_default_str();
    verb.add_option("-b,--backend", o.backend, "which variants")
        ->check(CLI::IsMember({"all", "cpu", "cuda"}))
        ->capture_default_str();
    add_threads(verb, o.threads);
    verb.add_option("--csv", o.csv,
                    "also write a line for each row, or for each cell and variant of the atlas")
        ->type_name("FILE");
    add_atlas(verb, o, solvers);
    add_common(verb, o);
    verb.footer(
        "Every row was verified on the data that was timed: a table cell by cell, an image by its "
        "certificate,\nanything else against the plain reference, or beyond its reach against another "
        "variant, which is "
        "then\nnamed. Columns: the rate in cells or pixels a second and its share of the ceiling that binds; "
        "how "
        "many\n"
        "times as fast as the slowest; share of the fastest.\n\n"
        "Examples:\n"
        "  wale study wavefront\n"
        "  wale study reconstruction --operation fill_holes --sizes 2048\n"
        "  wale study wavefront --operation lcs_length --sizes 10000,100000 --backend cpu --json\n"
        "  wale study lu --atlas --cells 200 --csv lu.csv --map lu.png\n");
}

void add_list(CLI::App& app, list_options& o) {
    CLI::App& verb = *app.add_subcommand("list", "the variants that exist, and which run here");
    verb.add_option("solver", o.solver, "only this solver's");
    add_common(verb, o);
    verb.footer(
        "In each operation the first variant of a backend that can do the job is what `automatic` takes.\n\n"
        "Example:\n  wale list wavefront\n");
}

void add_info(CLI::App& app, info_options& o) {
    CLI::App& verb = *app.add_subcommand("info", "version, compiler, processors and devices");
    add_common(verb, o);
    verb.footer(
        "WALE_NUM_THREADS=N, else OMP_NUM_THREADS=N in the environment, is the number of threads of verbs "
        "whose\n"
        "--threads is 0. The environment variable WALE_INSTRUCTION_SET=NAME limits the vector code of every "
        "verb to one\n"
        "of the instruction sets that this verb lists.\n\n"
        "Example:\n  wale info --json\n");
}

struct command_line {
    align_options align;
    map_command map;
    search_command search;
    warp_command warp;
    reconstruct_command reconstruct;
    lu_command lu;
    tree_verbs tree;
    mesh_command mesh;
    euler_command euler;
    study_command study;
    list_options list;
    info_options info;
};

int run(const CLI::App& app, const command_line& command) {
    expect_no_devices(command.map, "map", "on the CPU");
    expect_no_devices(command.tree.cable, "tree cable", "steps that follow each other");
    if (app.got_subcommand("align")) return align(command.align);
    if (app.got_subcommand("map")) return map_reads(command.map);
    if (app.got_subcommand("search")) return search_database(command.search);
    if (app.got_subcommand("euler")) return euler(command.euler);
    for (const char* alone : {"mesh", "study", "warp"})
        if (app.got_subcommand(alone)) expect_alone(alone);
    if (app.got_subcommand("warp")) return warp(command.warp);
    if (app.got_subcommand("reconstruct")) return reconstruct(command.reconstruct);
    if (app.got_subcommand("lu")) return lu(command.lu);
    if (app.got_subcommand("tree")) {
        const CLI::App& tree = *app.get_subcommand("tree");
        if (tree.got_subcommand("solve")) return tree_solve(command.tree.solve);
        expect_alone("tree " + tree.get_subcommands().front()->get_name());
        if (tree.got_subcommand("info")) return tree_info(command.tree.info);
        return tree.got_subcommand("cable") ? tree_cable(command.tree.cable) : tree_grow(command.tree.grow);
    }
    if (app.got_subcommand("mesh")) return mesh_verb(command.mesh);
    if (app.got_subcommand("study")) return study(command.study);
    if (app.got_subcommand("list")) return list(command.list);
    return info(command.info);
}

/// "--name" or "-n", not "-" nor a negative number.
bool looks_like_option(const std::string& word) {
    return word.size() > 1 && word[0] == '-' && !(word[1] >= '0' && word[1] <= '9');
}

std::string unknown_option(const std::string& word, const CLI::App& verb) {
    std::vector<std::string> known;
    for (const CLI::Option* one : verb.get_options())
        for (const std::string& name : one->get_lnames()) known.push_back("--" + name);
    return unknown_text(word.substr(0, word.find('=')), "option", known);
}

constexpr const char* unset_variable = "an unset variable of the shell?";

bool is_number(const std::string& word) {
    return !word.empty() && word.find_first_not_of("0123456789.") == std::string::npos;
}

void expect_no_option_before_verb(const CLI::App& group) {
    const std::vector<std::string> rest = group.remaining();
    if (!rest.empty() && looks_like_option(rest.front()))
        throw usage_error(unknown_option(rest.front(), group), "options follow the verb");
}

/// Of the arguments from the last to the first, as CLI11 takes them; `version` is `--version`, `help VERB` is
/// `VERB --help`, and so is `VERB -h`: CLI11 2.4.2 and newer refuse an option -h beside --h.
std::vector<std::string> arguments(int count, char** words) {
    std::vector<std::string> all(words + 1, words + count);
    if (!all.empty() && all.front() == "help") {
        all.erase(all.begin());
        all.emplace_back("--help");
    }
    if (all == std::vector<std::string>{"version"}) all.front() = "--version";
    const auto end = std::ranges::find(all, "--");
    const auto help = std::find(all.begin(), end, "-h");
    if (help < end && std::next(help) < end && is_number(*std::next(help)))
        throw usage_error("-h: is --help, and '" + *std::next(help) + "' follows",
                          "a height is --h " + *std::next(help));
    std::replace(all.begin(), end, std::string("-h"), std::string("--help"));
    for (auto word = all.begin(); word != end; ++word)  // CLI11 would take the next word as the value
        if (word->starts_with("--") && word->find('=') == word->size() - 1)
            throw usage_error(printable(word->substr(0, word->size() - 1)) + ": is empty, expected a value",
                              unset_variable);
    std::reverse(all.begin(), all.end());
    return all;
}

/// An empty word, as a shell's unset variable leaves it behind an option, would count as if the option were
/// absent.
void expect_values(const CLI::App& verb) {
    for (const CLI::Option* one : verb.get_options())
        if (!one->get_lnames().empty() && std::ranges::count(one->results(), std::string()) > 0)
            throw usage_error("--" + one->get_lnames().front() + ": is empty, expected a value",
                              unset_variable);
    for (const CLI::App* inner : verb.get_subcommands()) expect_values(*inner);
}

int main_checked(int count, char** words) {
    command_line command;
    command.lu.output.clear();  // nothing is written unless asked
    command.tree.solve.output.clear();
    command.tree.cable.probes = {"soma"};
    CLI::App app("wale - computation whose parts depend on each other, on CPU and GPU", "wale");
    app.set_help_flag("--help", "Print this help message and exit");
    app.formatter_fn([](const CLI::App* verb, const std::string& name, CLI::AppFormatMode) {
        return help_text(*verb, name);
    });
    app.set_version_flag("-V,--version", std::string("wale ") + wale::version());
    app.require_subcommand(1);
    app.footer(std::string(
                   "`wale VERB --help` or `wale help VERB` shows more, with examples.\n"
                   "`mpirun -np N wale align|search|map|reconstruct|lu|tree solve|euler ...` shares the work "
                   "among N processes.\n\n") +
               exit_codes);
    add_align(app, command.align);
    add_map(app, command.map);
    add_search(app, command.search);
    add_warp(app, command.warp);
    add_reconstruct(app, command.reconstruct);
    add_lu(app, command.lu);
    add_tree(app, command.tree);
    add_mesh(app, command.mesh);
    add_euler(app, command.euler);
    add_study(app, command.study);
    add_list(app, command.list);
    add_info(app, command.info);
    try {
        app.parse(arguments(count, words));
    } catch (const CLI::Success& e) {  // --help, --version
        app.exit(e, std::cout, std::cerr);
        errno = 0;
        std::cout.flush();
        if (!std::cout)
            throw wale::cannot_write(
                std::string("standard output: ") + std::strerror(errno != 0 ? errno : EIO), false);
        return exit_good;
    } catch (const CLI::ParseError& e) {
        std::string verb;
        const CLI::App* at = &app;
        for (;; verb += " " + at->get_name()) {
            if (at->get_require_subcommand_min() > 0) expect_no_option_before_verb(*at);
            if (at->get_subcommands().empty()) break;
            at = at->get_subcommands().front();
        }
        const std::string hint = "`wale" + verb + " --help` shows what it takes";
        const auto rest = at->remaining();
        if (at->get_require_subcommand_min() > 0 && (!rest.empty() || e.get_name() == "RequiredError")) {
            std::vector<std::string> known;
            for (const CLI::App* one : at->get_subcommands({})) known.push_back(one->get_name());
            throw usage_error(unknown_text(rest.empty() ? "" : rest.front(), "verb", known), hint);
        }
        // A word that follows an unknown option is counted as a file too many: the option is what is wrong.
        const auto end = std::ranges::find(rest, "--");  // what follows are no options
        const auto option = std::find_if(rest.begin(), end, looks_like_option);
        if (option != end) throw usage_error(unknown_option(*option, *at), hint);
        if (dynamic_cast<const CLI::ExtrasError*>(&e) == nullptr || rest.empty())
            throw usage_error(reworded(e.what()), hint);
        std::string meant;
        for (const auto& [name, what] : {std::pair{"--rhs", "; --rhs FILE has the right-hand sides"},
                                         std::pair{"--output", "; -o FILE names the output"}})
            if (at->get_option_no_throw(name) != nullptr) meant += what;
        throw usage_error("'" + printable(rest.front()) + "' is one argument too many" + meant, hint);
    }
    expect_values(app);
    return run(app, command);
}

}  // namespace

int main(int count, char** words) {
    install_signal_handlers();
    note_command(count, words);
    install_terminate_handler(wants_json(count, words));
    try {
        return main_checked(count, words);
    } catch (const std::exception& e) {
        // A verdict is known to all ranks, which end by themselves.
        if (dynamic_cast<const verdict_error*>(&e) == nullptr) leave_group();
        try {
            failure f = explain(e);
            f.what = rank_prefix() + f.what;
            return print(f, wants_json(count, words));
        } catch (const std::bad_alloc&) {
            return print_no_memory(wants_json(count, words));
        }
    }
}
