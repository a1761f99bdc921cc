// packed - strings end to end with their offsets, as batches take them, and random ones.
#pragma once

#include <random>
#include <string>
#include <vector>
#include <wale/sequence.hpp>

namespace wale::agreement {

struct packed {
    std::string letters;
    std::vector<index_t> offsets{0};
    void add(const std::string& text) {
        letters += text;
        offsets.push_back(std::ssize(letters));
    }
    [[nodiscard]] std::size_t size() const { return offsets.size() - 1; }
    [[nodiscard]] std::string text(std::size_t k) const {
        const auto first = static_cast<std::size_t>(offsets[k]);
        return letters.substr(first, static_cast<std::size_t>(offsets[k + 1]) - first);
    }
    [[nodiscard]] sequence_batch batch() const {
        return {letters.data(), offsets.data(), std::ssize(offsets) - 1, 1};
    }
};

inline std::string letters_of(std::size_t size, const std::string& alphabet, unsigned seed) {
    std::mt19937 random(seed);
    std::string out(size, ' ');
    for (char& c : out) c = alphabet[random() % alphabet.size()];
    return out;
}

}  // namespace wale::agreement
