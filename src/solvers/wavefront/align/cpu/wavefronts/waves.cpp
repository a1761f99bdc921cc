// waves - the rows of costs in blocks: of old blocks only the first rows are kept, and the walk back computes
// the rest again.
#include "solvers/wavefront/align/cpu/wavefronts/waves.hpp"

#include <numeric>

#include "base/checked.hpp"
#include "cpu/poll.hpp"
#include "solvers/wavefront/align/cpu/tuning.hpp"
#include "solvers/wavefront/align/cpu/wavefronts/step.hpp"
#include "solvers/wavefront/length/shared/codes.hpp"

namespace wale::wavefront {
namespace {

constexpr index_t largest_price = 512;
constexpr index_t most_symbols = index_t{1} << 29;

std::vector<std::uint8_t> with_margin(const symbols& s) {
    const auto text = typed<std::uint8_t>(s);
    std::vector<std::uint8_t> out(text.size() + text_margin);
    std::copy(text.begin(), text.end(), out.begin());
    return out;
}

}  // namespace

/// What is never worse than two gaps of a symbol each costs no more than they do, so that no path uses it.
std::int64_t wave_costs::least_mismatch(const alignment_options& o) {
    return std::max<std::int64_t>(o.matrix.mismatch(), -(2 * o.open + 1));
}

wave_costs::wave_costs(const alignment_options& o) : match(o.matrix.match()) {
    if (o.mode == alignment_mode::semi_global) ends = o.ends;
    open = 2 * o.open + match;
    extend = 2 * std::min(o.open, o.extend) + match;
    unequal = 2 * (match - least_mismatch(o));
    unit = std::gcd(std::gcd(open, extend), unequal);
    if (ends.query_begin || ends.target_begin) unit = std::gcd(unit, match);
    if (unit == 0) return;  // refused
    unequal /= unit;
    open /= unit;
    extend /= unit;
}

std::string wave_costs::refusal(const alignment_options& o) {
    if (o.mode == alignment_mode::local) return "does no local alignments";
    if (!o.matrix.by_equality()) return "needs match and mismatch, not a table of scores";
    if (o.matrix.match() < 0 || o.matrix.mismatch() >= o.matrix.match())
        return "needs a match of at least 0, above the mismatch";
    if (2 * std::min(o.open, o.extend) + o.matrix.match() <= 0) return "needs gaps that cost something";
    if (const wave_costs c(o); std::max({c.window(), c.extend}) > largest_price)
        return "needs smaller prices: rows of " + std::to_string(c.window()) + " costs, expected at most " +
               std::to_string(largest_price);
    return {};
}

waves::waves(const symbols& query, const symbols& target, const wave_costs& costs, bool keeps, index_t limit,
             index_t band)
    : costs_(costs),
      query_size_(query.size),
      target_size_(target.size),
      band_(band),
      keeps_(keeps),
      limit_(limit),
      query_(with_margin(query)),
      target_(with_margin(target)) {
    if (query.size + target.size >= most_symbols)
        throw bad_argument("query, target: " + std::to_string(query.size + target.size) +
                           " symbols, expected fewer than " + std::to_string(most_symbols));
}

/// The diagonals that costs from `cost` to `most` reach from the beginning and, where there is a limit, from
/// which the rest of the limit reaches the end.
waves::span_of_diagonals waves::range(index_t cost, index_t most) const {
    const index_t away = costs_.reach(std::max<index_t>(most, 0));
    span_of_diagonals d{costs_.ends.query_begin ? -query_size_ : std::max(-query_size_, -away),
                        costs_.ends.target_begin ? target_size_ : std::min(target_size_, away)};
    if (band_ > 0) return {std::max(d.first, centre_ - band_), std::min(d.last, centre_ + band_)};
    if (limit_ < 0) return d;
    const index_t back =
        std::max<index_t>(limit_ - cost, 0) / costs_.extend;  // in a gap that is open already
    const index_t end = target_size_ - query_size_;
    return {std::max(d.first, end - back), std::min(d.last, end + back)};
}

std::int32_t* waves::row(wave_block& b, index_t cost, int part) const {
    const index_t at = (cost - b.first + costs_.window()) * 3 + part;
    return b.memory.as<std::int32_t>() + at * b.stride + row_margin;
}

/// So many that the first rows of all blocks take about as much memory as one block.
index_t waves::rows_of_block(index_t first) const {
    const index_t window = costs_.window(), least = std::max<index_t>(32, 4 * window);
    if (!keeps_) return least;
    index_t rows = least;
    while (4 * rows * rows < first * window) rows *= 2;
    return rows;
}

void waves::begin_block() {
    const index_t window = costs_.window();
    wave_block b;
    b.first = cost_;
    b.count = rows_of_block(cost_);
    span_of_diagonals all = range(cost_ - window, cost_ + b.count - 1);
    if (band_ > 0) {  // the centre moves
        all.first = std::max(-query_size_, all.first - b.count);
        all.last = std::min(target_size_, all.last + b.count);
    }
    b.low = all.first;
    b.stride = base::ceil_div(all.last - all.first + 1 + 2 * row_margin, index_t{16}) * 16;
    b.memory = memory_of(b, window + b.count);
    std::fill_n(b.memory.as<std::int32_t>(), size_of(b, window), wave_none);
    if (!blocks_.empty()) {
        wave_block& old = blocks_.back();
        const index_t first = std::max(b.low, old.low);
        const index_t last = std::min(all.last, old.low + old.stride - 2 * row_margin - 1);
        for (index_t s = cost_ - window; s < cost_; ++s)
            for (int part = 0; part < 3 && first <= last; ++part)
                std::copy_n(row(old, s, part) + (first - old.low), last - first + 1,
                            row(b, s, part) + (first - b.low));
        if (!keeps_) blocks_.clear();
    }
    whole_ += b.memory.bytes();
    blocks_.push_back(std::move(b));
    if (keeps_) make_room();
}

/// Old blocks lose their rows, but not the first ones, while all rows together take more than is allowed.
void waves::make_room() {
    for (; whole_ > chosen_waves.bytes_of_rows && oldest_whole_ + 1 < blocks_.size(); ++oldest_whole_) {
        whole_ -= blocks_[oldest_whole_].memory.bytes();
        move_rows(blocks_[oldest_whole_], costs_.window(), costs_.window());
        blocks_[oldest_whole_].done = 0;
    }
}

/// `rows` of the memory that the block gets are kept.
void waves::move_rows(wave_block& b, index_t room, index_t rows) {
    scratch memory = memory_of(b, room);
    std::copy_n(b.memory.as<std::int32_t>(), size_of(b, rows), memory.as<std::int32_t>());
    b.memory = std::move(memory);
}

/// Where alignments may begin: at the first cell, and along the sides that are free.
void waves::begin_diagonals(wave_block& b, index_t cost) const {
    std::int32_t* h = row(b, cost, 0);
    if (cost == 0 && b.low <= 0) h[-b.low] = 0;
    const index_t paid =
        costs_.match == 0 ? std::max(query_size_, target_size_) : cost * costs_.unit / costs_.match;
    if (costs_.ends.target_begin)
        for (index_t j = 0; j <= std::min(paid, target_size_); ++j) h[j - b.low] = std::max(h[j - b.low], 0);
    if (costs_.ends.query_begin)
        for (index_t i = 0; i <= std::min(paid, query_size_); ++i)
            h[-i - b.low] = std::max(h[-i - b.low], static_cast<std::int32_t>(i));
}

void waves::compute(wave_block& b, index_t cost) const {
    if (cost % 16 == 15) cpu::poll();
    const span_of_diagonals d = range(cost, cost);
    const index_t first = std::max<index_t>(d.first - b.low, 0);
    const index_t last = std::min(d.last - b.low, b.stride - 2 * row_margin - 1);
    for (int part = 0; part < 3; ++part) {
        std::int32_t* cells = row(b, cost, part);
        std::fill(cells - row_margin, cells + first, wave_none);
    }
    if (first <= last) {
        const wave_step step{.before = row(b, cost - 1, 0),
                             .unequal = row(b, cost - costs_.unequal, 0),
                             .opened = row(b, cost - costs_.open, 0),
                             .e_before = row(b, cost - costs_.extend, 1),
                             .f_before = row(b, cost - costs_.extend, 2),
                             .h = row(b, cost, 0),
                             .e = row(b, cost, 1),
                             .f = row(b, cost, 2),
                             .first = first,
                             .last = last,
                             .low = b.low,
                             .query = query_.data(),
                             .target = target_.data(),
                             .query_size = query_size_,
                             .target_size = target_size_};
        step_wave(step);
        begin_diagonals(b, cost);
        extend_wave(step);
    }
    for (int part = 0; part < 3; ++part) {
        std::int32_t* cells = row(b, cost, part);
        std::fill(cells + std::max(last, first - 1) + 1, cells + b.stride - row_margin, wave_none);
    }
}

bool waves::advance() {
    if (limit_ >= 0 && cost_ >= limit_) return false;
    ++cost_;
    if (blocks_.empty() || cost_ == blocks_.back().first + blocks_.back().count) begin_block();
    compute(blocks_.back(), cost_);
    blocks_.back().done = cost_ - blocks_.back().first + 1;
    if (band_ > 0 && cost_ % 8 == 0) follow();
    return true;
}

/// The band follows the diagonal that is farthest.
void waves::follow() {
    wave_block& b = blocks_.back();
    const span_of_diagonals d = range(cost_, cost_);
    const std::int32_t* h = row(b, cost_, 0) - b.low;
    const index_t last = std::min(d.last, b.low + b.stride - 2 * row_margin - 1);
    farthest_ = -1;
    for (index_t k = std::max(d.first, b.low); k <= last; ++k)
        if (2 * h[k] + k > farthest_) {
            farthest_ = 2 * h[k] + k;
            centre_ = k;
        }
}

index_t waves::new_end(index_t diagonal) {
    wave_block& b = blocks_.back();
    const index_t end = std::min(query_size_, target_size_ - diagonal);
    const auto at = diagonal - b.low;
    return row(b, cost_, 0)[at] == end && row(b, cost_ - 1, 0)[at] < end ? end : -1;
}

bool waves::reached(index_t i, index_t j, index_t cost, int part) {
    if (cost < 0) return false;
    while (cost < blocks_.back().first - costs_.window()) blocks_.pop_back();
    wave_block& b = blocks_.back();
    if (cost >= b.first + b.done) {
        move_rows(b, costs_.window() + b.count, costs_.window());
        for (; b.done < b.count; ++b.done) compute(b, b.first + b.done);
    }
    const index_t at = j - i - b.low;
    if (at < 0 || at >= b.stride - 2 * row_margin) return false;
    return row(b, cost, part)[at] >= i;
}

index_t waves::bytes() const {
    index_t all = 0;
    for (const wave_block& b : blocks_) all += b.memory.bytes();
    return all;
}

index_t wave_bound(const symbols& query, const symbols& target, const wave_costs& costs, index_t limit) {
    waves w(query, target, costs, false, limit, chosen_waves.band);
    while (w.advance()) {
        if (w.has_h(query.size, target.size, w.cost())) return w.cost();
        // Half as fast as the limit asks for: not worth more looking.
        const auto way = static_cast<double>(w.farthest()) / static_cast<double>(query.size + target.size);
        if (limit >= 0 && 8 * w.cost() >= limit &&
            2 * way * static_cast<double>(limit) < static_cast<double>(w.cost()))
            return -1;
    }
    return -1;
}

}  // namespace wale::wavefront
