// own_recurrence - the table of a recurrence that Wale does not know: the heaviest path through a grid of
// weights, where a step goes right, down, or diagonally at half the price. Any recurrence with these three
// neighbours goes.
#include <algorithm>
#include <cstdio>
#include <vector>
#include <wale/wavefront.hpp>

struct heaviest_path {
    double corner() const { return 0; }                // cell (-1, -1)
    double top(wale::index_t) const { return -1e9; }   // cells (-1, j): no path begins there
    double left(wale::index_t) const { return -1e9; }  // cells (i, -1)
    double weight(wale::index_t i, wale::index_t j) const {
        return static_cast<double>((i * 7 + j * 13) % 10);
    }
    double cell(double diagonal, double up, double left, wale::index_t i, wale::index_t j) const {
        return std::max({up, left, diagonal + 0.5 * weight(i, j)}) + weight(i, j);
    }
};

int main() {
    const wale::index_t m = 500, n = 700;
    std::vector<double> cells(static_cast<std::size_t>(m * n));
    const wale::matrix_view<double> table(cells.data(), wale::extents<2>{{m, n}});
    const auto result = wale::wavefront_fill(wale::on_cpu{}, heaviest_path{}, table);
    std::printf("heaviest path: %.1f, by %s with %s on %d threads\n", table(m - 1, n - 1),
                result.run.variant.c_str(), result.run.policy.c_str(), result.run.threads);

    std::vector<double> plain(cells.size());
    const wale::matrix_view<double> expected(plain.data(), wale::extents<2>{{m, n}});
    (void)wale::wavefront_fill(wale::on_reference{}, heaviest_path{}, expected);
    return cells == plain ? 0 : 1;
}
