// fill_lakes - where water would stand on a terrain: the image of a file, or a made-up crater.
// usage: fill_lakes [terrain.png filled.png]
#include <cstdio>
#include <vector>
#include <wale/wale.hpp>

namespace {

/// Writes the filled terrain of a file of any pixel type.
int fill_file(const char* from, const char* to) {
    const wale::image_file_data ground = wale::read_image(from);
    std::vector<std::byte> pixels(static_cast<std::size_t>(ground.pixels.bytes()));
    const wale::image_view filled(pixels.data(), ground.shape);
    const auto result = wale::fill_depressions(wale::best_execution(), ground.view(), filled);
    wale::write_image(to, filled);
    std::printf("%s written by %s\n", to, result.run.variant.c_str());
    return 0;
}

}  // namespace

int main(int count, char** words) {
    if (count == 3) return fill_file(words[1], words[2]);
    // A crater in a plain 100 m high: its rim is 140 m, with a gap of 120 m; its floor 60 m.
    constexpr wale::index_t side = 101;
    std::vector<std::uint16_t> ground(side * side, 100), filled(side * side);
    const wale::matrix_view<std::uint16_t> terrain(ground.data(), {side, side});
    wale::index_t floor = 0;
    for (wale::index_t y = 0; y < side; ++y)
        for (wale::index_t x = 0; x < side; ++x) {
            const wale::index_t radius2 = (y - 50) * (y - 50) + (x - 50) * (x - 50);
            if (radius2 < 30 * 30)
                terrain(y, x) = 60, ++floor;
            else if (radius2 < 34 * 34)
                terrain(y, x) = x > 50 && y == 50 ? 120 : 140;
        }
    const wale::matrix_view<std::uint16_t> out(filled.data(), {side, side});
    const auto result = wale::fill_depressions(wale::on_cpu{}, terrain, out);
    wale::index_t water = 0;  // [m] summed over cells
    for (std::size_t k = 0; k < ground.size(); ++k) water += filled[k] - ground[k];
    std::printf("the lake is %d m deep over %lld cells, by %s\n", out(50, 50) - 60,
                static_cast<long long>(floor), result.run.variant.c_str());
    return water == 60 * floor ? 0 : 1;
}
