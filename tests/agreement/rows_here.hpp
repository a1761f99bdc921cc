// rows_here - the rows of an operation that run on this machine, each with where, for tests that walk through
// all of them.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>
#include <wale/variants.hpp>

namespace wale::agreement {

/// A name as GoogleTest wants it: "cpu/one_pass" -> "cpu_one_pass".
[[nodiscard]] inline std::string word_of(std::string name) {
    std::ranges::replace_if(
        name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
}

struct row_here {
    std::string name;
    execution where;
};

[[nodiscard]] inline std::vector<row_here> rows_here(std::string_view solver, std::string_view which) {
    std::vector<row_here> all;
    for (const variant_info& v : variants(solver)) {
        if (v.operation != which || !is_available(v.where)) continue;
        execution where = on_reference{};
        if (v.where == backend::cpu) where = on_cpu{2};
        if (v.where == backend::cuda) where = on_cuda{};
        all.push_back({v.name, where});
    }
    return all;
}

}  // namespace wale::agreement
