// view - a pointer with a shape and a layout; owns nothing. The part of mdspan that Wale needs.
#pragma once

#include <type_traits>
#include <wale/layout.hpp>

namespace wale {

template <class T, int Rank, class Layout = layout_right>
class view {
public:
    using element_type = T;
    using value_type = std::remove_cv_t<T>;
    using layout_type = Layout;
    using const_type = view<const value_type, Rank, Layout>;
    using mapping_type = typename Layout::template mapping<Rank>;

    constexpr view() = default;
    constexpr view(T* data, extents<Rank> shape) : data_(data), mapping_(shape) {}
    constexpr view(T* data, mapping_type mapping) : data_(data), mapping_(mapping) {}
    /// A view of T converts to a view of const T.
    constexpr operator view<const T, Rank, Layout>() const requires(!std::is_const_v<T>) {
        return {data_, mapping_};
    }

    template <class... I>
        requires(sizeof...(I) == Rank)
    [[nodiscard]] constexpr T& operator()(I... i) const noexcept { return data_[mapping_(i...)]; }
    [[nodiscard]] constexpr T* data() const noexcept { return data_; }
    [[nodiscard]] constexpr const mapping_type& mapping() const noexcept { return mapping_; }
    [[nodiscard]] constexpr extents<Rank> shape() const noexcept { return mapping_.shape; }
    [[nodiscard]] constexpr index_t extent(int d) const noexcept { return mapping_.shape[d]; }

private:
    T* data_ = nullptr;
    mapping_type mapping_{};
};

template <class T, class Layout = layout_right>
using matrix_view = view<T, 2, Layout>;

/// For parameters: `const_view<view<T, R, L>>` is not deduced, so that a mutable argument converts.
template <class View>
using const_view = typename View::const_type;

}  // namespace wale
