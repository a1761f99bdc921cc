// csv - see csv.hpp.
#include "csv.hpp"

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <wale/error.hpp>

namespace wale::bench {
namespace {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && value[0] != '\0' ? value : "unknown";
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    char text[16];
    std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
    return text;
}

/// The program and its arguments, absolute paths without their folders, or what WALE_COMMAND says, as one CSV
/// field.
std::string command_line() {
    if (const char* value = std::getenv("WALE_COMMAND")) return '"' + std::string(value) + '"';
    std::ifstream file("/proc/self/cmdline");
    std::string all, argument;
    while (std::getline(file, argument, '\0')) {
        const bool folder = all.empty() || argument.starts_with('/');
        if (!all.empty()) all += ' ';
        all += folder ? argument.substr(argument.rfind('/') + 1) : argument;
    }
    for (char& c : all)
        if (c == '"' || c == '\n') c = '\'';
    return '"' + all + '"';
}

}  // namespace

csv_lines::csv_lines(const std::string& path, const std::string& header)
    : file_(std::fopen(path.c_str(), "a")),
      run_(environment("WALE_COMMIT") + ',' + today() + ',' + environment("WALE_MACHINE") + ',' +
           command_line() + ',') {
    if (file_ == nullptr) throw cannot_write(path + " cannot be written", true);
    if (std::ftell(file_) == 0) std::fprintf(file_, "commit,date,machine,command,%s\n", header.c_str());
}

void csv_lines::append(std::string& line, std::string_view text) {
    if (!line.empty()) line += ',';
    const bool quoted = text.find(',') != std::string_view::npos;
    if (quoted) line += '"';
    line += text;
    if (quoted) line += '"';
}

void csv_lines::append(std::string& line, double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.8g", value);
    append(line, std::string_view(text));
}

void csv_lines::write(const std::string& line) const {
    std::fprintf(file_, "%s%s\n", run_.c_str(), line.c_str());
    std::fflush(file_);
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
}

}  // namespace wale::bench
