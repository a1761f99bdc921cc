// reconstruct_verification - from an answer back to the reconstruction that it stands for, whose certificate
// the library checks.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "failure.hpp"
#include "reconstruct.hpp"

namespace wale::cli {
namespace {

using proof = operation::certificate;

bool is_floating(pixel type) {
    return type == pixel::f32 || type == pixel::f64;
}

/// Calls f(index, at_border) for all pixels.
template <class F>
void each_pixel(const raster& r, F&& f) {
    index_t k = 0;
    for (index_t item = 0; item < r.images; ++item)
        for (index_t z = 0; z < r.planes; ++z)
            for (index_t y = 0; y < r.rows; ++y)
                for (index_t x = 0; x < r.columns; ++x, ++k)
                    f(k, y == 0 || y == r.rows - 1 || x == 0 || x == r.columns - 1 ||
                             (r.rank == 3 && (z == 0 || z == r.planes - 1)));
}

/// Marker, mask and reconstruction of one answer.
template <class T>
class proof_images {
public:
    proof_images(const operation& op, const const_image_view& image, const const_image_view& answer,
                 const reconstruct_command& command)
        : op_(op),
          command_(command),
          image_(values_of<T>(image)),
          answer_(values_of<T>(answer)),
          marker_(image, image.type),
          mask_(image, image.type),
          result_(image, image.type) {
        each_pixel(image, [&](index_t k, bool at_border) { fill(k, at_border); });
    }
    [[nodiscard]] std::string flaw(const reconstruction_options& options) const {
        return reconstruction_flaw(marker_.view(), mask_.view(), result_.view(), options);
    }

private:
    [[nodiscard]] bool rises() const { return op_.method == reconstruction_method::dilation; }
    [[nodiscard]] bool is_sink(T v) const {
        if (op_.takes != takes_no_data) return false;
        return std::isnan(static_cast<double>(v)) ||
               (command_.has_no_data && static_cast<double>(v) == command_.no_data);
    }
    void fill(index_t k, bool at_border) {
        const T value = image_[k];
        const bool sink = is_sink(value);
        const T mask = sink ? lowest_value<T>() : value;
        set(mask_, k, mask);
        set(marker_, k, op_.proof == proof::lowered ? lowered(value) : at_border || sink ? mask : extreme());
        set(result_, k,
            op_.answer == answer_kind::residue ? rebuilt(value, answer_[k])
            : sink                             ? mask
                                               : answer_[k]);
    }
    static void set(const owned_image& p, index_t k, T v) { static_cast<T*>(p.pixels.data())[k] = v; }

    /// The value from which a marker rises, or falls.
    [[nodiscard]] T extreme() const {
        return rises() ? lowest_value<T>() : highest_value<T>(mask_.shape.type);
    }
    [[nodiscard]] T rebuilt(T value, T residue) const {
        return static_cast<T>(rises() ? value - residue : value + residue);
    }
    [[nodiscard]] T lowered(T value) const {
        if constexpr (std::is_floating_point_v<T>) {
            return rises() ? value - static_cast<T>(command_.height)
                           : value + static_cast<T>(command_.height);
        } else {
            const double end = static_cast<double>(rises() ? std::numeric_limits<T>::lowest()
                                                           : std::numeric_limits<T>::max());
            const double moved = static_cast<double>(value) + (rises() ? -command_.height : command_.height);
            return static_cast<T>(rises() ? std::max(moved, end) : std::min(moved, end));
        }
    }

    const operation& op_;
    const reconstruct_command& command_;
    const T* image_;
    const T* answer_;
    owned_image marker_, mask_, result_;
};

}  // namespace

void check_certificate(const operation& op, pixel type) {
    const bool rounded = op.answer == answer_kind::residue && is_floating(type);
    if (op.proof != proof::none && !rounded) return;
    throw usage_error(
        std::string("--verify: ") + op.name +
            (rounded ? " of floating values is rounded and has no certificate" : " has no certificate"),
        "--variant reference/plain computes by the plain loops");
}

std::string answer_flaw(const operation& op, std::span<const const_image_view> inputs,
                        const const_image_view& answer, const reconstruct_command& command) {
    check_certificate(op, answer.type);
    reconstruction_options options = options_of(command);
    if (op.proof == proof::given) return reconstruction_flaw(inputs[0], inputs[1], answer, options);
    options.method = op.method;
    return visit_pixels(answer.type, [&]<class T>() {
        return proof_images<T>(op, inputs[0], answer, command).flaw(options);
    });
}

}  // namespace wale::cli
