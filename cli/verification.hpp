// verification - a second opinion on the answers of align, map and search, and how a verb ends by a verdict.
#pragma once

#include <functional>
#include <string>
#include <vector>
#include <wale/execution.hpp>
#include <wale/layout.hpp>

namespace wale::cli {

/// Rows of an operation of `wavefront` on the host, for what other rows have answered.
class second_rows {
public:
    second_rows(const std::string& operation, int threads);
    /// ask(where, row) by the first row that did not run and does not refuse. `ran`: names with '+' between.
    /// Few cells are for the plain loops.
    [[nodiscard]] index_t ask(
        const std::string& ran, double cells,
        const std::function<index_t(const execution& where, const std::string& row)>& ask) const;

private:
    struct row {
        std::string name;
        execution where;
    };
    std::vector<row> rows_;  // best first, the reference last
};

/// "query x target: what", of the first flaw of a run.
class found_flaws {
public:
    /// Keeps the text, where there is one and it is the first.
    void add(const std::string& query, const std::string& target, const std::string& flaw);
    [[nodiscard]] bool any() const { return !first_.empty(); }
    /// Collective, before anything is committed: whether no rank has a flaw. A rank that has one throws
    /// verdict_error.
    [[nodiscard]] bool none_anywhere() const;

private:
    std::string first_;
};

}  // namespace wale::cli
