// twins - the same images on the host and on the device, and what a CUDA row makes of them against the
// reference.
#pragma once

#include <algorithm>
#include <random>
#include <wale/wale.hpp>

namespace wale {

inline raster shape(pixel type, int rank, index_t images, index_t planes, index_t rows, index_t columns,
                    index_t gap = 0) {
    raster r;
    r.type = type;
    r.rank = rank;
    r.images = images;
    r.planes = planes;
    r.rows = rows;
    r.columns = columns;
    r.row_stride = columns + gap;
    r.plane_stride = rows * r.row_stride + gap;
    r.image_stride = planes * r.plane_stride + gap;
    return r;
}

/// The same images on the host and on the device.
template <class T>
struct twin {
    raster where;
    std::vector<T> host;
    buffer<T> device;

    twin(const raster& r, std::vector<T> pixels)
        : where(r), host(std::move(pixels)), device(to_device(on_cuda{}, std::span<const T>(host))) {}
    [[nodiscard]] image_view on(const execution& e) {
        return {backend_of(e) == backend::cuda ? static_cast<void*>(device.data()) : host.data(), where};
    }
    [[nodiscard]] std::vector<T> back() const {
        std::vector<T> v(host.size());
        copy_bytes(on_cuda{}, v.data(), device.data(), std::ssize(v) * index_t{sizeof(T)});
        return v;
    }
};

template <class T>
std::vector<T> random_pixels(const raster& r, unsigned seed, int levels) {
    std::mt19937 random(seed);
    std::vector<T> v(static_cast<std::size_t>(r.span_elements()));
    for (T& x : v) {
        const int n = static_cast<int>(random() % static_cast<unsigned>(levels));
        x = static_cast<T>(std::is_signed_v<T> ? n - levels / 2 : n);
    }
    return v;
}

/// Values of hills: neighbours are alike, so that pixels rise far.
template <class T>
std::vector<T> hills(const raster& r, unsigned seed) {
    std::vector<T> v = random_pixels<T>(r, seed, 200);
    const auto rows = std::max<index_t>(r.row_stride, 1), planes = std::max<index_t>(r.plane_stride, 1);
    for (const index_t step : {index_t{1}, rows, planes, index_t{1}, rows, planes})
        for (index_t i = 2 * step; i < std::ssize(v); ++i) {
            const auto at = [&](index_t k) { return static_cast<double>(v[static_cast<std::size_t>(k)]); };
            v[static_cast<std::size_t>(i)] =
                static_cast<T>((at(i) + at(i - step) + at(i - 2 * step)) / 3 * 1.3);
        }
    return v;
}

/// What differs between a CUDA row and the reference; empty: nothing.
template <class T, class F>
std::string difference(const raster& out_shape, const F& f, const std::string& variant) {
    const std::vector<T> blank(static_cast<std::size_t>(out_shape.span_elements()), T{77});
    twin<T> out(out_shape, blank);
    f(execution(on_reference{}), out, std::string("plain"));
    f(execution(on_cuda{}), out, variant);
    const std::vector<T> found = out.back();
    index_t wrong = 0;
    for (std::size_t i = 0; i < found.size(); ++i) wrong += found[i] == out.host[i] ? 0 : 1;
    return wrong == 0 ? "" : std::to_string(wrong) + " of " + std::to_string(found.size()) + " elements";
}

}  // namespace wale
