// tree_bench - the experiments of this solver over its variant tables. Beside cuSPARSE: tree_cuda; beside
// LAPACK: tree_cpu.
#include "registration.hpp"

namespace wale::bench {

void register_tree() {
    struct table {
        const char* operation;
        std::vector<const char*> experiments;
    };
    for (const table& t : {table{"tridiagonal",
                                 {"chains_flat", "chains_interleaved", "chains_block_interleaved",
                                  "chains_unified", "pivoted_flat", "pivoted_interleaved"}},
                           table{"hines", {"trees_flat", "trees_interleaved", "trees_block_interleaved"}}})
        for (const char* name : t.experiments)
            register_experiment({"tree", name, t.operation, name, {64, 1024}, {64, 1024, 65536}});
    for (const char* name : {"one_tree", "one_path"})
        register_experiment({"tree", name, "hines", name, {1000, 1 << 20}, {1 << 20}});
}

}  // namespace wale::bench
