// score_text - files of scores, line by line: of substitution matrices and of profiles.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
#include <wale/layout.hpp>

#include "io/byte_source.hpp"
#include "io/text_numbers.hpp"

namespace wale::wavefront {

class score_text {
public:
    score_text(std::string_view text, std::string name) : text_(text, name), name_(std::move(name)) {}

    /// The words of the next line that is neither empty nor a comment after '#'; none at the end.
    [[nodiscard]] const std::vector<std::string_view>& next();
    [[nodiscard]] char letter(std::string_view word) const;
    [[nodiscard]] std::int32_t score(std::string_view word) const;
    /// bad_input "name:line: what", of the line that next() gave.
    [[noreturn]] void refuse(const std::string& what) const;
    [[noreturn]] void refuse_word(std::string_view word, const std::string& expected) const;

private:
    io::text_numbers text_;
    std::string name_;
    index_t line_ = 1;
    std::vector<std::string_view> words_;
};

/// parse(bytes, name) of a whole file.
template <class Parse>
auto read_scores(const std::string& path, index_t most_bytes, const Parse& parse) {
    return io::parse_source(
        path, most_bytes, [](std::string_view) { return true; },
        [&](const io::byte_source& source, const std::string& name) {
            return parse(io::all_bytes(source, name, most_bytes), name);
        });
}

}  // namespace wale::wavefront
