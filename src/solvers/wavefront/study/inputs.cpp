// inputs - a small generator of our own, because the standard distributions differ between libraries.
#include "solvers/wavefront/study/study.hpp"

namespace wale::wavefront {
namespace {

/// splitmix64 (Steele, Lea & Flood 2014).
class generator {
public:
    explicit generator(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }
    std::uint64_t below(std::uint64_t bound) { return next() % bound; }
    char letter() { return "ACGT"[next() >> 62]; }

private:
    std::uint64_t state_;
};

std::string letters(index_t size, generator& random) {
    std::string out(static_cast<std::size_t>(size), 'A');
    for (char& c : out) c = random.letter();
    return out;
}

std::string changed(const std::string& text, std::uint64_t one_in, generator& random) {
    std::string out;
    for (const char c : text) {
        const std::uint64_t dice = random.below(3 * one_in);
        if (dice != 0) out += dice == 1 ? random.letter() : c;  // 0: deleted, 1: replaced
        if (dice == 2) out += random.letter();
    }
    return out;
}

}  // namespace

std::string random_dna(index_t size, std::uint64_t seed) {
    generator random(seed);
    return letters(size, random);
}

std::string mutated(const std::string& text, std::uint64_t one_in, std::uint64_t seed) {
    generator random(seed);
    return changed(text, one_in, random);
}

std::string widened(const std::string& letters, int symbol_bytes) {
    if (symbol_bytes == 1) return letters;
    std::string out(letters.size() * static_cast<std::size_t>(symbol_bytes), '\0');
    for (std::size_t i = 0; i < letters.size(); ++i)
        out[i * static_cast<std::size_t>(symbol_bytes)] = letters[i];
    return out;
}

std::vector<double> random_walk(index_t size, std::uint64_t seed) {
    generator random(seed);
    std::vector<double> points;
    double at = 0;
    for (index_t k = 0; k < size; ++k) {
        at += static_cast<double>(random.next() >> 11) * 0x1p-52 - 1;
        points.push_back(at);
    }
    return points;
}

pair_tapes random_pairs(index_t count, std::uint64_t seed) {
    generator random(seed);
    pair_tapes out;
    for (index_t k = 0; k < count; ++k) {
        const std::string a = letters(static_cast<index_t>(64 + random.below(129)), random);
        const std::string b = changed(a, 10, random);
        out.add(a, b);
    }
    return out;
}

}  // namespace wale::wavefront
