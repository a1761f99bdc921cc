// image_lines-inl - the lines of an image in vectors, once for each Highway target: where they lie, units
// of them in registers, and the marker of a unit.
#if defined(WALE_RECONSTRUCTION_IMAGE_LINES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_RECONSTRUCTION_IMAGE_LINES_INL
#undef WALE_RECONSTRUCTION_IMAGE_LINES_INL
#else
#define WALE_RECONSTRUCTION_IMAGE_LINES_INL
#endif

#include <hwy/highway.h>

#include <cstring>

#include "solvers/reconstruction/problem.hpp"
#include "solvers/reconstruction/reconstruct/cpu/clamp_scan/clamp_scan.hpp"
#include "solvers/reconstruction/reconstruct/cpu/clamp_scan/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::reconstruction::HWY_NAMESPACE {

template <class T, bool Falling>
class image_lines {
protected:
    using L = lanes<T, Falling>;
    using V = typename L::V;
    using D = typename L::D;
    static constexpr index_t width = L::count;

    explicit image_lines(const scan_field& field) : f_(field), narrow_(field.columns < width) {}

    [[nodiscard]] std::size_t line_bytes() const {  // of a line that is narrower than a unit
        return static_cast<std::size_t>(HWY_MIN(f_.columns, width)) * sizeof(T);
    }
    [[nodiscard]] HWY_INLINE V load(const T* at) const {
        if (HWY_LIKELY(!narrow_)) return hn::LoadU(D(), at);
        HWY_ALIGN T padded[width];
        for (T& pixel : padded) pixel = L::floor();
        std::memcpy(padded, at, line_bytes());
        return hn::Load(D(), padded);
    }
    HWY_INLINE void store(V v, T* at) const {
        if (HWY_LIKELY(!narrow_)) return hn::StoreU(v, D(), at);
        HWY_ALIGN T padded[width];
        hn::Store(v, D(), padded);
        std::memcpy(at, padded, line_bytes());
    }
    /// Where a unit begins; the last one ends with the line.
    [[nodiscard]] HWY_INLINE index_t begin_of(index_t unit) const {
        if (narrow_) return 0;
        return HWY_MIN(unit * width, f_.columns - width);
    }
    [[nodiscard]] HWY_INLINE bool ends_line(index_t x) const { return x + width >= f_.columns; }
    [[nodiscard]] HWY_INLINE V left_of(const T* row, index_t x) const {
        return hn::Set(D(), x > 0 ? row[x - 1] : L::floor());
    }
    [[nodiscard]] HWY_INLINE V right_of(const T* row, index_t x) const {
        return hn::Set(D(), ends_line(x) ? L::floor() : row[x + width]);
    }

    [[nodiscard]] T* rising_line(index_t n) const {
        return static_cast<T*>(f_.rising) + offset(n, f_.rising_row, f_.rising_plane);
    }
    [[nodiscard]] const T* mask_line(index_t n) const {
        return static_cast<const T*>(f_.mask) + offset(n, f_.mask_row, f_.mask_plane);
    }
    [[nodiscard]] index_t offset(index_t n, index_t row, index_t plane) const {
        return f_.planes == 1 ? n * row : n / f_.rows * plane + n % f_.rows * row;
    }

    // The marker.

    [[nodiscard]] HWY_INLINE V predecessor_of(V key) const {
        if constexpr (std::is_floating_point_v<T>) {
            const hn::RebindToSigned<D> di;
            const auto bits = hn::BitCast(di, key);
            const auto one = hn::Set(di, 1);
            const auto positive = hn::Gt(bits, hn::Zero(di));
            const V next = hn::BitCast(D(), hn::IfThenElse(positive, hn::Sub(bits, one), hn::Add(bits, one)));
            const V zero = hn::Zero(D());
            const V below_zero = hn::Set(D(), -std::numeric_limits<T>::denorm_min());
            const V stepped = hn::IfThenElse(hn::Eq(key, zero), below_zero, next);
            return hn::IfThenElse(hn::Eq(key, hn::Set(D(), L::lowest())), key, stepped);
        } else {
            return key;
        }
    }
    [[nodiscard]] HWY_INLINE V lowered_by_height(V mask) const {
        if constexpr (std::is_floating_point_v<T>) {
            const V h = hn::Set(D(), static_cast<T>(f_.height));
            return Falling ? hn::Add(mask, h) : hn::Sub(mask, h);
        } else {
            using U = std::make_unsigned_t<T>;
            const hn::RebindToUnsigned<D> d;
            constexpr double most = static_cast<double>(std::numeric_limits<U>::max());
            const double height = f_.start == start_rule::predecessor ? 1 : HWY_MIN(f_.height, most);
            const auto h = static_cast<U>(height);
            const auto flip = hn::Set(d, static_cast<U>(L::lowest()));  // to the unsigned order and back
            const auto m = hn::Xor(hn::BitCast(d, mask), flip);
            const auto moved = Falling ? hn::Add(hn::Min(m, hn::Set(d, static_cast<U>(~h))), hn::Set(d, h))
                                       : hn::Sub(hn::Max(m, hn::Set(d, h)), hn::Set(d, h));
            return hn::BitCast(D(), hn::Xor(moved, flip));
        }
    }
    [[nodiscard]] HWY_INLINE V border_of(V mask, index_t x, bool whole) const {
        if (whole) return mask;
        V v = hn::Set(D(), L::floor());
        if (x == 0) v = hn::IfThenElse(hn::FirstN(D(), 1), mask, v);
        if (ends_line(x)) {
            const auto last = static_cast<std::size_t>(f_.columns - 1 - x);
            v = hn::IfThenElse(hn::FirstN(D(), last), v, mask);
        }
        return v;
    }
    [[nodiscard]] HWY_INLINE V marker_of(V mask, const T* marker, index_t x, bool border) const {
        switch (f_.start) {
            case start_rule::given:
                return L::down(load(marker + x), mask);
            case start_rule::predecessor:
                if constexpr (std::is_floating_point_v<T>)
                    return Falling ? hn::Neg(predecessor_of(hn::Neg(mask))) : predecessor_of(mask);
                [[fallthrough]];
            case start_rule::lowered:
                return L::down(lowered_by_height(mask), mask);
            case start_rule::border:
                return border_of(mask, x, border);
        }
        return mask;
    }

    const scan_field& f_;
    bool narrow_;
};

}  // namespace wale::reconstruction::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
