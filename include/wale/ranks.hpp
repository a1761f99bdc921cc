// ranks - processes that share one computation: those that mpirun started, or threads that play them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <wale/error.hpp>

namespace wale {

namespace mpi {
class transport;
}

/// Another rank has gone, holds another case, or a bounded wait for it ran out.
class rank_error : public error {
public:
    using error::error;
};

/// A rank's handle of its group; copies are the same handle. What a group is given to becomes collective:
/// every rank makes the same calls in the same order with the same arguments.
class ranks {
public:
    /// No group: a solver that is given this group computes alone.
    ranks() noexcept = default;
    explicit ranks(std::shared_ptr<mpi::transport> own) noexcept : own_(std::move(own)) {}

    /// All processes of this mpirun. The first call initialises MPI, the end of the process finalises it,
    /// unless the program does so itself. Throws backend_unavailable.
    [[nodiscard]] static ranks world();
    /// Why world() cannot be had, in one line; empty if it can. Does not initialise MPI.
    [[nodiscard]] static std::string why_unavailable();
    /// Whether mpirun (or another that speaks PMI) started this process.
    [[nodiscard]] static bool launched() noexcept;

    [[nodiscard]] bool empty() const noexcept { return own_ == nullptr; }
    [[nodiscard]] int rank() const noexcept;          // 0 where empty
    [[nodiscard]] int size() const noexcept;          // 1 where empty
    [[nodiscard]] int rank_on_host() const noexcept;  // among those that share this machine
    /// Whether any rank says so. Collective.
    [[nodiscard]] bool any(bool mine) const;
    /// This rank goes because of an error: the others' waits end in rank_error, or mpirun ends them.
    void abandon() const noexcept;

    /// For the solvers; null where empty.
    [[nodiscard]] mpi::transport* transport() const noexcept { return own_.get(); }

private:
    std::shared_ptr<mpi::transport> own_;
};

/// Calls work on `size` threads of this process, each a rank of one group: what MPI ranks compute without
/// MPI. Returns when all are done; throws what the first that failed threw.
void run_ranks(int size, const std::function<void(const ranks&)>& work);

}  // namespace wale
