// text_numbers - std::from_chars ignores the locale and returns where it stopped.
#include "io/text_numbers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "io/decimal.hpp"
#include "io/escape.hpp"

namespace wale::io {

void text_numbers::refuse(const std::string& what) const {
    throw bad_input(name_ + ":" + std::to_string(line_) + ": " + what);
}

void text_numbers::refuse_word(std::string_view word, const std::string& expected) const {
    refuse(quoted(word) + ", expected " + expected);
}

std::string_view text_numbers::rest_of_line() const {
    std::string_view all = text_.substr(at_, text_.find(end_, at_) - at_);
    if (all.ends_with('\r')) all.remove_suffix(1);
    return all;
}

std::string_view text_numbers::line() {
    const std::string_view all = rest_of_line();
    const std::size_t end = text_.find(end_, at_);
    at_ = std::min(end, text_.size());
    if (!at_end()) {
        ++at_;
        ++line_;
    }
    return all;
}

void text_numbers::skip_lines(std::size_t bytes, index_t lines) {
    at_ += bytes;
    line_ += lines;
}

void text_numbers::skip_blanks() {
    while (at_ < text_.size() && text_[at_] != end_ && is_blank(text_[at_])) ++at_;
}

void text_numbers::skip(bool comments) {
    while (true) {
        skip_blanks();
        if (at_end()) return;
        const bool comment = comments && text_[at_] == '%' && (at_ == 0 || text_[at_ - 1] == end_);
        if (!comment && text_[at_] != end_) return;
        (void)line();
    }
}

std::string_view text_numbers::word(const char* expected) {
    skip_blanks();
    if (at_end()) refuse(std::string("the file ends, expected ") + expected);
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != end_) ++at_;
    if (at_ == begin) refuse(std::string("the line ends, expected ") + expected);
    return text_.substr(begin, at_ - begin);
}

void text_numbers::end_line(const char* expected) {
    skip_blanks();
    if (at_end()) return;
    if (text_[at_] != end_) refuse_word(word(expected), expected);
    ++at_;
    ++line_;
}

index_t text_numbers::count(const char* what) {
    const std::string_view w = word(what);
    index_t value = 0;
    const auto [end, code] = std::from_chars(w.data(), w.data() + w.size(), value);
    if (code != std::errc() || end != w.data() + w.size() || value < 0)
        refuse_word(w, std::string(what) + ", 0 to 2^63");
    return value;
}

namespace {

/// Behind a plus sign, which std::from_chars does not take.
const char* after_plus(std::string_view w) {
    return w.data() + (w.starts_with('+') && w.size() > 1 && w[1] != '-' ? 1 : 0);
}

}  // namespace

/// Read in the type itself: a double on the way would round twice. Beyond the range is a number that is too
/// large as well as one that is not 0 and would become 0.
template <class T>
double text_numbers::finite_number(std::string_view w, scalar type) const {
    T value = 0;
    const auto [end, code] = std::from_chars(after_plus(w), w.data() + w.size(), value);
    if (code == std::errc::invalid_argument || end != w.data() + w.size() || !std::isfinite(value))
        refuse_word(w, "a finite number");
    if (code != std::errc()) refuse_word(w, std::string("a number that ") + name_of(type) + " holds");
    return double{value};
}

double text_numbers::number(std::string_view w, scalar type) const {
    return type == scalar::f32 ? finite_number<float>(w, type) : finite_number<double>(w, type);
}

double text_numbers::number(scalar type) {
    return number(word("a number"), type);
}

double text_numbers::whole_number(scalar type) {
    const std::string_view w = word("a whole number");
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(after_plus(w), w.data() + w.size(), value);
    if (code == std::errc::invalid_argument || end != w.data() + w.size()) refuse_word(w, "a whole number");
    const auto digits = static_cast<std::uint64_t>(value < 0 ? -(value + 1) : value) + (value < 0 ? 1 : 0);
    const int significant =
        digits == 0 ? 0 : 64 - std::countl_zero(digits) - std::countr_zero(digits);  // bits
    if (code != std::errc() || significant > (type == scalar::f32 ? 24 : 53))
        refuse_word(w, std::string("a whole number of 64 bits that ") + name_of(type) + " holds exactly");
    return static_cast<double>(value);
}

}  // namespace wale::io
