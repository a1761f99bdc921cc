// failure - from exceptions and signals to exit codes.
#include "failure.hpp"

#include <unistd.h>

#include <csignal>
#include <iostream>
#include <new>
#include <string_view>
#include <wale/error.hpp>
#include <wale/output_file.hpp>
#include <wale/picture_file.hpp>

#include "json.hpp"

namespace wale::cli {
namespace {

extern "C" void leave(int signal_number) {
    remove_unfinished_outputs();
    _exit(signal_number == SIGPIPE ? exit_cannot_write : 128 + signal_number);
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

}  // namespace

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
    if (as<cannot_open>(e)) return {exit_cannot_open, e.what(), {}};
    if (as<backend_unavailable>(e)) {
        const bool device = std::string_view(e.what()).starts_with("CUDA");
        return {exit_unavailable, e.what(), device ? "--backend cpu computes the same" : ""};
    }
    if (const auto* memory = as<out_of_memory>(e)) {
        if (memory->on_device()) return {exit_device_busy, e.what(), "--backend cpu needs no device memory"};
        return {exit_no_memory, e.what(), {}};
    }
    if (as<std::bad_alloc>(e)) return {exit_no_memory, "host memory does not suffice", {}};
    if (const auto* write = as<cannot_write>(e))
        return {write->at_creation() ? exit_cannot_create : exit_cannot_write, e.what(), {}};
    return f;
}

int print(const failure& f, bool json) {
    if (json) {
        std::cerr << to_json(f, place_of(f.what)) << '\n';
        return f.code;
    }
    std::cerr << "wale: error: " << f.what << '\n';
    if (!f.hint.empty()) std::cerr << "wale: hint: " << f.hint << '\n';
    return f.code;
}

void install_signal_handlers() {
    struct sigaction action {};
    action.sa_handler = leave;
    sigemptyset(&action.sa_mask);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
        struct sigaction before {};
        sigaction(number, nullptr, &before);
        if (before.sa_handler != SIG_IGN) sigaction(number, &action, nullptr);  // nohup stays nohup
    }
}

}  // namespace wale::cli
