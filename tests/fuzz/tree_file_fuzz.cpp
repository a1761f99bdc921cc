// tree_file_fuzz - the reader of Hines systems in text against arbitrary bytes. Built by clang with
// -DWALE_FUZZ=ON; tests/fuzz/run.sh SECONDS runs it.
#include <cstdint>
#include <wale/tree_file.hpp>

#include "fuzz/demand.hpp"

namespace {

using wale::fuzz::demand, wale::fuzz::takes;

/// A case that was read has arrays of one length, and every path of parents ends at a root.
void check(const wale::tree_case& file, const wale::tree_file_options& options) {
    const wale::index_t n = file.size();
    demand(n <= options.max_nodes, "the limit holds");
    for (const wale::memory* array : {&file.upper, &file.lower, &file.rhs, &file.diagonal})
        demand(array->bytes() == n * wale::bytes_of(options.type), "arrays have an element a node");
    wale::index_t roots = 0;
    for (wale::index_t i = 0; i < n; ++i) {
        wale::index_t steps = 0;
        for (std::int32_t p = file.parent[static_cast<std::size_t>(i)]; p >= 0;
             p = file.parent[static_cast<std::size_t>(p)])
            demand(++steps < n, "there are no cycles");
        roots += file.parent[static_cast<std::size_t>(i)] < 0;
    }
    demand(options.forest || roots == (n > 0 ? 1 : 0), "there is one root");
}

void check_options(std::string_view bytes, const wale::tree_file_options& options) {
    (void)takes([&] { check(wale::parse_tree_case(bytes, "fuzz", options), options); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr wale::index_t most_nodes = 1 << 12;
    wale::fuzz::option_bytes chosen({reinterpret_cast<const char*>(data), size});
    if (chosen.chosen()) {
        const wale::scalar type = chosen.flag() ? wale::scalar::f32 : wale::scalar::f64;
        const bool forest = chosen.flag();
        check_options(chosen.file(), {.type = type, .forest = forest, .max_nodes = chosen.limit(most_nodes)});
        return 0;
    }
    for (const bool forest : {false, true})
        check_options(chosen.file(), {.type = forest ? wale::scalar::f32 : wale::scalar::f64,
                                      .forest = forest,
                                      .max_nodes = most_nodes});
    return 0;
}
