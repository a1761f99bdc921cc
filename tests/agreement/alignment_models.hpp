// alignment_models - modes with prices, by name; texts that are nearly alike; a pair's answers compared.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "alignment_modes.hpp"
#include "packed.hpp"
#include "rows.hpp"

namespace wale::agreement {

struct model {
    std::string what;
    alignment_options options{};
};

/// Global, local, and semi-global with every choice of free ends.
inline std::vector<model> modes() {
    std::vector<model> all;
    for (const alignment_options& o : all_modes()) all.push_back({"mode " + std::to_string(all.size()), o});
    return all;
}

struct prices {
    std::string what;
    substitution_matrix matrix;
    index_t open, extend;
};

inline std::vector<prices> gap_models() {
    return {{"unit", {}, 1, 1},
            {"linear", {2, -1}, 2, 2},
            {"affine", {3, -2}, 4, 1},
            {"free extension", {2, -3}, 3, 0},
            {"free gaps", {1, -1}, 0, 0},
            {"extend above open", {2, -2}, 1, 5},
            {"costly mismatch", {1, -1000}, 2, 1},
            {"asymmetric", odd_matrix(), 3, 1}};
}

inline model priced(model m, const prices& p) {
    m.what += ", " + p.what;
    m.options.matrix = p.matrix;
    m.options.open = p.open;
    m.options.extend = p.extend;
    m.options.task = alignment_task::path;
    return m;
}

/// A copy with about one change in `every` symbols.
inline std::string changed(const std::string& original, unsigned every, const std::string& alphabet,
                           unsigned seed) {
    std::mt19937 random(seed);
    std::string out;
    for (const char c : original) {
        const auto kind = static_cast<unsigned>(random() % every);
        if (kind == 0) continue;
        out += kind == 1 ? alphabet[random() % alphabet.size()] : c;
        if (kind == 2) out.append(1 + random() % 20, c);
    }
    return out;
}

inline void expect_same(const std::string& what, const alignment_result& got,
                        const alignment_result& wanted) {
    ASSERT_EQ(got.score, wanted.score) << what;
    ASSERT_EQ(got.query_end, wanted.query_end) << what;
    ASSERT_EQ(got.target_end, wanted.target_end) << what;
    ASSERT_EQ(got.query_begin, wanted.query_begin) << what;
    ASSERT_EQ(got.target_begin, wanted.target_begin) << what;
    ASSERT_EQ(got.cigar(), wanted.cigar()) << what;
    ASSERT_EQ(got.best_ends.size(), wanted.best_ends.size()) << what;
    for (std::size_t k = 0; k < got.best_ends.size(); ++k) {
        ASSERT_EQ(got.best_ends[k].query, wanted.best_ends[k].query) << what;
        ASSERT_EQ(got.best_ends[k].target, wanted.best_ends[k].target) << what;
    }
}

/// With `q` and `t` in the memory of `where`.
inline alignment_result asked_bytes(const execution& where, const std::string& q, const std::string& t,
                                    const alignment_options& o) {
    const auto bytes = [](const std::string& s) {
        return std::span(reinterpret_cast<const std::uint8_t*>(s.data()), s.size());
    };
    const placed<std::uint8_t> a(where, bytes(q)), b(where, bytes(t));
    return align(where, a.view(), b.view(), o);
}

}  // namespace wale::agreement
