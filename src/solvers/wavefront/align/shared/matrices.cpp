// matrices - the substitution matrices that the library holds, and the checks of those, and of profiles, that
// callers bring.
#include <wale/alignment.hpp>
#include <wale/profile.hpp>

#include <algorithm>
#include <wale/error.hpp>

#include "solvers/wavefront/align/shared/ncbi_tables.hpp"

namespace wale {
namespace {

constexpr std::int32_t most = 1'000'000;  // of a score

int score_of(char c) {
    if (c >= 'a') return 'a' - 1 - c;
    return c >= 'A' ? c - 'A' + 1 : c > '0' ? c - '1' + 27 : 0;
}

void check_score(const char* name, std::int64_t score) {
    if (score < -most || score > most)
        throw bad_argument(name + (": score " + std::to_string(score)) + ", expected within +-" +
                           std::to_string(most));
}

void check_table(const char* name, const std::string& letters, const std::vector<std::int32_t>& scores) {
    std::string sorted = letters;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
        throw bad_argument(name + (": byte " + std::to_string(static_cast<unsigned char>(*twice))) +
                           " is a letter twice, expected once");
    for (const std::int32_t score : scores) check_score(name, score);
}

char upper(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

}  // namespace

substitution_matrix::substitution_matrix(int match, int mismatch) : match_(match), mismatch_(mismatch) {
    check_score("matrix", match);
    check_score("matrix", mismatch);
}

substitution_matrix::substitution_matrix(std::string letters, std::vector<std::int32_t> scores)
    : letters_(std::move(letters)), scores_(std::move(scores)) {
    if (letters_.empty()) throw bad_argument("matrix: has no letters, expected one or more");
    if (scores_.size() != letters_.size() * letters_.size())
        throw bad_argument("matrix: " + std::to_string(scores_.size()) + " scores, expected " +
                           std::to_string(letters_.size() * letters_.size()));
    check_table("matrix", letters_, scores_);
}

score_profile::score_profile(std::string letters, std::vector<std::int32_t> scores, std::string consensus)
    : letters_(std::move(letters)), consensus_(std::move(consensus)), scores_(std::move(scores)) {
    if (letters_.empty()) throw bad_argument("profile: has no letters, expected one or more");
    const std::size_t n = letters_.size(), rows = scores_.size() / n;
    if (scores_.size() % n != 0)
        throw bad_argument("profile: " + std::to_string(scores_.size()) + " scores, expected a multiple of " +
                           std::to_string(n));
    if (!consensus_.empty() && consensus_.size() != rows)
        throw bad_argument("profile: consensus of " + std::to_string(consensus_.size()) +
                           " letters, expected " + std::to_string(rows));
    check_table("profile", letters_, scores_);
    const bool folds_case =
        std::none_of(letters_.begin(), letters_.end(), [](char c) { return upper(c) != c; });
    if (folds_case) std::transform(consensus_.begin(), consensus_.end(), consensus_.begin(), upper);
    for (std::size_t i = consensus_.size(); i < rows; ++i) {
        const std::int32_t* const row = scores_.data() + i * n;
        consensus_ += letters_[static_cast<std::size_t>(std::max_element(row, row + n) - row)];
    }
}

std::vector<std::string> substitution_matrix::names() {
    std::vector<std::string> all;
    for (const wavefront::ncbi_table& t : wavefront::ncbi_tables) all.emplace_back(t.name);
    return all;
}

substitution_matrix substitution_matrix::named(std::string_view name) {
    const auto* const found =
        std::find_if(wavefront::ncbi_tables.begin(), wavefront::ncbi_tables.end(),
                     [&](const wavefront::ncbi_table& t) { return t.name == lower(name); });
    if (found == wavefront::ncbi_tables.end())
        throw bad_argument("matrix: is '" + std::string(name) +
                           "', expected nuc44, blosum30, 35 to 90 by 5, 62 or 100, or pam10 to pam500 by 10");
    const std::size_t n = found->letters.size(), rows = found->letters.ends_with('*') ? n - 1 : n;
    std::vector<std::int32_t> scores(n * n, score_of(found->scores.back()));
    const char* c = found->scores.data();
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j <= i; ++j) scores[i * n + j] = scores[j * n + i] = score_of(*c++);
    if (rows < n) scores.back() = 1;
    return {std::string(found->letters), std::move(scores)};
}

}  // namespace wale
