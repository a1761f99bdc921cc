// failing_thread - a pthread_create that refuses threads as the system does at its limit.
#pragma once

#include <atomic>

namespace wale::faults {

/// Calls of pthread_create that still succeed.
extern std::atomic<long> threads_left;

}  // namespace wale::faults
