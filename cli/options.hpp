// options - the options of the command line, as plain data for the verbs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>
#include <wale/layout.hpp>

namespace CLI {
class App;
}

namespace wale::cli {

/// The types of numbers, and the same for short.
inline const std::vector<std::string> real_types{"float32", "float64", "f32", "f64"},
    number_types{"float32", "float64", "complex64", "complex128", "f32", "f64"};

struct common_options {
    bool json = false;
    std::string output = "-";  // standard output
};

/// Where a verb computes.
struct run_options : common_options {
    std::string backend = "auto";
    std::string variant = "automatic";
    int threads = 0;               // 0: all that this process may use
    std::vector<index_t> devices;  // over which a batch is split; none: one device, or another backend
};

struct align_options : run_options {
    std::string query_file, target_file;
    std::string measure = "lcs";  // or "edit", "score"
    bool string = false;          // the subsequence itself
    index_t bound = -1;           // edit: distances above it need not be exact
    bool pairs = false, all = false;
    bool reverse_complement = false;
    bool keep_case = false;
    bool strings = false;  // the arguments are sequences
    bool profile = false;  // the query is a profile
    bool verify = false;
    // Of a score:
    std::string mode = "global";
    int match = 0, mismatch = -1;
    std::string matrix;  // a name or a file; empty: match and mismatch
    index_t open = 1, extend = 1;
    index_t band = -1, x_drop = -1;  // heuristics
    std::string format = "tsv";
    std::string dot_plot;  // a file
};

struct search_command : run_options {
    std::string query_file, database_file;
    bool profile = false;         // the query is a profile
    std::string matrix;           // empty: blosum62, or of a profile what its file says
    int match = 0, mismatch = 0;  // one of them is not 0: instead of the matrix
    index_t open = 12, extend = 1;
    index_t top = 10;
    double evalue = 10;
    bool verify = false;
    std::string format = "tsv";
};

struct warp_command : run_options {
    std::string first_file, second_file;  // no second one: the first with itself
    bool all = false;                     // files have a series a line
    std::string cost = "absolute";        // or "squared"
    index_t window = -1;                  // none
    double gamma = 0;                     // above 0: a soft minimum
    bool path = false;
    std::string type = "float64";
};

struct reconstruct_command : run_options {
    std::string operation;            // a row of reconstruct_operations()
    std::vector<std::string> files;   // as many as the row names
    bool erosion = false;             // reconstruct
    bool clamp = false;               // reconstruct
    double height = 0;                // h
    index_t size = 0;                 // of a box
    double low = 0, high = 0;         // thresholds
    std::vector<std::string> points;  // "column,row[,plane]"
    bool has_no_data = false;
    double no_data = 0;
    std::string mask;   // watershed
    bool line = false;  // watershed
    int connectivity = 0;
    bool grey = false, drop_alpha = false;
    int channel = -1;    // none
    bool batch = false;  // pages are images, not planes
    bool verify = false;
    std::string compare;  // a PNG; empty: none
};

struct lu_command : run_options {
    std::string operation;  // factor, solve, det, inverse or generate
    std::string file;
    std::string rhs;   // solve; empty: one whose solution is all ones
    std::string type;  // float32 or float64; empty: that of the files
    std::string pivoting = "partial";
    double perturbation = 0;
    bool transposed = false;          // solve
    std::string refined;              // solve: a precision, or automatic; empty: factors in the type of A
    std::string pivots, permutation;  // files for them; empty: none
    bool unverified = false;
    index_t size = 0;  // generate
    std::string kind = "smooth";
    std::uint64_t seed = 1;
};

struct study_command : common_options {
    std::string solver;
    std::string operation;       // empty: the solver's first
    std::vector<index_t> sizes;  // empty: the solver's own
    std::string input;           // an image file instead of a made image
    std::string variant;         // only names containing this
    int repeats = 5;
    int threads = 0;
    std::string backend = "all";
    bool atlas = false;  // random cells instead of one input
    std::uint64_t seed = 1;
    index_t first = 0, cells = 500;
    double seconds = 0;     // 0: no bound
    double largest = 0.05;  // [s] that a fast variant needs for the largest cells
    bool once = false;      // verify only
    std::string csv, map;   // files; empty: none
};

struct list_options : common_options {
    std::string solver;  // empty: all
};

struct info_options : common_options {};

/// The verbs: one file each. They return the exit code and throw for everything that main.cpp explains.
int align(const align_options& options);
int align_scores(const align_options& options);  // --measure score
int reconstruct(const reconstruct_command& command);
int lu(const lu_command& command);
int study(const study_command& options);
int study_atlas(const study_command& options);
/// The options of the atlas.
void add_atlas(CLI::App& verb, study_command& o, const std::vector<std::string>& solvers);
/// "of wavefront: fill, ...; of reconstruction: h_domes, ...; the first is the default"
std::string operations_text(const std::vector<std::string>& solvers);
int list(const list_options& options);
int info(const info_options& options);

}  // namespace wale::cli
