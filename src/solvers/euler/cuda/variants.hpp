// variants - called once by the plugin's entry point.
#pragma once

namespace wale::euler {

void append_cuda_variants();

}  // namespace wale::euler
