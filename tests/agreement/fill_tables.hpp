// fill_tables - shapes, symbols and tables between guards for the tests of wavefront_fill.
#pragma once

#include <cstring>

#include "rows.hpp"

namespace wale::agreement {

/// A shape and a tile, and how far apart the rows lie.
struct geometry {
    index_t m, n;
    index_t padding = 0;  // elements after each row
    tile_shape tile{};
};

template <class T>
[[nodiscard]] std::vector<T> random_symbols(index_t size, std::mt19937& random) {
    // Letters that differ in every byte, so that a narrowed or sign-extended comparison shows.
    const std::uint32_t letters[] = {0x41u, 0xC1u, 0xFFu, 0x02u, 0x10041u, 0x80000041u, 0x1C1u};
    const std::uint32_t count = sizeof(T) == 1 ? 4u : 7u;
    std::vector<T> s(static_cast<std::size_t>(size));
    for (T& x : s) x = static_cast<T>(letters[random() % count]);
    return s;
}

template <class T>
[[nodiscard]] std::vector<T> random_series(index_t size, std::mt19937& random) {
    std::vector<T> s(static_cast<std::size_t>(size));
    std::uniform_real_distribution<T> value(-2, 2);
    for (T& x : s) x = random() % 8 ? value(random) : T(0.5);
    return s;
}

/// A table in the memory of `where` between two guards, all of it poisoned. It starts at an aligned address
/// or not.
template <class T>
class poisoned_table {
public:
    poisoned_table(const execution& where, const geometry& g)
        : where_(where),
          g_(g),
          guard_(64 + g.m % 4),
          poison_(static_cast<std::size_t>((g.n + g.padding) * g.m + 2 * guard_)) {
        std::memset(poison_.data(), 0xA5, poison_.size() * sizeof(T));
        memory_ = to_device(where, std::span<const T>(poison_));
    }
    matrix_view<T> view() const { return {memory_.data() + guard_, {extents<2>{{g_.m, g_.n}}, pitch()}}; }
    index_t pitch() const { return g_.n + g_.padding; }

    /// Cells equal those of `expected`, and every byte around them is as it was.
    testing::AssertionResult holds(const std::vector<T>& expected) const {
        std::vector<T> after(poison_.size());
        copy_bytes(where_, after.data(), memory_.data(), std::ssize(after) * index_t{sizeof(T)});
        std::vector<T> wanted = poison_;
        for (index_t i = 0; i < g_.m; ++i)
            std::copy_n(expected.data() + i * g_.n, g_.n, wanted.data() + guard_ + i * pitch());
        if (std::memcmp(after.data(), wanted.data(), after.size() * sizeof(T)) == 0)
            return testing::AssertionSuccess();
        index_t at = 0;
        while (std::memcmp(&after[static_cast<std::size_t>(at)], &wanted[static_cast<std::size_t>(at)],
                           sizeof(T)) == 0)
            ++at;
        const index_t p = std::max<index_t>(pitch(), 1);
        return testing::AssertionFailure()
               << "first difference at row " << (at - guard_) / p << ", column " << (at - guard_) % p
               << " of " << g_.m << " x " << g_.n << " (pitch " << pitch() << "): found "
               << after[static_cast<std::size_t>(at)] << ", expected "
               << wanted[static_cast<std::size_t>(at)];
    }

private:
    execution where_;
    geometry g_;
    index_t guard_;  // elements, on either side
    std::vector<T> poison_;
    buffer<T> memory_;
};

}  // namespace wale::agreement
