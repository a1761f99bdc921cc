// transport - how a rank reaches the others: messages that are queued and move while it computes. MPI is one
// transport (world.cpp, in libwale_mpi), threads of one process are another (threads.cpp).
#pragma once

#include <chrono>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>
#include <wale/layout.hpp>
#include <wale/ranks.hpp>

namespace wale::mpi {

/// The longest that a rank waits for another before it throws rank_error.
inline constexpr std::chrono::seconds longest_wait{600};

class transport {
public:
    transport() = default;
    transport(const transport&) = delete;
    transport& operator=(const transport&) = delete;
    virtual ~transport();

    [[nodiscard]] virtual int rank() const noexcept = 0;
    [[nodiscard]] virtual int size() const noexcept = 0;
    [[nodiscard]] virtual int rank_on_host() const noexcept = 0;

    /// Queues a message. The bytes are not touched until finish(). Between two ranks messages arrive in the
    /// order in which they were queued.
    virtual void send(int to, const void* bytes, index_t count) = 0;
    virtual void receive(int from, void* bytes, index_t count) = 0;
    /// Lets queued messages move; does not wait.
    virtual void progress() = 0;
    /// Lets queued messages move; whether all of them have been sent and received, so that finish() does not
    /// wait.
    [[nodiscard]] virtual bool settled() = 0;
    /// Whether the ranks are all processes of MPI_COMM_WORLD, in that order: what libraries of MPI can share.
    [[nodiscard]] virtual bool is_mpi() const noexcept = 0;
    /// Returns when all that was queued has been sent and received. Throws rank_error: a message of another
    /// length than expected, a rank that has gone, or a wait that ran out.
    virtual void finish() = 0;
    /// See ranks::abandon.
    virtual void abandon() noexcept = 0;

    /// Every rank's bytes, rank after rank, to all: `counts` says how many each has. In ceil(log2(size))
    /// rounds (Bruck et al. 1997). Nothing else may be queued.
    void gather(const void* own, std::span<const index_t> counts, void* all);
};

/// Every rank's value, by rank.
template <class T>
[[nodiscard]] std::vector<T> gathered(transport& t, const T& own) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> all(static_cast<std::size_t>(t.size()));
    const std::vector<index_t> counts(all.size(), static_cast<index_t>(sizeof(T)));
    t.gather(&own, counts, all.data());
    return all;
}

/// What libwale_mpi offers.
struct mpi_api {
    const char* version;  // of Wale; must equal the library's
    std::unique_ptr<transport> (*world)();
};

/// The one symbol that the plugin exports.
inline constexpr const char* entry_symbol = "wale_mpi_entry";

}  // namespace wale::mpi
