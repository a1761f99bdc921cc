// main - runs the registered benchmarks; --csv=FILE appends the verified rows to FILE. Exit code 1 if any
// result was wrong.
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "csv.hpp"
#include "registration.hpp"
#include "verified_reporter.hpp"

namespace {

/// Takes --csv=FILE out of the arguments; empty if it is not there.
std::string take_csv(int& argc, char** argv) {
    constexpr std::string_view flag = "--csv=";
    char** const end = argv + argc;
    char** const found =
        std::find_if(argv, end, [&](const char* a) { return std::string_view(a).rfind(flag, 0) == 0; });
    if (found == end) return {};
    std::string path(*found + flag.size());
    std::rotate(found, found + 1, end);
    --argc;
    return path;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string path = take_csv(argc, argv);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    std::optional<wale::bench::csv_file> csv;
    if (!path.empty()) wale::bench::csv_output() = &csv.emplace(path);
    wale::bench::register_wavefront();
    wale::bench::register_reconstruction();
    wale::bench::register_lu();
    wale::bench::register_tree();
    wale::bench::register_view();
    wale::bench::verified_reporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    benchmark::Shutdown();
    return reporter.wrong() == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
