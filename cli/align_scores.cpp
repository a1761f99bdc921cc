// align_scores - alignments of pairs of records: scores, places and paths as a table, as PAF, as JSON, as
// text.
#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <wale/alignment.hpp>
#include <wale/infix.hpp>
#include <wale/verification.hpp>

#include "align.hpp"
#include "backend.hpp"
#include "engine.hpp"
#include "failure.hpp"
#include "group.hpp"
#include "json.hpp"
#include "map.hpp"
#include "text.hpp"
#include "verification.hpp"

namespace wale::cli {
namespace {

alignment_options scoring_of(const align_options& o) {
    alignment_options out;
    out.variant = o.variant;
    out.task = alignment_task::path;
    if (o.mode == "local") out.mode = alignment_mode::local;
    if (o.mode == "infix" || o.mode == "prefix" || o.mode == "overlap")
        out.mode = alignment_mode::semi_global;
    if (o.mode == "infix") out.ends = infix_ends;
    if (o.mode == "prefix") out.ends = prefix_ends;
    if (o.mode == "overlap") out.ends = {true, true, true, true};
    out.open = o.open;
    out.extend = o.extend;
    out.band = o.band;
    out.x_drop = o.x_drop;
    if (o.matrix.empty()) {
        out.matrix = {o.match, o.mismatch};
        return out;
    }
    out.matrix = matrix_of(o.matrix);
    return out;
}

/// Where a query's letters are before its reverse complement was taken.
std::array<index_t, 2> query_range(const scored_pair& p) {
    const index_t length = std::ssize(p.query_symbols);
    if (!p.reverse) return {p.result.query_begin, p.result.query_end};
    return {length - p.result.query_end, length - p.result.query_begin};
}

std::string joined(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) line += (line.empty() ? "" : "\t") + word;
    return line + "\n";
}

std::string tsv_line(const scored_pair& p) {
    const auto [begin, end] = query_range(p);
    const alignment_result& r = p.result;
    std::string cigar = r.cigar();
    std::vector<std::string> words{p.query,
                                   p.target,
                                   p.reverse ? "-" : "+",
                                   std::to_string(r.score),
                                   std::to_string(begin),
                                   std::to_string(end),
                                   std::to_string(r.target_begin),
                                   std::to_string(r.target_end),
                                   fraction_text(r.identity()),
                                   cigar.empty() ? "*" : cigar};
    if (r.heuristic) words.emplace_back("heuristic");
    return joined(words);
}

/// The aligned strand, what is not aligned of it clipped. Nothing aligned: unmapped.
std::string sam_line(const scored_pair& p) {
    const alignment_result& r = p.result;
    const std::string letters = p.query_symbols.empty() ? "*" : p.query_symbols;
    const std::string quality = sam_quality(p.quality, p.reverse);
    if (r.path.empty()) return joined({p.query, "4", "*", "0", "0", "*", "*", "0", "0", letters, quality});
    std::string cigar = r.cigar();
    if (r.query_begin > 0) cigar = std::to_string(r.query_begin) + "S" + cigar;
    const index_t behind = std::ssize(p.query_symbols) - r.query_end;
    if (behind > 0) cigar += std::to_string(behind) + "S";
    std::vector<std::string> words{p.query,
                                   p.reverse ? "16" : "0",
                                   p.target,
                                   std::to_string(r.target_begin + 1),
                                   "255",
                                   cigar,
                                   "*",
                                   "0",
                                   "0",
                                   letters,
                                   quality,
                                   "AS:i:" + std::to_string(r.score),
                                   "NM:i:" + std::to_string(r.edits())};
    if (r.heuristic) words.emplace_back("xh:i:1");
    return joined(words);
}

}  // namespace

std::string paf_line(const scored_pair& p) {
    const auto [begin, end] = query_range(p);
    const alignment_result& r = p.result;
    index_t columns = 0;
    for (const wale::alignment_run& run : r.path) columns += run.length;
    std::vector<std::string> words{p.query,
                                   std::to_string(p.query_symbols.size()),
                                   std::to_string(begin),
                                   std::to_string(end),
                                   p.reverse ? "-" : "+",
                                   p.target,
                                   std::to_string(p.target_symbols.size()),
                                   std::to_string(r.target_begin),
                                   std::to_string(r.target_end),
                                   std::to_string(columns - r.edits()),
                                   std::to_string(columns),
                                   "255",
                                   "AS:i:" + std::to_string(r.score)};
    if (p.searched && p.evalue == p.evalue) words.push_back("ev:f:" + short_text(p.evalue));
    if (r.heuristic) words.emplace_back("xh:i:1");
    if (columns > 0) words.push_back("cg:Z:" + r.cigar());
    return joined(words);
}

namespace {

/// Three lines: letters of the query, '|' or '.', letters of the target.
struct view_lines {
    std::string query, middle, target;
};

view_lines lines_of(const scored_pair& p) {
    view_lines v;
    auto i = static_cast<std::size_t>(p.result.query_begin),
         j = static_cast<std::size_t>(p.result.target_begin);
    for (const wale::alignment_run& run : p.result.path)
        for (index_t k = 0; k < run.length; ++k) {
            v.query += run.operation == 'D' ? '-' : p.query_symbols[i++];
            v.target += run.operation == 'I' ? '-' : p.target_symbols[j++];
            v.middle += run.operation == '=' ? '|' : run.operation == 'X' ? '.' : ' ';
        }
    return v;
}

}  // namespace

std::string text_view(const scored_pair& p) {
    constexpr std::size_t width = 60, name_width = 12;
    const view_lines v = lines_of(p);
    std::string out = printable(p.query) + (p.reverse ? " (reverse complement)" : "") + " x " +
                      printable(p.target) + ": score " + std::to_string(p.result.score) + ", identity " +
                      percent_text(p.result.identity()) + (p.result.heuristic ? ", heuristic" : "") + "\n\n";
    const auto row = [&](const std::string& name, index_t& at, const std::string& part) {
        const index_t first = at;
        at += std::ssize(part) - std::count(part.begin(), part.end(), '-');
        char numbers[2][24];
        std::snprintf(numbers[0], sizeof numbers[0], "%9lld ",
                      static_cast<long long>(at > first ? first + 1 : first));
        std::snprintf(numbers[1], sizeof numbers[1], " %lld\n", static_cast<long long>(at));
        std::string cut = name.substr(0, name_width);
        cut.resize(name_width, ' ');
        return cut + numbers[0] + part + numbers[1];
    };
    index_t i = p.result.query_begin, j = p.result.target_begin;  // of the strand that is aligned
    for (std::size_t k = 0; k < v.query.size(); k += width) {
        out += row(printable(p.query), i, v.query.substr(k, width));
        out += std::string(name_width + 10, ' ') + v.middle.substr(k, width) + "\n";
        out += row(printable(p.target), j, v.target.substr(k, width)) + "\n";
    }
    return out;
}

namespace {

class score_writer {
public:
    score_writer(const align_options& o, const records& queries, const records& targets)
        : o_(o),
          out_(o.output, o.strings ? std::vector<std::string>{} : std::vector{o.query_file, o.target_file}) {
        if (o.json)
            out_.frame(json_list("pairs"));
        else if (o.format == "sam")
            begin_sam(queries, targets);
        else if (o.format == "tsv")
            out_.frame(joined({"query", "target", "strand", "score", "query_begin", "query_end",
                               "target_begin", "target_end", "identity",
                               o.band < 0 && o.x_drop < 0 ? "cigar" : "cigar\theuristic"}));
    }
    /// Pair k of all.
    void add(index_t k, const scored_pair& p) {
        if (o_.json) return out_.write((k > 0 ? ",\n" : "\n") + to_json(p));
        out_.write(o_.format == "paf"    ? paf_line(p)
                   : o_.format == "sam"  ? sam_line(p)
                   : o_.format == "text" ? text_view(p)
                                         : tsv_line(p));
    }
    void finish(const align_totals& totals) {
        if (o_.json) out_.frame("\n],\n\"run\": " + to_json(totals) + "}\n");
        out_.commit();
    }
    [[nodiscard]] ordered_output& out() { return out_; }

private:
    void begin_sam(const records& queries, const records& targets) {
        const std::string query_file = o_.strings ? "query" : o_.query_file;
        for (const sequence_record& r : queries) check_sam_read(query_file, r);
        out_.frame(sam_header(o_.strings ? "target" : o_.target_file, targets));
    }

    const align_options& o_;
    ordered_output out_;
};

}  // namespace

substitution_matrix matrix_of(const std::string& name) {
    const std::vector<std::string> names = substitution_matrix::names();
    std::string lower = name;
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const bool known = std::find(names.begin(), names.end(), lower) != names.end();
    return known ? substitution_matrix::named(lower) : substitution_matrix::read(name);
}

namespace {

/// The path has the score, and another row finds none that is better. Heuristics may miss the best one.
std::string flaw_of(const scored_pair& p, const alignment_options& scoring, const second_rows& rows,
                    const std::string& ran) {
    if (std::string flaw = alignment_flaw(p.query_symbols, p.target_symbols, p.result, scoring);
        !flaw.empty() || p.result.heuristic)
        return flaw;
    alignment_options again = scoring;
    again.task = alignment_task::score;
    const double cells =
        static_cast<double>(p.query_symbols.size()) * static_cast<double>(p.target_symbols.size());
    const index_t second = rows.ask(ran, cells, [&](const execution& where, const std::string& row) {
        again.variant = row;
        return align(where, p.query_symbols, p.target_symbols, again).score;
    });
    if (second == p.result.score) return {};
    return "score is " + std::to_string(p.result.score) + ", another row says " + std::to_string(second);
}

/// The rows of align that a row of align_pairs may have asked.
std::string rows_that_ran(const std::string& ran) {
    return ran.find("cpu/pairs") == ran.npos ? ran : ran + "+cpu/wavefronts+cpu/diagonals";
}

constexpr double chunk_cells = 1e10, chunk_cells_on_device = 1e12;
constexpr double chunk_symbols = 1 << 26, chunk_pairs = 1 << 18;  // of which a batch has the paths, too

class scored_run {
public:
    scored_run(const align_options& o, const score_profile* profile)
        : o_(o),
          scoring_(scoring_of(o)),
          queries_(profile != nullptr ? records{record_of(*profile, o.query_file)}
                                      : read_records(o, o.query_file, line_)),
          targets_(read_records(o, o.target_file, line_)),
          pairs_(choose_pairing(o, queries_, targets_)),
          where_(choose_backend(o.backend, o.variant, threads_of_rank(o.threads), false).where),
          aligner_(where_, scoring_, profile),
          second_("align", threads_of_rank(o.threads)),
          writer_(o, queries_, targets_) {}

    int run() {
        expect_same_records(queries_, targets_);
        if (!o_.dot_plot.empty() && pairs_.count() != 1)
            throw usage_error("--dot-plot: there are " + std::to_string(pairs_.count()) +
                              " pairs, expected one");
        const double most = backend_of(where_) == backend::cuda ? chunk_cells_on_device : chunk_cells;
        const auto cost = [&](index_t k) {  // cells, or what a batch holds, in the same measure
            const auto a = static_cast<double>(queries_[pairs_.query(k)].symbols.size()),
                       b = static_cast<double>(targets_[pairs_.target(k)].symbols.size());
            return std::max({a * b, most * (a + b) / chunk_symbols, most / chunk_pairs});
        };
        in_turns(pairs_.count(), most, cost, writer_.out(),
                 [&](index_t begin, index_t end) { run_chunk(begin, end); });
        line_.stop();
        align_totals totals;
        totals.pairs = pairs_.count();
        totals.run = merged(aligner_.totals());
        totals.verified = o_.verify;
        if (!flaws_.none_anywhere()) return exit_verdict;
        writer_.finish(totals);
        if (group().rank() == 0) report_totals(totals);
        return exit_good;
    }

private:
    void run_chunk(index_t begin, index_t end) {
        line_.say(std::to_string(begin) + " of " + std::to_string(pairs_.count()) + " pairs");
        const std::size_t strands = o_.reverse_complement ? 2 : 1;
        std::vector<std::string> reversed(o_.reverse_complement ? static_cast<std::size_t>(end - begin) : 0);
        std::vector<text_pair> texts;
        for (index_t k = begin; k < end; ++k) {
            const std::string &query = queries_[pairs_.query(k)].symbols,
                              &target = targets_[pairs_.target(k)].symbols;
            texts.push_back({query, target});
            if (!o_.reverse_complement) continue;
            std::string& other = reversed[static_cast<std::size_t>(k - begin)];
            other = reverse_complement(query);
            texts.push_back({other, target});
        }
        std::vector<alignment_result> results = aligner_.align_all(texts);
        for (index_t k = begin; k < end; ++k) {
            const std::size_t at = static_cast<std::size_t>(k - begin) * strands;
            const bool reverse = strands == 2 && results[at + 1].score > results[at].score;
            finish(k, reverse, texts[at + (reverse ? 1 : 0)], std::move(results[at + (reverse ? 1 : 0)]));
        }
    }

    /// Pair k of all.
    void finish(index_t k, bool reverse, const text_pair& texts, alignment_result&& result) {
        const sequence_record& query = queries_[pairs_.query(k)];
        const sequence_record& target = targets_[pairs_.target(k)];
        scored_pair found{query.name,     target.name,      reverse, std::string(texts.query),
                          target.symbols, std::move(result)};
        found.quality = query.quality;
        if (o_.verify && !flaws_.any())
            flaws_.add(found.query, found.target,
                       flaw_of(found, scoring_, second_, rows_that_ran(aligner_.totals().variant)));
        if (!o_.dot_plot.empty() && !flaws_.any()) write_dot_plot(o_, found);
        writer_.add(k, found);
    }

    const align_options& o_;
    const alignment_options scoring_;
    progress line_;
    const records queries_, targets_;
    const pairing pairs_;
    const execution where_;
    pair_aligner aligner_;
    const second_rows second_;
    score_writer writer_;
    found_flaws flaws_;
};

}  // namespace

int align_scores(const align_options& o) {
    if (!o.profile) {
        const int code = scored_run(o, nullptr).run();
        const bool parts = o.mode == "local" || o.mode == "overlap";
        if (parts && o.matrix.empty() && o.match <= 0 && group().rank() == 0)
            std::cerr << "wale: note: --mode " << o.mode << ": nothing scores above 0 with --match "
                      << o.match
                      << ", so that the best part is empty; --match 2 or --matrix blosum62 give scores\n";
        return code;
    }
    const score_profile profile = score_profile::read(o.query_file);
    return scored_run(o, &profile).run();
}

}  // namespace wale::cli
