#include "rows.hpp"

#include <array>
#include <sstream>

namespace wale::agreement {

named_rows tuned(const named_rows& rows, const std::vector<tunable>& tunables) {
    named_rows all;
    for (const named_row& r : rows)
        for (const tunable& t : tunables) {
            if (r.operation != t.operation || r.name != t.row) continue;
            for (const std::size_t number : t.numbers)
                for (const int blocks : {0, 1, 2}) {
                    if (blocks > 0 && t.blocks == nullptr) continue;
                    named_row tuned = r;
                    tuned.tuning.append(t.table).append("=").append(std::to_string(number));
                    if (blocks > 0)
                        tuned.tuning.append(",").append(t.blocks).append("=").append(std::to_string(blocks));
                    all.push_back(tuned);
                }
        }
    return all;
}

std::string name_in_tests(const named_row& row) {
    std::string name = row.name + (row.operation.empty() ? "" : "_") + row.operation;
    std::istringstream entries(row.tuning);
    for (std::string entry; std::getline(entries, entry, ',');) {
        const std::size_t number = entry.find('=');
        const std::string table = entry.substr(0, number), last = table.substr(table.rfind('/') + 1);
        const bool counts = last.ends_with("blocks") || last == "jitter";  // no table
        name.append("_").append(last).append(counts ? "_" : "_row_").append(entry, number + 1);
    }
    return word_of(name);
}

text random_text(index_t size, std::uint32_t alphabet, unsigned seed, int bytes) {
    std::mt19937 random(seed);
    const std::uint64_t range = bytes == 1 ? 256 : bytes == 2 ? 65536 : std::uint64_t{1} << 32;
    const std::uint64_t step = std::max<std::uint64_t>(1, range / alphabet);  // codes far apart
    text s(static_cast<std::size_t>(size));
    for (std::uint32_t& x : s) x = static_cast<std::uint32_t>((random() % alphabet) * step);
    return s;
}

text mutated(const text& original, double rate, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    text s;
    for (const std::uint32_t x : original) {
        if (unit(random) >= rate) {
            s.push_back(x);
            continue;
        }
        const unsigned kind = static_cast<unsigned>(random() % 3);  // 1: deleted
        if (kind == 0) s.push_back(original[random() % original.size()]);
        if (kind == 2) s.insert(s.end(), 2, x);
    }
    return s;
}

const std::vector<index_t>& edge_sizes() {
    static const std::vector<index_t> sizes{0,    1,    2,    31,   32,   33,   63,   64,
                                            65,   127,  128,  129,  255,  256,  257,  1023,
                                            1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097};
    return sizes;
}

std::vector<text_pair> edge_pairs() {
    std::vector<text_pair> pairs;
    const auto add = [&](index_t m, index_t n) {
        const auto seed = static_cast<unsigned>(31 * m + n);
        pairs.push_back({"random " + std::to_string(m) + " x " + std::to_string(n), random_text(m, 4, seed),
                         random_text(n, 4, seed + 1)});
    };
    for (const index_t size : edge_sizes()) {
        add(size, size);
        if (size <= 257)
            for (const index_t other : edge_sizes())
                if (other != size && other <= 1025) add(size, other);
        if (size > 257)
            for (const index_t other : {index_t{0}, index_t{1}, index_t{33}, index_t{64}, size + 7}) {
                add(size, other);
                add(other, size);
            }
    }
    return pairs;
}

std::vector<text_pair> alphabet_pairs() {
    std::vector<text_pair> pairs;
    const std::array<std::uint32_t, 9> alphabets{1, 2, 3, 4, 5, 16, 17, 20, 256};
    for (const std::uint32_t alphabet : alphabets)
        for (const int bytes : {1, 2, 4})
            pairs.push_back({std::to_string(alphabet) + " codes of " + std::to_string(bytes) + " bytes",
                             random_text(777, alphabet, alphabet, bytes),
                             random_text(1111, alphabet, alphabet + 1, bytes), bytes});
    for (const int bytes : {2, 4})
        for (const std::uint32_t alphabet : {300u, 5000u, 65536u})
            pairs.push_back({std::to_string(alphabet) + " tokens of " + std::to_string(bytes) + " bytes",
                             random_text(2500, alphabet, alphabet, bytes),
                             random_text(1900, alphabet, alphabet + 1, bytes), bytes});
    pairs.push_back({"nothing in common", text(700, 1), text(900, 2)});
    pairs.push_back({"bytes with the sign bit", text(700, 0xff), random_text(900, 2, 5)});
    pairs.push_back({"code points", random_text(1500, 0x10ffff, 8, 4), random_text(1500, 0x10ffff, 8, 4), 4});
    pairs.push_back(
        {"codes that agree in the low byte", random_text(600, 16, 9, 4), random_text(600, 8, 9, 4), 4});
    return pairs;
}

std::vector<text_pair> similar_pairs() {
    std::vector<text_pair> pairs;
    for (const index_t size : {100, 1000, 5000})
        for (const double rate : {0.0, 0.01, 0.1, 0.5}) {
            const text a = random_text(size, 4, static_cast<unsigned>(size));
            pairs.push_back({std::to_string(rate) + " of " + std::to_string(size), a, mutated(a, rate, 3)});
        }
    const text a = random_text(4000, 4, 77);
    text gap(a.begin(), a.begin() + 1000);
    gap.insert(gap.end(), a.begin() + 3000, a.end());
    pairs.push_back({"a gap of 2000", a, gap});
    text swapped(a.begin() + 2000, a.end());
    swapped.insert(swapped.end(), a.begin(), a.begin() + 2000);
    pairs.push_back({"halves exchanged", a, swapped});
    return pairs;
}

/// All 65, and `last` at both ends.
static text between_ends(std::size_t size, std::uint32_t last) {
    text s(size, 65);
    s.front() = s.back() = last;
    return s;
}

std::vector<text_pair> large_pairs() {
    return {{"9001 x 17003, 4 letters", random_text(9001, 4, 1), random_text(17003, 4, 2)},
            {"17003 x 5001, 20 letters", random_text(17003, 20, 3), random_text(5001, 20, 4)},
            {"12289 all equal x 8193 but for the ends", between_ends(12289, 66), between_ends(8193, 67)},
            {"1 x 100000", text(1, 2), random_text(100000, 4, 5)},
            {"100000 x 65", random_text(100000, 4, 6), random_text(65, 4, 7)}};
}

std::vector<text_pair> tuned_pairs() {
    std::vector<text_pair> pairs{{"20000 all equal x 21000", text(20000, 7), text(21000, 7)},
                                 {"40000 x 3000", random_text(40000, 4, 12), random_text(3000, 4, 13)}};
    for (const index_t m : {1, 32, 33, 1023, 1025, 2049, 8193})
        for (const index_t n : {1, 33, 1000})
            pairs.push_back(
                {std::to_string(m) + " x " + std::to_string(n), random_text(m, 4, 1), random_text(n, 4, 2)});
    for (const auto& [alphabet, bytes] : {std::pair{1u, 1},
                                          {5u, 1},
                                          {31u, 1},
                                          {32u, 1},
                                          {100u, 1},
                                          {127u, 1},
                                          {128u, 1},
                                          {256u, 1},
                                          {4u, 2},
                                          {300u, 2},
                                          {65536u, 2},
                                          {5u, 4},
                                          {2000u, 4}})
        pairs.push_back({std::to_string(alphabet) + " codes of " + std::to_string(bytes) + " bytes",
                         random_text(5000, alphabet, 8, bytes), random_text(900, alphabet, 9, bytes), bytes});
    return pairs;
}

std::vector<text_pair> huge_pairs() {
    const text similar = random_text(60'000, 4, 16);
    text inside(30'000, 1), few(20'000, 2);  // the whole path crosses the columns within one strip
    std::fill(inside.begin() + 9000, inside.begin() + 9500, 3);
    for (std::size_t i = 0; i < few.size(); i += 37) few[i] = 3;
    return {{"100000 x 100000", random_text(100'000, 4, 17), random_text(100'000, 4, 18)},
            {"similar, 60000", similar, mutated(similar, 0.05, 4)},
            {"a path inside one strip", inside, few}};
}

const std::vector<std::string>& all_short_strings() {
    static const std::vector<std::string> all = [] {
        std::vector<std::string> strings{""};
        for (std::size_t i = 0; i < strings.size() && strings[i].size() < 6; ++i)
            for (const char c : {'a', 'b', 'c'}) strings.push_back(std::string(strings[i]) + c);
        return strings;
    }();
    return all;
}

int plain_lcs(std::string_view a, std::string_view b) {
    int table[8][8] = {};
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j)
            table[i + 1][j + 1] = a[i] == b[j] ? table[i][j] + 1 : std::max(table[i][j + 1], table[i + 1][j]);
    return table[a.size()][b.size()];
}

int plain_edit(std::string_view a, std::string_view b) {
    int table[8][8] = {};
    for (std::size_t i = 0; i <= a.size(); ++i)
        for (std::size_t j = 0; j <= b.size(); ++j)
            if (i == 0 || j == 0)
                table[i][j] = static_cast<int>(i + j);
            else
                table[i][j] = std::min({table[i - 1][j] + 1, table[i][j - 1] + 1,
                                        table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
    return table[a.size()][b.size()];
}

}  // namespace wale::agreement
