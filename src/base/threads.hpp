// threads - how many threads a caller may ask for, and the start of a group of threads, of which the system
// may refuse some.
#pragma once

#include <exception>
#include <string>
#include <system_error>
#include <thread>
#include <vector>
#include <wale/error.hpp>
#include <wale/execution.hpp>

namespace wale::base {

/// What a caller gets where the system starts `started` threads of `size` (the caller is one of them).
[[nodiscard]] inline out_of_memory refused_thread(int started, int size, const std::system_error& why) {
    return {"threads: is " + std::to_string(size) + ", of which the system starts " +
                std::to_string(started) + " (" + why.code().message() + "), expected fewer threads",
            false};
}

/// Starts run(k) for k = first..size-1, each on a thread of its own that goes to the end of `threads`.
/// Returns null, or why the group is not complete: out_of_memory where the system refuses a thread. The
/// caller ends the waits of the threads that have started before the caller joins these threads.
template <class F>
[[nodiscard]] std::exception_ptr start_threads(std::vector<std::jthread>& threads, int first, int size,
                                               const F& run) {
    int k = first;
    try {
        threads.reserve(static_cast<std::size_t>(size));
        for (; k < size; ++k) threads.emplace_back([&run, k] { run(k); });
    } catch (const std::system_error& e) {
        return std::make_exception_ptr(refused_thread(k, size, e));
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

inline constexpr int most_threads = 4096;

/// Throws bad_argument unless `threads` are 0 (all that the process may use) to most_threads.
inline void check_threads(const char* name, int threads) {
    if (threads < 0 || threads > most_threads)
        throw bad_argument(std::string(name) + ": is " + std::to_string(threads) + ", expected 0 (all) to " +
                           std::to_string(most_threads));
}

/// The same for a place to run; other backends have none.
inline void check_threads(const execution& where) {
    if (const auto* cpu = std::get_if<on_cpu>(&where)) check_threads("where.threads", cpu->threads);
}

}  // namespace wale::base
