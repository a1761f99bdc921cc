// gmsh_bytes - the words and the binary numbers of a Gmsh file, for a reader that says where it stumbled.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>

#include "io/decimal.hpp"
#include "io/escape.hpp"
#include "io/mesh_format.hpp"
#include "io/text_pieces.hpp"

namespace wale::io {

/// Words of a text, or numbers of a binary part; refusals name the line of a text, the byte of a binary file.
class gmsh_bytes {
public:
    gmsh_bytes(const mesh_input& in, std::string_view bytes)
        : in_(in), bytes_(bytes), at_(static_cast<std::size_t>(mark_bytes(bytes))) {}

    /// What follows are int, size_t and double of eight bytes, swapped where the file's machine differs.
    void be_binary() {
        binary_ = true;
        const auto one = raw<std::uint32_t>("the number 1 of the byte order");
        swapped_ = one == 0x01000000;
        if (one != 1 && !swapped_) refuse(std::to_string(one) + ", expected 1 in either byte order");
    }

    [[noreturn]] void refuse(const std::string& what) const {
        if (!binary_) in_.refuse(line_, what);
        in_.refuse("byte " + std::to_string(at_) + ": " + what);
    }
    [[noreturn]] void refuse_word(std::string_view word, const std::string& expected) const {
        refuse(quoted(word) + ", expected " + expected);
    }

    /// Of messages about elements; 0 in binary files, which have no lines.
    [[nodiscard]] index_t line() const { return binary_ ? 0 : line_; }
    [[nodiscard]] index_t left() const { return std::ssize(bytes_) - static_cast<index_t>(at_); }

    [[nodiscard]] bool at_end() {
        for (; at_ < bytes_.size() && is_space(bytes_[at_]); ++at_) line_ += bytes_[at_] == '\n';
        return at_ == bytes_.size();
    }
    [[nodiscard]] std::string_view word(const char* expected) {
        if (at_end()) refuse(std::string("the file ends, expected ") + expected);
        const std::size_t begin = at_;
        while (at_ < bytes_.size() && !is_space(bytes_[at_])) ++at_;
        return bytes_.substr(begin, at_ - begin);
    }
    /// The rest of a line of text, blanks at its ends left out; the line's end stays.
    [[nodiscard]] std::string_view rest_of_line() {
        while (at_ < bytes_.size() && is_blank(bytes_[at_])) ++at_;
        const std::size_t begin = at_;
        at_ = std::min(bytes_.find('\n', at_), bytes_.size());
        std::string_view rest = bytes_.substr(begin, at_ - begin);
        while (!rest.empty() && is_blank(rest.back())) rest.remove_suffix(1);
        return rest;
    }
    /// A line of text must end here; binary numbers follow its end without a gap.
    void end_text_line() {
        const std::string_view rest = rest_of_line();
        if (!rest.empty()) refuse_word(rest, "the end of the line");
        if (at_ == bytes_.size()) return;
        ++at_;
        ++line_;
    }
    /// A record must end here, which binary records do by themselves.
    void end_record() {
        if (!binary_) end_text_line();
    }

    [[nodiscard]] std::int64_t text_whole(const char* expected) {
        return number<std::int64_t>(read_whole, expected);
    }
    [[nodiscard]] double text_real(const char* expected) { return number<double>(read_real, expected); }
    [[nodiscard]] std::int64_t whole(const char* expected) {
        return binary_ ? raw<std::int32_t>(expected) : text_whole(expected);
    }
    [[nodiscard]] std::int64_t size(const char* expected) {
        return binary_ ? raw<std::int64_t>(expected) : text_whole(expected);
    }
    [[nodiscard]] double real(const char* expected) {
        if (!binary_) return text_real(expected);
        const auto value = raw<double>(expected);
        if (!std::isfinite(value)) refuse(std::to_string(value) + ", expected " + expected);
        return value;
    }
    /// Numbers that are not used; Gmsh writes infinite bounds of empty entities.
    void skip_reals(int count) {
        constexpr const char* expected = "a real number";
        for (int i = 0; i < count; ++i)
            if (binary_)
                (void)raw<double>(expected);
            else
                (void)word(expected);
    }

    /// Bytes that a record has at least.
    [[nodiscard]] index_t least(int ints, int sizes, int reals) const {
        return binary_ ? int_bytes * ints + size_bytes * sizes + real_bytes * reals
                       : word_bytes * (ints + sizes + reals);
    }
    /// n, where so many records of `each` bytes can follow.
    [[nodiscard]] index_t bounded(std::int64_t n, index_t each, const char* what) const {
        if (n >= 0 && n <= left() / each) return n;
        refuse(std::to_string(n) + ", expected " + what + " within the " + std::to_string(left()) +
               " bytes that follow");
    }

    /// `count` records: take_one(bytes, result) reads the next one, give(result, line) gets those of pieces
    /// of a text that all threads read, in their order, and of the rest; `line` is what their lines of
    /// elements count from.
    template <class Result, class TakeOne, class Give>
    void take_records(index_t count, const TakeOne& take_one, const Give& give) {
        const auto read = [&](text_piece<Result>& p) {
            gmsh_bytes part(in_, p.text);
            for (; !part.at_end(); ++p.items) take_one(part, p.read);
            p.lines = part.line_ - 1;
            p.whole = mark_bytes(p.text) == 0;
        };
        const auto take = [&](const text_piece<Result>& p) {
            give(p.read, line_ - 1);
            at_ += p.text.size();
            line_ += p.lines;
        };
        index_t taken = 0;
        if (!binary_) taken = read_pieces<Result>(bytes_.substr(at_), in_.options.threads, count, read, take);
        read_rest<Result>(
            taken, count, [&](Result& to) { take_one(*this, to); },
            [&](const Result& some) { give(some, 0); });
    }

    void end_section(std::string_view name) {
        std::string end = "$End";
        end += name;
        if (const std::string_view found = word(end.c_str()); found != end) refuse_word(found, end);
        end_text_line();
    }
    void pass_over_section(std::string_view name) {
        std::string end = "\n$End";
        end += name;
        for (std::size_t found = at_ - 1;;) {
            found = bytes_.find(end, found);
            if (found == std::string_view::npos)
                refuse("section $" + escaped(name) + " does not end, expected " + escaped(end.substr(1)));
            found += end.size();
            if (found != bytes_.size() && !is_space(bytes_[found])) continue;
            line_ += std::count(bytes_.begin() + std::ptrdiff_t(at_), bytes_.begin() + std::ptrdiff_t(found),
                                '\n');
            at_ = found;
            return end_text_line();
        }
    }

private:
    static constexpr index_t int_bytes = 4, size_bytes = 8, real_bytes = 8;
    static constexpr index_t word_bytes = 2;  // a digit and a blank, or the line's end
    static bool is_space(char c) { return is_blank(c) || c == '\n'; }

    template <class T>
    T raw(const char* expected) {
        std::array<char, sizeof(T)> bytes;
        if (left() < std::ssize(bytes)) refuse(std::string("the file ends, expected ") + expected);
        std::memcpy(bytes.data(), bytes_.data() + at_, bytes.size());
        at_ += bytes.size();
        if (swapped_) std::reverse(bytes.begin(), bytes.end());
        return std::bit_cast<T>(bytes);
    }
    template <class Number, class Read>
    Number number(const Read& read, const char* expected) {
        const std::string_view text = word(expected);
        Number value{};
        const char* const end = text.data() + text.size();
        if (read(text.data(), end, value) != end) refuse_word(text, expected);
        return value;
    }

    const mesh_input& in_;
    std::string_view bytes_;
    std::size_t at_;
    index_t line_ = 1;
    bool binary_ = false, swapped_ = false;
};

}  // namespace wale::io
