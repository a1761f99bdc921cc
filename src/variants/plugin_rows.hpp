// plugin_rows - the rows that a plugin adds to tables of libwale. A plugin has one list for each operation,
// from <solver>/rows.txt, and no file that names all of them.
#pragma once

#include <initializer_list>

#include "variants/table.hpp"

namespace wale::catalogue {

/// Objects of this class have static storage; loading the plugin links them into one list. No row reaches a
/// table before append_all(), because the plugin's version is checked first.
class plugin_list {
public:
    plugin_list(const plugin_list&) = delete;
    plugin_list& operator=(const plugin_list&) = delete;

    static void append_all() {
        for (const plugin_list* list = first; list != nullptr; list = list->next_) list->append();
    }

protected:
    plugin_list() : next_(first) { first = this; }
    ~plugin_list() = default;

private:
    virtual void append() const = 0;

    static inline constinit const plugin_list* first = nullptr;
    const plugin_list* next_;
};

/// The rows of one operation, best first.
template <class Job, class Result = void>
class plugin_rows final : plugin_list {
public:
    plugin_rows(table<Job, Result>& (*get)(), std::initializer_list<row<Job, Result>> rows)
        : get_(get), rows_(rows) {}

private:
    void append() const override {
        std::vector<row<Job, Result>>& all = get_().rows;
        all.insert(all.end(), rows_.begin(), rows_.end());
    }

    table<Job, Result>& (*get_)();
    std::vector<row<Job, Result>> rows_;
};

}  // namespace wale::catalogue
