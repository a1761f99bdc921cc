// search - queries against a database: the best records as a table, PAF, JSON or alignments that people read.
#include "search.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <limits>
#include <wale/output_file.hpp>
#include <wale/search.hpp>
#include <wale/verification.hpp>

#include "align.hpp"
#include "backend.hpp"
#include "engine.hpp"
#include "failure.hpp"
#include "group.hpp"
#include "json.hpp"
#include "numbers.hpp"
#include "text.hpp"
#include "verification.hpp"

namespace wale::cli {
namespace {

constexpr int most_score = 1'000'000;

search_options options_of(const search_command& o) {
    search_options out;
    out.variant = o.variant;
    out.matrix = o.match != 0 || o.mismatch != 0 ? substitution_matrix(o.match, o.mismatch)
                                                 : matrix_of(o.matrix.empty() ? "blosum62" : o.matrix);
    out.open = o.open;
    out.extend = o.extend;
    out.top = o.top;
    out.evalue = o.evalue;
    out.group = group();
    return out;
}

std::string known(double value) {
    return value == value ? short_text(value) : "*";
}

std::string tsv_line(const scored_pair& p) {
    const alignment_result& r = p.result;
    std::string line;
    for (const std::string& word :
         {p.query, p.target, std::to_string(r.score), known(p.bits), known(p.evalue),
          std::to_string(r.query_begin), std::to_string(r.query_end), std::to_string(r.target_begin),
          std::to_string(r.target_end), std::to_string(p.query_symbols.size()),
          std::to_string(p.target_symbols.size()), fraction_text(r.identity()), r.cigar()})
        line += (line.empty() ? "" : "\t") + word;
    return line + "\n";
}

std::string text_of(const scored_pair& p) {
    const std::string chance = p.evalue == p.evalue
                                   ? known(p.bits) + " bits, E-value " + known(p.evalue) + "\n"
                                   : "no E-value: none is published for these scores and costs\n";
    return chance + text_view(p);
}

/// The path of each hit has the score, hits descend, and while cells are left the plain loops find no better
/// score. Every rank has all hits.
void check(const search_result& found, const records& queries, const search_options& options,
           found_flaws& flaws) {
    double cells = 1e9;
    for (std::size_t q = 0; q < queries.size(); ++q) {
        index_t before = std::numeric_limits<index_t>::max();
        for (const search_hit& hit : found.hits[q]) {
            const std::string& query = queries[q].symbols;
            const auto add = [&](const std::string& flaw) { flaws.add(queries[q].name, hit.name, flaw); };
            if (hit.score > before)
                add("score " + std::to_string(hit.score) + " after " + std::to_string(before));
            before = hit.score;
            add(hit_flaw(query, hit, options, cells));
        }
    }
}

/// The alignments of all hits, one after the other.
void write_hits(const search_command& o, const records& queries, search_result& found) {
    output_file out(o.output, {o.query_file, o.database_file});
    if (o.json)
        out.write(json_list("hits"));
    else if (o.format == "tsv")
        out.write(
            "query\ttarget\tscore\tbits\tevalue\tquery_begin\tquery_end\ttarget_begin\ttarget_end\t"
            "length_query\tlength_target\tidentity\tcigar\n");
    align_totals totals;
    totals.run = found.run;
    totals.verified = o.verify;
    for (std::size_t q = 0; q < queries.size(); ++q)
        for (search_hit& hit : found.hits[q]) {
            const scored_pair p{
                queries[q].name,          hit.name, false,    queries[q].symbols, std::move(hit.symbols),
                std::move(hit.alignment), true,     hit.bits, hit.evalue};
            if (o.json)
                out.write((totals.pairs > 0 ? ",\n" : "\n") + to_json(p));
            else
                out.write(o.format == "paf" ? paf_line(p) : o.format == "text" ? text_of(p) : tsv_line(p));
            ++totals.pairs;
        }
    if (o.json) out.write("\n],\n\"run\": " + to_json(totals) + "}\n");
    out.commit();
}

}  // namespace

void add_search(CLI::App& app, search_command& o) {
    CLI::App& verb = *app.add_subcommand("search", "find the records of a database that resemble a sequence");
    verb.add_option("query", o.query_file,
                    "FASTA or FASTQ, plain or gzip, one or many records; - is standard input")
        ->required();
    verb.add_option("database", o.database_file, "FASTA or FASTQ, of any size: it is read block by block")
        ->required();
    add_number(verb, "-n,--top", o.top, {1, 1'000'000'000}, "records shown of each query, at most")
        .capture_default_str();
    add_number(verb, "-e,--evalue", o.evalue, {.least = 0, .any = true}, "leave out larger E-values")
        .capture_default_str();
    verb.add_flag("--profile", o.profile,
                  "the query is a file of position-specific scores: PSI-BLAST's ASCII PSSM, or a line of\n"
                  "letters and a line of scores for each position; --matrix is then the one that the scores\n"
                  "are scaled as, for E-values, where the file does not say it");
    CLI::Option* const matrix =
        verb.add_option("--matrix", o.matrix, known_matrices)->type_name("NAME")->default_str("blosum62");
    add_number(verb, "--match", o.match, {-most_score, most_score},
               "instead of a matrix: score of equal symbols")
        .excludes(matrix);
    add_number(verb, "--mismatch", o.mismatch, {-most_score, most_score}, "and of unequal ones")
        .excludes(matrix);
    add_number(verb, "--open", o.open, {0, most_score},
               "cost of a gap's first symbol; NCBI's 11 and 1 are 12 and 1")
        .capture_default_str();
    add_number(verb, "--extend", o.extend, {0, most_score}, "cost of each further symbol of a gap")
        .capture_default_str();
    const std::vector<std::string> formats{"tsv", "paf", "text"};
    CLI::Option* const format =
        verb.add_option("-f,--format", o.format, "else as the output's name ends; text: as people read it")
            ->check(CLI::IsMember(formats))
            ->capture_default_str();
    verb.callback([&o, format, formats] { follow_ending(*format, o.format, o, formats); });
    verb.add_flag("--verify", o.verify,
                  "score the path of every hit again, and by the reference whether it is the best, up to\n"
                  "10^9 cells; exit 1 and no output if one differs")
        ->excludes("--profile");
    add_run(verb, o, "auto is the CPU; cuda scores blocks of records on a device",
            "a row `align_cross` of `wale list wavefront`");
    verb.add_flag("--json", o.json, "write JSON instead, errors too");
    verb.add_option("-o,--output", o.output, "write to FILE instead of standard output")->type_name("FILE");
    verb.footer(
        "Each query is aligned locally to every record: exact, without an index. Records come by descending\n"
        "score, then in the database's order. E-values take the parameters that NCBI publishes for the "
        "matrix\n"
        "and the costs of gaps; where there are none, bits and evalue are *, and --evalue leaves nothing "
        "out.\n\n"
        "Examples:\n"
        "  wale search query.fa proteins.fa.gz\n"
        "  wale search query.fa proteins.fa --evalue 1e-3 --format text\n"
        "  wale search --profile family.pssm proteins.fa\n"
        "  wale search reads.fa genes.fa --match 2 --mismatch -3 --open 5 --extend 2 --top 1 --format paf\n");
}

namespace {

bool are_nucleotides(const records& queries) {
    constexpr std::size_t few = 20;  // letters of which a peptide may consist by chance
    std::size_t letters = 0;
    for (const sequence_record& query : queries) {
        if (query.symbols.find_first_not_of("ACGTUNacgtun") != std::string::npos) return false;
        letters += query.symbols.size();
    }
    return letters >= few;
}

/// Of --profile: as the only query.
score_profile profile_of(const search_command& o) {
    if (o.match != 0 || o.mismatch != 0)
        throw usage_error("--profile: has scores of its own, expected no --match, --mismatch");
    score_profile out = score_profile::read(o.query_file);
    if (!o.matrix.empty()) out.scaled_as = o.matrix;
    return out;
}

search_result searched(const search_command& o, const records& queries, const execution& where,
                       const search_options& options) {
    std::string letters;
    std::vector<index_t> offsets{0};
    for (const sequence_record& query : queries) {
        letters += query.symbols;
        offsets.push_back(std::ssize(letters));
    }
    return search(where, {letters.data(), offsets.data(), std::ssize(queries), 1}, o.database_file, options);
}

}  // namespace

int search_database(const search_command& o) {
    if (o.query_file == "-" && o.database_file == "-")
        throw usage_error("both files are standard input, expected one");
    const search_options options = options_of(o);
    progress line;
    line.say("reading " + printable(o.query_file));
    std::vector<score_profile> profiles;
    if (o.profile) profiles.push_back(profile_of(o));
    const records queries =
        o.profile ? records{record_of(profiles[0], o.query_file)} : read_sequences(o.query_file);
    const execution where = choose_backend(o, o.threads, false).where;
    expect_same_records(queries);
    line.say("searching " + printable(o.database_file));
    search_result found =
        o.profile ? search(where, profiles, o.database_file, options) : searched(o, queries, where, options);
    found_flaws flaws;
    if (o.verify) check(found, queries, options, flaws);
    line.stop();
    if (!flaws.none_anywhere()) return exit_verdict;
    if (group().rank() > 0) return exit_good;
    write_hits(o, queries, found);
    const std::string said =
        "wale: " + std::to_string(queries.size()) + (queries.size() == 1 ? " query, " : " queries, ") +
        std::to_string(found.targets) + (found.targets == 1 ? " record, " : " records, ") +
        std::to_string(found.letters) + " letters, in " + time_text(found.run.compute_seconds) + ", " +
        rate_text(found.run.work / std::max(found.run.compute_seconds, 1e-9)) + ran_text(found.run) + ")\n";
    std::cerr << said;
    if (!o.profile && o.matrix.empty() && o.match == 0 && o.mismatch == 0 && are_nucleotides(queries))
        std::cerr
            << "wale: note: the queries look like nucleotides, and blosum62 scores them as amino acids; "
               "--match 2 --mismatch -3 --open 5 --extend 2 are for nucleotides\n";
    return exit_good;
}

}  // namespace wale::cli
