// enumerators - the words of every enumeration that a user writes: the same in C++, on the command line, in
// files and in Python. Values count from 0, `name_of` gives the word of each.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>
#include <wale/alignment.hpp>
#include <wale/cable.hpp>
#include <wale/error.hpp>
#include <wale/euler_file.hpp>
#include <wale/infix.hpp>
#include <wale/lu_refined.hpp>
#include <wale/mesh_file.hpp>
#include <wale/mesh_tools.hpp>
#include <wale/pivoting.hpp>
#include <wale/reconstruction.hpp>
#include <wale/vectors.hpp>
#include <wale/wavefront.hpp>

namespace wale {

[[nodiscard]] constexpr const char* name_of(pivoting p) noexcept {
    constexpr const char* names[] = {"none", "partial", "tournament"};
    return names[static_cast<int>(p)];
}
[[nodiscard]] constexpr const char* name_of(recurrence r) noexcept {
    constexpr const char* names[] = {"lcs", "edit", "global", "dtw", "summed_area"};
    return names[static_cast<int>(r)];
}
[[nodiscard]] constexpr const char* name_of(alignment_mode m) noexcept {
    constexpr const char* names[] = {"global", "semi_global", "local"};
    return names[static_cast<int>(m)];
}
[[nodiscard]] constexpr const char* name_of(alignment_task t) noexcept {
    constexpr const char* names[] = {"score", "ends", "starts", "path"};
    return names[static_cast<int>(t)];
}
[[nodiscard]] constexpr const char* name_of(dtw_cost c) noexcept {
    return c == dtw_cost::absolute ? "absolute" : "squared";
}
[[nodiscard]] constexpr const char* name_of(infix_mode m) noexcept {
    return m == infix_mode::infix ? "infix" : "prefix";
}
[[nodiscard]] constexpr const char* name_of(infix_task t) noexcept {
    constexpr const char* names[] = {"distance", "locations", "path"};
    return names[static_cast<int>(t)];
}
[[nodiscard]] constexpr const char* name_of(reconstruction_method m) noexcept {
    return m == reconstruction_method::dilation ? "dilation" : "erosion";
}
[[nodiscard]] constexpr const char* name_of(cable_method m) noexcept {
    constexpr const char* names[] = {"backward_euler", "crank_nicolson", "sdirk2"};
    return names[static_cast<int>(m)];
}
[[nodiscard]] constexpr const char* name_of(partition_method m) noexcept {
    constexpr const char* names[] = {"automatic", "metis", "bisection"};
    return names[static_cast<int>(m)];
}
[[nodiscard]] constexpr const char* name_of(vector_layout l) noexcept {
    constexpr const char* names[] = {"flat", "interleaved", "block_interleaved", "unified"};
    return names[static_cast<int>(l)];
}

/// The last value of each enumeration that a user writes. euler_start::file behind vortex is no word of a
/// user.
inline constexpr std::tuple last_values{backend::cuda,
                                        scalar::c128,
                                        pivoting::tournament,
                                        factor_precision::f64,
                                        recurrence::summed_area,
                                        alignment_mode::local,
                                        alignment_task::path,
                                        dtw_cost::squared,
                                        infix_mode::prefix,
                                        infix_task::path,
                                        reconstruction_method::erosion,
                                        vector_layout::unified,
                                        cable_region::apical,
                                        cable_method::sdirk2,
                                        cell_shape::hexahedron,
                                        cell_order::hilbert,
                                        mesh_kind::c_grid,
                                        mesh_format::cache,
                                        partition_method::bisection,
                                        euler_flux::roe,
                                        euler_limiter::automatic,
                                        euler_time::automatic,
                                        euler_step::rodinia,
                                        euler_shocks::blended,
                                        euler_boundary::vortex_far_field,
                                        euler_start::vortex,
                                        euler_columns::su2,
                                        euler_swept::mach,
                                        euler_quantity::entropy};

/// How many values an enumeration has.
template <class Enum>
inline constexpr int enumerators = 1 + static_cast<int>(std::get<Enum>(last_values));

/// The words of an enumeration, in the order of its values.
template <class Enum>
[[nodiscard]] std::vector<std::string> words_of() {
    std::vector<std::string> words;
    for (int i = 0; i < enumerators<Enum>; ++i) words.emplace_back(name_of(static_cast<Enum>(i)));
    return words;
}

/// The same with commas between them.
template <class Enum>
[[nodiscard]] std::string list_of_words() {
    std::string list;
    for (const std::string& one : words_of<Enum>()) list += (list.empty() ? "" : ", ") + one;
    return list;
}

/// The value of this name; float16, float32 and float64 may be written f16, f32 and f64.
template <class Enum>
[[nodiscard]] std::optional<Enum> find_named(std::string_view word) {
    const bool is_short = word == "f16" || word == "f32" || word == "f64";
    const std::string name = is_short ? "float" + std::string(word.substr(1)) : std::string(word);
    for (int i = 0; i < enumerators<Enum>; ++i)
        if (name == name_of(static_cast<Enum>(i))) return static_cast<Enum>(i);
    return std::nullopt;
}

/// The value of this name. Throws bad_argument "argument: is 'word', expected one of ...".
template <class Enum>
[[nodiscard]] Enum named(const std::string& argument, const std::string& word) {
    if (const std::optional<Enum> found = find_named<Enum>(word)) return *found;
    throw bad_argument(argument + ": is '" + word + "', expected one of " + list_of_words<Enum>());
}

}  // namespace wale
