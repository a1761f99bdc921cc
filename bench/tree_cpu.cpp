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
    std::printf(
        "%-16s %-17s %7lld x %-8lld %-12s %d thr %8.3f ns %6.2f GB/s err %4.2g  %-20s %8.3f ns %6.2fx  "
        "processor %6.2fx\n",
        l.operation.c_str(), l.layout.c_str(), static_cast<long long>(l.size),
        static_cast<long long>(l.count), l.variant.c_str(), l.threads, each, rate, l.error, l.peer.c_str(),
        1e9 * l.peer_seconds / unknowns, l.peer_seconds / l.seconds, l.peer_processor / l.processor);
    std::fflush(stdout);
    file_.add("%s,%s,%lld,%lld,%s,%d,%.6g,%.4g,%.4g,%.3g,%s,%.6g,%.4g,%.6g,%.6g,%.4g,%s", l.operation.c_str(),
              l.layout.c_str(), static_cast<long long>(l.size), static_cast<long long>(l.count),
              l.variant.c_str(), l.threads, l.seconds, each, rate, l.error, l.peer.c_str(), l.peer_seconds,
              l.peer_seconds / l.seconds, l.processor, l.peer_processor, l.peer_processor / l.processor,
              l.policy.c_str());
}

}  // namespace wale::bench

int main(int argc, char** argv) {
    using namespace wale::bench;
    return run_cases<tree_table>(argc, argv, chain_cases(),
                                 [](const tree_case& c, const tree_table& out) { return c.run(out); });
}
