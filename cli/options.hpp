// options - what the command line said, as plain data for the verbs.
#pragma once

#include <string>
#include <vector>
#include <wale/layout.hpp>

namespace wale::cli {

struct common_options {
    bool json = false;
    std::string output = "-";  // standard output
};

struct align_options : common_options {
    std::string query_file, target_file;
    std::string measure = "lcs";  // or "edit"
    bool string = false;          // the subsequence itself
    index_t bound = -1;           // edit: distances above it need not be exact
    bool pairs = false, all = false;
    bool reverse_complement = false;
    bool keep_case = false;
    std::string backend = "auto";
    std::string variant = "automatic";
    int threads = 0;  // 0: all that this process may use
};

struct study_command : common_options {
    std::string solver;
    std::string operation;       // empty: the solver's first
    std::vector<index_t> sizes;  // empty: the solver's own
    std::string variant;         // only names containing this
    int repeats = 5;
    int threads = 0;
    std::string backend = "all";
};

struct list_options : common_options {
    std::string solver;  // empty: all
};

struct info_options : common_options {};

/// The verbs: one file each. They return the exit code and throw for everything that main.cpp explains.
int align(const align_options& options);
int study(const study_command& options);
int list(const list_options& options);
int info(const info_options& options);

}  // namespace wale::cli
