// numbers - std::from_chars in the option's own type: it knows no locale, wraps nothing, and says what is too
// large or would become 0.
#include "numbers.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <wale/layout.hpp>

#include "failure.hpp"
#include "text.hpp"

namespace wale::cli {
namespace {

constexpr int most_threads = 4096;

template <class T>
constexpr bool is_whole = std::is_integral_v<T>;

template <class T>
std::string text_of(T v) {
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, v).ptr};
}

/// What the option takes, in words.
template <class T>
std::string expectation(const range<T>& r) {
    if (r.any) return "a number";
    const bool from = r.least != std::numeric_limits<T>::lowest(),
               to = r.most != std::numeric_limits<T>::max();
    std::string text = is_whole<T> ? "a whole number" : from || to ? "a number" : "a finite number";
    if (is_whole<T> || (from && to))
        return text + (r.open ? " above " : " from ") + text_of(r.least) + (r.open ? " up to " : " to ") +
               text_of(r.most);
    if (from) text += r.open ? " above " + text_of(r.least) : " of at least " + text_of(r.least);
    if (to) text += " of at most " + text_of(r.most);
    return text;
}

template <class T>
bool holds(const range<T>& r, T v) {
    if constexpr (!is_whole<T>)
        if (!std::isfinite(v)) return r.any;
    return (r.open ? v > r.least : v >= r.least) && v <= r.most;
}

/// Why `word` is no number of the range; empty if it is one, which is then in `to`.
template <class T>
std::string flaw(const std::string& word, const range<T>& within, T& to) {
    const bool plus = word.size() > 1 && word[0] == '+' && word[1] != '-';
    T value{};
    const char* const end = word.data() + word.size();
    const auto [stop, code] = std::from_chars(word.data() + (plus ? 1 : 0), end, value);
    if (code != std::errc() || stop != end || !holds(within, value))
        return "is '" + printable(word) + "', expected " + expectation(within);
    to = value;
    return {};
}

template <class T>
void set(const CLI::Option& option, const std::string& word, const range<T>& within, T& to) {
    if (const std::string why = flaw(word, within, to); !why.empty())
        throw CLI::ValidationError(option.get_name(), why);
}

/// CLI11 asks a callback for the option's words, which it has split; `take` throws where one is no number.
template <class T, class Take>
CLI::Option& add(CLI::App& verb, const std::string& names, const std::string& text, const Take& take,
                 const std::function<std::string()>& shown) {
    auto self = std::make_shared<CLI::Option*>(nullptr);
    *self = verb.add_option(
        names,
        [self, take](const CLI::results_t& words) {
            take(**self, words);
            return true;
        },
        text, false, shown);
    return *(*self)->type_name(CLI::detail::type_name<T>());
}

}  // namespace

template <class T>
T number_of(const std::string& option, const std::string& word, const range<T>& within) {
    T value{};
    if (const std::string why = flaw(word, within, value); !why.empty())
        throw usage_error(option + ": " + why);
    return value;
}

template <class T>
CLI::Option& add_number(CLI::App& verb, const std::string& names, T& to, const range<T>& within,
                        const std::string& text) {
    return add<T>(
        verb, names, text,
        [&to, within](const CLI::Option& o, const CLI::results_t& words) {
            set(o, words.front(), within, to);
        },
        [&to] { return text_of(to); });
}

template <class T>
CLI::Option& add_numbers(CLI::App& verb, const std::string& names, std::vector<T>& to, const range<T>& within,
                         const std::string& text) {
    const auto take = [&to, within](const CLI::Option& o, const CLI::results_t& words) {
        to.clear();
        for (const std::string& word : words) set(o, word, within, to.emplace_back());
    };
    return *add<T>(verb, names, text, take, [] { return std::string(); })
                .delimiter(',')
                ->expected(1, CLI::detail::expected_max_vector_size);
}

void add_run(CLI::App& verb, run_options& o, const std::string& device, const std::string& rows) {
    verb.add_option("-b,--backend", o.backend, device)
        ->check(CLI::IsMember({"auto", "reference", "cpu", "cuda"}))
        ->capture_default_str();
    verb.add_option("--variant", o.variant, rows)->capture_default_str();
    add_threads(verb, o.threads);
    add_numbers<index_t>(
        verb, "--devices", o.devices, {0, 1023},
        "CUDA devices among which the work is split, such as 0,1; what is not split is refused")
        .type_name("K,...")
        ->allow_extra_args(false);  // the words behind are files
}

bool follow_ending(const CLI::Option& format, std::string& chosen, const common_options& o,
                   const std::vector<std::string>& known) {
    if (format.count() > 0) return false;
    const std::string ending = ending_of(o.output);
    const bool says = !o.json && std::ranges::find(known, ending) != known.end();
    if (says) chosen = ending;
    expect_text_name(o.output, o.json ? "json" : chosen);
    return says;
}

void add_threads(CLI::App& verb, int& threads, const std::string& text) {
    add_number<int>(verb, "-t,--threads", threads, {0, most_threads}, text).type_name("N");
}

template index_t number_of(const std::string&, const std::string&, const range<index_t>&);
template double number_of(const std::string&, const std::string&, const range<double>&);
template CLI::Option& add_number(CLI::App&, const std::string&, int&, const range<int>&, const std::string&);
template CLI::Option& add_number(CLI::App&, const std::string&, index_t&, const range<index_t>&,
                                 const std::string&);
template CLI::Option& add_number(CLI::App&, const std::string&, std::uint64_t&, const range<std::uint64_t>&,
                                 const std::string&);
template CLI::Option& add_number(CLI::App&, const std::string&, double&, const range<double>&,
                                 const std::string&);
template CLI::Option& add_numbers(CLI::App&, const std::string&, std::vector<index_t>&, const range<index_t>&,
                                  const std::string&);

}  // namespace wale::cli
