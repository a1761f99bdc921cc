// score_text - words of a line, and what a word must be.
#include "solvers/wavefront/align/shared/score_text.hpp"

#include <charconv>
#include <wale/error.hpp>

#include "io/escape.hpp"

namespace wale::wavefront {

const std::vector<std::string_view>& score_text::next() {
    words_.clear();
    while (words_.empty() && !text_.at_end()) {
        line_ = text_.line_number();
        std::string_view line = text_.line();
        line = line.substr(0, line.find('#'));
        for (std::size_t at = 0; at < line.size();) {
            const std::size_t end = std::min(line.find_first_of(" \t\r\v\f", at), line.size());
            if (end > at) words_.push_back(line.substr(at, end - at));
            at = end + 1;
        }
    }
    return words_;
}

char score_text::letter(std::string_view word) const {
    if (word.size() != 1) refuse_word(word, "a letter");
    return word[0];
}

std::int32_t score_text::score(std::string_view word) const {
    std::int32_t value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc() || end != word.data() + word.size() || value < -1'000'000 || value > 1'000'000)
        refuse_word(word, "a whole number within +-1000000");
    return value;
}

void score_text::refuse(const std::string& what) const {
    throw bad_input(name_ + ":" + std::to_string(line_) + ": " + what);
}

void score_text::refuse_word(std::string_view word, const std::string& expected) const {
    refuse(io::quoted(word) + ", expected " + expected);
}

}  // namespace wale::wavefront
