// variants - called once by the plugin's entry point.
#pragma once

namespace wale::tree {

void append_cuda_variants();

/// Each appends the rows of its operation, best first.
void append_chain_variants();         // chains/cuda/variants.cu
void append_chain_factor_variants();  // factor/cuda/variants.cu
void append_hines_variants();         // hines/cuda/variants.cu
void append_cable_variants();         // cable/cuda/variants.cu
void append_inspect_variants();       // inspect/cuda/residual.cu

}  // namespace wale::tree
