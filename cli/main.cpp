// main - the command line: what there is to say, and what its outcome means for the caller.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <wale/study.hpp>
#include <wale/variants.hpp>

#include "failure.hpp"
#include "options.hpp"

namespace {

using namespace wale::cli;

constexpr const char* exit_codes =
    "Exit codes: 0 good; 1 computed, but a result failed its verification; 2 usage; 65 bad input data; 66 an "
    "input\n"
    "cannot be opened; 69 the backend is not available; 70 internal error; 71 out of memory; 73 the output "
    "cannot be\n"
    "created; 74 it cannot be written; 75 out of device memory; 130, 143 interrupted. Errors are one line on "
    "standard\n"
    "error, `wale: error: file:line: value, expected range`, at times with a `wale: hint:`; with --json an "
    "object\n"
    "{code, where, what, hint}. A file named by -o appears whole or not at all.";

void add_common(CLI::App& verb, common_options& o) {
    verb.add_flag("--json", o.json, "write JSON, errors too");
    verb.add_option("-o,--output", o.output, "write to FILE instead of standard output")->type_name("FILE");
}

/// The threads of the CPU backend.
void add_threads(CLI::App& verb, int& threads) {
    verb.add_option("-t,--threads", threads, "CPU threads; 0: all that this process may use")
        ->check(CLI::Range(0, 4096))
        ->type_name("N");
}

void add_align(CLI::App& app, align_options& o) {
    CLI::App& verb = *app.add_subcommand("align", "compare the sequences of two FASTA or FASTQ files");
    verb.add_option("query", o.query_file, "FASTA or FASTQ, plain or gzip; - is standard input")->required();
    verb.add_option("target", o.target_file, "the other one")->required();
    verb.add_option("-m,--measure", o.measure,
                    "lcs: length of the longest common subsequence; edit: unit-cost edit distance")
        ->check(CLI::IsMember({"lcs", "edit"}))
        ->capture_default_str();
    verb.add_flag("-s,--string", o.string,
                  "the subsequence itself: as FASTA, with --json also its positions (from 0)");
    verb.add_option("-k,--bound", o.bound,
                    "edit: distances above K need not be known, they show as >K; faster")
        ->check(CLI::NonNegativeNumber)
        ->type_name("K");
    verb.add_flag("--pairs", o.pairs, "record k of the query with record k of the target");
    verb.add_flag("--all", o.all,
                  "each record of the query with each of the target; so without it, too, if one\n"
                  "of the files has a single record");
    verb.add_flag("-r,--reverse-complement", o.reverse_complement,
                  "also compare the query's reverse complement, take the better strand");
    verb.add_flag("--keep-case", o.keep_case, "tell lower case from upper case");
    verb.add_option("-b,--backend", o.backend,
                    "auto takes CUDA for large work where a device is there, else the CPU")
        ->check(CLI::IsMember({"auto", "reference", "cpu", "cuda"}))
        ->capture_default_str();
    verb.add_option("--variant", o.variant, "a row of `wale list`, such as reference/plain")
        ->capture_default_str();
    add_threads(verb, o.threads);
    add_common(verb, o);
    verb.footer(
        "Writes a table with tabs between its columns: query, target, length_query, length_target, lcs or "
        "distance,\n"
        "similarity (lcs or 1 - distance, over the longer length). What ran and how fast is said on standard "
        "error.\n\n"
        "Examples:\n"
        "  wale align strain1.fa strain2.fa.gz\n"
        "  wale align -m edit -r reads.fq genome.fa -o distances.tsv\n"
        "  wale align --string --json a.fa b.fa | jq .pairs[0].in_query\n");
}

/// "of wavefront: fill, ...; of reconstruction: h_domes, ...; the first is the default"
std::string operations_text(const std::vector<std::string>& solvers) {
    std::string text;
    for (const std::string& solver : solvers) {
        std::string list;
        for (const std::string& name : wale::study_operations(solver))
            list += (list.empty() ? "" : ", ") + name;
        text += "of " + solver + ": " + list + "\n";
    }
    return text + "the first of a solver is its default";
}

void add_study(CLI::App& app, study_command& o) {
    CLI::App& verb = *app.add_subcommand("study", "run every variant of a solver, verify and compare them");
    const std::vector<std::string> solvers = wale::study_operations();
    verb.add_option("solver", o.solver, "whose variants")->required()->check(CLI::IsMember(solvers));
    verb.add_option("--operation", o.operation, operations_text(solvers));
    verb.add_option("--sizes", o.sizes, "symbols or pixels a side, or pairs of a batch; a list with commas")
        ->delimiter(',')
        ->type_name("N,...");
    verb.add_option("--input", o.input,
                    "reconstruction: a picture file, tiled by mirroring; else one is made")
        ->type_name("FILE");
    verb.add_option("--variant", o.variant, "only variants whose names contain this");
    verb.add_option("--repeats", o.repeats, "runs, of which the median is shown")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    verb.add_option("-b,--backend", o.backend, "which variants")
        ->check(CLI::IsMember({"all", "cpu", "cuda"}))
        ->capture_default_str();
    add_threads(verb, o.threads);
    add_common(verb, o);
    verb.footer(
        "Every row was verified on the data that was timed: a table cell by cell, a picture by its "
        "certificate,\n"
        "anything else against the plain reference, or beyond its reach against another variant, which is "
        "then\n"
        "said. Columns: the rate in cells or pixels a second and its share of the ceiling that binds; how "
        "many\n"
        "times as fast as the slowest; share of the fastest.\n\n"
        "Examples:\n"
        "  wale study wavefront\n"
        "  wale study reconstruction --operation fill_holes --sizes 2048\n"
        "  wale study wavefront --operation lcs_length --sizes 10000,100000 --backend cpu --json\n");
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
    verb.footer("Example:\n  wale info --json\n");
}

struct command_line {
    align_options align;
    study_command study;
    list_options list;
    info_options info;
};

int run(const CLI::App& app, const command_line& said) {
    if (app.got_subcommand("align")) return align(said.align);
    if (app.got_subcommand("study")) return study(said.study);
    if (app.got_subcommand("list")) return list(said.list);
    return info(said.info);
}

bool wants_json(int count, char** words) {
    return std::any_of(words, words + count, [](const std::string& word) { return word == "--json"; });
}

int main_checked(int count, char** words) {
    command_line said;
    CLI::App app("wale - computation whose parts depend on each other, on CPU and GPU", "wale");
    app.set_version_flag("--version", std::string("wale ") + wale::version());
    app.require_subcommand(1);
    app.footer(std::string("`wale VERB --help` tells more, with examples.\n\n") + exit_codes);
    add_align(app, said.align);
    add_study(app, said.study);
    add_list(app, said.list);
    add_info(app, said.info);
    try {
        app.parse(count, words);
    } catch (const CLI::Success& e) {  // --help, --version
        app.exit(e, std::cout, std::cerr);
        std::cout.flush();
        return std::cout ? exit_good : exit_cannot_write;
    } catch (const CLI::ParseError& e) {
        const auto verbs = app.get_subcommands();
        const std::string verb = verbs.empty() ? "" : " " + verbs.front()->get_name();
        throw usage_error(e.what(), "`wale" + verb + " --help` shows what it takes");
    }
    return run(app, said);
}

}  // namespace

int main(int count, char** words) {
    install_signal_handlers();
    try {
        return main_checked(count, words);
    } catch (const std::exception& e) {
        return print(explain(e), wants_json(count, words));
    }
}
