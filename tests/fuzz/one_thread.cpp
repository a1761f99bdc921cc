// one_thread - fuzz targets start no threads.
#include <wale/execution.hpp>

int wale::available_threads() noexcept {
    return 1;
}
