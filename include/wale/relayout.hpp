// relayout - the one copy from any layout to any other.
#pragma once

#include <wale/error.hpp>
#include <wale/view.hpp>

namespace wale {

/// Copies every element of `from` to its place in `to`, both in host memory and of one shape.
/// Goes by square blocks so that a transposition stays in cache. Padding of `to` is left alone.
template <class T, class From, class To>
void relayout(view<T, 2, From> from, view<std::remove_const_t<T>, 2, To> to) {
    if (!(from.shape() == to.shape())) throw bad_argument("relayout: `from` and `to` differ in shape");
    constexpr index_t block = 32;
    for (index_t i0 = 0; i0 < from.extent(0); i0 += block)
        for (index_t j0 = 0; j0 < from.extent(1); j0 += block)
            for (index_t i = i0; i < i0 + block && i < from.extent(0); ++i)
                for (index_t j = j0; j < j0 + block && j < from.extent(1); ++j) to(i, j) = from(i, j);
}

}  // namespace wale
