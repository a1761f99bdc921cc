// text_fuzz - what holds for arbitrary bytes that may be a text which one reader takes: cases of flows in
// TOML, two columns, substitution matrices and profiles, lines of numbers.
#pragma once

#include <cmath>
#include <cstdint>
#include <wale/euler_file.hpp>
#include <wale/profile.hpp>
#include <wale/series_file.hpp>

#include "fuzz/demand.hpp"

namespace wale {

enum class text_format { euler_setup, pairs, scores, series };

namespace fuzz {

inline void check_euler_setup(std::string_view text) {
    (void)takes([&] {
        const auto s = parse_euler_setup(text, "fuzz");
        demand(s.iterations >= 0 && s.checkpoint_every >= 0 && s.recipe.size >= 1, "counts are in range");
        demand(s.options.stream.mach >= 0 && s.options.stream.gamma > 1, "the stream is one");
        demand(s.options.scheme.cfl > 0 && s.options.scheme.levels >= 1, "the scheme is one");
    });
}

inline void check_pairs(std::string_view text) {
    std::array<std::vector<double>, 2> out;
    if (!takes([&] { out = parse_pairs(text, "fuzz"); })) return;
    demand(!out[0].empty() && out[0].size() == out[1].size(), "there are pairs");
    for (const auto& column : out)
        for (const double v : column) demand(std::isfinite(v), "numbers are finite");
}

inline void check_scores(std::string_view text) {
    substitution_matrix matrix;
    if (takes([&] { matrix = substitution_matrix::parse(text, "fuzz"); }))
        demand(matrix.scores().size() == matrix.letters().size() * matrix.letters().size(),
               "a matrix is square");
    score_profile profile("A", {});
    if (!takes([&] { profile = score_profile::parse(text, "fuzz"); })) return;
    demand(profile.size() > 0, "a profile has positions");
    demand(profile.scores().size() == profile.consensus().size() * profile.letters().size(),
           "a position has a score for each letter");
    for (const std::int32_t s : profile.scores())
        demand(s >= -1'000'000 && s <= 1'000'000, "scores are in range");
}

inline void check_series(std::string_view text) {
    number_lines lines;
    if (!takes([&] { lines = parse_number_lines(text, "fuzz"); })) return;
    demand(lines.offsets.front() == 0 && lines.offsets.back() == std::ssize(lines.numbers),
           "lines are all numbers");
    for (std::size_t k = 1; k < lines.offsets.size(); ++k)
        demand(lines.offsets[k] >= lines.offsets[k - 1], "lines follow each other");
    for (const double v : lines.numbers) demand(std::isfinite(v), "numbers are finite");
    (void)lines.width();
}

inline void check(std::string_view text, text_format format) {
    switch (format) {
        case text_format::euler_setup:
            return check_euler_setup(text);
        case text_format::pairs:
            return check_pairs(text);
        case text_format::scores:
            return check_scores(text);
        case text_format::series:
            return check_series(text);
    }
}

}  // namespace fuzz
}  // namespace wale
