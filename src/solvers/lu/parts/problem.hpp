// problem - one matrix of the host whose blocks of columns several devices of this machine hold in turn.
// Internal, not in wale::variants().
#pragma once

#include <memory>

#include "cuda/spread.hpp"
#include "solvers/lu/jobs.hpp"

namespace wale::lu {

/// A matrix on its way through the devices.
class divided_matrix {
public:
    divided_matrix() = default;
    divided_matrix(const divided_matrix&) = delete;
    divided_matrix& operator=(const divided_matrix&) = delete;
    virtual ~divided_matrix() = default;
    /// Queues the copies of the columns of device k, into memory of the carrier. One thread a device.
    virtual void load(std::size_t k, cuda::carrier&) = 0;
    /// After all load(): factors and pivots on the devices; waits.
    virtual void factor() = 0;
    /// Queues the copies of the factors and pivots of device k to the host. One thread a device.
    virtual void store(std::size_t k) = 0;
};

struct divided_job {
    std::span<const int> devices{};  // one may be named twice
    bool reached = true;             // each reads and writes the others' memory
    int sm = 0;                      // of the first
    matrices a{};                    // one, on the host
    wale::pivoting pivoting = wale::pivoting::partial;
    std::int32_t* pivots = nullptr;
    std::string policy{};                     // out
    index_t panels = 0;                       // out
    std::unique_ptr<divided_matrix> there{};  // out
    [[nodiscard]] bool is_complex() const { return wale::is_complex(a.type); }
};

using divided_table = catalogue::table<divided_job>;
[[nodiscard]] divided_table& divided_rows();

/// Whether the matrix of a job on the host is factored by all of `devices`, not by the first one alone:
/// where it is large enough, or options.variant names the row. Throws unsupported_variant where the row that
/// is named cannot do the job.
[[nodiscard]] bool divides(const on_cuda& devices, const factor_job& job, const std::string& variant);

/// Factors the job's one matrix. job.where: of the host, which reads what follows from the factors.
void factor_over_devices(const on_cuda& devices, factor_job& job, const std::string& variant);

}  // namespace wale::lu
