// host_device - WALE_HD marks functions that CUDA code calls as well, WALE_HD_CALL those among them that stay
// calls, so that rare work takes no registers from what surrounds it, WALE_NO_EXECUTION_CHECK templates whose
// arguments may be functions of the device only. The only place that asks for the compiler.
#pragma once

#if defined(__CUDACC__)
#define WALE_HD __host__ __device__
#define WALE_HD_CALL __host__ __device__ __noinline__
#define WALE_NO_EXECUTION_CHECK _Pragma("nv_exec_check_disable")
#else
#define WALE_HD
#define WALE_HD_CALL [[gnu::noinline]]
#define WALE_NO_EXECUTION_CHECK
#endif
