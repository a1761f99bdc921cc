// one_thread - the threads of a fuzz target where no option gives a number.
#include <wale/execution.hpp>

int wale::available_threads() {
    return 1;
}
