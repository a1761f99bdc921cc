// hirschberg - a longest common subsequence itself in linear memory: split the columns, find the row where
// the best way crosses from the lengths forward and backward, go on in the two halves (Hirschberg 1975);
// small parts keep one bit a cell and walk back through it (Crochemore et al. 2003).
#include <algorithm>

#include "cpu/instruction_set.hpp"
#include "cpu/team.hpp"
#include "solvers/wavefront/length/shared/bit_vector.hpp"
#include "solvers/wavefront/length/shared/strips.hpp"

namespace wale::wavefront {
namespace {

constexpr index_t nothing = -1;

/// A part of the two sequences, and where it starts in them.
struct part_of_pair {
    code_span a, b;
    index_t first_a = 0, first_b = 0;

    [[nodiscard]] part_of_pair sub(std::size_t at_a, std::size_t size_a, std::size_t at_b,
                                   std::size_t size_b) const {
        return {a.subspan(at_a, size_a), b.subspan(at_b, size_b), first_a + static_cast<index_t>(at_a),
                first_b + static_cast<index_t>(at_b)};
    }
};

class subsequence {
public:
    explicit subsequence(const coded_pair& pair)
        : pair_(pair), planes_(pair.planes()), partner_(pair.a.size(), nothing) {}

    void find(int threads) { find({pair_.a, pair_.b}, threads); }

    void write(const lcs_string_job& job) const {
        for (std::size_t i = 0; i < partner_.size(); ++i) {
            if (partner_[i] == nothing) continue;
            job.in_a->push_back(static_cast<index_t>(i));
            job.in_b->push_back(partner_[i]);
        }
    }

private:
    void match(index_t i, index_t j) { partner_[static_cast<std::size_t>(i)] = j; }

    /// The part without its common ends, whose symbols are partners.
    [[nodiscard]] part_of_pair without_ends(part_of_pair p) {
        std::size_t most = std::min(p.a.size(), p.b.size());
        std::size_t front = 0;
        while (front < most && p.a[front] == p.b[front]) ++front;
        most -= front;
        std::size_t back = 0;
        while (back < most && p.a[p.a.size() - 1 - back] == p.b[p.b.size() - 1 - back]) ++back;
        for (std::size_t k = 0; k < front; ++k)
            match(p.first_a + static_cast<index_t>(k), p.first_b + static_cast<index_t>(k));
        for (std::size_t k = 1; k <= back; ++k)
            match(p.first_a + static_cast<index_t>(p.a.size() - k),
                  p.first_b + static_cast<index_t>(p.b.size() - k));
        return p.sub(front, p.a.size() - front - back, front, p.b.size() - front - back);
    }

    /// Parts of threads write to rows of their own.
    void find(const part_of_pair& whole, int threads) {
        const part_of_pair p = without_ends(whole);
        if (p.a.empty() || p.b.empty()) return;
        const auto words = static_cast<index_t>(p.a.size() / 64 + 1);
        if (words * std::ssize(p.b) <= chosen_methods.traced_words || p.b.size() < 2) return trace(p);
        const std::size_t column = p.b.size() / 2;
        const std::size_t row = crossing(p, column, threads);
        const int team = std::min(threads, 2);
        const part_of_pair halves[2] = {p.sub(0, row, 0, column),
                                        p.sub(row, p.a.size() - row, column, p.b.size() - column)};
        cpu::run_team(team, [&](int rank) {
            for (int half = rank; half < 2; half += team) find(halves[half], threads / team);
        });
    }

    /// lengths[i]: of the LCS of the first i symbols of a and all of b.
    [[nodiscard]] std::vector<std::int32_t> lengths(code_span a, code_span b, int threads) const {
        strip_table table(lcs_strips(), a, b, planes_, chosen_strips());
        table.share(threads);
        table.run();
        return table.lengths();
    }

    /// The rows above which a best way leaves the first `column` columns.
    [[nodiscard]] std::size_t crossing(const part_of_pair& p, std::size_t column, int threads) const {
        std::vector<std::int32_t> sums[2];
        const int team = std::min(threads, 2);
        cpu::run_team(team, [&](int rank) {
            for (int half = rank; half < 2; half += team) {
                if (half == 0) {
                    sums[0] = lengths(p.a, p.b.first(column), threads / team);
                } else {
                    const std::vector<std::uint32_t> a(p.a.rbegin(), p.a.rend());
                    const std::vector<std::uint32_t> b(p.b.rbegin(),
                                                       p.b.rend() - static_cast<std::ptrdiff_t>(column));
                    sums[1] = lengths(a, b, threads / team);
                }
            }
        });
        std::size_t best = 0;
        std::int32_t most = -1;
        for (std::size_t row = 0; row <= p.a.size(); ++row) {
            const std::int32_t both = sums[0][row] + sums[1][p.a.size() - row];
            if (both > most) {
                most = both;
                best = row;
            }
        }
        return best;
    }

    /// One bit a cell: 0 where the length is one more than in the row above.
    void trace(const part_of_pair& p) {
        const coded_pair codes{{p.a.begin(), p.a.end()}, {p.b.begin(), p.b.end()}, pair_.count};
        const std::size_t words = (p.a.size() + 63) / 64;
        std::vector<std::uint64_t> bits((p.b.size() + 1) * words,
                                        ~std::uint64_t{0});  // column 0 is the border
        lcs_bit_vector(codes, [&](std::size_t column, const std::vector<std::uint64_t>& v) {
            std::copy(v.begin(), v.end(), bits.begin() + static_cast<std::ptrdiff_t>((column + 1) * words));
        });
        const auto raises = [&](std::size_t row, std::size_t column) {
            return (bits[column * words + row / 64] >> row % 64 & 1) == 0;
        };
        std::size_t i = p.a.size();
        std::size_t j = p.b.size();
        while (i > 0 && j > 0) {
            if (!raises(i - 1, j)) {
                --i;  // the row above is as long
            } else if (raises(i - 1, j - 1)) {
                --j;  // the column before is as long
            } else {
                --i;
                --j;
                match(p.first_a + static_cast<index_t>(i), p.first_b + static_cast<index_t>(j));
            }
        }
    }

    const coded_pair& pair_;
    int planes_;
    std::vector<index_t> partner_;  // of each symbol of a, in b
};

void run(lcs_string_job& job) {
    const coded_pair pair = encode(job.a, job.b);
    const double cells = static_cast<double>(job.a.size) * static_cast<double>(job.b.size);
    const auto worth = static_cast<index_t>(cells / static_cast<double>(chosen_methods.cells_a_thread)) + 1;
    const int threads = cpu::team_size(job.where, worth);
    subsequence common(pair);
    common.find(threads);
    common.write(job);
    job.run->device = cpu::instruction_set();
    job.run->threads = threads;
    job.run->policy = "traced=" + std::to_string(chosen_methods.traced_words) + " words";
}

}  // namespace

extern constinit const catalogue::row<lcs_string_job> lcs_string_cpu_hirschberg{
    "cpu/hirschberg", "halves the columns, in linear memory, over skewed strips (Hirschberg)", run};

}  // namespace wale::wavefront
