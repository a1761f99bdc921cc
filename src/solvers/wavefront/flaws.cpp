// flaws - why an answer cannot be right: paths are scored again column by column, places are searched again
// by the reference in a window round them.
#include <algorithm>
#include <sstream>
#include <vector>
#include <wale/verification.hpp>

#include "base/argument.hpp"
#include "solvers/wavefront/align/shared/codes.hpp"

namespace wale {
namespace {

using namespace wavefront;

symbols symbols_of(sequence_view s) {
    return {s.data(), s.size(), s.symbol_bytes()};
}

template <class... Parts>
std::string said(const Parts&... parts) {
    std::ostringstream text;
    (text << ... << parts);
    return std::move(text).str();
}

std::string range(index_t begin, index_t end) {
    return said("[", begin, ", ", end, ")");
}

/// The columns of a path as they are read; `flaw` says what is wrong with the first bad one.
struct scored_path {
    index_t query, target;  // the next symbols
    index_t score = 0, edits = 0;
    std::string flaw;
};

/// score(i, j) of a pair of columns, same(i, j), cost(length) of a gap; from 0.
template <class Score, class Same, class Cost>
scored_path read_path(const std::vector<alignment_run>& path, index_t query, index_t target,
                      index_t query_end, index_t target_end, const Score& score, const Same& same,
                      const Cost& cost) {
    scored_path at{query, target, 0, 0, {}};
    char before = ' ';
    for (const alignment_run& run : path) {
        const bool takes_query = run.operation != 'D', takes_target = run.operation != 'I';
        const auto named = [&] { return said(run.length, run.operation); };
        if (run.length <= 0 || run.operation == before ||
            std::string_view("=XID").find(run.operation) == std::string_view::npos) {
            at.flaw = said("path: has ", named(), " after '", before, "'");
            return at;
        }
        if ((takes_query && run.length > query_end - at.query) ||
            (takes_target && run.length > target_end - at.target)) {
            at.flaw = said("path: leaves its places with ", named());
            return at;
        }
        before = run.operation;
        at.edits += run.operation == '=' ? 0 : run.length;
        if (takes_query && takes_target)
            for (index_t k = 0; k < run.length; ++k) {
                if (same(at.query + k, at.target + k) != (run.operation == '=')) {
                    at.flaw = said("path: says ", run.operation, " of query ", at.query + k, " and target ",
                                   at.target + k);
                    return at;
                }
                at.score += score(at.query + k, at.target + k);
            }
        else
            at.score -= cost(run.length);
        at.query += takes_query ? run.length : 0;
        at.target += takes_target ? run.length : 0;
    }
    if (at.query != query_end || at.target != target_end)
        at.flaw = said("path: ends at query ", at.query, " and target ", at.target, ", expected ", query_end,
                       " and ", target_end);
    return at;
}

/// Whether an alignment may begin at a distance of i and j from the corner, or end there.
bool may_touch(bool query_is_free, bool target_is_free, index_t i, index_t j) {
    return (i == 0 || query_is_free) && (j == 0 || target_is_free) && (i == 0 || j == 0);
}

/// "5=1X2D"; throws nothing: what is no CIGAR gives a run that read_path() refuses.
std::vector<alignment_run> runs_of(const std::string& cigar) {
    std::vector<alignment_run> runs;
    index_t length = 0;
    for (const char c : cigar) {
        if (c >= '0' && c <= '9') {
            length = std::min<index_t>(10 * length + (c - '0'), index_t{1} << 40);
        } else {
            runs.push_back({c, length});
            length = 0;
        }
    }
    if (length > 0) runs.push_back({'?', length});
    return runs;
}

index_t symbol_at(const symbols& s, index_t i) {
    if (s.bytes == 1) return static_cast<const std::uint8_t*>(s.data)[i];
    if (s.bytes == 2) return static_cast<const std::uint16_t*>(s.data)[i];
    return static_cast<const std::uint32_t*>(s.data)[i];
}

sequence_view part_of(const symbols& s, index_t begin, index_t end) {
    return {static_cast<const char*>(s.data) + begin * s.bytes, end - begin, s.bytes};
}

}  // namespace

std::string alignment_flaw(sequence_view query, sequence_view target, const alignment_result& answer,
                           const alignment_options& o) {
    if (answer.query_begin < 0 || answer.target_begin < 0)
        base::refuse("answer", "an alignment without its beginning", "that of the task path");
    const coded_alignment codes(symbols_of(query), symbols_of(target), o);
    const alignment_problem& p = codes.problem();
    const index_t m = query.size(), n = target.size();
    if (answer.query_begin > answer.query_end || answer.query_end > m ||
        answer.target_begin > answer.target_end || answer.target_end > n)
        return said("places: query ", range(answer.query_begin, answer.query_end), ", target ",
                    range(answer.target_begin, answer.target_end), ", expected parts of ", m, " and ", n);
    const bool any_end = p.local() || o.x_drop >= 0;
    if (!p.local() &&
        !may_touch(p.ends.query_begin, p.ends.target_begin, answer.query_begin, answer.target_begin))
        return said("places: begins at query ", answer.query_begin, " and target ", answer.target_begin,
                    ", which the mode does not allow");
    if (!any_end &&
        !may_touch(p.ends.query_end, p.ends.target_end, m - answer.query_end, n - answer.target_end))
        return said("places: ends at query ", answer.query_end, " and target ", answer.target_end,
                    ", which the mode does not allow");
    const scored_path read = read_path(
        answer.path, answer.query_begin, answer.target_begin, answer.query_end, answer.target_end,
        [&](index_t i, index_t j) { return p.score_at(i + 1, j + 1); },
        [&](index_t i, index_t j) { return p.same_at(i + 1, j + 1); },
        [&](index_t length) { return -p.gap(length); });
    if (!read.flaw.empty()) return read.flaw;
    if (read.score != answer.score) return said("score: is ", answer.score, ", the path has ", read.score);
    return {};
}

std::string lcs_flaw(sequence_view a, sequence_view b, const lcs_string_result& answer) {
    const symbols x = symbols_of(a), y = symbols_of(b);
    if (answer.in_a.size() != answer.in_b.size())
        return said("positions: ", answer.in_a.size(), " in a and ", answer.in_b.size(),
                    " in b, expected as many");
    index_t i = -1, j = -1;  // the positions before
    for (std::size_t k = 0; k < answer.in_a.size(); ++k) {
        const index_t in_a = answer.in_a[k], in_b = answer.in_b[k];
        if (in_a <= i || in_a >= x.size || in_b <= j || in_b >= y.size)
            return said("positions: number ", k, " is ", in_a, " and ", in_b,
                        ", expected positions that ascend");
        if (symbol_at(x, in_a) != symbol_at(y, in_b))
            return said("positions: the symbols at ", in_a, " and ", in_b, " differ");
        i = in_a;
        j = in_b;
    }
    return {};
}

std::string infix_flaw(sequence_view query, sequence_view subject, const infix_match& answer,
                       const infix_options& o) {
    if (answer.distance < 0) return {};
    const bool prefix = o.mode == infix_mode::prefix;
    const index_t m = query.size(), n = subject.size();
    if (answer.locations.empty()) return said("locations: none at distance ", answer.distance);
    if (o.bound >= 0 && answer.distance > o.bound)
        return said("distance: is ", answer.distance, ", the bound ", o.bound);
    std::string reversed;
    const symbols whole = symbols_of(subject), forward = symbols_of(query);
    bool first = true;
    for (const infix_location& at : answer.locations) {
        const std::string place = said(range(at.begin, at.end), at.reverse ? " of the reverse strand" : "");
        if (at.begin < -1 || at.end < 0 || at.end > n || at.begin > at.end || (prefix && at.begin > 0))
            return said("locations: ", place, ", expected a part of ", n);
        if (at.reverse && !o.both_strands) return said("locations: ", place, ", which was not asked for");
        if (at.reverse && reversed.empty() && m > 0)
            reversed =
                reverse_complement({static_cast<const char*>(query.data()), static_cast<std::size_t>(m)});
        const symbols own = at.reverse ? symbols{reversed.data(), m, 1} : forward;
        const sequence_view read(own.data, m, own.bytes);
        if (at.begin >= 0) {
            const index_t exact =
                edit_distance(on_reference{}, read, part_of(whole, at.begin, at.end)).distance;
            if (exact != answer.distance)
                return said("locations: ", place, " is at distance ", exact, ", expected ", answer.distance);
        }
        // A part that is as near or nearer and touches this one lies in the window.
        const index_t low = prefix ? 0 : std::max<index_t>(0, at.end - 2 * m - 1),
                      high = std::min(n, at.end + m + 1);
        const infix_match near = infix_align(on_reference{}, query, part_of(whole, low, high),
                                             {.variant = "reference/plain",
                                              .mode = o.mode,
                                              .task = infix_task::distance,
                                              .both_strands = o.both_strands});
        if (near.distance != answer.distance)
            return said("distance: is ", answer.distance, ", ", near.distance, " near ", place);
        if (first && !answer.cigar.empty()) {
            if (at.begin < 0) return said("path: ", answer.cigar, " of a part whose begin is ", at.begin);
            const scored_path path = read_path(
                runs_of(answer.cigar), 0, at.begin, m, at.end, [](index_t, index_t) { return 0; },
                [&](index_t i, index_t j) { return symbol_at(own, i) == symbol_at(whole, j); },
                [](index_t) { return 0; });
            if (!path.flaw.empty()) return path.flaw;
            if (path.edits != answer.distance)
                return said("path: has ", path.edits, " edits, the distance is ", answer.distance);
        }
        first = false;
    }
    return {};
}

std::string hit_flaw(sequence_view query, const search_hit& hit, const search_options& options,
                     double& cells) {
    alignment_options scoring;
    scoring.mode = options.mode;
    scoring.ends = options.ends;
    scoring.matrix = options.matrix;
    scoring.open = options.open;
    scoring.extend = options.extend;
    if (hit.alignment.score != hit.score)
        return said("score is ", hit.score, ", of the alignment ", hit.alignment.score);
    if (std::string flaw = alignment_flaw(query, hit.symbols, hit.alignment, scoring); !flaw.empty())
        return flaw;
    cells -= static_cast<double>(query.size()) * static_cast<double>(hit.symbols.size());
    if (cells < 0) return {};
    const index_t best = align(on_reference{}, query, hit.symbols, scoring).score;
    if (best != hit.score) return said("score is ", hit.score, ", the reference says ", best);
    return {};
}

}  // namespace wale
