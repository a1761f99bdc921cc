// tree_cpu - chains and trees on the CPU beside LAPACK and the plain loop: one CSV line a case and peer, ours
// and theirs in turn. Answers are verified after the timing, on the data that was timed.
//   tree_cpu OUT.csv [FILTER]      FILTER: only cases whose name contains it
#include "tree_cpu.hpp"

#include "cases.hpp"

namespace wale::bench {

tree_table::tree_table(const std::string& path)
    : file_(path,
            "operation,layout,size,count,variant,threads,median_s,"
            "ns_per_unknown,gb_per_s,error_in_roundings,peer,peer_median_s,ratio,processor_least_s,"
            "peer_processor_least_s,processor_ratio,policy") {}

void tree_table::add(const tree_line& l) const {
    const double unknowns = static_cast<double>(l.size) * static_cast<double>(l.count);
    const double each = 1e9 * l.seconds / unknowns;
    const double rate = l.words * l.word_bytes / each;
    file_.add(l.operation, l.layout, l.size, l.count, l.variant, l.threads, l.seconds, each, rate, l.error,
              l.peer, l.peer_seconds, l.peer_seconds / l.seconds, l.processor, l.peer_processor,
              l.peer_processor / l.processor, l.policy);
}

}  // namespace wale::bench

int main(int argc, char** argv) {
    using namespace wale::bench;
    return run_cases<tree_table>(argc, argv, chain_cases(),
                                 [](const tree_case& c, const tree_table& out) { return c.run(out); });
}
