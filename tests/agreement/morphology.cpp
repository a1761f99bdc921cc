// morphology - see morphology.hpp.
#include "agreement/morphology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <queue>
#include <random>

#include "cuda/device_api.hpp"

namespace wale::agreement {

std::vector<place_to_run> places_to_run() {
    std::vector<place_to_run> all{{"reference", on_reference{}}, {"cpu_1", on_cpu{1}}, {"cpu_3", on_cpu{3}}};
    if (!is_available(backend::cuda)) return all;
    all.push_back({"cuda", on_cuda{}});
    all.push_back({"cuda_asynchronous", on_cuda{}, true});
    return all;
}

values answer(const operation_call& how, const raster& shape, const values& v, pixel out_type,
              const operation& run) {
    raster out_shape = shape;
    out_shape.type = out_type;
    out_shape.pack();
    stored image(shape, how.gap, v), out(out_shape, how.gap == 0 ? 0 : how.gap + 1);
    const std::vector<std::byte> before = image.bytes();
    placed_image in(how.at.where, image), to(how.at.where, out);
    run(how, in.view(), to.view());
    in.fetch();
    to.fetch();
    EXPECT_TRUE(out.gaps_untouched()) << how.at.name;
    EXPECT_TRUE(image.bytes() == before) << how.at.name;
    return out.get();
}

std::vector<raster> small_shapes(pixel type) {
    return {
        shape_of(type, 1, 1), shape_of(type, 1, 9), shape_of(type, 7, 1), shape_of(type, 5, 6),
        shape_of(type, 12, 33), shape_of(type, 40, 70), shape_of(type, 6, 5, -1, 3), shape_of(type, 4, 5, 3),
        shape_of(type, 9, 34, 5), shape_of(type, 3, 4, 1), shape_of(type, 5, 4, 3, 2), shape_of(type, 0, 4),
        shape_of(type, 3, 0, 2), shape_of(type, 3, 3, -1, 0), shape_of(type, 17, 130),
        // tall and narrow along rows and planes; volumes of one row or column a plane
        shape_of(type, 97, 2), shape_of(type, 300, 5), shape_of(type, 70, 3, -1, 2), shape_of(type, 65, 3, 2),
        shape_of(type, 3, 2, 66, 2), shape_of(type, 1, 34, 5), shape_of(type, 20, 1, 4)};
}

values random_values(const raster& shape, unsigned seed) {
    std::mt19937 random(seed);
    const bool flags = shape.type == pixel::bit || shape.type == pixel::boolean;
    const bool floating = shape.type == pixel::f32 || shape.type == pixel::f64;
    const double low = lowest_of(shape.type), high = highest_of(shape.type);
    const auto one = [&]() -> double {
        const double few = static_cast<double>(random() % 5), many = static_cast<double>(random() % 200);
        if (flags) return static_cast<double>(random() % 5 < 3);
        switch (seed % 4) {
            case 0:
                return few;
            case 1:
                return floating ? many / 4 - 20 : many;
            case 2:  // the ends; floats: steps at zero, where sums stay exact
                return floating ? (few - 2) / 8 : random() % 2 == 0 ? low + few : high - few;
            default:
                return floating ? 7 : high - 3;
        }
    };
    values v(static_cast<std::size_t>(shape.pixels()));
    std::generate(v.begin(), v.end(), one);
    return v;
}

void for_each_pair(const raster& shape, int connectivity, const std::function<void(index_t, index_t)>& f) {
    const int far = connectivity == 4 || connectivity == 6 ? 1 : connectivity == 18 ? 2 : 3;
    const index_t plane = shape.rows * shape.columns;
    for (index_t i = 0; i < shape.pixels(); ++i)
        for (index_t p = -1; p <= 1; ++p)
            for (index_t r = -1; r <= 1; ++r)
                for (index_t c = -1; c <= 1; ++c) {
                    const int differing = (p != 0) + (r != 0) + (c != 0);
                    const index_t row = i / shape.columns % shape.rows + r, column = i % shape.columns + c;
                    const index_t depth = i / plane % shape.planes + p;
                    if (differing == 0 || differing > far || row < 0 || row >= shape.rows || column < 0 ||
                        column >= shape.columns || depth < 0 || depth >= shape.planes)
                        continue;
                    f(i, i + p * plane + r * shape.columns + c);
                }
}

std::vector<char> border_of(const raster& shape) {
    std::vector<char> border(static_cast<std::size_t>(shape.pixels()));
    for (std::size_t i = 0; i < border.size(); ++i) {
        const auto at = static_cast<index_t>(i);
        const index_t column = at % shape.columns, row = at / shape.columns % shape.rows,
                      plane = at / shape.columns / shape.rows % shape.planes;
        border[i] = column == 0 || column == shape.columns - 1 || row == 0 || row == shape.rows - 1 ||
                    (shape.rank == 3 && (plane == 0 || plane == shape.planes - 1));
    }
    return border;
}

values rebuilt(const raster& shape, values marker, values mask, int connectivity, bool falls) {
    const auto negate = [&](values& v) {
        if (falls) std::transform(v.begin(), v.end(), v.begin(), std::negate<>());
    };
    negate(marker);
    negate(mask);
    values risen = widest_paths({"", shape, std::move(marker), std::move(mask)}, connectivity);
    negate(risen);
    return risen;
}

values extrema(const raster& shape, const values& v, int connectivity, bool minima) {
    // A plateau is out as soon as one of its pixels has a better neighbour, or an equal one that is out.
    const auto n = static_cast<std::size_t>(shape.pixels());
    std::vector<std::vector<std::size_t>> beside(n);
    values in(n, 1);
    std::queue<std::size_t> out;
    for_each_pair(shape, connectivity, [&](index_t a, index_t b) {
        const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
        beside[i].push_back(j);
        if (in[i] == 0 || !(minima ? v[j] < v[i] : v[i] < v[j])) return;
        in[i] = 0;
        out.push(i);
    });
    for (; !out.empty(); out.pop())
        for (const std::size_t j : beside[out.front()])
            if (in[j] != 0 && v[j] == v[out.front()]) {
                in[j] = 0;
                out.push(j);
            }
    const std::size_t size = shape.images == 0 ? 0 : n / static_cast<std::size_t>(shape.images);
    for (std::size_t first = 0; size > 0 && first < n; first += size) {  // nothing beside a constant image
        const auto begin = v.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = begin + static_cast<std::ptrdiff_t>(size);
        if (std::all_of(begin, end, [&](double x) { return x == *begin; }))
            std::fill_n(in.begin() + static_cast<std::ptrdiff_t>(first), size, 0);
    }
    return in;
}

values flooded(const raster& shape, const values& open, const values& seeds, int connectivity) {
    const auto n = static_cast<std::size_t>(shape.pixels());
    std::vector<std::vector<std::size_t>> beside(n);
    for_each_pair(shape, connectivity, [&](index_t a, index_t b) {
        beside[static_cast<std::size_t>(a)].push_back(static_cast<std::size_t>(b));
    });
    values wet(n, 0);
    std::vector<std::size_t> stack;
    const auto enter = [&](std::size_t i) {
        if (open[i] == 0 || wet[i] != 0) return;
        wet[i] = 1;
        stack.push_back(i);
    };
    for (std::size_t i = 0; i < n; ++i)
        if (seeds[i] != 0) enter(i);
    while (!stack.empty()) {
        const std::size_t i = stack.back();
        stack.pop_back();
        for (const std::size_t j : beside[i]) enter(j);
    }
    return wet;
}

double shifted(pixel type, double v, double step) {
    if (type == pixel::f32) return static_cast<float>(v + step);
    if (type == pixel::f64) return v + step;
    return std::clamp(v + step, lowest_of(type), highest_of(type));
}

}  // namespace wale::agreement
