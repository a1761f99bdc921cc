// lanes - many short pairs, one a lane: no pair waits for another, so nothing is skewed. Pairs are sorted by
// length within a slice, as a group of lanes runs as long as its longest pair.
#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cstring>

#include "base/aligned.hpp"
#include "solvers/wavefront/batch/cpu/lanes/tile.hpp"
#include "solvers/wavefront/batch/shared/slices.hpp"
#include "solvers/wavefront/length/cpu/tuning.hpp"
#include "solvers/wavefront/length/shared/codes.hpp"
#include "solvers/wavefront/length/shared/strip_tile.hpp"

namespace wale::wavefront {
namespace {

using bytes = std::span<const std::uint8_t>;

bytes bytes_of(const batch_side& side, index_t k) {
    return typed<std::uint8_t>(sequence(side, k));
}

using bytes_present = std::array<bool, 256>;

/// The bytes that occur in the pairs, found by the threads of the job.
bytes_present present_in(const batch_job& job) {
    constexpr index_t part = 1 << 16;  // symbols
    bytes_present all{};
    for (const batch_side* side : {&job.a, &job.b}) {
        const index_t begin = side->offsets[0], end = side->offsets[job.count];
        const index_t parts = base::ceil_div(end - begin, part);
        const int threads = cpu::team_size(job.where, parts);
        std::vector<bytes_present> found(static_cast<std::size_t>(threads));
        cpu::run_team(threads, [&](int rank) {
            bytes_present mine{};
            for (index_t i = rank; i < parts; i += threads)
                for (index_t at = begin + i * part; at < std::min(end, begin + (i + 1) * part); ++at)
                    mine[static_cast<const std::uint8_t*>(side->data)[at]] = true;
            found[static_cast<std::size_t>(rank)] = mine;
        });
        for (const bytes_present& one : found)
            for (std::size_t byte = 0; byte < one.size(); ++byte) all[byte] = all[byte] || one[byte];
    }
    return all;
}

/// The bits of a byte that suffice to distinguish the symbols of a batch: two for ACGT.
std::vector<std::uint8_t> distinguishing_bits(const batch_job& job) {
    const bytes_present present = present_in(job);
    const auto distinct = [&](unsigned mask) {
        std::array<bool, 256> seen{};
        for (unsigned symbol = 0; symbol < 256; ++symbol) {
            if (!present[symbol]) continue;
            if (seen[symbol & mask]) return false;
            seen[symbol & mask] = true;
        }
        return true;
    };
    unsigned mask = 255;
    for (int bit = 7; bit >= 0; --bit)
        if (std::popcount(mask) > 2 && distinct(mask & ~(1u << bit))) mask &= ~(1u << bit);
    std::vector<std::uint8_t> bits;
    for (std::uint8_t bit = 0; bit < 8; ++bit)
        if (mask >> bit & 1) bits.push_back(bit);
    return bits;
}

/// One bit of each of up to 64 symbols, from bit 0 on: eight bytes at a time, their bits gathered by a
/// product.
std::uint64_t gathered(bytes symbols, int bit) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < symbols.size(); i += 8) {
        std::uint64_t eight = 0;
        std::memcpy(&eight, symbols.data() + i, std::min<std::size_t>(8, symbols.size() - i));
        word |= ((eight >> bit & 0x0101010101010101) * 0x0102040810204080 >> 56) << i;
    }
    return word;
}

/// The pairs of a slice, group by group.
class lane_slice {
public:
    lane_slice(const batch_job& job, const strip_recurrence& recurrence,
               const std::vector<std::uint8_t>& bits)
        : job_(job), recurrence_(recurrence), bits_(bits), lanes_(static_cast<std::size_t>(strip_lanes())) {}

    void run(index_t first, index_t last, void (*kernel)(const lane_group&)) {
        sort(first, last);
        for (std::size_t i = 0; i < order_.size(); i += lanes_) {
            load(i);
            kernel({static_cast<int>(words_), static_cast<int>(bits_.size()), bits_.data(), rows_.data(),
                    columns_.data(), ends_.data(), state_.data()});
            for (std::size_t lane = 0; lane < lanes_; ++lane) store(lane);
        }
    }

private:
    struct ranked {
        index_t words, columns, pair;
    };
    /// The shorter sequence is the rows: fewer words.
    [[nodiscard]] bytes rows_of(index_t k) const {
        const bytes a = bytes_of(job_.a, k);
        const bytes b = bytes_of(job_.b, k);
        return a.size() <= b.size() ? a : b;
    }
    [[nodiscard]] bytes columns_of(index_t k) const {
        const bytes a = bytes_of(job_.a, k);
        const bytes b = bytes_of(job_.b, k);
        return a.size() <= b.size() ? b : a;
    }

    void sort(index_t first, index_t last) {
        order_.clear();
        for (index_t k = first; k < last; ++k)
            order_.push_back(
                {std::ssize(rows_of(k)) / recurrence_.rows_a_word + 1, std::ssize(columns_of(k)), k});
        std::sort(order_.begin(), order_.end(), [](const ranked& x, const ranked& y) {
            return x.words != y.words ? x.words < y.words : x.columns < y.columns;
        });
    }

    /// A group: lanes by ascending number of columns. The last group repeats its last pair.
    void load(std::size_t first) {
        group_.clear();
        for (std::size_t lane = 0; lane < lanes_; ++lane)
            group_.push_back(order_[std::min(first + lane, order_.size() - 1)]);
        std::sort(group_.begin(), group_.end(),
                  [](const ranked& x, const ranked& y) { return x.columns < y.columns; });
        words_ = 0;
        for (const ranked& r : group_) words_ = std::max(words_, static_cast<std::size_t>(r.words));
        rows_.assign(bits_.size() * words_ * lanes_, 0);
        state_.assign(static_cast<std::size_t>(recurrence_.states) * words_ * lanes_, 0);
        columns_.resize(static_cast<std::size_t>(group_.back().columns) * lanes_);
        ends_.resize(lanes_);
        for (std::size_t lane = 0; lane < lanes_; ++lane) load_lane(lane);
    }

    void load_lane(std::size_t lane) {
        const bytes rows = rows_of(group_[lane].pair);
        const auto most = static_cast<std::size_t>(recurrence_.rows_a_word);
        for (std::size_t word = 0; word * most < rows.size(); ++word) {
            const bytes part = rows.subspan(word * most, std::min(most, rows.size() - word * most));
            for (std::size_t p = 0; p < bits_.size(); ++p)
                rows_[(p * words_ + word) * lanes_ + lane] = gathered(part, bits_[p]) << 1;
        }
        const bytes columns = columns_of(group_[lane].pair);
        for (std::size_t c = 0; c < columns.size(); ++c) columns_[c * lanes_ + lane] = columns[c];
        ends_[lane] = std::ssize(columns);
    }

    /// LCS: rows that raise the length. Edit distance: the upper border's last value and the steps down from
    /// it.
    void store(std::size_t lane) const {
        const bool lcs = recurrence_.states == 1;
        index_t rows = std::ssize(rows_of(group_[lane].pair));
        index_t sum = lcs ? 0 : ends_[lane];
        for (std::size_t word = 0; word < words_; ++word, rows -= recurrence_.rows_a_word) {
            const std::uint64_t mask = row_bits(rows, recurrence_.rows_a_word);
            const std::uint64_t first = state_[word * lanes_ + lane];
            const std::uint64_t second = lcs ? 0 : state_[(words_ + word) * lanes_ + lane];
            sum += lcs ? std::popcount(~first & mask)
                       : std::popcount(first & mask) - std::popcount(second & mask);
        }
        job_.answers[group_[lane].pair] = static_cast<std::int32_t>(sum);
    }

    const batch_job& job_;
    const strip_recurrence& recurrence_;
    const std::vector<std::uint8_t>& bits_;
    std::size_t lanes_, words_ = 0;
    std::vector<ranked> order_, group_;
    base::aligned_vector<std::uint64_t> rows_, state_;
    base::aligned_vector<std::uint8_t> columns_;
    std::vector<index_t> ends_;
};

void run_lanes(batch_job& job, const strip_recurrence& recurrence, void (*kernel)(const lane_group&)) {
    if (job.count == 0) return;
    const std::vector<std::uint8_t> bits = distinguishing_bits(job);
    for_slices(job, chosen_methods.lane_slice, [&](index_t first, index_t last) {
        lane_slice(job, recurrence, bits).run(first, last, kernel);
    });
    job.run->policy = "lanes=" + std::to_string(strip_lanes()) + " planes=" + std::to_string(bits.size());
}

void run_lcs(batch_job& job) {
    run_lanes(job, lcs_strips(), lcs_lanes);
}
void run_edit(batch_job& job) {
    run_lanes(job, edit_strips(), edit_lanes);
}

std::string refusal(const batch_job& job) {
    return job.a.bytes == 1 ? std::string() : "needs symbols of one byte";
}

/// Whether most symbols of a sample of pairs stand in a common beginning or end: cpu/pairs drops these, lanes
/// cannot.
bool mostly_equal(const batch_job& job) {
    constexpr index_t looked_at = 16;
    const index_t step = std::max<index_t>(1, job.count / looked_at);
    index_t shorter = 0, common = 0;
    for (index_t k = 0; k < job.count; k += step) {
        const trimmed_pair t = trim(sequence(job.a, k), sequence(job.b, k));
        common += t.prefix + t.suffix;
        shorter += t.prefix + t.suffix + std::min(t.a.size, t.b.size);
    }
    return 2 * common > shorter;
}

/// Short pairs are faster in words of their own (cpu/pairs).
bool suits(const batch_job& job, index_t word_rows) {
    if (job.count < 2 * strip_lanes() || mostly_equal(job)) return false;
    if (job.bound >= 0 && job.bound < 64) return false;  // cpu/pairs leaves most cells out
    const index_t symbols =
        job.a.offsets[job.count] - job.a.offsets[0] + job.b.offsets[job.count] - job.b.offsets[0];
    const index_t mean = symbols / (2 * job.count);
    if (job.bound >= 0 && job.bound < mean / 5) return false;
    return mean > word_rows && mean <= chosen_methods.lane_rows;
}
/// Whether the first pair has more than four symbols: lanes compare each bit that distinguishes symbols.
bool has_letters(const batch_job& job) {
    std::bitset<256> seen;
    for (const batch_side* side : {&job.a, &job.b})
        for (const std::uint8_t symbol : bytes_of(*side, 0)) seen.set(symbol);
    return seen.count() > 4;
}

bool suits_lcs(const batch_job& job) {
    const method_policy& chosen = chosen_methods;
    return suits(job, chosen.word_rows_lcs) && (suits(job, chosen.word_rows_letters) || !has_letters(job));
}
bool suits_edit(const batch_job& job) {
    return suits(job, chosen_methods.word_rows_edit);
}

}  // namespace

extern constinit const catalogue::row<batch_job> lcs_batch_cpu_lanes{
    "cpu/lanes", "one pair a lane of the vectors, neighbours of like length", run_lcs, refusal, suits_lcs};

extern constinit const catalogue::row<batch_job> edit_batch_cpu_lanes{
    "cpu/lanes", "one pair a lane of the vectors, neighbours of like length", run_edit, refusal, suits_edit};

}  // namespace wale::wavefront
