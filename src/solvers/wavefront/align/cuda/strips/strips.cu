// strips - one pair of any length: strips of rows by ticket, cells of 16 bits relative to corners.
#include <algorithm>
#include <string>
#include <vector>

#include "base/checked.hpp"
#include "cuda/uploaded.cuh"
#include "solvers/wavefront/align/cuda/strips/plan.cuh"
#include "solvers/wavefront/align/shared/codes.hpp"
#include "tuning/override.hpp"

namespace wale::wavefront {
namespace {

using namespace strips;

constexpr index_t most_symbols = (index_t{1} << 31) - (index_t{1} << 16);
constexpr int most_equal_letters = 0x8000;

/// Scores as the kernels add them. Two gaps of one symbol cost less than any score below clamped(), so that
/// no path uses a pair of such a score.
struct scores_of_call {
    std::int64_t open, extend, highest = 0, lowest = 0;

    explicit scores_of_call(const alignment_options& o) : open(o.open), extend(std::min(o.open, o.extend)) {
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
    [[nodiscard]] std::int64_t clamped(std::int64_t score) const { return std::max(score, -(2 * open + 1)); }
    /// A column's part, which cells are stored with, included.
    [[nodiscard]] int stored(std::int64_t score) const { return static_cast<int>(clamped(score) + extend); }
    [[nodiscard]] bool are_bytes() const { return highest + extend <= 127 && lowest + extend >= -128; }

    /// Whether cells of a strip and a block fit 16 bits. Above the corner: a path into the strip or block can
    /// be turned into one through the corner at the price of its symbols' gaps, then every row or column
    /// gains `highest`; and what cells of later columns are stored with. Below: gaps from the corner, E and F
    /// an opening lower, a pair of symbols 2 open + 1, or 128 below the query.
    [[nodiscard]] bool fit(const sweep_policy& policy) const {
        const std::int64_t rows = std::int64_t{2} * warp_size * policy.words;
        const std::int64_t columns = policy.block + 2 * warp_size;
        const std::int64_t above = std::max(rows, columns) * (highest + extend) + 2 * open + columns * extend;
        const std::int64_t below = (rows + columns) * extend + 6 * open + 130;
        return above <= 32000 && below <= 32000;
    }
};

binned::prices prices_of(const alignment_problem& p) {
    return {p.local(),         p.ends.query_begin,       p.ends.query_end,          p.ends.target_begin,
            p.ends.target_end, static_cast<int>(p.open), static_cast<int>(p.extend)};
}

std::string refusal(const alignment_job& job) {
    const alignment_options& o = *job.options;
    const scores_of_call scores(o);
    if (job.query.size > most_symbols || job.target.size > most_symbols)
        return "needs sequences of fewer than 2^31 symbols";
    if (o.task > alignment_task::ends) return "answers scores and ends only";
    if (!scores.fit(std::end(shapes)[-1].policy))
        return "needs scores and gaps whose sums over a strip fit 16 bits";
    if (!o.matrix.by_equality() &&
        (std::ssize(o.matrix.letters()) > binned::most_letters || !scores.are_bytes()))
        return "needs a matrix of up to 32 letters whose scores fit a byte";
    return "";
}

/// Symbols of the device on the host.
std::vector<std::uint8_t> fetched(const cuda::context& c, const symbols& s) {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(s.size * s.bytes));
    if (!bytes.empty())
        cuda::check(cudaMemcpyAsync(bytes.data(), s.data, bytes.size(), cudaMemcpyDefault, c.stream()));
    c.synchronize();
    return bytes;
}

class pair_call {
public:
    explicit pair_call(alignment_job& job)
        : job_(job),
          c_(job.where),
          scores_(*job.options),
          query_(fetched(c_, job.query)),
          target_(fetched(c_, job.target)),
          coded_({query_.data(), job.query.size, job.query.bytes},
                 {target_.data(), job.target.size, job.target.bytes}, *job.options),
          p_(coded_.problem()) {}

    void run() {
        cuda::timer whole(c_);
        best_ends ends(p_);
        if (p_.rows() == 0 || p_.columns() == 0) {
            if (p_.local()) ends_ = {{0, 0}};
        } else {
            number_letters();
            if (few() || (letters_ <= binned::most_letters && scores_.are_bytes()))
                sweep<std::uint8_t>(ends);
            else
                sweep<std::uint16_t>(ends);
        }
        if (!p_.local()) {
            ends.offer_border();
            score_ = ends.score();
            ends_ = ends.sorted();
        }
        job_.result->score = score_;
        job_.result->best_ends = std::move(ends_);
        job_.run->compute_seconds = whole.stop();
    }

private:
    [[nodiscard]] bool few() const { return letters_ <= 4 && scores_.are_bytes(); }

    /// The letters that occur, by numbers from 0.
    void number_letters() {
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
    [[nodiscard]] std::vector<Code> codes(std::span<const std::uint32_t> from) const {
        std::vector<Code> out(from.size() + 2 * code_margin);
        for (std::size_t k = 0; k < from.size(); ++k)
            out[code_margin + k] = static_cast<Code>(number_[from[k]]);
        return out;
    }

    /// few: for each letter of the target a byte a letter of the query. Else as binned: for each letter of
    /// the query, and one more for rows below it, a byte a letter of the target.
    [[nodiscard]] std::vector<word> table() const {
        constexpr auto row_words = std::size_t{binned::table_words};
        std::vector<word> out(few() ? 4 : (static_cast<std::size_t>(letters_) + 1) * row_words);
        if (letters_ > binned::most_letters) return out;
        const auto put = [&](std::size_t at, int byte, int score) {
            out[at] |= (static_cast<word>(score) & 0xffu) << (8 * byte);
        };
        for (int a = 0; a < letters_; ++a)
            for (int b = 0; b < letters_; ++b) {
                const int score = scores_.stored(p_.score(occurring_[static_cast<std::size_t>(a)],
                                                          occurring_[static_cast<std::size_t>(b)]));
                if (few())
                    put(static_cast<std::size_t>(b), a, score);
                else
                    put(static_cast<std::size_t>(a) * row_words + static_cast<std::size_t>(b) / 4, b % 4,
                        score);
            }
        for (int b = 0; !few() && b < letters_; ++b)
            put(static_cast<std::size_t>(letters_) * row_words + static_cast<std::size_t>(b) / 4, b % 4,
                -128);
        return out;
    }

    [[nodiscard]] int choose_row() const {
        std::size_t row = 0;
        const auto suits = [&](std::size_t i) {
            return scores_.fit(shapes[i].policy) && p_.rows() >= shapes[i].policy.least_rows;
        };
        while (row + 1 < std::size(shapes) && !suits(row)) ++row;
        const std::size_t asked = tuning::overridden("wavefront/align/strips", std::size(shapes), row);
        return static_cast<int>(scores_.fit(shapes[asked].policy) ? asked : row);
    }

    /// Code: of bytes for tables, of 16 bits by equality.
    template <class Code>
    void sweep(best_ends& ends) {
        constexpr bool by_equality = sizeof(Code) == 2;
        const int row = choose_row();
        const sweep_policy& policy = shapes[row].policy;
        sweep_job w{};
        w.rows = static_cast<int>(p_.rows());
        w.columns = static_cast<int>(p_.columns());
        w.strips = static_cast<int>(base::ceil_div(p_.rows(), index_t{2} * warp_size * policy.words));
        constexpr std::size_t most = std::size_t{1} << 20;
        const auto panel =
            tuning::overridden("wavefront/align/panel", most, static_cast<std::size_t>(policy.panel));
        w.hand.block = policy.block;
        w.hand.panel = static_cast<int>(
            base::ceil_div(static_cast<index_t>(std::max<std::size_t>(panel, 1)), policy.block) *
            policy.block);
        w.panels = static_cast<int>(base::ceil_div(p_.columns(), w.hand.panel));
        w.price = prices_of(p_);
        w.letters = letters_;
        w.match = halves(scores_.stored(p_.match));
        w.mismatch = halves(scores_.stored(p_.mismatch));
        const cuda::uploaded<Code> query(c_, codes<Code>(p_.query)), target(c_, codes<Code>(p_.target));
        const cuda::uploaded<word> table_words(c_, table());
        w.query = query.data() + code_margin;
        w.target = target.data() + code_margin;
        w.table = table_words.data();
        const auto resident = by_equality ? resident_equal : few() ? resident_few : resident_table;
        const auto launch = by_equality ? launch_equal : few() ? launch_few : launch_table;
        start(w, policy, row, resident(c_, w, row), launch, ends);
    }

    template <class Launch>
    void start(sweep_job& w, const sweep_policy& policy, int row, index_t resident, const Launch& launch,
               best_ends& ends) {
        const task_order order(w.strips, w.panels, std::max(1, w.hand.panel / policy.columns_of_step));
        const index_t count = std::ssize(order.tasks);
        constexpr std::size_t most = std::size_t{1} << 20;
        const auto allowed =
            static_cast<index_t>(tuning::overridden("wavefront/align/max_blocks", most, most - 1));
        const index_t blocks =
            std::max<index_t>(1, std::min({resident, allowed, base::ceil_div(count, index_t{policy.warps})}));
        w.ring = static_cast<int>(
            std::min<index_t>(count, std::max<index_t>(blocks * policy.warps, order.most_apart) + 1));
        w.task_count = static_cast<std::uint32_t>(count);
        const cuda::uploaded<task> tasks(c_, order.tasks);
        const cuda::scratch<std::uint64_t> rows(c_, w.ring * w.hand.pitch(), "the rows between strips");
        const cuda::scratch<std::uint64_t> top(c_, w.panels * w.hand.pitch(), "the upper border");
        const cuda::scratch<std::uint32_t> counters(c_, count + 2);
        const index_t strip_rows = index_t{2} * warp_size * policy.words;
        const cuda::scratch<word> state(c_, w.strips * strip_rows, "the columns between panels");
        const cuda::scratch<std::int64_t> corners(c_, w.strips), last_cell(c_, 1);
        const bool local = p_.local();
        const cuda::scratch<best_cell> best(c_, local ? w.strips : 0);
        const cuda::uploaded<unsigned long long> best_score(c_, {1});  // a score of 0 has no place
        const cuda::scratch<std::int64_t> last_row(c_, p_.ends.target_end ? p_.columns() : 0);
        const cuda::scratch<std::int64_t> last_column(c_, p_.ends.query_end ? p_.rows() : 0);
        rows.fill_bytes(0);
        counters.fill_bytes(0);
        best.fill_bytes(0);
        w.tasks = tasks.data();
        w.rows_out = rows.data();
        w.top = top.data();
        w.ticket = counters.data() + count;
        w.failed = counters.data() + count + 1;
        w.done = counters.data();
        w.state = state.data();
        w.state_corner = corners.data();
        w.best = best.data();
        w.best_score = best_score.data();
        w.last_row = last_row.data();
        w.last_column = last_column.data();
        w.last_cell = last_cell.data();
        fill_border(c_, w, top.data(), policy.words);
        cuda::timer kernel(c_);
        launch(w, {row, static_cast<unsigned>(blocks), c_.stream()});
        const double seconds = kernel.stop();
        std::uint32_t failed = 0;
        cuda::read_back(c_, &failed, w.failed, sizeof failed);
        if (failed != 0) throw device_error("align: a wait for the strip above ran out");
        if (local)
            take_best(best);
        else
            offer(ends, last_row, last_column, last_cell);
        job_.run->bytes = 8.0 * static_cast<double>(rows.size() + top.size());
        job_.run->policy = "rows=" + std::to_string(strip_rows) + " panel=" + std::to_string(w.hand.panel) +
                           " letters=" + std::to_string(letters_) + " blocks=" + std::to_string(blocks) +
                           " cells=" + std::to_string(1e3 * seconds) + "ms";
    }

    void take_best(const cuda::scratch<best_cell>& best) {
        std::vector<best_cell> all(static_cast<std::size_t>(best.size()));
        best.to_host(all.data());
        best_cell first{0, 0, 0};
        for (const best_cell& cell : all)
            if (cell.score > first.score ||
                (cell.score == first.score && cell.score > 0 &&
                 (cell.column != first.column ? cell.column < first.column : cell.row < first.row)))
                first = cell;
        score_ = first.score;
        ends_ = {{first.row, first.column}};
    }

    void offer(best_ends& ends, const cuda::scratch<std::int64_t>& last_row,
               const cuda::scratch<std::int64_t>& last_column,
               const cuda::scratch<std::int64_t>& last_cell) const {
        std::int64_t cell = 0;
        last_cell.to_host(&cell);
        std::vector<std::int64_t> row(static_cast<std::size_t>(last_row.size())),
            column(static_cast<std::size_t>(last_column.size()));
        if (!row.empty()) last_row.to_host(row.data());
        if (!column.empty()) last_column.to_host(column.data());
        for (std::size_t j = 0; j + 1 < row.size(); ++j)
            ends.offer(p_.rows(), static_cast<index_t>(j) + 1, row[j]);
        for (std::size_t i = 0; i + 1 < column.size(); ++i)
            ends.offer(static_cast<index_t>(i) + 1, p_.columns(), column[i]);
        ends.offer(p_.rows(), p_.columns(), cell);
    }

    [[nodiscard]] static word halves(int v) { return (static_cast<word>(v) & 0xffffu) * 0x10001u; }

    alignment_job& job_;
    cuda::context c_;
    const scores_of_call scores_;
    const std::vector<std::uint8_t> query_, target_;
    const coded_alignment coded_;
    const alignment_problem& p_;
    std::vector<std::int32_t> number_;      // of a code; -1: does not occur
    std::vector<std::uint32_t> occurring_;  // codes by number
    int letters_ = 0;
    std::int64_t score_ = 0;
    std::vector<alignment_end> ends_;
};

void run(alignment_job& job) {
    pair_call(job).run();
}

}  // namespace

extern const catalogue::row<alignment_job> align_cuda_strips;
constinit const catalogue::row<alignment_job> align_cuda_strips{
    "cuda/strips",
    backend::cuda,
    "rows in registers, a warp a strip of a panel of columns, cells of 16 bits relative to corners",
    refusal,
    nullptr,
    run};

}  // namespace wale::wavefront
