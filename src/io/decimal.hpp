// decimal - numbers of a text as fast as memory gives them, correctly rounded. Seven digits and a small
// exponent, which is what simulation codes write, are one division of two exact doubles; the rest is left to
// std::from_chars. Fortran's exponents (1.5D-3, 0.25-100) are read too.
#pragma once

#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace wale::io {

[[nodiscard]] inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
/// What separates the words of a line.
[[nodiscard]] inline bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}
[[nodiscard]] inline std::string_view trimmed(std::string_view s) {
    while (!s.empty() && is_blank(s.front())) s.remove_prefix(1);
    while (!s.empty() && is_blank(s.back())) s.remove_suffix(1);
    return s;
}
[[nodiscard]] inline const char* after_blanks(const char* p, const char* end) {
    while (p != end && is_blank(*p)) ++p;
    return p;
}
[[nodiscard]] inline const char* end_of_word(const char* p, const char* end) {
    while (p != end && !is_blank(*p) && *p != '\n') ++p;
    return p;
}

/// m * 10^e where both factors are doubles without error: then one operation rounds once (Clinger 1990).
[[nodiscard]] inline bool scaled_exactly(std::uint64_t m, int e, double& v) {
    static constexpr double ten[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (m > std::uint64_t{1} << 53 || e < -22 || e > 22) return false;
    v = e < 0 ? static_cast<double>(m) / ten[-e] : static_cast<double>(m) * ten[e];
    return true;
}

/// Eight digits at once, first digit first in memory; false if one of the bytes is none.
[[nodiscard]] inline bool eight_digits(std::uint64_t bytes, std::uint32_t& v) {
    constexpr std::uint64_t every = 0x0101010101010101;
    const bool good = (((bytes + every * 0x46) | (bytes - every * 0x30)) & (every * 0x80)) == 0;
    bytes -= every * 0x30;
    bytes = (bytes * 10 + (bytes >> 8)) & 0x00ff00ff00ff00ff;    // four pairs
    bytes = (bytes * 100 + (bytes >> 16)) & 0x0000ffff0000ffff;  // two fours
    v = static_cast<std::uint32_t>(bytes * 10000 + (bytes >> 32));
    return good;
}

/// "d.dddddddE+dd", Fortran's E15.7 without its blanks and sign, from 13 bytes; false: it is not written so.
/// One branch on all of them: each is as it should be, or the number is rare.
inline constexpr int seven_digits_length = 13;
[[nodiscard]] inline bool seven_digits(const char* p, double& v) {
    if (std::endian::native != std::endian::little) return false;
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, p + 1, sizeof bytes);
    std::uint32_t digits = 0;
    bytes ^= '.' ^ '0';  // of the first byte: the point becomes a zero
    const auto digit = [](char c) { return static_cast<unsigned>(c - '0'); };
    const unsigned lead = digit(p[0]), tens = digit(p[11]), ones = digit(p[12]);
    const bool negative = p[10] == '-';
    const bool form = eight_digits(bytes, digits) & (p[1] == '.') & (p[9] == 'E') &
                      (negative | (p[10] == '+')) & (lead <= 9) & (tens <= 9) & (ones <= 9);
    if (!form) return false;
    const int power = static_cast<int>(10 * tens + ones);
    return scaled_exactly(std::uint64_t{lead} * 10000000 + digits, (negative ? -power : power) - 7, v);
}

/// An unsigned number in any of the usual forms; nullptr: none, or beyond a double's range.
[[nodiscard]] inline const char* read_any_digits(const char* begin, const char* end, double& v) {
    constexpr int most = 19;  // digits that 64 bits hold
    std::uint64_t mantissa = 0;
    int kept = 0;
    std::int64_t power = 0, written = 0;
    bool digits = false, all_kept = true;
    const char* p = begin;
    const auto take = [&](bool fraction) {
        for (; p != end && is_digit(*p); ++p, digits = true) {
            if (kept == most) {
                all_kept = false;
                continue;
            }
            mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p - '0');
            kept += mantissa != 0;
            power -= fraction;
        }
    };
    take(false);
    if (p != end && *p == '.') {
        ++p;
        take(true);
    }
    if (!digits) return nullptr;
    const char* const after_mantissa = p;
    if (p != end && (*p == 'E' || *p == 'e' || *p == 'D' || *p == 'd')) ++p;
    const bool lettered = p != after_mantissa, has_sign = p != end && (*p == '+' || *p == '-');
    const char* const exponent = p;
    const bool negative = has_sign && *p == '-';
    if (has_sign) ++p;
    const char* const first = p;
    for (; p != end && is_digit(*p); ++p)
        if (written < 100000) written = written * 10 + (*p - '0');
    if ((lettered || has_sign) && p == first) return nullptr;
    const std::int64_t scale = power + (negative ? -written : written);
    if (all_kept && scale > -1000 && scale < 1000 && scaled_exactly(mantissa, static_cast<int>(scale), v))
        return p;
    std::string plain(begin, after_mantissa);
    plain += 'e';
    plain.append(exponent + (has_sign && !negative ? 1 : 0), p);
    if (p == first) plain += '0';
    const auto [stop, code] = std::from_chars(plain.data(), plain.data() + plain.size(), v);
    return code == std::errc() && stop == plain.data() + plain.size() ? p : nullptr;
}

/// A finite number that starts at p; the place behind it, or nullptr if there is none.
[[nodiscard]] inline const char* read_real(const char* p, const char* end, double& v) {
    const bool negative = p != end && *p == '-';
    if (negative || (p != end && *p == '+')) ++p;
    const char* after = p + seven_digits_length;
    if (end - p < seven_digits_length || (after != end && is_digit(*after)) || !seven_digits(p, v))
        after = read_any_digits(p, end, v);
    if (negative) v = -v;
    return after;
}

/// A column of E15.7: blank, sign or blank, seven digits. False: read it as a word.
inline constexpr int real_column = 2 + seven_digits_length;
[[nodiscard]] inline bool read_real_column(const char* p, double& v) {
    const bool negative = p[1] == '-';
    if (!((p[0] == ' ') & (negative | (p[1] == ' '))) || !seven_digits(p + 2, v)) return false;
    // Signs are as good as random: no branch on them.
    v = std::bit_cast<double>(std::bit_cast<std::uint64_t>(v) ^ (std::uint64_t{negative} << 63));
    return true;
}

/// A whole number of 64 bits that starts at p; the place behind it, or nullptr.
[[nodiscard]] inline const char* read_whole(const char* p, const char* end, std::int64_t& v) {
    const char* const q = p + (p != end && *p == '+');
    const auto [stop, code] = std::from_chars(q, end, v);
    return code == std::errc() && !(q != p && *q == '-') ? stop : nullptr;
}

}  // namespace wale::io
