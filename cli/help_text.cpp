#include "help_text.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace wale::cli {
namespace {

constexpr std::size_t text_column = 30;  // also in tools/command_help.py
constexpr std::size_t text_width = 80;   // of the explanations

/// The text in lines of at most `text_width`, broken between words. A line break in the text is a blank, two
/// are the end of a line.
std::string broken(const std::string& text) {
    std::string out;
    std::size_t width = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
        if (width > 0) {
            const bool fits = width + 1 + end - at <= text_width;
            out += fits ? ' ' : '\n';
            width = fits ? width + 1 : 0;
        }
        out.append(text, at, end - at);
        width += end - at;
        at = end + 1;
        if (text.substr(end, 2) == "\n\n") {
            out += '\n';
            width = 0;
            ++at;
        }
    }
    return out;
}

std::string entry(const std::string& name, const std::string& text) {
    std::string line = "  " + name;
    if (!text.empty()) {
        const std::string indent(text_column, ' ');
        if (line.size() < text_column)
            line.resize(text_column, ' ');
        else
            line += "\n" + indent;
        for (const char c : broken(text)) line += c == '\n' ? "\n" + indent : std::string(1, c);
    }
    return line + "\n";
}

std::string names_of(const std::set<CLI::Option*>& options) {
    std::vector<std::string> names;
    for (const CLI::Option* one : options) names.push_back(one->get_name());
    std::ranges::sort(names);  // the set has the order of addresses
    return fmt::format("{}", fmt::join(names, " "));
}

bool without_end(const CLI::Option& option) {
    return option.get_expected_max() >= CLI::detail::expected_max_vector_size;
}

/// Type, default and conditions, which follow the name.
std::string value_of(const CLI::Option& option) {
    std::string text;
    if (option.get_type_size() != 0) {
        if (!option.get_type_name().empty()) text += " " + option.get_type_name();
        if (!option.get_default_str().empty()) text += "=" + option.get_default_str();
        if (without_end(option))
            text += " ...";
        else if (option.get_expected_min() > 1)
            text += fmt::format(" x {}", option.get_expected_min());
        if (option.get_required()) text += " REQUIRED";
    }
    if (!option.get_needs().empty()) text += " Needs: " + names_of(option.get_needs());
    if (!option.get_excludes().empty()) text += " Excludes: " + names_of(option.get_excludes());
    return text;
}

/// A positional in the usage.
std::string place_of(const CLI::Option& option) {
    std::string text = option.get_name(true, false);
    if (without_end(option))
        text += "...";
    else if (option.get_expected_max() > 1)
        text += fmt::format("({}x)", option.get_expected_max());
    return option.get_required() ? text : "[" + text + "]";
}

}  // namespace

std::string help_text(const CLI::App& verb, const std::string& name) {
    std::string usage = "Usage: " + name, positionals, options, verbs;
    for (const CLI::Option* one : verb.get_options()) {
        if (one->get_positional())
            positionals += entry(one->get_name(true, false) + value_of(*one), one->get_description());
        if (one == verb.get_help_ptr())
            options += entry("-h,--help", one->get_description());  // -h: `arguments` in main.cpp
        else if (one->nonpositional())
            options += entry(one->get_name(false, true) + value_of(*one), one->get_description());
    }
    if (!options.empty()) usage += " [OPTIONS]";
    for (const CLI::Option* one : verb.get_options())
        if (one->get_positional()) usage += " " + place_of(*one);
    for (const CLI::App* one : verb.get_subcommands({}))
        verbs += entry(one->get_name(), one->get_description());
    if (!verbs.empty()) usage += verb.get_require_subcommand_min() > 0 ? " SUBCOMMAND" : " [SUBCOMMAND]";

    std::string text = verb.get_description() + "\n" + usage + "\n";
    if (!positionals.empty()) text += "\nPositionals:\n" + positionals;
    if (!options.empty()) text += "\nOptions:\n" + options;
    if (!verbs.empty()) text += "\nSubcommands:\n" + verbs;
    text += "\n";
    if (!verb.get_footer().empty()) text += verb.get_footer() + "\n";
    return text;
}

}  // namespace wale::cli
