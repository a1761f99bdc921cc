// placement - copies to a device, and loops over all pixels.
#include "placement.hpp"

#include <limits>

namespace wale::cli {

placed_image::placed_image(const execution& where, const const_image_view& host, double& seconds)
    : view_(host) {
    const auto* cuda = std::get_if<on_cuda>(&where);
    if (cuda == nullptr || host.pixels() == 0) return;
    const stopwatch watch;
    device_ = memory(host.pixels() * bytes_of(host.type), memory_space::device, cuda->device);
    copy_bytes(where, device_.data(), host.data, device_.bytes());
    view_.data = device_.data();
    seconds += watch.seconds();
}

owned_image flags_of(const const_image_view& p) {
    owned_image out(p, pixel::boolean);
    auto* to = static_cast<std::uint8_t*>(out.pixels.data());
    visit_pixels(p.type, [&]<class T>() {
        for (index_t k = 0; k < p.pixels(); ++k) to[k] = values_of<T>(p)[k] != 0;
    });
    return out;
}

owned_image labels_of(const const_image_view& p, const std::string& file) {
    if (p.type == pixel::f32 || p.type == pixel::f64)
        throw bad_input(file + ": is " + name_of(p.type) + ", expected whole numbers as labels");
    owned_image out(p, pixel::i32);
    auto* to = static_cast<std::int32_t*>(out.pixels.data());
    visit_pixels(p.type, [&]<class T>() {
        for (index_t k = 0; k < p.pixels(); ++k) to[k] = static_cast<std::int32_t>(values_of<T>(p)[k]);
    });
    return out;
}

owned_image selected_of(const const_image_view& source, const const_image_view& flags) {
    owned_image out(source, source.type);
    visit_pixels(source.type, [&]<class T>() {
        T* to = static_cast<T*>(out.pixels.data());
        for (index_t k = 0; k < source.pixels(); ++k)
            to[k] = values_of<std::uint8_t>(flags)[k] != 0 ? values_of<T>(source)[k] : T{};
    });
    return out;
}

void narrow_ends(const owned_image& image, int bits) {
    using limits = std::numeric_limits<std::int32_t>;
    const std::int32_t most = (std::int32_t{1} << (bits - 1)) - 1;
    auto* const v = static_cast<std::int32_t*>(image.pixels.data());
    for (index_t k = 0; k < image.shape.pixels(); ++k)
        if (v[k] == limits::min() || v[k] == limits::max()) v[k] = v[k] < 0 ? -most - 1 : most;
}

owned_image labels_as(const const_image_view& labels, pixel type) {
    owned_image out(labels, type);
    visit_pixels(type, [&]<class T>() {
        T* to = static_cast<T*>(out.pixels.data());
        for (index_t k = 0; k < labels.pixels(); ++k)
            to[k] = static_cast<T>(values_of<std::int32_t>(labels)[k]);
    });
    return out;
}

}  // namespace wale::cli
