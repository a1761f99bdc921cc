// align - reads two files, compares their records, writes a line for each pair.
#include "engine.hpp"

#include <algorithm>
#include <wale/infix.hpp>
#include <wale/output_file.hpp>
#include <wale/sequence_file.hpp>
#include <wale/verification.hpp>

#include "align.hpp"
#include "backend.hpp"
#include "failure.hpp"
#include "group.hpp"
#include "json.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace wale::cli {
namespace {

constexpr double chunk_symbols = 1 << 27;  // bytes of text in one batch
constexpr double chunk_pairs = 1 << 20;

/// Writes alignments as they come.
class writer {
public:
    explicit writer(const align_options& o) : o_(o), out_(o.output, {o.query_file, o.target_file}) {
        if (o.json) {
            out_.frame(json_list("pairs"));
        } else if (!o.string) {
            out_.frame(std::string("query\ttarget\t") + (o.reverse_complement ? "strand\t" : "") +
                       "length_query\tlength_target\t" + (o.measure == "edit" ? "distance" : "lcs") +
                       "\tsimilarity\n");
        }
    }
    /// Pair k of all.
    void add(index_t k, const alignment& a) {
        if (o_.json) return out_.write((k > 0 ? ",\n" : "\n") + to_json(a));
        if (o_.string) return add_record(a);
        out_.write(
            a.query + "\t" + a.target + "\t" + (a.both_strands ? a.reverse ? "-\t" : "+\t" : "") +
            std::to_string(a.query_length) + "\t" + std::to_string(a.target_length) + "\t" +
            (a.within_bound ? std::to_string(a.value) : std::string(">").append(std::to_string(o_.bound))) +
            "\t" + (a.within_bound ? fraction_text(a.similarity()) : "NA") + "\n");
    }
    void finish(const align_totals& totals) {
        if (o_.json) out_.frame("\n],\n\"run\": " + to_json(totals) + "}\n");
        out_.commit();
    }
    [[nodiscard]] ordered_output& out() { return out_; }

private:
    void add_record(const alignment& a) {
        constexpr std::size_t width = 80;
        out_.write(">" + a.query + "|" + a.target + " lcs=" + std::to_string(a.value) +
                   (a.both_strands ? a.reverse ? " strand=-" : " strand=+" : "") + "\n");
        for (std::size_t k = 0; k < a.string.size(); k += width) out_.write(a.string.substr(k, width) + "\n");
    }

    const align_options& o_;
    ordered_output out_;
};

class alignment_run {
public:
    explicit alignment_run(const align_options& o)
        : o_(o),
          a_(read(o.query_file)),
          b_(read(o.target_file)),
          pairing_(choose_pairing(o, a_, b_)),
          cells_(total_cells(pairing_, a_, b_) * (o.reverse_complement ? 2 : 1)),
          engine_(o, cells_),
          writer_(o) {
        if (o.reverse_complement)
            for (const auto& r : a_) reversed_.push_back(reverse_complement(r.symbols));
    }
    int run() {
        expect_same_records(a_, b_);
        const double strands = o_.reverse_complement ? 2 : 1;
        const auto cells = [&](index_t k) {  // or the text that a batch holds, in the same measure
            const auto a = static_cast<double>(a_[pairing_.query(k)].symbols.size()),
                       b = static_cast<double>(b_[pairing_.target(k)].symbols.size());
            const double chunk = engine_.chunk_cells();
            return std::max(
                {strands * a * b, chunk * strands * (a + b) / chunk_symbols, chunk / chunk_pairs});
        };
        in_turns(pairing_.count(), engine_.chunk_cells(), cells, writer_.out(),
                 [&](index_t begin, index_t end) { run_chunk(begin, end); });
        line_.stop();
        align_totals totals = engine_.totals();
        totals.pairs = pairing_.count();
        totals.run = merged(totals.run);
        totals.verified = o_.verify;
        if (!flaws_.none_anywhere()) return exit_verdict;
        writer_.finish(totals);
        if (group().rank() == 0) report_totals(totals);
        return exit_good;
    }

private:
    [[nodiscard]] records read(const std::string& file) { return read_records(o_, file, line_); }
    [[nodiscard]] std::vector<job> jobs_of(index_t begin, index_t end) const;
    void run_chunk(index_t begin, index_t end);
    [[nodiscard]] alignment describe(index_t k, const job* jobs);
    [[nodiscard]] alignment describe_better(alignment out, const job* jobs);
    void add_string(alignment& a, const job& j);
    void check(index_t begin, const std::vector<job>& jobs);

    const align_options& o_;
    progress line_;  // first, since it shows what is read
    records a_, b_;
    pairing pairing_;
    double cells_;
    engine engine_;
    writer writer_;
    std::vector<std::string> reversed_;
    found_flaws flaws_;
};

/// One for each strand of a pair, side by side.
std::vector<job> alignment_run::jobs_of(index_t begin, index_t end) const {
    std::vector<job> jobs;
    for (index_t k = begin; k < end; ++k) {
        const std::size_t q = pairing_.query(k);
        const std::string& target = b_[pairing_.target(k)].symbols;
        jobs.push_back({a_[q].symbols, target});
        if (o_.reverse_complement) jobs.push_back({reversed_[q], target});
    }
    return jobs;
}

void alignment_run::run_chunk(index_t begin, index_t end) {
    std::vector<job> jobs = jobs_of(begin, end);
    const index_t strands = o_.reverse_complement ? 2 : 1;
    // Which strand is better the lengths say, unless only strings have the row that was asked for.
    const bool lengths_first = !o_.string || (strands == 2 && engine_.has_lengths());
    const auto say = [&](index_t done) {
        line_.say(std::to_string(begin + done / strands) + " of " + std::to_string(pairing_.count()) +
                  " pairs");
    };
    say(0);
    if (lengths_first) engine_.run(jobs, say);
    if (lengths_first && o_.verify) check(begin, jobs);
    for (index_t k = begin; k < end; ++k) {
        writer_.add(k, describe(k, jobs.data() + (k - begin) * strands));
        if (o_.string) say((k - begin + 1) * strands);
    }
}

alignment alignment_run::describe(index_t k, const job* jobs) {
    const sequence_record& query = a_[pairing_.query(k)];
    const sequence_record& target = b_[pairing_.target(k)];
    alignment out;
    out.query = query.name;
    out.target = target.name;
    out.query_length = std::ssize(query.symbols);
    out.target_length = std::ssize(target.symbols);
    out.edit = o_.measure == "edit";
    out.both_strands = o_.reverse_complement;
    if (o_.string && out.both_strands && !engine_.has_lengths()) return describe_better(std::move(out), jobs);
    if (out.both_strands)
        out.reverse = out.edit ? jobs[1].value < jobs[0].value : jobs[1].value > jobs[0].value;
    const job& best = jobs[out.reverse ? 1 : 0];
    out.value = best.value;
    out.within_bound = best.within_bound;
    if (o_.string) add_string(out, best);
    return out;
}

/// The longer of both strands' strings.
alignment alignment_run::describe_better(alignment out, const job* jobs) {
    alignment other = out;
    other.reverse = true;
    add_string(out, jobs[0]);
    add_string(other, jobs[1]);
    return other.value > out.value ? other : out;
}

void alignment_run::add_string(alignment& a, const job& j) {
    lcs_string_result r = engine_.string(j);
    a.has_string = true;
    a.in_query = std::move(r.in_a);
    a.in_target = std::move(r.in_b);
    a.value = std::ssize(a.in_query);
    for (const index_t i : a.in_query) a.string += j.a[static_cast<std::size_t>(i)];
    if (!o_.verify) return;
    job found = j;
    found.value = a.value;
    flaws_.add(a.query, a.target, lcs_flaw(j.a, j.b, {a.in_query, a.in_target, {}}));
    flaws_.add(a.query, a.target, engine_.flaw(found));
}

/// Both strands of every pair, by another row.
void alignment_run::check(index_t begin, const std::vector<job>& jobs) {
    const index_t strands = o_.reverse_complement ? 2 : 1;
    for (std::size_t k = 0; k < jobs.size() && !flaws_.any(); ++k) {
        const index_t pair = begin + static_cast<index_t>(k) / strands;
        flaws_.add(a_[pairing_.query(pair)].name, b_[pairing_.target(pair)].name, engine_.flaw(jobs[k]));
    }
}

void check(const align_options& o) {
    const bool edit = o.measure == "edit";
    if (o.bound >= 0 && !edit) throw usage_error("--bound: is a bound on distances, expected --measure edit");
    if (o.string && o.measure != "lcs")
        throw usage_error("--string: is a common subsequence, expected --measure lcs");
    if (o.string || o.measure == "score")
        expect_no_devices(o, o.string ? "align --string" : "align --measure score", "pair by pair");
    if (o.pairs && o.all) throw usage_error("--pairs and --all: expected one of them");
    const align_options usual;
    if (o.profile && (o.match != usual.match || o.mismatch != usual.mismatch || !o.matrix.empty() ||
                      o.reverse_complement || edit || o.bound >= 0 || o.string))
        throw usage_error(
            "--profile: has scores of its own, expected no --match, --mismatch, --matrix, --string, --bound, "
            "--reverse-complement, --measure edit");
    const bool scored = o.mode != usual.mode || o.match != usual.match || o.mismatch != usual.mismatch ||
                        !o.matrix.empty() || o.open != usual.open || o.extend != usual.extend ||
                        o.format != usual.format || o.band >= 0 || o.x_drop >= 0 || !o.dot_plot.empty();
    if (scored && o.measure != "score" && !o.profile)
        throw usage_error(
            "--mode, --match, --mismatch, --matrix, --open, --extend, --band, --x-drop, --format, "
            "--dot-plot: "
            "expected --measure score");
    expect_ending("--dot-plot", o.dot_plot, ".png");
    expect_distinct(std::vector<named_output>{{"--output", o.output}, {"--dot-plot", o.dot_plot}});
    if (o.x_drop >= 0 && o.mode == "local") throw usage_error("--x-drop: is not of --mode local");
    if (o.json && o.format != usual.format) throw usage_error("--json and --format: expected one of them");
    if (!o.strings && o.query_file == "-" && o.target_file == "-")
        throw usage_error("both files are standard input, expected one");
}

}  // namespace

int align(const align_options& options) {
    check(options);
    if (options.measure == "score" || options.profile) return align_scores(options);
    return alignment_run(options).run();
}

}  // namespace wale::cli
