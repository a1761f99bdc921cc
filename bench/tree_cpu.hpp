// tree_cpu - what the cases of tree_cpu share: a case is a name and a function that times it and adds lines
// to the table. A file for each family of cases.
#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <vector>
#include <wale/wale.hpp>

#include "csv.hpp"
#include "timing.hpp"

namespace wale::bench {

/// Backward errors in roundings beyond this are not printed.
inline constexpr double good_error = 30;
[[nodiscard]] constexpr double rounding_of(scalar s) {
    return s == scalar::f32 ? 0x1p-24 : 0x1p-53;
}

/// One line of the result: ours beside a peer, timed in turn.
struct tree_line {
    std::string operation, layout;
    index_t size = 0, count = 0;  // unknowns of a system; systems
    std::string variant, policy;
    int threads = 1;
    double seconds = 0, words = 5;  // words that must move for each unknown
    int word_bytes = 8;
    double error = 0;  // backward error in roundings
    std::string peer;
    double peer_seconds = 0;
    double processor = 0, peer_processor = 0;  // least seconds of all threads: for machines with other work
};

class tree_table {
public:
    explicit tree_table(const std::string& path);
    void add(const tree_line& l) const;

private:
    csv_lines file_;
};

struct tree_case {
    std::string name;
    std::function<bool(const tree_table&)> run;  // false: the answer was wrong
};
[[nodiscard]] std::vector<tree_case> chain_cases();

}  // namespace wale::bench
