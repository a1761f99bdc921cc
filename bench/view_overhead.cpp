// view_overhead - a view costs nothing: the same loop over a table through wale::view and through a raw
// pointer.
#include <cstdint>
#include <cstdio>
#include <wale/view.hpp>

#include "timing.hpp"

namespace {

using wale::index_t;
using table = std::vector<std::int32_t>;
constexpr index_t side = 1024;

/// cell = up + left over a border of ones, modulo 2^16: Pascal's triangle, whose second row counts up.
void through_view(table& t) {
    const wale::matrix_view<std::int32_t> v(t.data(), wale::extents<2>{{side, side}});
    for (index_t i = 1; i < v.extent(0); ++i)
        for (index_t j = 1; j < v.extent(1); ++j) v(i, j) = (v(i - 1, j) + v(i, j - 1)) & 0xffff;
}

void through_pointer(table& t) {
    std::int32_t* p = t.data();
    for (index_t i = 1; i < side; ++i)
        for (index_t j = 1; j < side; ++j)
            p[i * side + j] = (p[(i - 1) * side + j] + p[i * side + j - 1]) & 0xffff;
}

}  // namespace

int main() {
    table a(static_cast<std::size_t>(side * side), 1), b = a;
    const auto times = wale::bench::in_turn({[&] { through_view(a); }, [&] { through_pointer(b); }});
    if (a != b || a[side + 5] != 6) {
        std::fprintf(stderr, "view_overhead: wrong table\n");
        return 1;
    }
    std::printf("view %.3f ms, pointer %.3f ms\n", 1e3 * times[0].seconds, 1e3 * times[1].seconds);
}
