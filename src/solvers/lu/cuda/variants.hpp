// variants - called once by the plugin's entry point.
#pragma once

namespace wale::lu {

void append_cuda_variants();

/// Each appends the rows of its operation, best first.
void append_factor_variants();   // factor/cuda/variants.cu
void append_solve_variants();    // solve/cuda/variants.cu
void append_inverse_variants();  // inverse/cuda/variants.cu
void append_refined_variants();  // refined/cuda/variants.cu
void append_inspect_variants();  // inspect/cuda/inspect.cu

}  // namespace wale::lu
