// ascii_toml - one pass that skips comments and quoted text.
#include "io/ascii_toml.hpp"

#include <cstdint>
#include <cstdio>
#include <wale/error.hpp>
#include <wale/layout.hpp>

namespace wale::io {
namespace {

class translator {
public:
    translator(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    std::string run() {
        for (; at_ < text_.size(); ++at_) take(text_[at_]);
        return std::move(out_);
    }

private:
    [[noreturn]] void refuse(const char* what) const {
        throw bad_input(name_ + ":" + std::to_string(line_) + ": " + what);
    }

    void take(char c) {
        if (static_cast<unsigned char>(c) >= 0x80) return take_letter();
        out_ += c;
        if (c == '\n') {
            ++line_;
            inside_ = 0;
        } else if (inside_ == 0) {
            if (c == '#' || c == '"' || c == '\'') inside_ = c;
            if ((c == '"' || c == '\'') && text_.substr(at_, 3) == std::string(3, c))
                refuse("texts of several lines have no use here");
        } else if (c == '\\' && inside_ == '"') {
            escaped_ = !escaped_;
            return;
        } else if (c == inside_ && c != '#' && !escaped_) {
            inside_ = 0;
        }
        escaped_ = false;
    }

    void take_letter() {
        escaped_ = false;
        const std::uint32_t letter = decode();
        if (inside_ == '#') {
            out_ += '?';
        } else if (inside_ == '"') {
            char code[16];
            (void)std::snprintf(code, sizeof code, "\\U%08X", static_cast<unsigned>(letter));
            out_ += code;
        } else {
            refuse("letters beyond ASCII belong in double quotes");
        }
    }

    /// The letter at at_, which moves to its last byte.
    std::uint32_t decode() {
        const auto byte = [&](std::size_t i) {
            return i < text_.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(text_[i])) : 0;
        };
        const std::uint32_t first = byte(at_);
        const std::size_t more = first >= 0xf0 && first < 0xf8   ? 3
                                 : first >= 0xe0 && first < 0xf0 ? 2
                                 : first >= 0xc0 && first < 0xe0 ? 1
                                                                 : 0;
        if (more == 0) refuse("is not UTF-8");
        std::uint32_t letter = first & (0x3fu >> more);
        for (std::size_t k = 1; k <= more; ++k) {
            if ((byte(at_ + k) & 0xc0) != 0x80) refuse("is not UTF-8");
            letter = letter << 6 | (byte(at_ + k) & 0x3f);
        }
        constexpr std::uint32_t least[] = {0, 0x80, 0x800, 0x10000};
        if (letter < least[more] || letter > 0x10ffff || (letter >= 0xd800 && letter < 0xe000))
            refuse("is not UTF-8");
        at_ += more;
        return letter;
    }

    std::string_view text_;
    const std::string& name_;
    std::string out_;
    std::size_t at_ = 0;
    index_t line_ = 1;
    char inside_ = 0;  // what a text or # a comment began with; 0 outside
    bool escaped_ = false;
};

}  // namespace

std::string ascii_toml(std::string_view text, const std::string& name) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    return translator(text, name).run();
}

}  // namespace wale::io
