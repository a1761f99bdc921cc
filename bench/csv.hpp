// csv - the one writer of bench/results: every line says commit, date, machine and the command that measured
// it.
#pragma once

#include <cstdio>
#include <string>

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
    /// The columns of `header`, formatted as by printf, without the line's end.
    [[gnu::format(printf, 2, 3)]] void add(const char* format, ...) const;

private:
    std::FILE* file_;
    std::string run_;  // the first columns
};

}  // namespace wale::bench
