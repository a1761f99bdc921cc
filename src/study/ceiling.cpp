// ceiling - measured where the machine lets us, else from figures whose source is stated.
#include <algorithm>
#include <cstring>
#include <wale/buffer.hpp>
#include <wale/error.hpp>

#include "base/clock.hpp"
#include "cpu/team.hpp"
#include "study/experiment.hpp"

namespace wale::experiments {
namespace {

constexpr int tries = 3;                      // the best counts: a ceiling is what can be reached
constexpr index_t copied = index_t{1} << 30;  // bytes: far beyond any second-level cache

/// Thread-instructions a second of IADD3 and LOP3, measured by a loop of nothing else. Only where we
/// measured.
constexpr double h200_integer_rate = 21e12;
/// Instructions for 32 cells in the machine code of the inner loops: LCS two LOP3 and one IADD3 (Hyyro 2004
/// with three-input logic), edit distance eight LOP3 or shifts and one IADD3 (Myers 1999).
constexpr double lcs_instructions = 3, edit_instructions = 9;

}  // namespace

double host_write_rate(void* memory, index_t bytes, int threads) {
    const int team = cpu::team_size(std::max(threads, 1), std::max<index_t>(bytes >> 16, 1));
    double best = 0;
    for (int k = 0; k < tries; ++k) {
        const base::stopwatch watch;
        cpu::run_team(team, [&](int rank) {
            const index_t begin = bytes * rank / team, end = bytes * (rank + 1) / team;
            std::memset(static_cast<char*>(memory) + begin, 1, static_cast<std::size_t>(end - begin));
        });
        best = std::max(best, static_cast<double>(bytes) / watch.seconds());
    }
    return best;
}

double device_copy_rate(const on_cuda& where) {
    try {
        const buffer<char> from(copied, memory_space::device, where.device);
        const buffer<char> to(copied, memory_space::device, where.device);
        double best = 0;
        for (int k = 0; k < tries; ++k) {
            const base::stopwatch watch;
            copy_bytes(where, to.data(), from.data(), copied);
            best = std::max(best, 2 * static_cast<double>(copied) / watch.seconds());
        }
        return best;
    } catch (const out_of_memory&) {
        return 0;
    }
}

ceiling integer_ceiling(const execution& where, const report& run, bool edit) {
    if (backend_of(where) != backend::cuda || run.device.find("H200") == std::string::npos) return {};
    const double instructions = edit ? edit_instructions : lcs_instructions;
    return {h200_integer_rate / instructions * 32, "integer ALU 21 T/s"};
}

}  // namespace wale::experiments
