// peers_test - random pairs against edlib, which shares no code and no author with Wale.
#include <edlib.h>

#include "rows.hpp"
#include "solvers/wavefront/jobs.hpp"

namespace wale::agreement {
namespace {

index_t edlib_distance(const std::string& a, const std::string& b) {
    const EdlibAlignResult r = edlibAlign(a.data(), static_cast<int>(a.size()), b.data(),
                                          static_cast<int>(b.size()), edlibDefaultAlignConfig());
    const index_t distance = r.status == EDLIB_STATUS_OK ? r.editDistance : -1;
    edlibFreeAlignResult(r);
    return distance;
}

std::string letters(const text& s) {
    return {s.begin(), s.end()};
}

struct peers : row_test {};

TEST_P(peers, agree_on_edit_distance) {
    for (unsigned seed = 0; seed < 40; ++seed) {
        const auto size = static_cast<index_t>(1 + seed * seed * 5);  // to 7606
        const std::uint32_t alphabet = seed % 3 == 0 ? 4 : seed % 3 == 1 ? 20 : 200;
        const text a = random_text(size, alphabet, seed);
        const text b =
            seed % 2 == 0 ? random_text(size + seed, alphabet, seed + 1) : mutated(a, 0.02 * seed, seed);
        // The reference would take most of the time and has been compared elsewhere: only small ones.
        if (GetParam().where == backend::reference && size > 2000) continue;
        const execution on = where(2);
        const text_pair p{"seed " + std::to_string(seed), a, b};
        const index_t got = asked(on, p, [&](auto x, auto y) {
            return edit_distance(on, x, y, {.variant = GetParam().name}).distance;
        });
        ASSERT_EQ(got, edlib_distance(letters(a), letters(b))) << p.what << ", " << size << " symbols";
    }
}

INSTANTIATE_TEST_SUITE_P(wavefront, peers, testing::ValuesIn(rows_of(wavefront::edit_distance_rows)),
                         test_name);

}  // namespace
}  // namespace wale::agreement
