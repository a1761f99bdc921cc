// foam_file - words, numbers and lists of a file of OpenFOAM, text or binary.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>
#include <wale/error.hpp>

#include "io/escape.hpp"
#include "io/text_pieces.hpp"

namespace wale::io {

/// A file of OpenFOAM: its head, then lists, whose elements are text or raw bytes.
class foam_file {
public:
    foam_file(std::string_view text, std::string name, int threads)
        : text_(text), name_(std::move(name)), threads_(threads) {
        read_head();
    }

    [[noreturn]] void refuse(const std::string& what) const {
        const auto lines = std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
        throw bad_input(name_ + ":" + std::to_string(lines + 1) + ": " + what);
    }
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] bool is_compact() const { return class_ == "faceCompactList"; }

    /// A bracket or semicolon, or what stands between them and blanks.
    std::string_view word() {
        skip();
        const std::size_t first = at_;
        if (at_ < text_.size() && text_[at_] == '"') {
            at_ = std::min(text_.find('"', at_ + 1), text_.size() - 1) + 1;
            return text_.substr(first, at_ - first);
        }
        if (at_ < text_.size() && is_mark(text_[at_]))
            ++at_;
        else
            while (at_ < text_.size() && !is_space(text_[at_]) && !is_mark(text_[at_])) ++at_;
        if (at_ == first) refuse("ends, expected more");
        return text_.substr(first, at_ - first);
    }
    void expect(char mark) {
        if (const std::string_view found = word(); found.size() != 1 || found[0] != mark)
            refuse(quoted(found) + ", expected " + std::string(1, mark));
    }
    template <class T>
    T number() {
        const std::string_view found = word();
        T v{};
        const auto [end, code] = std::from_chars(found.data(), found.data() + found.size(), v);
        if (code != std::errc() || end != found.data() + found.size())
            refuse(quoted(found) + ", expected a number");
        return v;
    }
    /// How many elements a list has, of at least `least` bytes each.
    std::size_t count(std::size_t least) {
        const auto n = number<std::int64_t>();
        if (n < 0 || static_cast<std::size_t>(n) > (text_.size() - at_) / least)
            refuse(std::to_string(n) + " elements, more than the file has");
        return static_cast<std::size_t>(n);
    }
    std::vector<std::int32_t> labels() {
        std::vector<std::int32_t> out;
        const std::size_t n = count(binary_ ? label_bytes_ : 1);
        if (!binary_) {
            take_list<std::vector<std::int32_t>>(
                n, [](foam_file& in, auto& to) { to.push_back(in.label(in.number<std::int64_t>())); },
                [&](const auto& some) { out.insert(out.end(), some.begin(), some.end()); });
            return out;
        }
        take_raw(n, label_bytes_, [&](const char* raw) {
            out.push_back(
                label(label_bytes_ == 8 ? raw_number<std::int64_t>(raw) : raw_number<std::int32_t>(raw)));
        });
        return out;
    }
    std::vector<double> vectors() {
        std::vector<double> out;
        const std::size_t n = count(binary_ ? 3 * scalar_bytes_ : 1);
        if (!binary_) {
            take_list<std::vector<double>>(
                n,
                [](foam_file& in, auto& to) {
                    in.expect('(');
                    for (int d = 0; d < 3; ++d) to.push_back(in.finite(in.number<double>()));
                    in.expect(')');
                },
                [&](const auto& some) { out.insert(out.end(), some.begin(), some.end()); });
            return out;
        }
        take_raw(n, 3 * scalar_bytes_, [&](const char* raw) {
            for (std::size_t d = 0; d < 3; ++d)
                out.push_back(finite(scalar_bytes_ == 8 ? raw_number<double>(raw + 8 * d)
                                                        : raw_number<float>(raw + 4 * d)));
        });
        return out;
    }

    /// A list of text of n elements: take_one(file, result) adds the next one, give(result) gets those of
    /// pieces that all threads read, in their order, and of the rest.
    template <class Result, class TakeOne, class Give>
    void take_list(std::size_t n, const TakeOne& take_one, const Give& give) {
        expect('(');
        const auto read = [&](text_piece<Result>& p) {
            if (p.text.find("/*") != std::string_view::npos) return;  // its end may be in another piece
            foam_file part(p.text, *this);
            for (part.skip(); part.at_ < p.text.size(); part.skip(), ++p.items) take_one(part, p.read);
            p.whole = true;
        };
        const index_t taken = read_pieces<Result>(text_.substr(at_), threads_, static_cast<index_t>(n), read,
                                                  [&](const auto& p) {
                                                      give(p.read);
                                                      at_ += p.text.size();
                                                  });
        read_rest<Result>(
            taken, static_cast<index_t>(n), [&](Result& to) { take_one(*this, to); }, give);
        expect(')');
    }

private:
    /// A part of a list.
    foam_file(std::string_view text, const foam_file& of) : text_(text), name_(of.name_), threads_(1) {}

    [[nodiscard]] std::int32_t label(std::int64_t v) const {
        if (v < 0 || v > std::numeric_limits<std::int32_t>::max())
            refuse("number " + std::to_string(v) + ", expected 0 to 2^31 - 1");
        return static_cast<std::int32_t>(v);
    }
    [[nodiscard]] double finite(double v) const {
        if (!std::isfinite(v)) refuse("a coordinate is not finite");
        return v;
    }
    template <class T>
    static T raw_number(const char* raw) {
        T v{};
        std::memcpy(&v, raw, sizeof v);
        return v;
    }

    static bool is_mark(char c) { return c == '(' || c == ')' || c == '{' || c == '}' || c == ';'; }
    static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
    void skip() {
        while (at_ < text_.size()) {
            while (at_ < text_.size() && is_space(text_[at_])) ++at_;
            if (text_.substr(at_, 2) == "//")
                at_ = std::min(text_.find('\n', at_), text_.size());
            else if (text_.substr(at_, 2) == "/*")
                at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
            else
                return;
        }
    }
    void read_head() {
        if (text_.size() < 2 || word() != "FoamFile")
            refuse("is no file of OpenFOAM: expected FoamFile first");
        expect('{');
        for (std::string_view key = word(); key != "}"; key = word()) {
            const std::string_view value = word();
            expect(';');
            if (key == "format") binary_ = value == "binary";
            if (key == "class") class_ = value;
            if (key != "arch") continue;
            if (value.find("MSB") != std::string_view::npos) refuse("was written in the other byte order");
            if (value.find("label=64") != std::string_view::npos) label_bytes_ = 8;
            if (value.find("scalar=32") != std::string_view::npos) scalar_bytes_ = 4;
        }
    }
    /// read(bytes of an element)
    template <class Read>
    void take_raw(std::size_t elements, std::size_t bytes, Read&& read) {
        if (elements == 0 && text_.substr(at_, 1) != "(") return;
        expect('(');
        if (elements * bytes > text_.size() - at_) refuse("is cut off");
        for (std::size_t i = 0; i < elements; ++i, at_ += bytes) read(text_.data() + at_);
        expect(')');
    }

    std::string_view text_;
    std::string name_;
    int threads_;
    std::size_t at_ = 0;
    bool binary_ = false;
    std::size_t label_bytes_ = 4, scalar_bytes_ = 8;
    std::string class_;
};

}  // namespace wale::io
