// csv - see csv.hpp.
#include "csv.hpp"

#include <cstdarg>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <utility>
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

}  // namespace

provenance this_run() {
    return {environment("WALE_COMMIT"), environment("WALE_MACHINE"), today()};
}

csv_file::csv_file(std::string path) : path_(std::move(path)) {
    std::error_code ignored;
    const bool fresh = !std::filesystem::exists(path_, ignored);
    std::ofstream file(path_, std::ios::app);
    if (fresh)
        file << "commit,date,machine,operation,size,variant,threads,median_s,rate_g_per_s,of_ceiling,policy,"
                "iterations,ratio\n";
    if (!file.flush()) throw cannot_write(path_ + " cannot be written", fresh);
}

void csv_file::add(const csv_row& r) const {
    const study_row& row = r.row;
    std::ofstream file(path_, std::ios::app);
    file << run_.commit << ',' << run_.date << ',' << run_.machine << ',' << r.operation << ',' << row.size
         << ',' << row.variant << ',' << r.threads << ',' << std::setprecision(6) << row.seconds << ','
         << row.rate / 1e9 << ',';
    if (row.ceiling > 0) file << std::setprecision(3) << row.of_ceiling;
    file << ",\"" << row.policy << "\"," << row.iterations << ',';
    if (r.ratio > 0) file << std::setprecision(4) << r.ratio;
    file << '\n';
    if (!file.flush()) throw cannot_write(path_ + " cannot be written", false);
}

csv_lines::csv_lines(const std::string& path, const std::string& header)
    : file_(std::fopen(path.c_str(), "a")) {
    if (file_ == nullptr) throw cannot_write(path + " cannot be written", true);
    if (std::ftell(file_) == 0) std::fprintf(file_, "commit,date,machine,%s\n", header.c_str());
}

csv_lines::~csv_lines() {
    std::fclose(file_);
}

void csv_lines::add(const char* format, ...) const {
    std::fprintf(file_, "%s,%s,%s,", run_.commit.c_str(), run_.date.c_str(), run_.machine.c_str());
    std::va_list words;
    va_start(words, format);
    std::vfprintf(file_, format, words);
    va_end(words);
    std::fputc('\n', file_);
    std::fflush(file_);
}

const csv_file*& csv_output() {
    static const csv_file* file = nullptr;
    return file;
}

}  // namespace wale::bench
