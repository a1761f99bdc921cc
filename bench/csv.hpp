// csv - the verified rows as lines of bench/results/<machine>/<solver>.csv, which tuning evidence points
// into.
#pragma once

#include <cstdio>
#include <string>
#include <wale/study.hpp>

namespace wale::bench {

/// What the environment says of this run: WALE_COMMIT and WALE_MACHINE (bench/machine.py), else "unknown".
struct provenance {
    std::string commit, machine, date;
};
[[nodiscard]] provenance this_run();

struct csv_row {
    const study_row& row;
    std::string operation;
    int threads;
    double ratio;  // a peer's time over this row's, timed in the same go; 0: none
};

/// Appends to the file, with a header line where it is new. Throws cannot_write.
class csv_file {
public:
    explicit csv_file(std::string path);
    void add(const csv_row& r) const;

private:
    std::string path_;
    provenance run_ = this_run();
};

/// A CSV file with columns of its own after commit, date and machine. The constructor writes the header into
/// a new file; add() appends a line and flushes, so that an interrupted run keeps what it measured. Throws
/// cannot_write.
class csv_lines {
public:
    /// `header`: the columns after commit, date and machine.
    csv_lines(const std::string& path, const std::string& header);
    csv_lines(const csv_lines&) = delete;
    csv_lines& operator=(const csv_lines&) = delete;
    ~csv_lines();
    /// The columns after commit, date and machine, formatted as by printf, without the line's end.
    [[gnu::format(printf, 2, 3)]] void add(const char* format, ...) const;

private:
    std::FILE* file_;
    provenance run_ = this_run();
};

/// The file of --csv=FILE; nullptr without it.
[[nodiscard]] const csv_file*& csv_output();

}  // namespace wale::bench
