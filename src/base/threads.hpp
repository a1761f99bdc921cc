// threads - how many a caller may ask for.
#pragma once

#include <string>
#include <wale/error.hpp>
#include <wale/execution.hpp>

namespace wale::base {

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
