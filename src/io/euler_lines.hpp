// euler_lines - numbers and names between commas.
#pragma once

#include <charconv>
#include <initializer_list>
#include <string>
#include <wale/layout.hpp>

namespace wale::io {

inline void append(std::string& line, double v) {
    char digits[32];
    line.append(digits, std::to_chars(digits, digits + sizeof digits, v).ptr);
}
inline void append(std::string& line, index_t v) {
    char digits[32];
    line.append(digits, std::to_chars(digits, digits + sizeof digits, v).ptr);
}

inline void append_all(std::string& line, std::initializer_list<double> values) {
    for (const double v : values) {
        line += ',';
        append(line, v);
    }
}

/// A name as a field between commas: in quotes where it has any of what would end it.
inline std::string field(const std::string& name) {
    if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
    std::string quoted = "\"";
    for (const char c : name) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

}  // namespace wale::io
