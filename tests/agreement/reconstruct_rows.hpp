// reconstruct_rows - the fixture of the tests that ask every row of reconstruct: as it is, with each row of
// its tuning tables, and with one and two resident blocks where blocks wait for each other.
#pragma once

#include <gtest/gtest.h>

#include "agreement/images.hpp"
#include "agreement/rows.hpp"
#include "thinned.hpp"

namespace wale::agreement {

struct tried_row : named_row {
    /// Whether the setting is there for pixels of so many bytes; nullptr: for all.
    std::function<bool(int bytes)> compiled{};
};

[[nodiscard]] std::vector<tried_row> tried_rows();

class Reconstruct : public row_test_of<tried_row> {
protected:
    [[nodiscard]] static bool is_compiled(const specimen& s) {
        return !GetParam().compiled || GetParam().compiled(static_cast<int>(bytes_of(s.shape.type)));
    }

    /// The row's answer to s equals the oracle's, for every number of threads.
    static void expect_agrees(const specimen& s, question q) {
        q.s = &s;
        if (q.connectivity == 0) q.connectivity = s.shape.rank == 3 ? 26 : 8;
        expect_equal(q, s);
    }

    /// The answer to q equals the oracle's to `same`.
    static void expect_equal(const question& q, const specimen& same) {
        expect_answer(
            q, [&](const execution& on, std::string* refusal) { return ask(on, row().name, q, refusal); },
            [&] { return widest_paths(same, q.connectivity); });
    }

    /// answer(execution, refusal) equals expected(), which is not computed for a row that refuses.
    template <class Answer, class Expected>
    static void expect_answer(const question& q, const Answer& answer, const Expected& expected) {
        if (!is_compiled(*q.s) || !asked_here()) return;
        std::optional<values> e;
        for (const int threads : thread_counts()) {
            SCOPED_TRACE(q.s->what + " " + name_of(q.s->shape.type) + ", connectivity " +
                         std::to_string(q.connectivity) + ", " + std::to_string(threads) + " threads" +
                         (q.in_place ? ", in place" : "") +
                         (q.method == reconstruction_method::erosion ? ", erosion" : ""));
            std::string refusal;
            const auto found = answer(where(threads), &refusal);
            if (!found) {
                EXPECT_TRUE(may_refuse(row().name, q)) << refusal;
                return;
            }
            if (!e) e = expected();
            EXPECT_EQ(difference_text(q.s->shape, *found, *e), "");
        }
    }
};

}  // namespace wale::agreement
