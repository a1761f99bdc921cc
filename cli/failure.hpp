// failure - exit codes, and the one line that says what went wrong.
#pragma once

#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <wale/error.hpp>

namespace wale::cli {

// Exit codes, as in sysexits.h where that has one.
inline constexpr int exit_good = 0, exit_verdict = 1, exit_usage = 2, exit_bad_input = 65,
                     exit_cannot_open = 66, exit_unavailable = 69, exit_internal = 70, exit_no_memory = 71,
                     exit_cannot_create = 73, exit_cannot_write = 74, exit_device_busy = 75;

/// The command line asks for something that does not fit together.
class usage_error : public std::runtime_error {
public:
    explicit usage_error(const std::string& what, std::string hint = {})
        : std::runtime_error(what), hint_(std::move(hint)) {}
    [[nodiscard]] const std::string& hint() const noexcept { return hint_; }

private:
    std::string hint_;
};

/// Throws usage_error where a file's name has another ending than that of what is written there, ".png" or
/// ".vtu"; a name without one is the caller's affair.
void expect_ending(const std::string& argument, const std::string& path, std::string_view ending);

/// The ending of a path in lower case, without the dot; empty if there is none.
[[nodiscard]] std::string ending_of(const std::string& path);

/// Throws usage_error where the name of -o ends as files of another format than `written` do ("csv", "sam"):
/// text in x.bam, x.npy or x.tsv.gz would mislead. Other endings are the caller's affair.
void expect_text_name(const std::string& path, std::string_view written);

/// A file's content is at fault, and an option may help.
class input_error : public bad_input {
public:
    explicit input_error(const std::string& what, std::string hint = {})
        : bad_input(what), hint_(std::move(hint)) {}
    [[nodiscard]] const std::string& hint() const noexcept { return hint_; }

private:
    std::string hint_;
};

/// Computed, but the answer failed its verification.
class verdict_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A request for more memory than is available, with both numbers.
class allocation_refused : public std::bad_alloc {
public:
    explicit allocation_refused(const char* why) noexcept { std::strncpy(text_, why, sizeof text_ - 1); }
    [[nodiscard]] const char* what() const noexcept override { return text_; }

private:
    char text_[128]{};
};

struct failure {
    int code = exit_internal;
    std::string what;
    std::string hint;  // may be empty
};

/// Whether the words of the command ask for JSON: also where they cannot be parsed.
[[nodiscard]] bool wants_json(int count, char** words);

/// What an exception means for the caller of the program.
[[nodiscard]] failure explain(const std::exception& e);

/// "wale: error: ..." and "wale: hint: ...", or one JSON object, on standard error. Returns the code.
int print(const failure& f, bool json);

/// The same where not even the message of another failure finds memory: takes none. Returns 71.
int print_no_memory(bool json) noexcept;

/// Where std::bad_alloc meets a noexcept function, as CLI11 has some that allocate: the same line, and 71.
void install_terminate_handler(bool json);

/// Of every signal that ends a process: no unfinished file stays, exit 128 + number. SIGPIPE, the reader has
/// gone: quietly 74. SIGXFSZ, a file grows beyond its limit: the write fails, 74. SIGSEGV and other crashes
/// end the process by their signal.
void install_signal_handlers();

}  // namespace wale::cli
