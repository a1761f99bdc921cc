// csv - the verified rows as lines of bench/results/<machine>/<solver>.csv, which tuning evidence points
// into.
#pragma once

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

/// The file of --csv=FILE; nullptr without it.
[[nodiscard]] const csv_file*& csv_output();

}  // namespace wale::bench
