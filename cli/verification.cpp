// verification - see verification.hpp.
#include "verification.hpp"

#include <algorithm>
#include <wale/variants.hpp>

#include "failure.hpp"
#include "group.hpp"
#include "text.hpp"

namespace wale::cli {
namespace {

constexpr double few_cells = 1 << 16;

bool is_among(const std::string& ran, const std::string& name) {
    return ("+" + ran + "+").find("+" + name + "+") != std::string::npos;
}

}  // namespace

second_rows::second_rows(const std::string& operation, int threads) {
    for (const backend where : {backend::cpu, backend::reference})
        for (const variant_info& v : variants("wavefront"))
            if (v.operation == operation && v.where == where)
                rows_.push_back(
                    {v.name, where == backend::cpu ? execution(on_cpu{threads}) : execution(on_reference{})});
}

index_t second_rows::ask(
    const std::string& ran, double cells,
    const std::function<index_t(const execution& where, const std::string& row)>& ask) const {
    const auto plain =
        std::ranges::find_if(rows_, [](const row& r) { return backend_of(r.where) == backend::reference; });
    if (cells <= few_cells && plain != rows_.end() && !is_among(ran, plain->name))
        return ask(plain->where, plain->name);
    for (const row& r : rows_) {
        if (is_among(ran, r.name)) continue;
        try {
            return ask(r.where, r.name);
        } catch (const unsupported_variant&) {
            continue;
        }
    }
    return ask(plain->where, plain->name);  // which is all that there is
}

void found_flaws::add(const std::string& query, const std::string& target, const std::string& flaw) {
    if (flaw.empty() || any()) return;
    first_ = printable(query);
    first_ += " x ";
    first_ += printable(target);
    first_ += ": ";
    first_ += flaw;
}

bool found_flaws::none_anywhere() const {
    const bool bad = group().any(any());
    if (any()) throw verdict_error("verification: " + first_);
    return !bad;
}

}  // namespace wale::cli
