// lu_factor_rows - the fixture of the tests that ask every row of lu_factor.
#pragma once

#include <cmath>

#include "agreement/lu_rows.hpp"
#include "solvers/lu/jobs.hpp"
#include "thinned.hpp"

namespace wale::agreement {

inline std::string trace_of_factor(const factor_question& q, int threads) {
    constexpr const char* names[] = {"none", "partial", "tournament"};
    return q.what + ", " + name_of(q.how.type) +
           (q.how.order == storage_order::row_major ? ", row-major, gap " : ", column-major, gap ") +
           std::to_string(q.how.gap) + ", pivoting " + names[static_cast<int>(q.options.pivoting)] + ", " +
           std::to_string(threads) + " threads";
}

class LuFactor : public lu_row_test<factor_question, ask_factor, trace_of_factor> {
protected:
    [[nodiscard]] static pivoting usual() { return usual_pivoting(GetParam().name); }
    /// A random matrix that the row can factor.
    [[nodiscard]] static dense usual_matrix(index_t m, index_t n, unsigned seed) {
        return usual() == pivoting::none ? dominant_matrix(m, n, seed) : random_matrix(m, n, seed);
    }

    /// Those that the row does not refuse.
    [[nodiscard]] static std::vector<pivoting> pivotings() { return pivotings_of(GetParam().name); }

    /// The answer is right, and for any number of threads the same.
    static void expect_right(const factor_question& q) {
        if (!asked_here()) return;
        expect_of_all_threads(q, [&](const factor_answer& found, const std::string& trace) {
            EXPECT_EQ(factor_flaw(q, found), "") << trace;
            expect_good_ratio(q, found, trace);
        });
    }

private:
    /// The library's own ratio, where the rounding of A is above the smallest numbers there are.
    static void expect_good_ratio(const factor_question& q, const factor_answer& found,
                                  const std::string& trace) {
        double limit = good_ratio;
        for (std::size_t k = 0; k < found.originals.size(); ++k) {
            const double size = largest_magnitude(found.originals[k]), eps = epsilon_of(q.how.type);
            if (size > 0 && size * eps < 1000 * denormal_of(q.how.type)) return;
            if (q.grows) limit *= std::max(1.0, growth_of(found.originals[k], found.factors[k]));
        }
        EXPECT_LT(found.ratio, limit) << trace;
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
