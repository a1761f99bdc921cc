// align_options - the command line of `wale align`.
#include <CLI/CLI.hpp>
#include <wale/alignment.hpp>

#include "align.hpp"
#include "numbers.hpp"

namespace wale::cli {
namespace {

constexpr int most_score = 1'000'000;

/// Options of one measure ask for that measure where --measure does not.
std::string measure_of(const CLI::App& verb) {
    const auto asks = [&](const char* option) { return verb.get_option(option)->count() > 0; };
    for (const char* option : {"--mode", "--match", "--mismatch", "--matrix", "--open", "--extend", "--band",
                               "--x-drop", "--format", "--dot-plot"})
        if (asks(option)) return "score";
    return asks("--bound") ? "edit" : "lcs";
}

void add_scoring(CLI::App& verb, align_options& o) {
    verb.add_option("--mode", o.mode,
                    "of a score - global: both whole; infix: all of the query somewhere in the target;\n"
                    "prefix: all of the query at the target's beginning; overlap: no end gap counts;\n"
                    "local: the best parts of both")
        ->check(CLI::IsMember({"global", "infix", "prefix", "overlap", "local"}))
        ->capture_default_str();
    CLI::Option* const match =
        add_number(verb, "--match", o.match, {-most_score, most_score}, "score of equal symbols")
            .capture_default_str();
    CLI::Option* const mismatch =
        add_number(verb, "--mismatch", o.mismatch, {-most_score, most_score}, "score of unequal symbols")
            .capture_default_str();
    verb.add_option("--matrix", o.matrix, std::string("instead of both: ") + known_matrices)
        ->excludes(match, mismatch)
        ->type_name("NAME");
    add_number(verb, "--open", o.open, {0, most_score}, "cost of a gap's first symbol").capture_default_str();
    add_number(verb, "--extend", o.extend, {0, most_score}, "cost of each further symbol of a gap")
        .capture_default_str();
    add_number(verb, "--band", o.band, {.least = 0},
               "heuristic: only cells at most N diagonals beyond those of the corners")
        .type_name("N");
    add_number(
        verb, "--x-drop", o.x_drop, {.least = 0},
        "heuristic: end at the best cell, leave out cells more than N below the best of the rows above")
        .type_name("N");
    verb.add_option(
            "--format", o.format,
            "of scores - tsv: a line a pair, with CIGAR (=, X, I, D); paf: PAF with cg:Z: and AS:i:;\n"
            "sam: SAM with AS:i: and NM:i:; text: the alignment as people read it. Heuristic ones say so")
        ->check(CLI::IsMember({"tsv", "paf", "sam", "text"}))
        ->capture_default_str();
    verb.add_option("--dot-plot", o.dot_plot,
                    "of one pair's score: also a PNG of the words that both have, and the path")
        ->type_name("FILE.png");
}

}  // namespace

void add_align(CLI::App& app, align_options& o) {
    CLI::App& verb =
        *app.add_subcommand("align", "compare or align the sequences of two FASTA or FASTQ files");
    verb.add_option("query", o.query_file, "FASTA or FASTQ, plain or gzip; - is standard input")->required();
    verb.add_option("target", o.target_file, "the other one")->required();
    const CLI::Option* const measure =
        verb.add_option("-m,--measure", o.measure,
                        "lcs: length of the longest common subsequence; edit: unit-cost edit distance;\n"
                        "score: an alignment, with its places and path. By default the one that another\n"
                        "option is about, such as score of --format sam, else lcs")
            ->check(CLI::IsMember({"lcs", "edit", "score"}));
    add_scoring(verb, o);
    verb.add_flag("-s,--string", o.string,
                  "the subsequence itself: as FASTA, with --json also its positions (from 0)");
    add_number(verb, "-k,--bound", o.bound, {.least = 0},
               "edit: distances above K need not be known, they show as >K; faster")
        .type_name("K");
    verb.add_flag("--pairs", o.pairs, "record k of the query with record k of the target");
    verb.add_flag("--all", o.all,
                  "each record of the query with each of the target; so without it, too, if one\n"
                  "of the files has a single record");
    verb.add_flag("-r,--reverse-complement", o.reverse_complement,
                  "also compare the query's reverse complement, take the better strand");
    verb.add_flag("--keep-case", o.keep_case, "lower and upper case are different symbols");
    CLI::Option* const strings =
        verb.add_flag("--strings", o.strings, "query and target are sequences themselves, not files");
    verb.add_flag("--profile", o.profile,
                  "the query is a file of position-specific scores: PSI-BLAST's ASCII PSSM, or a line of\n"
                  "letters and a line of scores for each position; --measure is score, without --match,\n"
                  "--mismatch, --matrix")
        ->excludes(strings);
    verb.add_flag("--verify", o.verify,
                  "compute every answer again by another row on the host, and score every path\n"
                  "again; exit 1 and no output if one differs. Takes about as long as the answers")
        ->excludes("--profile");
    add_run(verb, o, "auto takes CUDA for large work where a device is there, else the CPU",
            "a row of `wale list`, such as reference/plain");
    verb.add_flag("--json", o.json, "write JSON, errors too");
    verb.add_option("-o,--output", o.output, "write to FILE instead of standard output")->type_name("FILE");
    verb.callback([&o, &verb, measure] {
        const bool scores = follow_ending(*verb.get_option("--format"), o.format, o, {"paf", "sam"});
        if (measure->count() == 0) o.measure = scores ? "score" : measure_of(verb);
    });
    verb.footer(
        "Writes a table with tabs between its columns: query, target, length_query, length_target, lcs or "
        "distance,\n"
        "similarity (lcs or 1 - distance, over the longer length); of scores see --format. What ran and how\n"
        "fast is written to standard error.\n\n"
        "Examples:\n"
        "  wale align strain1.fa strain2.fa.gz\n"
        "  wale align -m edit -r reads.fq genome.fa -o distances.tsv\n"
        "  wale align --mode infix reads.fq genome.fa --match 2 --mismatch -3 --open 5 --extend 2 "
        "--format "
        "paf\n"
        "  wale align --mode local --matrix blosum62 --open 11 p.fa q.fa --format text\n"
        "  wale align --strings ACGT AGT --format text\n"
        "  wale align --profile family.pssm proteins.fa --mode local --open 12\n"
        "  wale align --string --json a.fa b.fa | jq .pairs[0].in_query\n");
}

}  // namespace wale::cli
