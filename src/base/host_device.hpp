// host_device - WALE_HD marks functions that CUDA code calls as well. The only place that asks for the
// compiler.
#pragma once

#if defined(__CUDACC__)
#define WALE_HD __host__ __device__
#else
#define WALE_HD
#endif
