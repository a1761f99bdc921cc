// hit_messages - the hits of a search as the bytes of a message, from rank to rank.
#pragma once

#include <cstring>
#include <string>
#include <vector>
#include <wale/search.hpp>

namespace wale::wavefront {

/// Hits as the bytes of a message.
class packer {
public:
    explicit packer(std::string bytes = {}) : bytes_(std::move(bytes)) {}
    template <class T>
    void add(const T& values) {  // a string or a vector of plain values
        const auto size = static_cast<index_t>(values.size() * sizeof(values[0]));
        bytes_.append(reinterpret_cast<const char*>(&size), sizeof size);
        bytes_.append(reinterpret_cast<const char*>(values.data()), static_cast<std::size_t>(size));
    }
    template <class T>
    void take(T& values) {
        index_t size = 0;
        std::memcpy(&size, bytes_.data() + at_, sizeof size);
        values.resize(static_cast<std::size_t>(size) / sizeof(values[0]));
        if (size > 0)
            std::memcpy(values.data(), bytes_.data() + at_ + sizeof size, static_cast<std::size_t>(size));
        at_ += sizeof size + static_cast<std::size_t>(size);
    }
    [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }
    [[nodiscard]] const std::string& bytes() const { return bytes_; }

private:
    std::string bytes_;
    std::size_t at_ = 0;
};

inline void add_hit(packer& to, std::size_t query, const search_hit& h) {
    const alignment_result& a = h.alignment;
    to.add(std::vector<index_t>{static_cast<index_t>(query), h.target, h.score, a.score, a.query_begin,
                                a.query_end, a.target_begin, a.target_end});
    to.add(std::vector<double>{h.evalue, h.bits});
    to.add(h.name);
    to.add(h.symbols);
    to.add(a.best_ends);
    to.add(a.path);
}

inline std::size_t take_hit(packer& from, search_hit& h) {
    alignment_result& a = h.alignment;
    std::vector<index_t> numbers;
    std::vector<double> chances;
    from.take(numbers);
    from.take(chances);
    from.take(h.name);
    from.take(h.symbols);
    from.take(a.best_ends);
    from.take(a.path);
    h.target = numbers[1];
    h.score = numbers[2];
    a.score = numbers[3];
    a.query_begin = numbers[4];
    a.query_end = numbers[5];
    a.target_begin = numbers[6];
    a.target_end = numbers[7];
    h.evalue = chances[0];
    h.bits = chances[1];
    return static_cast<std::size_t>(numbers[0]);
}

}  // namespace wale::wavefront
