// groups - the plan of a call, and the pairs of a group side by side.
#include "solvers/wavefront/align/cpu/lanes/groups.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "base/checked.hpp"
#include "cpu/instruction_set.hpp"
#include "cpu/poll.hpp"
#include "cpu/team.hpp"
#include "solvers/wavefront/length/shared/codes.hpp"

namespace wale::wavefront {
namespace {

constexpr std::int64_t slack_of_32_bits = std::int64_t{1} << 23;  // above every score and cost: sums wrap

/// Two gaps of one symbol each cost less than a pair below this, so that no path uses it.
std::int64_t clamped(const alignment_options& o, std::int64_t score) {
    return std::max(score, -(2 * o.open + 1));
}

bool is_byte(std::int64_t score) {
    return score == static_cast<std::int8_t>(score);
}

}  // namespace

index_t most_lanes() {
    const score_kernels kernels = lane_kernels();
    return kernels.narrow.run == nullptr ? 0 : static_cast<index_t>(kernels.narrow.lanes);
}

std::string lane_scoring::refusal(const alignment_options& o, const score_profile* profile) {
    const substitution_matrix& m = o.matrix;
    // Lanes that are done go on beside those that are not, and must not gain.
    if (profile == nullptr && m.by_equality())
        return o.mode == alignment_mode::local && m.mismatch() > 0
                   ? "needs a mismatch of at most 0 in local mode"
                   : "";
    if ((profile == nullptr ? m.letters() : profile->letters()).size() >= table_letters)
        return "needs scores of fewer than 32 letters";
    for (const std::int32_t score : profile == nullptr ? m.scores() : profile->scores())
        if (!is_byte(clamped(o, score))) return "needs scores within a byte, of a matrix or a profile";
    return {};
}

lane_scoring::lane_scoring(const alignment_options& o, lane_scores of_table, bool swapped)
    : kind(of_table),
      local(o.mode == alignment_mode::local),
      open(o.open),
      extend(std::min(o.open, o.extend)) {
    const free_ends ends = o.mode == alignment_mode::semi_global ? o.ends : free_ends{};
    top_is_free = swapped ? ends.query_begin : ends.target_begin;
    left_is_free = swapped ? ends.target_begin : ends.query_begin;
    last_row_ends = swapped ? ends.query_end : ends.target_end;
    last_column_ends = swapped ? ends.target_end : ends.query_end;
    if (kind == lane_scores::positions) return;
    if (o.matrix.by_equality()) {
        kind = lane_scores::equality;
        match = counted(o, o.matrix.match());
        mismatch = counted(o, o.matrix.mismatch());
    } else {
        take_table(o, o.matrix.letters(), o.matrix.scores(), kind == lane_scores::shared_rows || swapped);
    }
}

lane_scoring::lane_scoring(const alignment_options& o, bool swapped)
    : lane_scoring(o, lane_scores::own_rows, swapped) {}

lane_scoring::lane_scoring(const alignment_options& o, const score_profile* profile)
    : lane_scoring(o, profile == nullptr ? lane_scores::shared_rows : lane_scores::positions, false) {
    if (profile != nullptr) take_table(o, profile->letters(), profile->scores(), true);
}

std::int64_t lane_scoring::counted(const alignment_options& o, std::int64_t score) {
    best_pair_ = std::max(best_pair_, clamped(o, score));
    worst_pair_ = std::max(worst_pair_, -clamped(o, score));
    return clamped(o, score);
}

/// scores: a row for each letter, or position, of the query.
void lane_scoring::take_table(const alignment_options& o, const std::string& of,
                              std::span<const std::int32_t> scores, bool queries_first) {
    letters = of.size();
    codes = letter_codes(of).all();
    const std::size_t rows = scores.size() / letters;
    table.assign(table_letters * std::max(rows, table_letters), 0);
    for (std::size_t q = 0; q < rows; ++q)
        for (std::size_t t = 0; t < letters; ++t)
            table[queries_first ? q * table_letters + t : t * table_letters + q] =
                static_cast<std::int8_t>(counted(o, scores[q * letters + t]));
}

void lane_scoring::number_bytes(const lane_pairs& pairs) {
    number_bytes(pairs.rows, std::max<index_t>(pairs.shared, 0),
                 pairs.shared < 0 ? pairs.count : pairs.shared + 1, pairs.columns, 0, pairs.count);
}

void lane_scoring::number_bytes(const batch_side& rows, index_t first_row, index_t last_row,
                                const batch_side& columns, index_t first_column, index_t last_column) {
    std::array<bool, 256> present{};
    const auto look = [&](const batch_side& side, index_t first, index_t last) {
        for (index_t at = side.offsets[first]; at < side.offsets[last]; ++at)
            present[static_cast<const std::uint8_t*>(side.data)[at]] = true;
    };
    look(columns, first_column, last_column);
    look(rows, first_row, last_row);
    letters = 0;
    for (std::size_t byte = 0; byte < present.size(); ++byte)
        if (present[byte]) codes[byte] = static_cast<std::int16_t>(letters++);
}

/// Of the cells of a table: no path has more pairs than the shorter side has symbols.
std::int64_t lane_scoring::most(index_t rows, index_t columns) const {
    return std::min(rows, columns) * best_pair_;
}
/// Every cell can be reached from the corner by two gaps, and by pairs and one gap; E and F are a gap below.
std::int64_t lane_scoring::least(index_t rows, index_t columns) const {
    if (local) return 0;
    const std::int64_t gaps = 2 * open + (rows + columns) * extend;
    const std::int64_t pairs =
        std::min(rows, columns) * worst_pair_ + open + std::max(rows, columns) * extend;
    return -std::min(gaps, pairs) - open;
}

template <class T>
std::int64_t lane_scoring::base(index_t rows, index_t columns) const {
    return least(rows, columns) - std::numeric_limits<T>::min() - (sizeof(T) == 4 ? slack_of_32_bits : 0);
}

template std::int64_t lane_scoring::base<std::int8_t>(index_t, index_t) const;
template std::int64_t lane_scoring::base<std::int16_t>(index_t, index_t) const;

template <class T>
bool lane_scoring::fits(index_t rows, index_t columns) const {
    using limits = std::numeric_limits<T>;
    if (open > limits::max() || match > limits::max() || mismatch < limits::min()) return false;
    // All letters and two codes more, which equal none.
    if (kind == lane_scores::equality && static_cast<std::int64_t>(letters) + 2 > limits::max()) return false;
    if (local && sizeof(T) < 4) return true;  // tried, and shown by the best cell if not
    const std::int64_t range = (std::int64_t{1} << (8 * sizeof(T))) - 2;
    return most(rows, columns) - least(rows, columns) < range - (sizeof(T) == 4 ? 2 * slack_of_32_bits : 0);
}

int lane_scoring::width(index_t rows, index_t columns) const {
    if (fits<std::int8_t>(rows, columns)) return 0;
    if (fits<std::int16_t>(rows, columns)) return 1;
    return fits<std::int32_t>(rows, columns) ? 2 : -1;
}

std::int64_t lane_scoring::with_nothing(index_t rows, index_t columns) const {
    if (local) return 0;
    const std::int64_t above = border(top_is_free, columns), beside = border(left_is_free, rows);
    if (rows == 0) return last_row_ends ? 0 : above;
    if (columns == 0) return last_column_ends ? 0 : beside;
    // Both sequences have symbols: the corners at which only one of them is aligned.
    const std::int64_t none = std::numeric_limits<std::int64_t>::min();
    return std::max(last_row_ends ? beside : none, last_column_ends ? above : none);
}

namespace {

/// What one thread needs to run groups of cells of type T.
template <class T>
class group_runner {
public:
    group_runner(const lane_scoring& s, const lane_pairs& pairs, const score_kernel<T>& kernel)
        : s_(s), pairs_(pairs), kernel_(kernel), lanes_(kernel.lanes) {
        row_counts_.resize(lanes_);
        column_counts_.resize(lanes_);
        base_.resize(lanes_);
        best_.resize(lanes_);
        g_.kind = s.kind;
        g_.match = static_cast<T>(s.match);
        g_.mismatch = static_cast<T>(s.mismatch);
        g_.table = s.table.data();
        g_.letters = s.letters;
        g_.open = s.open;
        g_.extend = s.extend;
        g_.local = s.local;
        g_.top_is_free = s.top_is_free;
        g_.left_is_free = s.left_is_free;
        g_.last_row_ends = s.last_row_ends;
        g_.last_column_ends = s.last_column_ends;
        g_.row_counts = row_counts_.data();
        g_.column_counts = column_counts_.data();
        g_.base = base_.data();
        g_.best = best_.data();
        g_.zero = static_cast<T>(-s.base<T>(0, 0));
    }

    /// Up to as many pairs as there are lanes; the last one is in the lanes left, too. Appends those whose
    /// scores need wider cells.
    void run(std::span<const index_t> group, std::vector<index_t>& wider) {
        g_.rows = g_.columns = 0;
        for (std::size_t l = 0; l < lanes_; ++l) {
            const index_t k = group[std::min(l, group.size() - 1)];
            row_counts_[l] = pairs_.size_of_rows(k);
            column_counts_[l] = pairs_.size_of_columns(k);
            base_[l] = static_cast<T>(s_.base<T>(row_counts_[l], column_counts_[l]));
            g_.rows = std::max(g_.rows, row_counts_[l]);
            g_.columns = std::max(g_.columns, column_counts_[l]);
        }
        load(group);
        kernel_.run(g_, workspace_);
        for (std::size_t l = 0; l < group.size(); ++l) {
            const bool full = s_.local && best_[l] == std::numeric_limits<T>::max();
            const std::int64_t found = best_[l] + s_.base<T>(row_counts_[l], column_counts_[l]);
            if (full)
                wider.push_back(group[l]);
            else
                pairs_.scores[group[l]] = std::max(found, s_.with_nothing(row_counts_[l], column_counts_[l]));
        }
    }

private:
    [[nodiscard]] std::span<const std::uint8_t> rows_of(index_t k) const {
        return typed<std::uint8_t>(sequence(pairs_.rows, pairs_.shared < 0 ? k : pairs_.shared));
    }

    /// to[at * step] = code of the symbol at `at`.
    template <class Code>
    void encode(const char* name, std::span<const std::uint8_t> text, Code* to, std::size_t step) const {
        for (std::size_t at = 0; at < text.size(); ++at)
            to[at * step] = static_cast<Code>(s_.code(name, text, at));
    }

    void load(std::span<const index_t> group) {
        const auto rows = static_cast<std::size_t>(g_.rows), columns = static_cast<std::size_t>(g_.columns);
        const auto none = static_cast<std::uint8_t>(s_.letters);
        const bool coded = g_.kind == lane_scores::equality, own = g_.kind == lane_scores::own_rows;
        const std::size_t pitch = base::ceil_div(rows, strip_rows) * strip_rows;
        if (coded) {
            row_codes_.assign(rows * lanes_, T{-1});
            column_codes_.assign(columns * lanes_, T{-2});
        } else {
            row_letters_.assign(own ? lanes_ * pitch : pitch, none);
            column_letters_.assign(columns * lanes_, none);
        }
        if (g_.kind == lane_scores::shared_rows) encode(pairs_.rows_name, rows_of(0), row_letters_.data(), 1);
        for (std::size_t l = 0; l < lanes_; ++l) {
            const index_t k = group[std::min(l, group.size() - 1)];
            const auto column_text = typed<std::uint8_t>(sequence(pairs_.columns, k));
            if (coded) {
                encode(pairs_.rows_name, rows_of(k), row_codes_.data() + l, lanes_);
                encode(pairs_.columns_name, column_text, column_codes_.data() + l, lanes_);
                continue;
            }
            if (own) encode(pairs_.rows_name, rows_of(k), row_letters_.data() + l * pitch, 1);
            encode(pairs_.columns_name, column_text, column_letters_.data() + l, lanes_);
        }
        g_.row_codes = row_codes_.data();
        g_.column_codes = column_codes_.data();
        g_.row_letters = row_letters_.data();
        g_.column_letters = column_letters_.data();
    }

    const lane_scoring& s_;
    const lane_pairs& pairs_;
    const score_kernel<T>& kernel_;
    const std::size_t lanes_;
    score_group<T> g_;
    lane_workspace<T> workspace_;
    std::vector<index_t> row_counts_, column_counts_;
    base::aligned_vector<T> base_, best_, row_codes_, column_codes_;
    base::aligned_vector<std::uint8_t> row_letters_, column_letters_;
};

/// Puts pairs of like sizes side by side: slabs of like rows, in each of them by columns.
void sort_for_lanes(const lane_pairs& pairs, std::vector<index_t>& list, std::size_t lanes) {
    const auto by_rows = [&](index_t a, index_t b) {
        const index_t x = pairs.size_of_rows(a), y = pairs.size_of_rows(b);
        return x != y ? x < y : a < b;
    };
    const auto by_columns = [&](index_t a, index_t b) {
        const index_t x = pairs.size_of_columns(a), y = pairs.size_of_columns(b);
        return x != y ? x < y : a < b;
    };
    if (pairs.shared >= 0) {
        if (!std::is_sorted(list.begin(), list.end(), by_columns))
            std::sort(list.begin(), list.end(), by_columns);
        return;
    }
    std::sort(list.begin(), list.end(), by_rows);
    const std::size_t groups = base::ceil_div(list.size(), lanes);
    const auto slabs = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(groups))));
    const std::size_t slab = std::max<std::size_t>(1, base::ceil_div(groups, slabs)) * lanes;
    for (std::size_t first = 0; first < list.size(); first += slab)
        std::sort(list.begin() + static_cast<std::ptrdiff_t>(first),
                  list.begin() + static_cast<std::ptrdiff_t>(std::min(first + slab, list.size())),
                  by_columns);
}

template <class T>
std::vector<index_t> run_width(const lane_scoring& s, const lane_pairs& pairs, const score_kernel<T>& kernel,
                               std::vector<index_t> list, int threads, report& run) {
    std::vector<index_t> wider;
    if (list.empty()) return wider;
    sort_for_lanes(pairs, list, kernel.lanes);
    const std::size_t groups = base::ceil_div(list.size(), kernel.lanes);
    std::mutex access;
    std::atomic<std::size_t> next{0}, done{0}, too_narrow{0};
    const int size = cpu::team_size(threads, static_cast<long long>(groups));
    run.threads = std::max(run.threads, size);
    cpu::run_team(size, [&](int) {
        group_runner<T> runner(s, pairs, kernel);
        std::vector<index_t> mine;
        for (std::size_t i = next++; i < groups; i = next++) {
            cpu::poll();
            const std::size_t first = i * kernel.lanes;
            const std::span<const index_t> group =
                std::span(list).subspan(first, std::min(kernel.lanes, list.size() - first));
            if (done >= kernel.lanes && 2 * too_narrow > done) {  // so will be what is longer
                mine.insert(mine.end(), group.begin(), group.end());
                continue;
            }
            const std::size_t before = mine.size();
            runner.run(group, mine);
            done += group.size();
            too_narrow += mine.size() - before;
        }
        const std::lock_guard lock(access);
        wider.insert(wider.end(), mine.begin(), mine.end());
    });
    return wider;
}

}  // namespace

void score_in_lanes(const lane_scoring& s, const lane_pairs& pairs, int threads, report& run) {
    const score_kernels kernels = lane_kernels();
    std::array<std::vector<index_t>, 3> lists;
    for (index_t i = 0; i < pairs.count; ++i) {
        const index_t k = pairs.order.empty() ? i : pairs.order[static_cast<std::size_t>(i)];
        const index_t rows = pairs.size_of_rows(k), columns = pairs.size_of_columns(k);
        if (rows == 0 || columns == 0)
            pairs.scores[k] = s.with_nothing(rows, columns);
        else
            lists[static_cast<std::size_t>(s.width(rows, columns))].push_back(k);
    }
    const auto add = [](std::vector<index_t>& to, const std::vector<index_t>& more) {
        to.insert(to.end(), more.begin(), more.end());
    };
    add(lists[1], run_width(s, pairs, kernels.narrow, lists[0], threads, run));
    add(lists[2], run_width(s, pairs, kernels.middle, lists[1], threads, run));
    (void)run_width(s, pairs, kernels.wide, lists[2], threads, run);
    run.device = cpu::instruction_set();
    run.policy = "lanes=" + std::to_string(kernels.narrow.lanes) + " of 8 bits, " +
                 std::to_string(kernels.middle.lanes) + " of 16, " + std::to_string(kernels.wide.lanes) +
                 " of 32";
}

}  // namespace wale::wavefront
