// view_bench - a view costs nothing: the same loop over a table through wale::view and through a raw pointer.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>
#include <wale/view.hpp>

#include "registration.hpp"

namespace wale::bench {
namespace {

constexpr index_t side = 1024;

std::vector<std::int32_t> border_of_ones() {
    return std::vector<std::int32_t>(static_cast<std::size_t>(side * side), 1);
}

void verify(benchmark::State& state, const std::vector<std::int32_t>& table) {
    // cell = up + left over a border of ones, modulo 2^16: Pascal's triangle, whose second row counts up.
    for (index_t j = 1; j < side; ++j)
        if (table[static_cast<std::size_t>(side + j)] != j + 1) return state.SkipWithError("wrong table");
    state.counters["cells/s"] =
        benchmark::Counter(static_cast<double>(side * side), benchmark::Counter::kIsIterationInvariantRate);
}

void through_view(benchmark::State& state) {
    std::vector<std::int32_t> table = border_of_ones();
    const matrix_view<std::int32_t> v(table.data(), extents<2>{{side, side}});
    for (auto _ : state) {
        for (index_t i = 1; i < v.extent(0); ++i)
            for (index_t j = 1; j < v.extent(1); ++j) v(i, j) = (v(i - 1, j) + v(i, j - 1)) & 0xffff;
        benchmark::ClobberMemory();
    }
    verify(state, table);
}

void through_pointer(benchmark::State& state) {
    std::vector<std::int32_t> table = border_of_ones();
    std::int32_t* p = table.data();
    for (auto _ : state) {
        for (index_t i = 1; i < side; ++i)
            for (index_t j = 1; j < side; ++j)
                p[i * side + j] = (p[(i - 1) * side + j] + p[i * side + j - 1]) & 0xffff;
        benchmark::ClobberMemory();
    }
    verify(state, table);
}

}  // namespace

void register_view() {
    benchmark::RegisterBenchmark("view/zero_overhead/view", through_view);
    benchmark::RegisterBenchmark("view/zero_overhead/pointer", through_pointer);
}

}  // namespace wale::bench
