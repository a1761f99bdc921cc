#include "solvers/wavefront/length/shared/codes.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace wale::wavefront {
namespace {

constexpr std::uint32_t absent = ~std::uint32_t{0};

/// Codes through a table of all symbol values below `table.size()`.
template <class Symbol, class Table>
coded_pair through_table(std::span<const Symbol> a, std::span<const Symbol> b, Table& table) {
    coded_pair out;
    for (const Symbol x : a) table[x] = 0;
    for (std::uint32_t& code : table)
        if (code != absent) code = out.count++;
    bool foreign = false;
    const auto code_of = [&](const Symbol x) { return table[x]; };
    out.a.resize(a.size());
    std::transform(a.begin(), a.end(), out.a.begin(), code_of);
    out.b.resize(b.size());
    std::transform(b.begin(), b.end(), out.b.begin(), [&](const Symbol x) {
        const bool known = table[x] != absent;
        foreign |= !known;
        return known ? table[x] : out.count;
    });
    out.count += foreign ? 1 : 0;
    return out;
}

/// Codes by rank among the sorted symbols of a.
template <class Symbol>
coded_pair by_rank(std::span<const Symbol> a, std::span<const Symbol> b) {
    std::vector<Symbol> sorted(a.begin(), a.end());
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    coded_pair out;
    out.count = static_cast<std::uint32_t>(sorted.size());
    bool foreign = false;
    const auto code_of = [&](const Symbol x) {
        const auto at = std::lower_bound(sorted.begin(), sorted.end(), x);
        if (at != sorted.end() && *at == x) return static_cast<std::uint32_t>(at - sorted.begin());
        foreign = true;
        return static_cast<std::uint32_t>(sorted.size());
    };
    out.a.resize(a.size());
    std::transform(a.begin(), a.end(), out.a.begin(), code_of);
    out.b.resize(b.size());
    std::transform(b.begin(), b.end(), out.b.begin(), code_of);
    out.count += foreign ? 1 : 0;
    return out;
}

template <class Symbol>
coded_pair encode(std::span<const Symbol> a, std::span<const Symbol> b) {
    if constexpr (sizeof(Symbol) == 1) {
        std::array<std::uint32_t, 256> table;
        table.fill(absent);
        return through_table(a, b, table);
    } else {
        // A table pays where it is smaller than the sequences; larger symbols are sorted.
        Symbol largest = 0;
        for (const Symbol x : a) largest = std::max(largest, x);
        for (const Symbol x : b) largest = std::max(largest, x);
        if (largest >= 2 * (a.size() + b.size())) return by_rank(a, b);
        std::vector<std::uint32_t> table(std::size_t{largest} + 1, absent);
        return through_table(a, b, table);
    }
}

}  // namespace

trimmed_pair trim(const symbols& a, const symbols& b) {
    trimmed_pair t;
    visit_symbols(a, b, [&](auto x, auto y) {
        std::size_t most = x.size() < y.size() ? x.size() : y.size();
        std::size_t k = 0;
        while (k < most && x[k] == y[k]) ++k;
        t.prefix = static_cast<index_t>(k);
        most -= k;
        for (k = 0; k < most && x[x.size() - 1 - k] == y[y.size() - 1 - k];) ++k;
        t.suffix = static_cast<index_t>(k);
    });
    if (a.size > 0) t.a = part(a, t.prefix, a.size - t.prefix - t.suffix);
    if (b.size > 0) t.b = part(b, t.prefix, b.size - t.prefix - t.suffix);
    t.a.bytes = t.b.bytes = a.bytes;
    return t;
}

int coded_pair::planes() const {
    return std::max(1, static_cast<int>(std::bit_width(count > 0 ? count - 1 : 0)));
}

coded_pair encode(const symbols& a, const symbols& b) {
    return visit_symbols(a, b, [](auto x, auto y) { return encode(x, y); });
}

}  // namespace wale::wavefront
