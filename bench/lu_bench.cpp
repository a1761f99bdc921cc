// lu_bench - the experiments of this solver over its variant table. Beside cuSOLVER and cuBLAS: lu_cuda;
// beside OpenBLAS and Eigen: lu_cpu.
#include "registration.hpp"

namespace wale::bench {

void register_lu() {
    constexpr const char* solver = "lu";
    constexpr const char* ladder = "cuda/blocked_shared";
    register_experiment({solver, "unpivoted", "factor", "unpivoted", {512, 2048}, {512, 2048}, ladder});
    register_experiment(
        {solver, "unpivoted_f64", "factor", "unpivoted_f64", {512}, {512, 2048, 8192}, ladder});
    register_experiment({solver, "pivoted", "factor", "pivoted", {512, 2048}, {256, 512, 1024, 2048}});
    register_experiment({solver, "pivoted_f64", "factor", "pivoted_f64", {512, 2048}, {512, 2048, 8192}});
    struct batch {
        const char* name;
        index_t host, device;
    };
    for (const batch& b :
         {batch{"batch_8", 20000, 200000}, batch{"batch_32", 2000, 50000}, batch{"batch_64", 500, 20000},
          batch{"batch_128", 100, 5000}, batch{"batch_256", 20, 1000}})
        register_experiment({solver, b.name, "factor", b.name, {b.host}, {b.device}});
}

}  // namespace wale::bench
