// failure - from exceptions and signals to exit codes.
#include "failure.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <string_view>
#include <system_error>
#include <wale/error.hpp>
#include <wale/host_memory.hpp>
#include <wale/image_file.hpp>
#include <wale/output_file.hpp>
#include <wale/ranks.hpp>

#include "json.hpp"
#include "text.hpp"

namespace wale::cli {
namespace {

extern "C" void leave(int signal_number) {
    remove_unfinished_outputs();
    _exit(signal_number == SIGPIPE ? exit_cannot_write : 128 + signal_number);
}

/// A crash stays one for the caller, with its signal and its core file.
extern "C" void crash(int signal_number) {
    remove_unfinished_outputs();
    (void)std::signal(signal_number, SIG_DFL);
    (void)raise(signal_number);
}

/// Signals that do not end a process, or that no handler may take.
bool spares_the_process(int number) {
    for (const int spared : {SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGCHLD, SIGCONT, SIGURG, SIGWINCH})
        if (number == spared) return true;
    return false;
}

bool is_crash(int number) {
    for (const int fatal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP})
        if (number == fatal) return true;
    return false;
}

template <class Error>
const Error* as(const std::exception& e) {
    return dynamic_cast<const Error*>(&e);
}

/// Messages start with `file:line: ` or `argument: `.
std::string place_of(const std::string& what) {
    const std::size_t end = what.find(": ");
    return end == std::string::npos ? std::string() : what.substr(0, end);
}

/// Whether a file's name may be a sequence, typed where files are expected.
bool like_a_sequence(const std::string& name) {
    return name.size() > 2 && std::ranges::all_of(name, [](char c) { return c >= 'A' && c <= 'Z'; });
}

}  // namespace

std::string ending_of(const std::string& path) {
    std::string found = std::filesystem::path(path).extension();
    for (char& c : found)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return found.empty() ? found : found.substr(1);
}

void expect_text_name(const std::string& path, std::string_view written) {
    const std::string found = ending_of(path);
    if (found == written) return;
    const auto refuse_if = [&](std::initializer_list<std::string_view> endings, const std::string& hint) {
        if (std::ranges::find(endings, found) != endings.end())
            throw usage_error("--output: is '" + printable(path) + "', expected a name for " +
                                  std::string(written) + ", which is what is written",
                              hint);
    };
    refuse_if({"bz2", "gz", "xz", "zst"}, "nothing is compressed: `| gzip > FILE` does it");
    refuse_if({"bam", "cram"}, "--format sam | samtools sort -o FILE");
    refuse_if({"csv", "h5", "hdf5", "jpg", "json", "mat", "npy", "npz", "paf", "parquet", "pdf", "png", "sam",
               "tif", "tiff", "tsv", "vtu", "xlsx"},
              "");
}

void expect_ending(const std::string& argument, const std::string& path, std::string_view ending) {
    const std::string found = ending_of(path);
    if (!found.empty() && "." + found != ending)
        throw usage_error(argument + ": is '" + printable(path) + "', expected a name that ends in " +
                          std::string(ending));
}

bool wants_json(int count, char** words) {
    return std::any_of(words, words + count,
                       [](std::string_view word) { return word == "--json" || word == "--json=true"; });
}

failure explain(const std::exception& e) {
    failure f{exit_internal, e.what(),
              "this is a defect of wale or of a driver; please report it with the command"};
    if (const auto* usage = as<usage_error>(e)) return {exit_usage, e.what(), usage->hint()};
    if (as<bad_argument>(e)) return {exit_usage, e.what(), {}};
    if (as<unsupported_variant>(e)) return {exit_usage, e.what(), "`wale list` shows what exists"};
    if (const auto* input = as<input_error>(e)) return {exit_bad_input, e.what(), input->hint()};
    if (as<needs_reduction>(e))
        return {exit_bad_input, e.what(),
                "--gray or --channel K reduce colour, --drop-alpha leaves alpha out"};
    if (as<bad_input>(e)) return {exit_bad_input, e.what(), {}};
    if (as<verdict_error>(e)) return {exit_verdict, e.what(), {}};
    if (as<cannot_open>(e)) {
        const bool typed = like_a_sequence(place_of(e.what()));
        return {exit_cannot_open, e.what(),
                typed ? "`wale align --strings A B` takes sequences, not files" : ""};
    }
    if (as<backend_unavailable>(e)) {
        const bool device = std::string_view(e.what()).starts_with("CUDA");
        return {exit_unavailable, e.what(), device ? "--backend cpu computes the same" : ""};
    }
    if (as<rank_error>(e)) return {exit_unavailable, e.what(), {}};
    if (const auto* memory = as<out_of_memory>(e)) {
        if (memory->on_device()) return {exit_device_busy, e.what(), "--backend cpu needs no device memory"};
        return {exit_no_memory, e.what(), {}};
    }
    if (as<allocation_refused>(e)) return {exit_no_memory, e.what(), {}};
    if (as<std::bad_alloc>(e) || as<std::length_error>(e))
        return {exit_no_memory,
                out_of_memory("host memory", out_of_memory::unknown, available_host_memory()).what(),
                {}};
    if (const auto* system = as<std::system_error>(e);
        system && system->code() == std::errc::resource_unavailable_try_again)
        return {exit_no_memory, "a thread cannot be started: " + system->code().message(),
                "--threads 1 starts none"};
    if (const auto* write = as<cannot_write>(e))
        return {write->at_creation() ? exit_cannot_create : exit_cannot_write, e.what(), {}};
    return f;
}

int print_no_memory(bool json) noexcept {
    constexpr std::string_view line = "wale: error: host memory does not suffice\n";
    constexpr std::string_view object =
        R"({"schema_version":1,"code":71,"where":"","what":"host memory does not suffice","hint":""})"
        "\n";
    const std::string_view text = json ? object : line;
    (void)!write(STDERR_FILENO, text.data(), text.size());
    return exit_no_memory;
}

void install_terminate_handler(bool json) {
    static bool as_json = false;
    as_json = json;
    std::set_terminate([] {
        try {
            if (std::current_exception()) throw;
        } catch (const std::bad_alloc&) {
            remove_unfinished_outputs();
            _exit(print_no_memory(as_json));
        } catch (...) {
        }
        std::abort();
    });
}

int print(const failure& f, bool json) {
    // A line each, whatever a caller's word has in it.
    std::string text = json ? to_json(f, place_of(f.what)) : "wale: error: " + printable(f.what);
    if (!json && !f.hint.empty()) text += "\nwale: hint: " + printable(f.hint);
    std::cerr << text + "\n";  // at once: ranks share the stream
    return f.code;
}

void install_signal_handlers() {
    static char stack[1 << 16];  // a crash may leave no space on the ordinary stack
    const stack_t handlers{.ss_sp = stack, .ss_flags = 0, .ss_size = sizeof stack};
    (void)sigaltstack(&handlers, nullptr);
    for (int number = 1; number < NSIG; ++number) {
        struct sigaction before {};
        if (spares_the_process(number) || sigaction(number, nullptr, &before) != 0) continue;
        if (before.sa_handler != SIG_DFL) continue;  // nohup stays nohup, a sanitizer keeps its reports
        struct sigaction action {};
        sigemptyset(&action.sa_mask);
        action.sa_handler = is_crash(number) ? crash : leave;
        action.sa_flags = is_crash(number) ? static_cast<int>(SA_RESETHAND) | SA_ONSTACK : 0;
        if (number == SIGXFSZ) action.sa_handler = SIG_IGN;  // a write beyond the limit then fails with EFBIG
        (void)sigaction(number, &action, nullptr);
    }
}

}  // namespace wale::cli
