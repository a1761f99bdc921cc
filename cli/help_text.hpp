// help_text - what `--help` prints.
#pragma once
#include <CLI/App.hpp>
#include <string>

namespace wale::cli {

/// Description, usage, positionals, options, verbs and footer of `verb`, called as `name`. The layout is one
/// for all versions of CLI11, whose own differs between versions: man pages and completion are read from the
/// help (tools/command_help.py).
std::string help_text(const CLI::App& verb, const std::string& name);

}  // namespace wale::cli
