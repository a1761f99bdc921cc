// pool - threads that stay between calls: a call takes the threads that it needs and gives them back, so that
// only the first call pays for their start.
#pragma once

namespace wale::base {

/// Calls run(what, k) for k = 0..size-1, each on a thread of its own, k = 0 on the calling thread, and
/// returns when all calls have ended. A call whose thread the system has not run when k = 0 has ended, as on
/// a busy machine, is made on the calling thread instead. `run` does not throw. Calls may be nested, and any
/// number of threads may call at once. Throws out_of_memory where the system refuses a thread; nothing has
/// run then.
///
/// A thread of the pool polls for a bounded time after its work, then sleeps. The thread blocks all signals
/// and runs on the processors that the caller may use, without that of the caller where four or more are
/// enough for all. A forked child begins with an empty pool.
void run_on_pool(int size, void (*run)(void* what, int k), void* what);

/// Ends the threads of the pool that have no work, and returns the number of threads that were ended.
int end_idle_threads();

}  // namespace wale::base
