// table - the variants of one operation: named rows that dispatch, tests, benchmarks, the command line and
// Python all read. A row's order is its rank: `automatic` takes the first that is there and suits the job.
#pragma once

#include <string>
#include <string_view>
#include <vector>
#include <wale/error.hpp>
#include <wale/execution.hpp>

namespace wale::catalogue {

/// The backend that the name of a row begins with.
constexpr backend backend_named(std::string_view row_name) {
    return row_name.starts_with("cuda/")  ? backend::cuda
           : row_name.starts_with("cpu/") ? backend::cpu
                                          : backend::reference;
}

/// `Result`: void of a call; of what outlives the call (a flow, a cable) the session that run() creates.
template <class Job, class Result = void>
struct row {
    const char* name;     // backend and schedule: "cpu/skewed_strips"
    const char* summary;  // one sentence
    Result (*run)(Job&);
    /// Why the row cannot do this job ("needs 32-bit cells"); empty if it can. nullptr: it can do every job.
    std::string (*refusal)(const Job&) = nullptr;
    /// Whether `automatic` should take the row for this job; nullptr: always.
    bool (*suits)(const Job&) = nullptr;
    bool takes_complex = false;  // else a job of complex numbers is refused
    backend where = backend_named(name);
};

/// Why the row cannot do this job; empty if it can. Of rows whose jobs may hold complex numbers those that do
/// not say so know real ones only.
template <class Job, class Result>
[[nodiscard]] std::string refusal_of(const row<Job, Result>& r, const Job& job) {
    if constexpr (requires { job.is_complex(); })
        if (job.is_complex() && !r.takes_complex) return "computes real numbers only, not complex ones";
    return r.refusal ? r.refusal(job) : std::string();
}

template <class Job, class Result = void>
struct table {
    const char* solver;
    const char* operation;
    std::vector<row<Job, Result>> rows;
};

/// Whether `wanted` names the row: in full, or by its schedule alone.
[[nodiscard]] inline bool names(std::string_view row_name, std::string_view wanted) {
    return row_name == wanted || (row_name.size() > wanted.size() && row_name.ends_with(wanted) &&
                                  row_name[row_name.size() - wanted.size() - 1] == '/');
}

/// Throws bad_argument if an environment variable that every row obeys (WALE_INSTRUCTION_SET) has no valid
/// value.
void check_environment();

/// The row that runs `job` on backend `b`; throws unsupported_variant listing what exists.
template <class Job, class Result>
[[nodiscard]] const row<Job, Result>& select(const table<Job, Result>& all, backend b,
                                             std::string_view wanted, const Job& job) {
    check_environment();
    std::string list, reasons;
    for (const row<Job, Result>& r : all.rows) {
        if (r.where != b) continue;
        const bool automatic = wanted == "automatic";
        if (!automatic && !names(r.name, wanted)) {
            list += (list.empty() ? "" : ", ") + std::string(r.name);
            continue;
        }
        const std::string refusal = refusal_of(r, job);
        if (refusal.empty() && (!automatic || !r.suits || r.suits(job))) return r;
        if (!automatic) throw unsupported_variant(std::string(r.name) + ": " + refusal);
        if (!refusal.empty()) reasons += "; " + std::string(r.name) + ": " + refusal;
    }
    if (wanted == "automatic")
        throw unsupported_variant(std::string(all.operation) + ": no variant on " + name_of(b) +
                                  " can do this job" + reasons);
    throw unsupported_variant(std::string(all.operation) + ": no variant '" + std::string(wanted) + "' on " +
                              name_of(b) + "; there are: " + list);
}

}  // namespace wale::catalogue
