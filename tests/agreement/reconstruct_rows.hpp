// reconstruct_rows - the fixture of the tests that ask every row of reconstruct: as it is, with each row of
// its tuning tables, and with one and two resident blocks where blocks wait for each other.
#pragma once

#include <gtest/gtest.h>

#include <ostream>

#include "agreement/images.hpp"
#include "thinned.hpp"
#include "tuning/override.hpp"

namespace wale::agreement {

struct tried_row {
    std::string row;  // "cuda/tiles"
    backend where = backend::reference;
    std::string setting;  // "": as it is; "row_1", "blocks_1": what the name of a test says of `tuning`
    std::string tuning;   // as WALE_TUNING: "reconstruction/tiles/max_blocks=1"
    /// Whether the setting is there for pixels of so many bytes; nullptr: for all.
    std::function<bool(int bytes)> compiled;
};

inline std::ostream& operator<<(std::ostream& out, const tried_row& r) {
    return out << r.row << (r.tuning.empty() ? "" : ", WALE_TUNING=") << r.tuning;
}

[[nodiscard]] std::vector<tried_row> tried_rows();

/// "cuda/tiles" with one block -> "cuda_tiles_blocks_1".
[[nodiscard]] std::string tried_name(const testing::TestParamInfo<tried_row>& info);

class Reconstruct : public testing::TestWithParam<tried_row> {
protected:
    void SetUp() override {
        const std::string why = why_unavailable(GetParam().where);
        if (!why.empty()) GTEST_SKIP() << why;
        if (!GetParam().tuning.empty()) override_.emplace(GetParam().tuning);
    }
    [[nodiscard]] static const std::string& row() { return GetParam().row; }
    [[nodiscard]] static execution where(int threads = 1) {
        if (GetParam().where == backend::cuda) return on_cuda{};
        if (GetParam().where == backend::cpu) return on_cpu{threads};
        return on_reference{};
    }
    /// A row of the CPU must not depend on the number of its threads.
    [[nodiscard]] static std::vector<int> thread_counts() {
        return GetParam().where == backend::cpu ? std::vector<int>{1, 3} : std::vector<int>{1};
    }
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
            q, [&](const execution& on, std::string* refusal) { return ask(on, row(), q, refusal); },
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
                EXPECT_TRUE(may_refuse(row(), q)) << refusal;
                return;
            }
            if (!e) e = expected();
            EXPECT_EQ(difference_text(q.s->shape, *found, *e), "");
        }
    }

private:
    std::optional<tuning::scoped_override> override_;
};

}  // namespace wale::agreement
