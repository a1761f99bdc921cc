// catalogue - every solver's tables in one list, for `wale list` and wale::variants().
#pragma once

#include <functional>
#include <vector>
#include <wale/variants.hpp>

#include "variants/table.hpp"

namespace wale::catalogue {

/// Solvers add their tables once, from a static initialiser beside their lists of rows.
void enlist(std::function<void(std::vector<variant_info>&)> describe);

/// The same of tables; true, as the value of a static constant.
template <class... Table>
bool enlist(Table& (*... get)()) {
    (enlist([get](std::vector<variant_info>& out) {
         const auto& t = get();
         for (const auto& r : t.rows) out.push_back({t.solver, t.operation, r.name, r.where, r.summary});
     }),
     ...);
    return true;
}

}  // namespace wale::catalogue
