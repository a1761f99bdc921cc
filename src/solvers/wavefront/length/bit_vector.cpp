#include "solvers/wavefront/length/bit_vector.hpp"

namespace wale::wavefront {

index_t lcs_bit_vector(const coded_pair& pair) {
    return lcs_bit_vector(pair, [](std::size_t, const std::vector<std::uint64_t>&) {});
}

index_t edit_bit_vector(const coded_pair& pair) {
    if (pair.a.empty()) return std::ssize(pair.b);
    struct vertical {
        std::uint64_t plus, minus;  // rows whose value is one more, one less than that of the row above
    };
    const match_table matches(pair);
    std::vector<vertical> v(matches.words(), {~std::uint64_t{0}, 0});
    const std::size_t last_word = matches.words() - 1;
    const std::size_t last_bit = (pair.a.size() - 1) % 64;
    index_t distance = std::ssize(pair.a);
    for (const std::uint32_t code : pair.b) {
        std::uint64_t plus_in = 1;  // the upper border grows by one a column
        std::uint64_t minus_in = 0;
        matches.for_words(code, [&](std::size_t w, std::uint64_t m) {
            const auto [up, down] = v[w];
            const std::uint64_t xv = m | down;
            m |= minus_in;
            const std::uint64_t xh = (((m & up) + up) ^ up) | m;
            const std::uint64_t plus = down | ~(xh | up);
            const std::uint64_t minus = up & xh;
            if (w == last_word)
                distance +=
                    static_cast<index_t>(plus >> last_bit & 1) - static_cast<index_t>(minus >> last_bit & 1);
            const std::uint64_t plus_below = plus << 1 | plus_in;
            v[w] = {(minus << 1 | minus_in) | ~(xv | plus_below), plus_below & xv};
            plus_in = plus >> 63;
            minus_in = minus >> 63;
        });
    }
    return distance;
}

}  // namespace wale::wavefront
