#include "solvers/wavefront/length/shared/codes.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "solvers/wavefront/length/shared/equal_run.hpp"

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

/// Codes in the order of the symbols' first places in a, by open addressing.
template <class Symbol>
coded_pair by_hash(std::span<const Symbol> a, std::span<const Symbol> b) {
    struct entry {
        std::uint32_t symbol = 0, code = absent;
    };
    const int bits = static_cast<int>(std::bit_width(a.size())) + 1;  // at most half full
    std::vector<entry> table(std::size_t{1} << bits);
    const auto at = [&](const Symbol x) -> entry& {
        std::size_t slot = std::uint64_t{x} * 0x9E3779B97F4A7C15 >> (64 - bits);
        while (table[slot].code != absent && table[slot].symbol != x) slot = (slot + 1) & (table.size() - 1);
        return table[slot];
    };
    coded_pair out;
    out.a.resize(a.size());
    std::transform(a.begin(), a.end(), out.a.begin(), [&](const Symbol x) {
        entry& e = at(x);
        if (e.code == absent) e = {x, out.count++};
        return e.code;
    });
    bool foreign = false;
    out.b.resize(b.size());
    std::transform(b.begin(), b.end(), out.b.begin(), [&](const Symbol x) {
        const std::uint32_t code = at(x).code;
        foreign |= code == absent;
        return std::min(code, out.count);
    });
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
        // A table pays where it is smaller than the sequences; larger symbols are hashed.
        Symbol largest = 0;
        for (const Symbol x : a) largest = std::max(largest, x);
        for (const Symbol x : b) largest = std::max(largest, x);
        if (largest >= 2 * (a.size() + b.size())) return by_hash(a, b);
        std::vector<std::uint32_t> table(std::size_t{largest} + 1, absent);
        return through_table(a, b, table);
    }
}

}  // namespace

trimmed_pair trim(const symbols& a, const symbols& b) {
    trimmed_pair t;
    visit_symbols(a, b, [&](auto x, auto y) {
        const index_t most = std::min(std::ssize(x), std::ssize(y));
        t.prefix = equal_beginning(x.data(), y.data(), most);
        t.suffix = equal_end(x.data() + x.size(), y.data() + y.size(), most - t.prefix);
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
