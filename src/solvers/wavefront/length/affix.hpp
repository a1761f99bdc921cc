// affix - what two sequences have in common at their ends needs no table: texts that people compare mostly
// agree.
#pragma once

#include "solvers/wavefront/length/symbols.hpp"

namespace wale::wavefront {

struct trimmed_pair {
    symbols a, b;        // without the common ends
    index_t prefix = 0;  // symbols
    index_t suffix = 0;
};

[[nodiscard]] inline symbols part(const symbols& s, index_t first, index_t size) {
    return {static_cast<const char*>(s.data) + first * s.bytes, size, s.bytes};
}

[[nodiscard]] inline trimmed_pair trim(const symbols& a, const symbols& b) {
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

}  // namespace wale::wavefront
