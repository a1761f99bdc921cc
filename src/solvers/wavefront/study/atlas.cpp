// atlas - random tables, and sequences of random length, alphabet and likeness.
#include <algorithm>
#include <wale/enumerators.hpp>

#include "solvers/wavefront/study/study.hpp"

namespace wale::wavefront {
namespace {

using experiments::cell_limits;
using experiments::dice;
using experiments::drawn_cell;
using experiments::traits;

constexpr double table_rate = 2e9;    // cells a second of whole tables, on one thread
constexpr double length_rate = 2e10;  // of lengths by bit vectors
constexpr double string_rate = 8e9;
constexpr double score_rate = 4e9;  // of alignments

struct extent {
    index_t rows, columns;
};

/// Two lengths whose product is at most `cells` and whose logarithms share it out by chance.
extent draw_extent(dice& d, double cells) {
    const auto all = static_cast<double>(d.size(cells));
    if (d.one_in(2)) {
        const auto side = static_cast<index_t>(std::sqrt(all));
        return {std::max<index_t>(side, 1), std::max<index_t>(side, 1)};
    }
    const index_t rows = d.size(all);
    return {rows, std::max<index_t>(1, static_cast<index_t>(all / static_cast<double>(rows)))};
}

const char* name_of_element(element e) {
    return e == element::i16   ? "int16"
           : e == element::i32 ? "int32"
           : e == element::i64 ? "int64"
                               : "float32";
}

drawn_cell draw_table(dice& d, const cell_limits& most) {
    table_recipe what;
    what.kind = d.pick(
        {recurrence::lcs, recurrence::edit, recurrence::global, recurrence::dtw, recurrence::summed_area});
    const bool narrow = d.one_in(3), wide = d.one_in(3);
    what.type = what.kind == recurrence::dtw           ? element::f32
                : what.kind == recurrence::summed_area ? (wide ? element::i64 : element::i32)
                                                       : (narrow ? element::i16 : element::i32);
    const extent e = draw_extent(d, std::fmin(most.seconds * table_rate, most.bytes / 8));
    what.rows = e.rows;
    what.columns = e.columns;
    // Sums of 255 a pixel must fit in 32 bits.
    if (what.type == element::i32 && what.kind == recurrence::summed_area && e.rows > 8000000 / e.columns)
        what.type = element::i64;
    // Scores of 2 a symbol must fit in 16 bits.
    if (what.type == element::i16) what.rows = std::min<index_t>(what.rows, 8000);
    if (what.type == element::i16) what.columns = std::min<index_t>(what.columns, 8000);
    // Sums of costs up to 19 (letters) or 361 (squared) must be exact in a float: below 2^24.
    what.cost = d.pick({dtw_cost::absolute, dtw_cost::squared});
    if (what.kind == recurrence::dtw) what.rows = std::min<index_t>(what.rows, 20000);
    if (what.kind == recurrence::dtw) what.columns = std::min<index_t>(what.columns, 20000);
    what.symbol_bytes = what.kind == recurrence::dtw ? 1 : d.pick({1, 1, 2, 4});
    what.gap = d.one_in(4) ? d.below(40) : 0;
    traits t;
    t.add("kind", name_of(what.kind)).add("type", name_of_element(what.type)).add("rows", what.rows);
    t.add("columns", what.columns).add("gap", what.gap).add("symbol_bytes", what.symbol_bytes);
    if (what.kind == recurrence::dtw) t.add("cost", name_of(what.cost));
    return {t.text(), make_table(what)};
}

/// Pairs of texts. one_in: 0 for unrelated ones, else how often the second differs from the first.
struct likeness {
    index_t alphabet;
    std::uint64_t one_in;
};

likeness draw_likeness(dice& d, traits& t) {
    const likeness l{d.pick({index_t{1}, index_t{2}, index_t{4}, index_t{4}, index_t{26}, index_t{255}}),
                     d.pick({std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{5}, std::uint64_t{50},
                             std::uint64_t{500}})};
    t.add("alphabet", l.alphabet).add("differs_one_in", l.one_in);
    return l;
}

std::string random_text(dice& d, index_t size, index_t alphabet) {
    std::string text(static_cast<std::size_t>(size), 'A');
    for (char& c : text)
        c = static_cast<char>(alphabet > 26 ? 1 + d.below(alphabet) : 'A' + d.below(alphabet));
    return text;
}

std::string partner(dice& d, const std::string& text, index_t size, const likeness& l) {
    if (l.one_in == 0) return random_text(d, size, l.alphabet);
    std::string other = mutated(text, l.one_in, d.next());
    if (other.empty()) other.push_back(text.front());
    return other;
}

/// Scores of an alignment; those of protein come from a matrix.
alignment_options draw_scoring(dice& d, traits& t) {
    alignment_options o;
    o.mode = d.pick({alignment_mode::global, alignment_mode::local, alignment_mode::semi_global});
    if (o.mode == alignment_mode::semi_global) o.ends = d.one_in(2) ? infix_ends : prefix_ends;
    o.matrix = {static_cast<int>(d.below(4)), -1 - static_cast<int>(d.below(4))};
    if (d.one_in(3)) o.matrix = substitution_matrix::named("blosum62");
    o.open = 1 + d.below(11);
    o.extend = 1 + d.below(o.open);
    t.add("mode", name_of(o.mode)).add("match", o.matrix.match()).add("mismatch", o.matrix.mismatch());
    t.add("matrix", o.matrix.by_equality() ? "equality" : "blosum62");
    t.add("free_begin", o.ends.target_begin ? "yes" : "no");
    t.add("open", o.open).add("extend", o.extend);
    return o;
}

drawn_cell draw_pair(dice& d, const char* operation, double cells) {
    traits t;
    sequence_recipe what{.operation = operation};
    if (what.operation == "align") what.scoring = draw_scoring(d, t);
    const likeness l = draw_likeness(d, t);
    const extent e = draw_extent(d, cells);
    const index_t size =
        l.one_in == 0
            ? e.rows
            : static_cast<index_t>(std::sqrt(static_cast<double>(e.rows) * static_cast<double>(e.columns)));
    const std::string a = random_text(d, size, l.alphabet);
    what.pairs.add(a, partner(d, a, e.columns, l));
    const bool bytes = what.operation == "lcs_string" || !what.scoring.matrix.by_equality();
    what.symbol_bytes = bytes ? 1 : d.pick({1, 1, 2, 4});
    t.add("rows", std::ssize(what.pairs.a.symbols)).add("columns", std::ssize(what.pairs.b.symbols));
    t.add("symbol_bytes", what.symbol_bytes);
    if (what.operation == "edit_distance" && d.one_in(4))
        what.bound = d.size(static_cast<double>(std::max(e.rows, e.columns)));
    if (what.operation == "edit_distance") t.add("bound", what.bound);
    return {t.text(), make_sequences(std::move(what))};
}

drawn_cell draw_batch(dice& d, const char* operation, const cell_limits& most) {
    traits t;
    sequence_recipe what{.operation = operation};
    const bool scores = what.operation.starts_with("align");
    if (scores) what.scoring = draw_scoring(d, t);
    const likeness l = draw_likeness(d, t);
    const double cells = most.seconds * (scores ? score_rate : length_rate);
    const index_t length = d.size(std::fmin(std::sqrt(cells), 20000));
    const auto one = static_cast<double>(length) * static_cast<double>(length);
    const index_t count = d.size(std::fmin(cells / one, most.bytes / 40 / static_cast<double>(length)));
    const index_t spread = d.pick({index_t{0}, index_t{1}, index_t{9}});  // tenths of the length
    what.symbol_bytes = what.scoring.matrix.by_equality() ? d.pick({1, 1, 2, 4}) : 1;
    for (index_t k = 0; k < count; ++k) {
        const auto vary = [&] { return std::max<index_t>(1, length - d.below(length * spread / 10 + 1)); };
        const std::string a = random_text(d, vary(), l.alphabet);
        what.pairs.add(a, partner(d, a, vary(), l));
    }
    t.add("count", count)
        .add("length", length)
        .add("spread_tenths", spread)
        .add("symbol_bytes", what.symbol_bytes);
    return {t.text(), make_sequences(std::move(what))};
}

}  // namespace

std::vector<experiments::drawing> drawings() {
    return {
        {"fill", "fill", draw_table},
        {"lcs_length", "lcs_length",
         +[](dice& d, const cell_limits& m) { return draw_pair(d, "lcs_length", m.seconds * length_rate); }},
        {"edit_distance", "edit_distance",
         +[](dice& d, const cell_limits& m) {
             return draw_pair(d, "edit_distance", m.seconds * length_rate);
         }},
        {"lcs_string", "lcs_string",
         +[](dice& d, const cell_limits& m) { return draw_pair(d, "lcs_string", m.seconds * string_rate); }},
        {"lcs_batch", "lcs_batch",
         +[](dice& d, const cell_limits& m) { return draw_batch(d, "lcs_batch", m); }},
        {"edit_batch", "edit_batch",
         +[](dice& d, const cell_limits& m) { return draw_batch(d, "edit_batch", m); }},
        {"align", "align",
         +[](dice& d, const cell_limits& m) { return draw_pair(d, "align", m.seconds * score_rate); }},
        {"align_batch", "align_batch",
         +[](dice& d, const cell_limits& m) { return draw_batch(d, "align_batch", m); }},
        {"align_pairs", "align_pairs",
         +[](dice& d, const cell_limits& m) { return draw_batch(d, "align_pairs", m); }},
    };
}

}  // namespace wale::wavefront
