// demand - what fuzz targets share: a reader takes an input, or refuses it with one clean line; and options
// of a reader as part of the input.
#pragma once

#include <cstdlib>
#include <iostream>
#include <string_view>
#include <wale/error.hpp>

namespace wale::fuzz {

/// An input that ends with eight bytes and "opts" chooses options by these bytes; any other input is all
/// file, and each choice is the first: files as they are stay valid inputs.
class option_bytes {
public:
    explicit option_bytes(std::string_view input) : file_(input) {
        if (input.size() < count + mark.size() || !input.ends_with(mark)) return;
        file_ = input.substr(0, input.size() - count - mark.size());
        bytes_ = input.substr(file_.size(), count);
    }
    [[nodiscard]] std::string_view file() const { return file_; }
    [[nodiscard]] bool chosen() const { return !bytes_.empty(); }
    /// The next choice among 0 to `choices` - 1; the first without a trailer.
    [[nodiscard]] unsigned next(unsigned choices) {
        if (at_ >= bytes_.size()) return 0;
        return static_cast<unsigned char>(bytes_[at_++]) % choices;
    }
    [[nodiscard]] bool flag() { return next(2) == 1; }
    /// `all`, or less than a small file needs.
    template <class Count>
    [[nodiscard]] Count limit(Count all) {
        constexpr int few[] = {0, 1, 2, 3, 8, 64, 1000};
        const unsigned k = next(8);
        return k == 0 ? all : static_cast<Count>(few[k - 1]);
    }

private:
    static constexpr std::size_t count = 8;
    static constexpr std::string_view mark = "opts";
    std::string_view file_, bytes_;
    std::size_t at_ = 0;
};

inline void demand(bool holds, const char* what) {
    if (holds) return;
    std::cerr << "does not hold: " << what << '\n';
    std::abort();
}

/// Whether parse() takes its input; only bad_input may be thrown, and its message has no control bytes.
template <class Parse>
bool takes(Parse&& parse) {
    try {
        parse();
        return true;
    } catch (const bad_input& e) {
        for (const char* c = e.what(); *c != '\0'; ++c)
            demand(static_cast<unsigned char>(*c) >= 0x20, "messages have no control bytes");
        return false;
    }
}

}  // namespace wale::fuzz
