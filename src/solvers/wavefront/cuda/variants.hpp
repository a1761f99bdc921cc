// variants - called once by the plugin's entry point.
#pragma once

namespace wale::wavefront {

void append_cuda_variants();

/// Each appends the rows of its operation, best first.
void append_fill_variants();    // fill/cuda/variants.cu
void append_length_variants();  // length/cuda/variants.cu
void append_batch_variants();   // batch/cuda/variants.cu

}  // namespace wale::wavefront
