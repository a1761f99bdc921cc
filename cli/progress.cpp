// progress - a thread that writes the line; the work never waits for the terminal.
#include "progress.hpp"

#include <unistd.h>

#include <chrono>
#include <iostream>
#include <system_error>

namespace wale::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto silence = 2s;  // shorter work shows nothing
constexpr auto interval = 250ms;
constexpr const char* wipe = "\r\033[K";

}  // namespace

progress::progress() {
    if (isatty(STDERR_FILENO) != 1) return;
    try {
        thread_ = std::thread(&progress::show, this);
    } catch (const std::system_error&) {  // the system refuses the thread: the work runs without the line
    }
}

void progress::say(const std::string& text) {
    const std::lock_guard lock(mutex_);
    text_ = text;
}

void progress::show() {
    const auto start = std::chrono::steady_clock::now();
    std::unique_lock lock(mutex_);
    auto wait = std::chrono::duration_cast<std::chrono::milliseconds>(silence);
    while (!wake_.wait_for(lock, wait, [this] { return done_; })) {
        const auto seconds =
            std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start);
        std::cerr << wipe << "wale: " << text_ << ", " << seconds.count() << " s" << std::flush;
        shown_ = true;
        wait = interval;
    }
    if (shown_) std::cerr << wipe << std::flush;
}

void progress::stop() {
    {
        const std::lock_guard lock(mutex_);
        done_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
}

}  // namespace wale::cli
