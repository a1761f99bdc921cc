// reconstruct_verification - from an operation to the reconstruction that it stands for: to check the
// certificate of an answer, and for ranks, who have lines of an image each.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "failure.hpp"
#include "group.hpp"
#include "reconstruct.hpp"

namespace wale::cli {
namespace {

using proof = operation::certificate;

bool is_floating(pixel type) {
    return type == pixel::f32 || type == pixel::f64;
}

/// Calls f(index, at_border) for the pixels of a part whose lines begin at `first` of the whole image.
template <class F>
void each_pixel(const raster& part, const raster& whole, index_t first, F&& f) {
    const index_t plane = part.images == whole.images && part.rank == 3 ? first : 0;
    const index_t row = whole.images == 1 && part.rank == 2 ? first : 0;
    index_t k = 0;
    for (index_t item = 0; item < part.images; ++item)
        for (index_t z = plane; z < plane + part.planes; ++z)
            for (index_t y = row; y < row + part.rows; ++y)
                for (index_t x = 0; x < part.columns; ++x, ++k)
                    f(k, y == 0 || y == whole.rows - 1 || x == 0 || x == whole.columns - 1 ||
                             (whole.rank == 3 && (z == 0 || z == whole.planes - 1)));
}

/// Marker and mask of one operation, of the image or of a part whose lines begin at `first` of `whole`.
template <class T>
class proof_images {
public:
    proof_images(const operation& op, const const_image_view& image, const raster& whole, index_t first,
                 const reconstruct_command& command)
        : op_(op),
          command_(command),
          image_(values_of<T>(image)),
          shape_(image),
          marker_(image, image.type),
          mask_(image, image.type) {
        each_pixel(image, whole, first, [&](index_t k, bool at_border) { fill(k, at_border); });
    }
    [[nodiscard]] const_image_view marker() const { return marker_.view(); }
    [[nodiscard]] const_image_view mask() const { return mask_.view(); }

    [[nodiscard]] std::string flaw(const const_image_view& answer,
                                   const reconstruction_options& options) const {
        const owned_image result(answer, answer.type);
        const T* given = values_of<T>(answer);
        for (index_t k = 0; k < answer.pixels(); ++k)
            set(result, k,
                op_.answer == answer_kind::residue ? rebuilt(image_[k], given[k])
                : is_sink(image_[k])               ? values_of<T>(mask())[k]
                                                   : given[k]);
        return reconstruction_flaw(marker(), mask(), result.view(), options);
    }
    /// From the reconstruction to the operation's answer, in place.
    void finish(const image_view& result) const {
        T* const at = static_cast<T*>(result.data);
        for (index_t k = 0; k < shape_.pixels(); ++k) {
            if (op_.answer == answer_kind::residue)
                at[k] = rises() ? above(image_[k], at[k]) : above(at[k], image_[k]);
            else if (is_sink(image_[k]))
                at[k] = image_[k];
        }
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
    }
    static void set(const owned_image& p, index_t k, T v) { static_cast<T*>(p.pixels.data())[k] = v; }

    /// The value from which a marker rises, or falls.
    [[nodiscard]] T extreme() const {
        return rises() ? lowest_value<T>() : highest_value<T>(mask_.shape.type);
    }
    [[nodiscard]] T rebuilt(T value, T residue) const {
        return static_cast<T>(rises() ? value - residue : value + residue);
    }
    /// a - b >= 0; a difference beyond the type becomes its end.
    [[nodiscard]] static T above(T a, T b) {
        if constexpr (std::is_same_v<T, std::int32_t>) {
            const std::int64_t most = std::numeric_limits<T>::max();
            return static_cast<T>(std::min(std::int64_t{a} - b, most));
        } else {
            return a == b ? T{0} : static_cast<T>(a - b);
        }
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
    raster shape_;
    owned_image marker_, mask_;
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
        return proof_images<T>(op, inputs[0], inputs[0], 0, command).flaw(answer, options);
    });
}

reconstruction_result shared_answer(const shared_image& own, const operation& op,
                                    const reconstruct_command& command) {
    reconstruction_options options = options_of(command);
    const auto together = [&](const const_image_view& marker, const const_image_view& mask) {
        return reconstruct(group(), own.where, own.whole, marker, mask, own.out, options);
    };
    if (op.proof == proof::given) return together(own.in[0], own.in[1]);
    options.method = op.method;
    options.beyond = marker_beyond::clamp;  // no marker of these operations lies beyond its mask
    return visit_pixels(own.in[0].type, [&]<class T>() {
        const proof_images<T> images(op, own.in[0], own.whole, own.first, command);
        const reconstruction_result result = together(images.marker(), images.mask());
        images.finish(own.out);
        return result;
    });
}

}  // namespace wale::cli
