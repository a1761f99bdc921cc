#include "solvers/wavefront/length/shared/strips.hpp"

#include <algorithm>
#include <bit>
#include <wale/error.hpp>

#include "base/checked.hpp"
#include "cpu/barrier.hpp"
#include "cpu/poll.hpp"
#include "cpu/ready_rows_sync.hpp"
#include "cpu/team.hpp"

namespace wale::wavefront {
namespace {

constexpr std::uint64_t spare_bit = 1;  // bit 0 of a word is no row
constexpr std::uint64_t top_bit = std::uint64_t{1} << 63;

/// Whether a as rows and b as columns costs less than the other way round.
bool fits_upright(const strip_recurrence& recurrence, index_t a, index_t b) {
    const index_t lanes = strip_lanes();
    const auto cost = [&](index_t rows, index_t columns) {
        return static_cast<double>(base::ceil_div(rows, lanes * recurrence.rows_a_word)) *
               static_cast<double>(columns + widest_strip * lanes);
    };
    return cost(a, b) <= cost(b, a);
}

}  // namespace

/// What one worker needs for a block of columns.
struct strip_table::block_buffers {
    block_buffers(int planes, int carries, index_t columns)
        : pitch(columns + 2 * strip_padding),
          planes_of_columns(static_cast<std::size_t>(planes * pitch)),
          carries_down(static_cast<std::size_t>(carries * pitch)),
          active(static_cast<std::size_t>(pitch)) {}
    index_t pitch;
    base::aligned_vector<std::uint64_t> planes_of_columns, carries_down, active;
};

strip_table::strip_table(const strip_recurrence& recurrence, code_span rows, code_span columns, int planes,
                         strip_policy policy)
    : recurrence_(recurrence),
      rows_(rows),
      columns_(columns),
      planes_(compiled_planes(planes)),
      policy_(policy),
      blocks_(base::ceil_div(std::ssize(columns), policy.columns)),
      first_diagonal_(-std::ssize(rows)),
      last_diagonal_(std::ssize(columns)) {
    cut_strips();
}

strip_table::strip_table(const strip_recurrence& recurrence, const coded_pair& pair, strip_policy policy,
                         bool upright)
    : strip_table(recurrence, upright ? pair.a : pair.b, upright ? pair.b : pair.a, pair.planes(), policy) {}

strip_table::strip_table(const strip_recurrence& recurrence, const coded_pair& pair, strip_policy policy)
    : strip_table(recurrence, pair, policy,
                  fits_upright(recurrence, std::ssize(pair.a), std::ssize(pair.b))) {}

void strip_table::cut_strips() {
    const index_t lanes = strip_lanes();
    index_t vectors = base::ceil_div(std::ssize(rows_), lanes * recurrence_.rows_a_word);
    std::size_t word = 0;
    for (index_t row = 0; vectors > 0;) {
        int taken = policy_.vectors;
        while (taken > vectors) taken /= 2;
        const index_t rows = taken * lanes * recurrence_.rows_a_word;
        const auto words = static_cast<std::size_t>(taken * lanes);
        strips_.push_back({row, std::min(rows, std::ssize(rows_) - row), taken, word, words});
        vectors -= taken;
        row += rows;
        word += words;
    }
    row_planes_.resize(word * static_cast<std::size_t>(planes_));
    state_.resize(word * static_cast<std::size_t>(recurrence_.states));
    bottom_.assign(strips_.size(), 0);
}

void strip_table::build_row_planes(const strip& s) {
    pack_rows({rows_.data() + s.first_row, static_cast<std::size_t>(s.rows),
               static_cast<std::size_t>(recurrence_.rows_a_word), s.words, planes_,
               row_planes_.data() + s.first_word * static_cast<std::size_t>(planes_)});
}

void strip_table::start_state(const strip& s) {
    std::uint64_t* at = state_.data() + s.first_word * static_cast<std::size_t>(recurrence_.states);
    for (int k = 0; k < recurrence_.states; ++k, at += s.words)
        std::fill_n(at, s.words, recurrence_.state_start[k]);
}

void strip_table::limit(index_t bound) {
    const index_t longer = std::ssize(columns_) - std::ssize(rows_);
    const index_t slack = (bound - std::abs(longer)) / 2;  // edits that may leave the straight way
    first_diagonal_ = std::min<index_t>(0, longer) - slack;
    last_diagonal_ = std::max<index_t>(0, longer) + slack;
}

index_t strip_table::block_columns(index_t block) const {
    return std::min(policy_.columns, std::ssize(columns_) - block * policy_.columns);
}

strip_table::strip_range strip_table::strips_of(index_t block) const {
    const index_t first_column = block * policy_.columns;
    const index_t first_row = first_column - last_diagonal_ - 1;
    const index_t last_row = first_column + block_columns(block) - first_diagonal_;
    strip_range range{0, static_cast<index_t>(strips_.size())};
    const auto at = [&](index_t i) { return strips_[static_cast<std::size_t>(i)]; };
    while (range.begin + 1 < range.end && at(range.begin).first_row + at(range.begin).rows <= first_row)
        ++range.begin;
    while (range.end - 1 > range.begin && at(range.end - 1).first_row > last_row) --range.end;
    return range;
}

void strip_table::expand(index_t block, block_buffers& to) const {
    const index_t count = block_columns(block);
    const std::uint64_t rows = ~spare_bit & ~(recurrence_.forced_match ? top_bit : 0);
    spread_columns({columns_.data() + block * policy_.columns, count, planes_, rows,
                    to.planes_of_columns.data() + strip_padding, to.pitch});
    std::fill(to.active.begin(), to.active.end(), 0);
    std::fill_n(to.active.begin() + strip_padding, count, ~std::uint64_t{0});
    for (int c = 0; c < recurrence_.carries; ++c)
        std::fill_n(to.carries_down.begin() + c * to.pitch, to.pitch, recurrence_.carry_start[c]);
}

index_t vertical(const std::uint64_t* state, std::size_t words, index_t rows, int rows_a_word) {
    index_t sum = 0;
    for (std::size_t w = 0; w < words; ++w, rows -= rows_a_word) {
        const std::uint64_t mask = row_bits(rows, rows_a_word);
        sum += std::popcount(state[w] & mask) - std::popcount(state[words + w] & mask);
    }
    return sum;
}

/// One worker, one block of columns. Waits for the block to the left, strip by strip.
bool strip_table::run_block(index_t block, block_buffers& buffers, const auto& ready) {
    expand(block, buffers);
    const strip_range now = strips_of(block);
    const strip_range before = block > 0 ? strips_of(block - 1) : strip_range{0, 0};
    const index_t count = block_columns(block);
    // Under the strip before, at the end of this block; the next block's worker may have gone on with
    // bottom_.
    index_t top = block * policy_.columns + count;
    for (index_t i = now.begin; i < now.end; ++i) {
        // A strip that enters the band here still needs the value under the last one of the block before.
        const auto wanted = static_cast<std::uint32_t>(std::min(i + 1, before.end));
        if (block > 0 && !ready.wait(static_cast<int>(block - 1), wanted)) return false;
        cpu::poll();
        const strip& s = strips_[static_cast<std::size_t>(i)];
        if (i >= before.end) start_state(s);
        recurrence_.run({row_planes_.data() + s.first_word * static_cast<std::size_t>(planes_), planes_,
                         s.vectors,
                         state_.data() + s.first_word * static_cast<std::size_t>(recurrence_.states),
                         buffers.planes_of_columns.data(), buffers.carries_down.data(), buffers.active.data(),
                         buffers.pitch, count});
        if (recurrence_.states == 2) {
            // Above the band every column adds one: never too small a value.
            if (i == now.begin && i > 0) top = bottom_[static_cast<std::size_t>(i - 1)] += count;
            top += vertical(state_.data() + s.first_word * 2, s.words, s.rows, recurrence_.rows_a_word);
            bottom_[static_cast<std::size_t>(i)] = top;
        }
        ready.publish(static_cast<int>(block), static_cast<std::uint32_t>(i + 1));
    }
    return true;
}

void strip_table::share(int threads) {
    const double cells = static_cast<double>(rows_.size()) * static_cast<double>(columns_.size());
    const method_policy& methods = chosen_methods;
    const auto worth = static_cast<index_t>(cells / static_cast<double>(methods.cells_a_thread)) + 1;
    workers_ = cpu::team_size(threads, std::min(std::ssize(strips_), worth));
    if (workers_ == 1) return;
    const index_t fair = std::ssize(columns_) / (methods.blocks_a_thread * workers_);
    policy_.columns =
        std::clamp<index_t>(fair, std::min(methods.narrowest_block, policy_.columns), policy_.columns);
    blocks_ = base::ceil_div(std::ssize(columns_), policy_.columns);
}

void strip_table::run() {
    using sync = cpu::ready_rows_sync<>;
    sync::word ticket;
    sync::word failed;
    std::vector<sync::word> done(static_cast<std::size_t>(blocks_));
    const schedule::ready_rows<sync> ready{&ticket, done.data(), &failed};
    const index_t widest = std::min(policy_.columns, std::ssize(columns_));
    cpu::barrier built(workers_);
    cpu::run_team(workers_, [&](int rank) {
        for (std::size_t i = static_cast<std::size_t>(rank); i < strips_.size();
             i += static_cast<std::size_t>(workers_))
            build_row_planes(strips_[i]);
        block_buffers buffers(planes_, recurrence_.carries, widest);
        built.wait();
        for (int block = ready.take(static_cast<int>(blocks_)); block >= 0;
             block = ready.take(static_cast<int>(blocks_)))
            if (!run_block(block, buffers, ready)) return;
    });
    if (failed.value != 0) throw device_error("strips: the wait for the block to the left ran out");
}

std::vector<std::int32_t> strip_table::lengths() const {
    std::vector<std::int32_t> out(rows_.size() + 1, 0);
    std::size_t row = 0;
    for (const std::uint64_t word : state_)  // one state: words follow each other in the order of the rows
        for (int bit = 1; bit <= recurrence_.rows_a_word && row < rows_.size(); ++bit, ++row)
            out[row + 1] = out[row] + static_cast<std::int32_t>(~word >> bit & 1);
    return out;
}

index_t strip_table::length() const {
    index_t sum = 0;
    index_t rows = std::ssize(rows_);
    for (const std::uint64_t word : state_) {  // one state: words follow each other in the order of the rows
        sum += std::popcount(~word & row_bits(rows, recurrence_.rows_a_word));
        rows -= recurrence_.rows_a_word;
    }
    return sum;
}

std::string strip_table::policy_text() const {
    return "strip=" + std::to_string(policy_.vectors * strip_lanes() * recurrence_.rows_a_word) + "x" +
           std::to_string(policy_.columns) + " planes=" + std::to_string(planes_);
}

index_t distance_by_strips(edit_distance_job& job, const coded_pair& pair, index_t bound) {
    strip_policy policy = chosen_strips();
    if (bound >= 0) {
        const int tallest = policy.vectors;
        policy = {1, chosen_methods.band_columns};
        while (policy.vectors < tallest && policy.vectors * strip_lanes() * 63 < bound / 2)
            policy.vectors *= 2;
        policy.columns *= policy.vectors;
    }
    strip_table table(edit_strips(), pair, policy);
    if (bound >= 0) table.limit(bound);
    ++job.run->iterations;
    table.run(job);
    return table.bottom();
}

}  // namespace wale::wavefront
