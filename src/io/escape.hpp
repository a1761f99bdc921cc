// escape - foreign bytes in messages: a terminal must not obey them.
#pragma once

#include <string>
#include <string_view>

namespace wale::io {

/// The text with control bytes as \xNN; everything else, UTF-8 too, as it is.
[[nodiscard]] inline std::string escaped(std::string_view text) {
    constexpr const char* digit = "0123456789abcdef";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte != 0x7f) {
            out += c;
            continue;
        }
        out += "\\x";
        out += digit[byte >> 4];
        out += digit[byte & 15];
    }
    return out;
}

/// One byte, as a message shows it: 'x' or byte 0x00.
[[nodiscard]] inline std::string shown(char c) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7f) return std::string("'") + c + "'";
    constexpr const char* digit = "0123456789abcdef";
    return std::string("byte 0x") + digit[byte >> 4] + digit[byte & 15];
}

/// A word, as a message shows it: 'word'; only the start of a long one.
[[nodiscard]] inline std::string quoted(std::string_view word) {
    constexpr std::size_t longest = 40;
    std::string text = "'";
    text += escaped(word.substr(0, longest));
    text += word.size() > longest ? "...'" : "'";
    return text;
}

}  // namespace wale::io
