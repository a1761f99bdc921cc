// matrix_text - matrix files of NCBI: '#' comments, a line of letters, then a letter and its scores a line.
#include <wale/alignment.hpp>

#include "solvers/wavefront/align/shared/score_text.hpp"

namespace wale {
namespace {

constexpr index_t most_bytes = index_t{1} << 20;

}  // namespace

substitution_matrix substitution_matrix::parse(std::string_view bytes, const std::string& name) {
    wavefront::score_text text(bytes, name);
    std::string letters;
    for (const std::string_view word : text.next()) letters += text.letter(word);
    if (letters.empty()) text.refuse("has no line of letters, expected a matrix of NCBI");
    const std::size_t n = letters.size();
    std::vector<std::int32_t> scores(n * n);
    std::string rows;
    for (const auto* words = &text.next(); !words->empty(); words = &text.next()) {
        const std::string_view first = words->front();
        const std::size_t row = letters.find(text.letter(first));
        if (row == letters.npos) text.refuse_word(first, "a letter of the first line");
        if (rows.find(first[0]) != rows.npos) text.refuse_word(first, "a letter that had no line yet");
        if (words->size() != n + 1)
            text.refuse(std::to_string(words->size() - 1) + " scores, expected " + std::to_string(n));
        rows += first[0];
        for (std::size_t k = 0; k < n; ++k) scores[row * n + k] = text.score((*words)[k + 1]);
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
    return wavefront::read_scores(path, most_bytes, parse);
}

}  // namespace wale
