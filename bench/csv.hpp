// csv - the one writer of bench/results: every line says commit, date, machine and the command that measured
// it.
#pragma once

#include <concepts>
#include <cstdio>
#include <string>
#include <string_view>

namespace wale::bench {

/// Appends lines to a CSV file; writes the header into a new one. Each line is flushed, so that an
/// interrupted run keeps what it measured. WALE_COMMIT and WALE_MACHINE name commit and machine
/// (bench/machine.py prints them); without them they are "unknown". Throws cannot_write.
class csv_lines {
public:
    /// `header`: the columns after commit, date, machine and command.
    csv_lines(const std::string& path, const std::string& header);
    csv_lines(const csv_lines&) = delete;
    csv_lines& operator=(const csv_lines&) = delete;
    ~csv_lines() { std::fclose(file_); }
    /// The columns of `header`; prints them too, without those of the run.
    template <class... Values>
    void add(const Values&... values) const {
        std::string line;
        (append(line, values), ...);
        write(line);
    }

private:
    static void append(std::string& line, std::string_view text);
    static void append(std::string& line, double value);
    static void append(std::string& line, std::integral auto value) {
        append(line, std::string_view(std::to_string(value)));
    }
    void write(const std::string& line) const;

    std::FILE* file_;
    std::string run_;  // the first columns
};

}  // namespace wale::bench
