// threads - starts the threads of a group, and says which of them the system refused.
#pragma once

#include <exception>
#include <string>
#include <system_error>
#include <thread>
#include <vector>
#include <wale/error.hpp>

namespace wale::base {

/// Starts run(k) for k = first..size-1, each on a thread of its own that goes to the end of `threads`.
/// Returns null, or why the group is not complete: out_of_memory where the system refuses a thread. Whoever
/// calls has to end the waits of the threads that have started before joining these threads.
template <class F>
[[nodiscard]] std::exception_ptr start_threads(std::vector<std::jthread>& threads, int first, int size,
                                               const F& run) {
    int k = first;
    try {
        threads.reserve(static_cast<std::size_t>(size));
        for (; k < size; ++k) threads.emplace_back([&run, k] { run(k); });
    } catch (const std::system_error& e) {
        return std::make_exception_ptr(
            out_of_memory("threads: is " + std::to_string(size) + ", of which the system starts " +
                              std::to_string(k) + " (" + e.code().message() + "), expected fewer threads",
                          false));
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

}  // namespace wale::base
