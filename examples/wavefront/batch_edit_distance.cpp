// batch_edit_distance - many pairs in one call, on the GPU where there is one: the nearest word of a
// dictionary.
#include <iostream>
#include <string>
#include <vector>
#include <wale/wale.hpp>

namespace {

/// Words end to end, and where each begins: what a batch takes.
struct word_list {
    std::string letters;
    std::vector<wale::index_t> offsets{0};
    void add(const std::string& word) {
        letters += word;
        offsets.push_back(std::ssize(letters));
    }
};

}  // namespace

int main() {
    const std::vector<std::string> typed{"wavefornt", "distnace", "subsequence", "scheduel"};
    const std::vector<std::string> dictionary{"distance", "instance",    "schedule",
                                              "shuttle",  "subsequence", "wavefront"};
    word_list a, b;  // pair k: typed[k / size] and dictionary[k % size]
    for (const auto& word : typed)
        for (const auto& entry : dictionary) a.add(word), b.add(entry);
    std::vector<std::int32_t> distances(typed.size() * dictionary.size());

    const wale::execution where = wale::best_execution();
    // On CUDA everything is device memory; to_device is a copy there, and on the CPU a plain copy.
    const auto put = [&](const auto& v) { return wale::to_device(where, std::span(v.data(), v.size())); };
    const auto a_letters = put(a.letters), b_letters = put(b.letters);
    const auto a_offsets = put(a.offsets), b_offsets = put(b.offsets);
    const auto answers = put(std::as_const(distances));
    const auto count = static_cast<wale::index_t>(distances.size());
    const auto r = wale::edit_distance(where, {a_letters.data(), a_offsets.data(), count},
                                       {b_letters.data(), b_offsets.data(), count}, answers.span());
    wale::copy_bytes(where, distances.data(), answers.data(), count * wale::index_t{sizeof(std::int32_t)});

    bool good = true;
    for (std::size_t w = 0; w < typed.size(); ++w) {
        std::size_t best = 0;
        for (std::size_t d = 0; d < dictionary.size(); ++d)
            if (distances[w * dictionary.size() + d] < distances[w * dictionary.size() + best]) best = d;
        std::cout << typed[w] << " -> " << dictionary[best] << '\n';
        good &= typed[w].front() == dictionary[best].front();
    }
    std::cout << count << " pairs, by " << r.run.variant << '\n';
    return good ? 0 : 1;
}
