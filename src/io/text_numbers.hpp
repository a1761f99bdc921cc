// text_numbers - words and numbers of a text, line by line, for parsers that say where they stumbled.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <wale/error.hpp>
#include <wale/matrix.hpp>

namespace wale::io {

/// Without the mark of UTF-8 with which spreadsheets and some editors begin a text.
[[nodiscard]] inline std::string_view without_mark(std::string_view text) {
    return text.starts_with("\xef\xbb\xbf") ? text.substr(3) : text;
}

/// Words are separated by blanks; a line may end in CR LF. Where the text has no LF, each CR ends a line, as
/// old Macintosh programs write it: a comment would else take the rest of the text.
class text_numbers {
public:
    text_numbers(std::string_view text, std::string name)
        : text_(without_mark(text)), name_(std::move(name)), end_(end_of_lines(text)) {}

    [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
    [[nodiscard]] std::size_t left() const { return text_.size() - at_; }  // bytes
    [[nodiscard]] index_t line_number() const { return line_; }            // from 1

    /// The rest of this line, without its end; steps over nothing.
    [[nodiscard]] std::string_view rest_of_line() const;
    /// The whole next line, without its end.
    [[nodiscard]] std::string_view line();
    [[nodiscard]] std::string_view all_left() const { return text_.substr(at_); }
    /// Steps over whole lines.
    void skip_lines(std::size_t bytes, index_t lines);
    /// Steps over blanks and empty lines, and over lines that start with '%' if there are comments.
    void skip(bool comments);
    /// The next word of this line; refuses a line, or a file, that has no more.
    [[nodiscard]] std::string_view word(const char* expected);
    /// Refuses anything more on this line, and steps over it.
    void end_line(const char* expected);

    /// 0 to 2^63.
    [[nodiscard]] index_t count(const char* what);
    /// A finite number, rounded to the type. Refused where it is beyond the type's range, or is not 0 and
    /// would become 0; subnormal numbers are kept.
    [[nodiscard]] double number(scalar type);
    [[nodiscard]] double number(std::string_view word, scalar type) const;  // of a word of this line
    /// A whole number of 64 bits that the type holds exactly.
    [[nodiscard]] double whole_number(scalar type);

    [[noreturn]] void refuse(const std::string& what) const;  // bad_input "name:line: what"
    [[noreturn]] void refuse_word(std::string_view word, const std::string& expected) const;

private:
    template <class T>
    double finite_number(std::string_view word, scalar type) const;
    static char end_of_lines(std::string_view text) {
        return text.find('\n') == text.npos && text.find('\r') != text.npos ? '\r' : '\n';
    }
    void skip_blanks();
    std::string_view text_;
    std::string name_;
    char end_;
    std::size_t at_ = 0;
    index_t line_ = 1;
};

}  // namespace wale::io
