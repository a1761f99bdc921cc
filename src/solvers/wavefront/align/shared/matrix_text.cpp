// matrix_text - matrix files of NCBI: '#' comments, a line of letters, then a letter and its scores a line.
#include <wale/alignment.hpp>

#include "io/byte_source.hpp"
#include "io/escape.hpp"
#include "io/text_numbers.hpp"

namespace wale {
namespace {

constexpr index_t most_bytes = index_t{1} << 20;

char letter(const io::text_numbers& text, std::string_view word) {
    if (word.size() != 1) text.refuse_word(word, "a letter");
    return word[0];
}

std::int32_t score(const io::text_numbers& text, std::string_view word) {
    std::int32_t value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc() || end != word.data() + word.size() || value < -1'000'000 || value > 1'000'000)
        text.refuse_word(word, "a whole number within +-1000000");
    return value;
}

/// The words of the next line that is neither empty nor a comment; none at the end.
std::vector<std::string_view> next_words(io::text_numbers& text) {
    std::vector<std::string_view> words;
    while (words.empty() && !text.at_end()) {
        std::string_view line = text.line();
        line = line.substr(0, line.find('#'));
        for (std::size_t at = 0; at < line.size();) {
            const std::size_t end = std::min(line.find_first_of(" \t\r\v\f", at), line.size());
            if (end > at) words.push_back(line.substr(at, end - at));
            at = end + 1;
        }
    }
    return words;
}

}  // namespace

substitution_matrix substitution_matrix::parse(std::string_view bytes, const std::string& name) {
    io::text_numbers text(bytes, name);
    std::string letters;
    for (const std::string_view word : next_words(text)) letters += letter(text, word);
    if (letters.empty()) text.refuse("has no line of letters, expected a matrix of NCBI");
    const std::size_t n = letters.size();
    std::vector<std::int32_t> scores(n * n);
    std::string rows;
    for (auto words = next_words(text); !words.empty(); words = next_words(text)) {
        const std::size_t row = letters.find(letter(text, words[0]));
        if (row == letters.npos) text.refuse_word(words[0], "a letter of the first line");
        if (rows.find(words[0][0]) != rows.npos) text.refuse_word(words[0], "a letter that had no line yet");
        if (words.size() != n + 1)
            text.refuse(std::to_string(words.size() - 1) + " scores, expected " + std::to_string(n));
        rows += words[0][0];
        for (std::size_t k = 0; k < n; ++k) scores[row * n + k] = score(text, words[k + 1]);
    }
    if (rows.size() != n)
        text.refuse(std::to_string(rows.size()) + " lines of scores, expected " + std::to_string(n));
    try {
        return {std::move(letters), std::move(scores)};
    } catch (const bad_argument& e) {  // a letter twice
        text.refuse(e.what());
    }
}

substitution_matrix substitution_matrix::read(const std::string& path) {
    return io::parse_source(
        path, most_bytes, [](std::string_view) { return true; },
        [](const io::byte_source& source, const std::string& name) {
            return parse(io::all_bytes(source, name, most_bytes), name);
        });
}

}  // namespace wale
