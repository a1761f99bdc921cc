// sweeper - see sweeper.cuh.
#include "solvers/wavefront/align/cuda/strips/sweeper.cuh"

#include <algorithm>
#include <string>

#include "base/checked.hpp"
#include "cuda/withheld.cuh"
#include "tuning/override.hpp"

namespace wale::wavefront::strips {
namespace {

constexpr int most_equal_letters = 0x8000;
constexpr std::size_t most_blocks = std::size_t{1} << 20;

binned::prices prices_of(const alignment_problem& p) {
    return {p.local(),         p.ends.query_begin,       p.ends.query_end,          p.ends.target_begin,
            p.ends.target_end, static_cast<int>(p.open), static_cast<int>(p.extend)};
}

word halves(int v) {
    return (static_cast<word>(v) & 0xffffu) * 0x10001u;
}

}  // namespace

scores_of_call::scores_of_call(const alignment_options& o)
    : open(o.open), extend(std::min(o.open, o.extend)) {
    const substitution_matrix& m = o.matrix;
    const auto offer = [&](std::int64_t score) {
        highest = std::max(highest, clamped(score));
        lowest = std::min(lowest, clamped(score));
    };
    if (m.by_equality()) {
        offer(m.match());
        offer(m.mismatch());
    }
    for (const std::int32_t s : m.scores()) offer(s);
}

// Above the corner: a path into the strip or block can be turned into one through the corner at the price of
// its symbols' gaps, then every row or column gains `highest`; and what cells of later columns are stored
// with. Below: gaps from the corner, E and F an opening lower, a pair of symbols 2 open + 1, or 128 below the
// query.
bool scores_of_call::fit(const sweep_policy& policy) const {
    const std::int64_t rows = std::int64_t{2} * warp_size * policy.words;
    const std::int64_t columns = policy.block + 2 * warp_size;
    const std::int64_t above = std::max(rows, columns) * (highest + extend) + 2 * open + columns * extend;
    const std::int64_t below = (rows + columns) * extend + 6 * open + 130;
    return above <= 32000 && below <= 32000;
}

kept_part::kept_part(const cuda::context& c, const part& of, index_t step, const sweep_policy& policy,
                     index_t panel)
    : of(of),
      step(step),
      panel(panel),
      words(policy.words),
      block(policy.block),
      rows_(c, lines_of(of.rows) * of.columns, "the rows that are kept"),
      states_(c, lines_of(of.columns) * strips() * strip_rows(), "the columns that are kept"),
      row_corners_(c, lines_of(of.rows) * base::ceil_div(of.columns, block)),
      state_corners_(c, lines_of(of.columns) * strips()) {
    lines_.row_stride = static_cast<int>(step / strip_rows());
    lines_.column_stride = static_cast<int>(step / panel);
    lines_.rows = rows_.data();
    lines_.row_corners = row_corners_.data();
    lines_.states = states_.data();
    lines_.state_corners = state_corners_.data();
}
const word* kept_part::row_words(index_t row, index_t column) const {
    return rows_.data() + ((row - of.row) / step - 1) * of.columns + column - of.column;
}
const std::int64_t* kept_part::row_corners(index_t row, index_t column) const {
    return row_corners_.data() + ((row - of.row) / step - 1) * base::ceil_div(of.columns, block) +
           (column - of.column) / block;
}
const word* kept_part::state_words(index_t row, index_t column) const {
    const index_t line = (column - of.column) / step - 1;
    return states_.data() + line * strips() * strip_rows() + (row - of.row);  // a word a row: h and e
}
const std::int64_t* kept_part::state_corners(index_t row, index_t column) const {
    return state_corners_.data() + ((column - of.column) / step - 1) * strips() +
           (row - of.row) / strip_rows();
}

sweeper::sweeper(const cuda::context& c, const alignment_problem& p, const alignment_options& o)
    : c_(c), p_(p), scores_(o) {
    number_letters();
    choose_row();
    table_ = std::make_unique<cuda::uploaded<word>>(c_, table());
    const std::span<const std::uint32_t> sides[] = {p_.query, p_.target};
    for (std::size_t side = 0; side < 2; ++side)
        if (by_table())
            bytes_of_[side] =
                std::make_unique<cuda::uploaded<std::uint8_t>>(c_, codes<std::uint8_t>(sides[side]));
        else
            wide_of_[side] =
                std::make_unique<cuda::uploaded<std::uint16_t>>(c_, codes<std::uint16_t>(sides[side]));
}

/// The letters that occur, by numbers from 0.
void sweeper::number_letters() {
    number_.assign(p_.letters, -1);
    for (const auto& side : {p_.query, p_.target})
        for (const std::uint32_t code : side)
            if (std::int32_t& number = number_[code]; number < 0) {
                number = letters_++;
                occurring_.push_back(code);
            }
    if (letters_ > most_equal_letters)
        throw unsupported_variant("cuda/strips: found " + std::to_string(letters_) +
                                  " different symbols, expected up to 32768");
}

/// Codes with letter 0 around them.
template <class Code>
std::vector<Code> sweeper::codes(std::span<const std::uint32_t> from) const {
    std::vector<Code> out(from.size() + 2 * code_margin);
    for (std::size_t k = 0; k < from.size(); ++k) out[code_margin + k] = static_cast<Code>(number_[from[k]]);
    return out;
}

/// few: for each letter of the target a byte a letter of the query. Else as binned: for each letter of the
/// query, and one more for rows below it, a byte a letter of the target.
std::vector<word> sweeper::table() const {
    constexpr auto row_words = std::size_t{binned::table_words};
    if (!by_table()) return {};
    std::vector<word> out(few() ? 4 : (static_cast<std::size_t>(letters_) + 1) * row_words);
    const auto put = [&](std::size_t at, int byte, int score) {
        out[at] |= (static_cast<word>(score) & 0xffu) << (8 * byte);
    };
    for (int a = 0; a < letters_; ++a)
        for (int b = 0; b < letters_; ++b) {
            const auto x = static_cast<std::size_t>(a), y = static_cast<std::size_t>(b);
            const int score = scores_.stored(p_.score(occurring_[x], occurring_[y]));
            if (few())
                put(y, a, score);
            else
                put(x * row_words + y / 4, b % 4, score);
        }
    const auto below = static_cast<std::size_t>(letters_) * row_words;
    for (int b = 0; !few() && b < letters_; ++b) put(below + static_cast<std::size_t>(b) / 4, b % 4, -128);
    return out;
}

void sweeper::choose_row() {
    std::size_t row = 0;
    const auto suits = [&](std::size_t i) {
        return scores_.fit(shapes[i].policy) && p_.rows() >= shapes[i].policy.least_rows;
    };
    while (row + 1 < std::size(shapes) && !suits(row)) ++row;
    const std::size_t asked = tuning::overridden("wavefront/align/strips", std::size(shapes), row);
    row_ = static_cast<int>(scores_.fit(shapes[asked].policy) ? asked : row);
}

sweep_job sweeper::job_of(const part& of, index_t panel) const {
    sweep_job w{};
    w.rows = static_cast<int>(of.rows);
    w.columns = static_cast<int>(of.columns);
    w.strips = static_cast<int>(base::ceil_div(of.rows, index_t{2} * warp_size * policy().words));
    w.hand = {static_cast<int>(panel), policy().block};
    w.panels = static_cast<int>(base::ceil_div(of.columns, panel));
    w.price = prices_of(p_);
    w.letters = letters_;
    w.match = halves(scores_.stored(p_.match));
    w.mismatch = halves(scores_.stored(p_.mismatch));
    if (by_table()) {
        w.query = bytes_of_[0]->data() + code_margin + of.row;
        w.target = bytes_of_[1]->data() + code_margin + of.column;
    } else {
        w.query = wide_of_[0]->data() + code_margin + of.row;
        w.target = wide_of_[1]->data() + code_margin + of.column;
    }
    w.table = table_->data();
    return w;
}

/// What enters the part: of the table's border, or of lines that were kept.
void sweeper::enter(const sweep_job& w, const part& of, const entering& from, std::uint64_t* top) const {
    if (of.row == 0)
        fill_top(c_, w, top, of.column);
    else
        copy_top(c_, w, top, from.above->row_words(of.row, of.column),
                 from.above->row_corners(of.row, of.column));
    if (of.column == 0) return fill_left(c_, w, policy().words, of.row);
    const auto strips = static_cast<std::size_t>(w.strips);
    const std::size_t rows = strips * 2 * warp_size * static_cast<std::size_t>(policy().words);
    cuda::check(cudaMemcpyAsync(w.state, from.left->state_words(of.row, of.column), rows * sizeof(word),
                                cudaMemcpyDeviceToDevice, c_.stream()));
    cuda::check(cudaMemcpyAsync(w.state_corner, from.left->state_corners(of.row, of.column),
                                strips * sizeof(std::int64_t), cudaMemcpyDeviceToDevice, c_.stream()));
}

/// Tasks, rows between strips, borders, and what a sweep reports beside its ends.
struct sweeper::memory {
    memory(const cuda::context& c, const sweep_job& w, const std::vector<task>& order, index_t strip_rows)
        : tasks(c, order),
          rows(c, w.ring * w.hand.pitch(), "the rows between strips"),
          top(c, w.panels * w.hand.pitch(), "the upper border"),
          counters(c, std::ssize(order) + 2),
          state(c, w.strips * strip_rows, "the columns between panels"),
          corners(c, w.strips),
          best_score(c, {1}) {  // a score of 0 has no place
        rows.fill_bytes(0);
        counters.fill_bytes(0);
    }
    cuda::uploaded<task> tasks;
    cuda::scratch<std::uint64_t> rows, top;
    cuda::scratch<std::uint32_t> counters;
    cuda::scratch<word> state;
    cuda::scratch<std::int64_t> corners;
    cuda::uploaded<unsigned long long> best_score;
};

void sweeper::launch(sweep_job& w, const part& of, const entering& from, const kept_part* keep) {
    const auto resident = few() ? resident_few : by_table() ? resident_table : resident_equal;
    const auto start = few() ? launch_few : by_table() ? launch_table : launch_equal;
    const task_order order(w.strips, w.panels, std::max(1, w.hand.panel / policy().columns_of_step));
    const index_t count = std::ssize(order.tasks);
    const index_t allowed = std::min<index_t>(
        resident(c_, w, row_),
        static_cast<index_t>(tuning::overridden("wavefront/align/max_blocks", most_blocks, most_blocks - 1)));
    const index_t blocks =
        std::clamp<index_t>(base::ceil_div(count, index_t{policy().warps}), 1, std::max<index_t>(1, allowed));
    w.ring =
        static_cast<int>(std::min(count, std::max<index_t>(blocks * policy().warps, order.most_apart) + 1));
    w.task_count = static_cast<std::uint32_t>(count);
    const memory m(c_, w, order.tasks, index_t{2} * warp_size * policy().words);
    w.tasks = m.tasks.data();
    w.rows_out = m.rows.data();
    w.top = m.top.data();
    w.done = m.counters.data();
    w.ticket = w.done + count;
    cuda::withhold_tickets(c_, "wavefront/align", w.ticket);
    w.failed = w.done + count + 1;
    w.state = m.state.data();
    w.state_corner = m.corners.data();
    w.best_score = m.best_score.data();
    if (keep != nullptr) w.kept = keep->lines();
    enter(w, of, from, m.top.data());
    cuda::timer kernel(c_);
    start(w, {row_, static_cast<unsigned>(blocks), c_.stream()});
    std::uint32_t failed = 0;
    const cuda::queued_read word(c_, w.failed, sizeof failed);
    seconds_ += kernel.stop(word);
    word.copy_to(&failed);
    if (failed != 0) throw device_error("align: a wait for the strip above ran out");
    if (blocks_ != 0) return;  // a part
    blocks_ = static_cast<int>(blocks);
    panel_ = w.hand.panel;
    bytes_ = 8 * (m.rows.size() + m.top.size());
}

swept sweeper::run(const kept_part* keep, index_t panel) {
    const part all{0, 0, p_.rows(), p_.columns()};
    sweep_job w = job_of(all, panel);
    const cuda::scratch<best_cell> best(c_, p_.local() ? w.strips : 0);
    const cuda::scratch<std::int64_t> last_row(c_, p_.ends.target_end ? p_.columns() : 0),
        last_column(c_, p_.ends.query_end ? p_.rows() : 0), last_cell(c_, 1);
    best.fill_bytes(0);
    w.best = best.data();
    w.last_row = last_row.data();
    w.last_column = last_column.data();
    w.last_cell = last_cell.data();
    launch(w, all, {}, keep);
    if (p_.local()) return take_best(best);
    std::int64_t cell = 0;
    last_cell.to_host(&cell);
    std::vector<std::int64_t> row(static_cast<std::size_t>(last_row.size())),
        column(static_cast<std::size_t>(last_column.size()));
    if (!row.empty()) last_row.to_host(row.data());
    if (!column.empty()) last_column.to_host(column.data());
    best_ends ends(p_);
    for (std::size_t j = 0; j + 1 < row.size(); ++j)
        ends.offer(p_.rows(), static_cast<index_t>(j) + 1, row[j]);
    for (std::size_t i = 0; i + 1 < column.size(); ++i)
        ends.offer(static_cast<index_t>(i) + 1, p_.columns(), column[i]);
    ends.offer(p_.rows(), p_.columns(), cell);
    ends.offer_border();
    const std::int64_t score = ends.score();
    return {score, ends.sorted()};
}

void sweeper::run(const part& of, const kept_part* above, const kept_part* left, const kept_part& keep) {
    sweep_job w = job_of(of, keep.panel);
    const cuda::scratch<best_cell> best(c_, p_.local() ? w.strips : 0);
    const cuda::scratch<std::int64_t> last_cell(c_, 1);
    best.fill_bytes(0);
    w.best = best.data();
    w.last_cell = last_cell.data();
    launch(w, of, {above, left}, &keep);
}

swept sweeper::take_best(const cuda::scratch<best_cell>& best) const {
    std::vector<best_cell> all(static_cast<std::size_t>(best.size()));
    best.to_host(all.data());
    best_cell first{0, 0, 0};
    for (const best_cell& cell : all)
        if (cell.score > first.score ||
            (cell.score == first.score && cell.score > 0 &&
             (cell.column != first.column ? cell.column < first.column : cell.row < first.row)))
            first = cell;
    return {first.score, {{first.row, first.column}}};
}

std::string sweeper::described() const {
    return "rows=" + std::to_string(2 * warp_size * policy().words) + " panel=" + std::to_string(panel_) +
           " letters=" + std::to_string(letters_) + " blocks=" + std::to_string(blocks_) +
           " cells=" + std::to_string(1e3 * seconds_) + "ms";
}

}  // namespace wale::wavefront::strips
