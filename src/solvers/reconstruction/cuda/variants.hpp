// variants - called once by the plugin's entry point.
#pragma once

namespace wale::reconstruction {

void append_cuda_variants();

/// Each appends the rows of its operation, best first.
void append_reconstruct_variants();  // reconstruct/cuda/variants.cu
void append_inspect_variants();      // inspect/cuda/inspect.cu
void append_prepare_variants();      // prepare/cuda/prepare.cu

}  // namespace wale::reconstruction
