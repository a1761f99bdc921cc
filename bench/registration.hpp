// registration - what each file of benchmarks offers to main, and how a study becomes benchmarks.
#pragma once

#include <string>
#include <vector>
#include <wale/layout.hpp>

namespace wale::bench {

/// One experiment of a solver's study, at some sizes on the host and some on a device.
struct experiment {
    const char* solver;
    const char* study;      // study_options.operation
    const char* operation;  // of the variant table
    const char* input;      // what stands between variant and size in the name
    std::vector<index_t> host_sizes, device_sizes;
    const char* peer = "";  // a variant: the CSV's ratio is its time over a row's
    std::string image{};  // study_options.input
};

/// One benchmark for every row of the variant table and size: wavefront/fill/cuda/strips/lcs/i32/65536. The
/// measurement is wale::study()'s, which verifies the result on the data that was timed; so `wale study`,
/// wale.study() and these rows agree. All variants of an experiment and size are timed in one go.
void register_experiment(const experiment& e);

void register_wavefront();
void register_reconstruction();
void register_lu();
void register_tree();
void register_view();

}  // namespace wale::bench
