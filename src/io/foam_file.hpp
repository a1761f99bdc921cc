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

namespace wale::io {

/// A file of OpenFOAM: its head, then lists, whose elements are text or raw bytes.
class foam_file {
public:
    foam_file(std::string_view text, std::string name) : text_(text), name_(std::move(name)) { read_head(); }

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
        constexpr std::string_view marks = "(){};";
        if (at_ < text_.size() && text_[at_] == '"') {
            at_ = std::min(text_.find('"', at_ + 1), text_.size() - 1) + 1;
            return text_.substr(first, at_ - first);
        }
        if (at_ < text_.size() && marks.find(text_[at_]) != std::string_view::npos)
            ++at_;
        else
            at_ = std::min(text_.find_first_of(" \t\r\n(){};", at_), text_.size());
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
        std::vector<std::int32_t> out(count(binary_ ? label_bytes_ : 1));
        fill(out.size(), label_bytes_, [&](std::size_t i, const char* raw) {
            std::int64_t v = 0;
            if (raw == nullptr)
                v = number<std::int64_t>();
            else if (label_bytes_ == 8)
                std::memcpy(&v, raw, 8);
            else {
                std::int32_t half = 0;
                std::memcpy(&half, raw, 4);
                v = half;
            }
            if (v < 0 || v > std::numeric_limits<std::int32_t>::max())
                refuse("number " + std::to_string(v) + ", expected 0 to 2^31 - 1");
            out[i] = static_cast<std::int32_t>(v);
        });
        return out;
    }
    std::vector<double> vectors() {
        std::vector<double> out(3 * count(binary_ ? 3 * scalar_bytes_ : 1));
        fill(out.size() / 3, 3 * scalar_bytes_, [&](std::size_t i, const char* raw) {
            if (raw == nullptr) expect('(');
            for (std::size_t d = 0; d < 3; ++d) {
                double v = 0;
                if (raw == nullptr)
                    v = number<double>();
                else if (scalar_bytes_ == 8)
                    std::memcpy(&v, raw + 8 * d, 8);
                else {
                    float half = 0;
                    std::memcpy(&half, raw + 4 * d, 4);
                    v = half;
                }
                if (!std::isfinite(v)) refuse("point " + std::to_string(i) + ": a coordinate is not finite");
                out[3 * i + d] = v;
            }
            if (raw == nullptr) expect(')');
        });
        return out;
    }

private:
    void skip() {
        while (at_ < text_.size()) {
            at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
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
    /// read(i, its bytes, or null where it is text).
    template <class Read>
    void fill(std::size_t elements, std::size_t bytes, Read&& read) {
        if (elements == 0 && binary_ && text_.substr(at_, 1) != "(") return;
        expect('(');
        if (binary_ && elements * bytes > text_.size() - at_) refuse("is cut off");
        for (std::size_t i = 0; i < elements; ++i) {
            read(i, binary_ ? text_.data() + at_ : nullptr);
            if (binary_) at_ += bytes;
        }
        expect(')');
    }

    std::string_view text_;
    std::string name_;
    std::size_t at_ = 0;
    bool binary_ = false;
    std::size_t label_bytes_ = 4, scalar_bytes_ = 8;
    std::string class_;
};

}  // namespace wale::io
