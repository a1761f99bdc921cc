// numbers - numeric options: a word becomes a number of the option's type and range, or one line says why it
// does not. CLI11's own conversions wrap -1 into an unsigned type, stop at the largest number and read 010
// as 8.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "options.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace wale::cli {

/// The numbers that an option takes: `least` (unless `open`) to `most`. Of floating-point numbers NaN and Inf
/// are taken only where `any`.
template <class T>
struct range {
    T least = std::numeric_limits<T>::lowest();
    T most = std::numeric_limits<T>::max();
    bool open = false;
    bool any = false;
};

inline constexpr range<double> positive{.least = 0, .open = true};
inline constexpr range<double> not_negative{.least = 0};

/// The number that `word` spells, a part of the value of `option`. Throws usage_error
/// "option: is 'word', expected a whole number from 0 to 4096".
template <class T>
[[nodiscard]] T number_of(const std::string& option, const std::string& word, const range<T>& within = {});

/// Adds an option that takes one number. T: int, index_t, std::uint64_t or double.
template <class T>
CLI::Option& add_number(CLI::App& verb, const std::string& names, T& to, const range<T>& within,
                        const std::string& text);

/// Adds an option that takes a list with commas.
template <class T>
CLI::Option& add_numbers(CLI::App& verb, const std::string& names, std::vector<T>& to, const range<T>& within,
                         const std::string& text);

/// Adds --backend, --variant, --threads and --devices; `device` says when "auto" takes CUDA, `rows` where the
/// names are.
void add_run(CLI::App& verb, run_options& o, const std::string& device, const std::string& rows);

/// Without --format the ending of the output's name says it, true where that is one of `known`; throws
/// usage_error where the ending is that of a format which is not written.
bool follow_ending(const CLI::Option& format, std::string& chosen, const common_options& o,
                   const std::vector<std::string>& known);

/// Adds --threads, of the CPU backend.
void add_threads(CLI::App& verb, int& threads,
                 const std::string& text = "CPU threads; 0: all that this process may use");

}  // namespace wale::cli
