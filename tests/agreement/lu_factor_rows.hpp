// lu_factor_rows - the fixture of the tests that ask every row of lu_factor.
#pragma once

#include <cmath>

#include "agreement/lu_rows.hpp"
#include "solvers/lu/jobs.hpp"
#include "thinned.hpp"

namespace wale::agreement {

class LuFactor : public row_test {
protected:
    [[nodiscard]] static std::string trace_of(const factor_question& q, int threads) {
        constexpr const char* names[] = {"none", "partial", "tournament"};
        return q.what + ", " + name_of(q.how.type) +
               (q.how.order == storage_order::row_major ? ", row-major, gap " : ", column-major, gap ") +
               std::to_string(q.how.gap) + ", pivoting " + names[static_cast<int>(q.options.pivoting)] +
               ", " + std::to_string(threads) + " threads";
    }

    [[nodiscard]] static pivoting usual() { return usual_pivoting(GetParam().name); }
    /// A random matrix that the row can factor.
    [[nodiscard]] static dense usual_matrix(index_t m, index_t n, unsigned seed) {
        return usual() == pivoting::none ? dominant_matrix(m, n, seed) : random_matrix(m, n, seed);
    }

    /// Those that the row does not refuse.
    [[nodiscard]] static std::vector<pivoting> pivotings() { return pivotings_of(GetParam().name); }

    /// The row's answer; nothing if the row refuses, which is a failure.
    [[nodiscard]] static std::optional<factor_answer> answer(const factor_question& q, int threads = 1) {
        std::string refusal;
        auto found = ask_factor(where(threads), GetParam().name, q, &refusal);
        EXPECT_TRUE(found) << trace_of(q, threads) << ": " << refusal;
        return found;
    }

    /// The answer is right, and for any number of threads the same.
    static void expect_right(const factor_question& q) {
        if (!asked_here()) return;
        std::vector<std::byte> bits;
        for (const int threads : thread_counts()) {
            const auto found = answer(q, threads);
            if (!found) return;
            EXPECT_EQ(factor_flaw(q, *found), "") << trace_of(q, threads);
            expect_good_ratio(q, *found, threads);
            if (threads == thread_counts().front())
                bits = found->bits;
            else
                EXPECT_TRUE(bits == found->bits) << "other bits: " << trace_of(q, threads);
        }
    }

private:
    /// The library's own ratio, where the rounding of A is above the smallest numbers there are.
    static void expect_good_ratio(const factor_question& q, const factor_answer& found, int threads) {
        double limit = good_ratio;
        for (std::size_t k = 0; k < found.originals.size(); ++k) {
            const double size = largest_magnitude(found.originals[k]), eps = epsilon_of(q.how.type);
            if (size > 0 && size * eps < 1000 * denormal_of(q.how.type)) return;
            if (q.grows) limit *= std::max(1.0, growth_of(found.originals[k], found.factors[k]));
        }
        EXPECT_LT(found.ratio, limit) << trace_of(q, threads);
    }
};

/// Rows that exchange rows, with partial pivoting.
class LuPivots : public LuFactor {
public:
    [[nodiscard]] static std::vector<named_row> rows() {
        std::vector<named_row> all = rows_of(lu::factor_rows);
        std::erase_if(all, [](const named_row& r) { return may_refuse(r.name, pivoting::partial); });
        return all;
    }
};

}  // namespace wale::agreement
