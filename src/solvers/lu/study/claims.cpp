// claims - what the notes on Rodinia's lud that this solver grew from state (GPUs of 2010), and what the same
// schedules do here.
#include <set>
#include <sstream>

#include "solvers/lu/study/experiments.hpp"

namespace wale::lu {
namespace {

using experiments::findings;

const study_row* row_of(const findings& f, const std::string& variant, index_t size) {
    for (const study_row& r : f.rows)
        if (r.variant == variant && r.size == size) return &r;
    return nullptr;
}

std::string shown(const study_row& r) {
    std::ostringstream out;
    out.precision(3);
    out << r.variant << ' ' << 1e3 * r.seconds << " ms";
    if (r.variant.starts_with("cuda/") && r.iterations > 0) out << " (" << r.iterations << " launches)";
    return out.str();
}

/// "n = 512: cuda/a 2 ms, cuda/b 1 ms: 2 x" for every size at which both ran.
std::string ratios(const findings& f, const std::string& slow, const std::string& fast) {
    std::set<index_t> sizes;
    for (const study_row& r : f.rows) sizes.insert(r.size);
    std::ostringstream text;
    text.precision(3);
    for (const index_t n : sizes) {
        const study_row *s = row_of(f, slow, n), *q = row_of(f, fast, n);
        if (!s || !q) continue;
        text << (text.tellp() > 0 ? "; " : "") << "n = " << n << ": " << shown(*s) << ", " << shown(*q)
             << ": " << s->seconds / q->seconds << " x";
    }
    return text.tellp() > 0 ? text.str() : "not measured here: " + slow + " or " + fast + " did not run";
}

/// The fastest row of each backend against that backend's blocked form.
std::string beyond(const findings& f, const std::string& backend, const std::string& blocked) {
    std::set<index_t> sizes;
    for (const study_row& r : f.rows) sizes.insert(r.size);
    std::ostringstream text;
    text.precision(3);
    for (const index_t n : sizes) {
        const study_row *base = row_of(f, blocked, n), *best = nullptr;
        for (const study_row& r : f.rows)
            if (r.size == n && r.variant.starts_with(backend) && (!best || r.seconds < best->seconds))
                best = &r;
        if (!base || !best) continue;
        text << (text.tellp() > 0 ? "; " : "") << "n = " << n << ": " << shown(*best) << ", "
             << base->seconds / best->seconds << " x";
    }
    return text.tellp() > 0 ? text.str() : "not measured here";
}

}  // namespace

std::vector<study_claim> judge_claims(findings& f) {
    if (f.rows.empty() || f.operation != "unpivoted") return {};
    return {
        {"blocks in shared memory are 1.5 x as fast as without (10 and 15 ms at n = 512)",
         ratios(f, "cuda/blocked_global", "cuda/blocked_shared")},
        {"one row and one column a step, each into a fresh copy, is 60 x slower on a GPU than blocks",
         ratios(f, "cuda/row_column_copy", "cuda/blocked_shared")},
        {"the same without the copies", ratios(f, "cuda/row_column", "cuda/blocked_shared")},
        {"and 4 x slower on a CPU", ratios(f, "cpu/row_column_copy", "cpu/blocked")},
        {"the same without the copies", ratios(f, "cpu/row_column", "cpu/blocked")},
        {"what the best schedule here gains over blocks: GPU", beyond(f, "cuda/", "cuda/blocked_shared")},
        {"CPU", beyond(f, "cpu/", "cpu/blocked")},
    };
}

}  // namespace wale::lu
