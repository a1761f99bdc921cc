// registration - what each file of benchmarks offers to main.
#pragma once

namespace wale::bench {

void register_wavefront();
void register_view();

}  // namespace wale::bench
