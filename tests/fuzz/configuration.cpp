// configuration - of a fuzz target: one thread where no option gives a number, and a version that no plugin
// has.
#include <wale/execution.hpp>
#include <wale/variants.hpp>

int wale::available_threads() {
    return 1;
}

const char* wale::version() noexcept {
    return "fuzz";
}
