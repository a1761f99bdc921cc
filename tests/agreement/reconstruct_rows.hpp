// reconstruct_rows - the fixture of the tests that ask every row of reconstruct.
#pragma once

#include "agreement/images.hpp"
#include "agreement/rows.hpp"

namespace wale::agreement {

class Reconstruct : public row_test {
protected:
    /// The row's answer to s equals the oracle's, for every number of threads.
    static void expect_agrees(const specimen& s, question q) {
        q.s = &s;
        if (q.connectivity == 0) q.connectivity = s.shape.rank == 3 ? 26 : 8;
        expect_equal(q, s);
    }

    /// The answer to q equals the oracle's to `same`.
    static void expect_equal(const question& q, const specimen& same) {
        std::optional<values> expected;  // not computed for a row that refuses
        for (const int threads : thread_counts()) {
            SCOPED_TRACE(q.s->what + ", connectivity " + std::to_string(q.connectivity) + ", " +
                         std::to_string(threads) + " threads" + (q.in_place ? ", in place" : "") +
                         (q.method == reconstruction_method::erosion ? ", erosion" : ""));
            std::string refusal;
            const auto found = ask(where(threads), GetParam().name, q, &refusal);
            if (!found) {
                EXPECT_TRUE(may_refuse(GetParam().name, q)) << refusal;
                return;
            }
            if (!expected) expected = widest_paths(same, q.connectivity);
            EXPECT_EQ(difference_text(q.s->shape, *found, *expected), "");
        }
    }
};

}  // namespace wale::agreement
