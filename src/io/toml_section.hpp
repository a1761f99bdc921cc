// toml_section - a table of a TOML file: every word known, every value of its type, every mistake with its
// line.
#pragma once

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>
#include <wale/enumerators.hpp>
#include <wale/error.hpp>

#include "io/escape.hpp"

namespace wale::io {

/// A table of the case: gives its values out, and refuses keys that it does not know.
class section {
public:
    section(const toml::table& table, const std::string& name, std::string path)
        : table_(table), name_(name), path_(std::move(path)) {}

    [[noreturn]] void refuse(const toml::node& at, const std::string& what) const {
        throw bad_input(name_ + ":" + std::to_string(at.source().begin.line) + ": " + escaped(what));
    }
    /// "key: is value, expected", of a key that is there.
    [[noreturn]] void refuse_value(const char* key, const std::string& expected) const {
        const toml::node& node = *table_.get(key);
        refuse(node, full(key) + ": is " + found(node) + ", expected " + expected);
    }
    [[nodiscard]] const toml::node* find(const char* key) {
        known_.insert(key);
        return table_.get(key);
    }
    [[nodiscard]] const toml::table* table(const char* key) {
        const toml::node* node = find(key);
        if (node == nullptr) return nullptr;
        if (!node->is_table()) refuse_value(key, "a table [" + full(key) + "]");
        return node->as_table();
    }

    void get(const char* key, double& to, double least, double most) {
        const toml::node* node = find(key);
        if (node == nullptr) return;
        to = number(*node);
        if (!(to >= least && to <= most))
            refuse_value(key, "a number from " + text(least) + " to " + text(most));
    }
    template <class Integer>
        requires std::is_integral_v<Integer>
    void get(const char* key, Integer& to, Integer least, Integer most) {
        const toml::node* node = find(key);
        if (node == nullptr) return;
        const auto* value = node->as_integer();
        if (value == nullptr || !std::in_range<Integer>(value->get()) ||
            static_cast<Integer>(value->get()) < least || static_cast<Integer>(value->get()) > most)
            refuse_value(key, "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
        to = static_cast<Integer>(value->get());
    }
    void get(const char* key, bool& to) {
        const toml::node* node = find(key);
        if (node == nullptr) return;
        if (!node->is_boolean()) refuse_value(key, "true or false");
        to = node->as_boolean()->get();
    }
    void get(const char* key, std::string& to) {
        const toml::node* node = find(key);
        if (node == nullptr) return;
        if (!node->is_string()) refuse_value(key, "a text in quotes");
        to = node->as_string()->get();
    }
    /// One of the words of an enumeration (enumerators.hpp); whether the key is there.
    template <class Enum>
    bool get_word(const char* key, Enum& to) {
        const toml::node* node = find(key);
        if (node == nullptr) return false;
        const auto named = node->is_string() ? find_named<Enum>(node->as_string()->get()) : std::nullopt;
        if (!named) refuse_value(key, "one of " + list_of_words<Enum>());
        to = *named;
        return true;
    }
    void get(const char* key, std::array<double, 3>& to) {
        const toml::node* node = find(key);
        if (node != nullptr && !read_point(*node, to)) refuse_value(key, "three numbers [x, y, z]");
    }
    /// A list of numbers that are finite and in range.
    void get(const char* key, std::vector<double>& to, double least, double most) {
        const toml::node* node = find(key);
        if (node == nullptr) return;
        const toml::array* list = node->as_array();
        const std::string expected = "a list of numbers from " + text(least) + " to " + text(most);
        if (list == nullptr || list->empty()) refuse_value(key, expected);
        for (const toml::node& one : *list) {
            to.push_back(number(one));
            if (!(to.back() >= least && to.back() <= most)) refuse_value(key, expected);
        }
    }
    /// A list of points.
    void get(const char* key, std::vector<std::array<double, 3>>& to) {
        const toml::node* node = find(key);
        if (node == nullptr) return;
        const std::string expected = "a list of points [[x, y, z], ...]";
        if (!node->is_array()) refuse_value(key, expected);
        for (const toml::node& one : *node->as_array())
            if (!read_point(one, to.emplace_back())) refuse_value(key, expected);
    }
    /// Whatever was not asked for is a mistake.
    void end() const {
        for (const auto& [key, node] : table_)
            if (!known_.contains(key.str())) {
                std::string list;
                for (const std::string& k : known_) list += (list.empty() ? "" : ", ") + k;
                refuse(node, "unknown word " + io::quoted(key.str()) + ", expected one of " + list);
            }
    }
    [[nodiscard]] const toml::table& all() const { return table_; }
    [[nodiscard]] const std::string& file() const { return name_; }

private:
    [[nodiscard]] std::string full(const char* key) const { return path_.empty() ? key : path_ + "." + key; }
    /// NaN of what is no number, such as true.
    [[nodiscard]] static double number(const toml::node& node) {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        return node.is_number() ? node.value<double>().value_or(none) : none;
    }
    /// Whether the node is a list of three finite numbers.
    [[nodiscard]] static bool read_point(const toml::node& node, std::array<double, 3>& to) {
        const toml::array* list = node.as_array();
        if (list == nullptr || list->size() != 3) return false;
        for (std::size_t d = 0; d < 3; ++d) to[d] = number(*list->get(d));
        return std::ranges::all_of(to, [](double v) { return std::isfinite(v); });
    }
    [[nodiscard]] static std::string found(const toml::node& node) {
        if (const auto* v = node.as_string()) return io::quoted(v->get());
        if (const auto* v = node.as_integer()) return std::to_string(v->get());
        if (const auto* v = node.as_floating_point()) return text(v->get());
        if (const auto* v = node.as_boolean()) return v->get() ? "true" : "false";
        return node.is_table() ? "a table" : node.is_array() ? "an array" : "a date or time";
    }
    [[nodiscard]] static std::string text(double v) {
        std::ostringstream out;
        out << v;
        return out.str();
    }

    const toml::table& table_;
    const std::string& name_;
    std::string path_;
    std::set<std::string, std::less<>> known_;
};

/// Reads the table `key` of another, if it is there, to its end.
template <class Read>
void in_table(section& parent, const char* key, Read&& read) {
    if (const toml::table* t = parent.table(key)) {
        section s(*t, parent.file(), key);
        read(s);
        s.end();
    }
}

}  // namespace wale::io
