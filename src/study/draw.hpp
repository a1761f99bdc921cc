// draw - chance for the atlas: numbers that depend on a seed and on a cell's number, and a drawn cell.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <wale/layout.hpp>

namespace wale::experiments {

class experiment;

/// SplitMix64 (Steele, Lea & Flood 2014), started at a hash of seed and cell.
class dice {
public:
    dice(std::uint64_t seed, std::uint64_t cell) : state_(seed) {
        state_ = next() ^ (cell * 0xd1342543de82ef95U);
    }
    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }
    [[nodiscard]] index_t below(index_t bound) {
        return static_cast<index_t>(next() % static_cast<std::uint64_t>(bound));
    }
    [[nodiscard]] bool one_in(index_t n) { return below(n) == 0; }
    /// A number from 1 to most, as likely in each power of two as in the next.
    [[nodiscard]] index_t size(double most) {
        const double part = static_cast<double>(next() >> 11) * 0x1p-53;
        const double drawn = std::exp2(part * std::log2(std::fmax(most, 1) + 1));
        return static_cast<index_t>(std::fmin(drawn, std::fmax(most, 1)));
    }
    template <class T>
    [[nodiscard]] T pick(std::initializer_list<T> all) {
        return *(all.begin() + below(static_cast<index_t>(all.size())));
    }

private:
    std::uint64_t state_;
};

/// How large a cell may be.
struct cell_limits {
    double seconds;  // that a fast variant needs for the cell on one thread
    double bytes;    // that the cell's arrays take
};

/// What was drawn, in words: "type=f64 rows=12".
class traits {
public:
    template <class T>
    traits& add(const char* name, const T& value) {
        if (!text_.empty()) text_ += ' ';
        text_ += name;
        text_ += '=';
        if constexpr (std::is_arithmetic_v<T>)
            text_ += std::to_string(value);
        else
            text_ += value;
        return *this;
    }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string text_;
};

struct drawn_cell {
    std::string traits;
    std::unique_ptr<experiment> work;
};

/// A solver's part of the atlas: what is drawn, by its name and by the operation of the variant table that
/// runs it.
struct drawing {
    const char* name;
    const char* operation;
    drawn_cell (*draw)(dice& d, const cell_limits& most);
};

}  // namespace wale::experiments
