// failing_thread - a pthread_create that refuses threads as the system does at its limit. Linked into a test,
// or loaded before a program with WALE_FAIL_THREAD=k in its environment: call k and all later calls fail.
#pragma once

#include <atomic>

namespace wale::faults {

/// Calls of pthread_create that still succeed.
extern std::atomic<long> threads_left;

}  // namespace wale::faults
