// table_lines - text with a row of words a line, separated by commas, by semicolons, or by blanks.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "io/decimal.hpp"
#include "io/text_numbers.hpp"

namespace wale::io {

/// The rows of a table. What follows '#' is a comment; '%' begins none, since a damaged banner of
/// MatrixMarket must not pass for a table. Lines without a word are no rows.
class table_lines {
public:
    static constexpr char blanks = ' ';  // as a separator: any number of them

    table_lines(std::string_view text, std::string name) : text_(text, std::move(name)) {}

    /// Steps to the next row; false at the end.
    bool next() {
        if (begun_) (void)text_.line();
        for (begun_ = true; !text_.at_end(); (void)text_.line()) {
            const std::string_view line = text_.rest_of_line();
            rest_ = trimmed(line.substr(0, line.find('#')));
            if (rest_.empty()) continue;
            if (separator_ == 0) separator_ = separator_of(rest_);
            line_is_open_ = true;
            return true;
        }
        return false;
    }
    /// The next word of the row; false behind the last one. Refuses an empty one between separators.
    bool word(std::string_view& found) {
        if (!line_is_open_) return false;
        const std::size_t end =
            rest_.find_first_of(separator_ == blanks ? " \t" : std::string_view(&separator_, 1));
        found = trimmed(rest_.substr(0, end));
        line_is_open_ = end != std::string_view::npos;
        if (line_is_open_) rest_ = separator_ == blanks ? trimmed(rest_.substr(end)) : rest_.substr(end + 1);
        if (found.empty()) text_.refuse("an empty field, expected a number");
        return true;
    }
    [[nodiscard]] index_t words() {
        index_t count = 0;
        for (std::string_view found; word(found);) ++count;
        return count;
    }
    [[nodiscard]] const text_numbers& text() const { return text_; }
    /// Of the first row: ';', ',' or blanks.
    [[nodiscard]] char separator() const { return separator_; }

private:
    static char separator_of(std::string_view row) {
        for (const char c : {';', ','})
            if (row.find(c) != std::string_view::npos) return c;
        return blanks;
    }

    text_numbers text_;
    std::string_view rest_;
    char separator_ = 0;
    bool begun_ = false, line_is_open_ = false;
};

}  // namespace wale::io
