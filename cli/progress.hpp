// progress - a line on the terminal while work takes longer than two seconds.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace wale::cli {

/// Shows the last text and the time since the start; nothing when standard error is not a terminal.
class progress {
public:
    progress();
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;
    ~progress() { stop(); }
    void say(const std::string& text);
    void stop();  // and wipes the line

private:
    void show();

    std::mutex mutex_;
    std::condition_variable wake_;
    std::string text_;
    bool done_ = false;
    bool shown_ = false;
    std::thread thread_;
};

}  // namespace wale::cli
