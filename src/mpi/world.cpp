// world - the transport of MPI: all processes of an mpirun. Built into libwale_mpi, the only file that knows
// <mpi.h>.
#include <mpi.h>

#include <algorithm>
#include <string>
#include <thread>
#include <wale/error.hpp>

#include "mpi/transport.hpp"

namespace wale::mpi {
namespace {

void check(int code) {
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(code, text, &length);
    throw rank_error("MPI: " + std::string(text, static_cast<std::size_t>(length)));
}

class world_transport final : public transport {
public:
    world_transport() {
        int there = 0;
        check(MPI_Initialized(&there));
        // Calls may come from any thread of the program, one at a time.
        int given = MPI_THREAD_SINGLE;
        if (!there) {
            check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &given));
            ours_ = true;
        }
        check(MPI_Comm_dup(MPI_COMM_WORLD, &all_));
        check(MPI_Comm_set_errhandler(all_, MPI_ERRORS_RETURN));
        check(MPI_Comm_rank(all_, &rank_));
        check(MPI_Comm_size(all_, &size_));
        MPI_Comm host = MPI_COMM_NULL;
        check(MPI_Comm_split_type(all_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host));
        check(MPI_Comm_rank(host, &rank_on_host_));
        check(MPI_Comm_free(&host));
    }
    ~world_transport() override {
        // A rank that ends because of an error does not finalise, which would wait for the others: mpirun
        // sees it go and ends them.
        int over = 0;
        if (abandoned_ || MPI_Finalized(&over) != MPI_SUCCESS || over) return;
        MPI_Comm_free(&all_);
        if (ours_) MPI_Finalize();
    }

    [[nodiscard]] int rank() const noexcept override { return rank_; }
    [[nodiscard]] int size() const noexcept override { return size_; }
    [[nodiscard]] int rank_on_host() const noexcept override { return rank_on_host_; }

    void send(int to, const void* bytes, index_t count) override {
        const char* at = static_cast<const char*>(bytes);
        in_pieces(count, [&](index_t first, int length) {
            check(MPI_Isend(at + first, length, MPI_BYTE, to, tag, all_, &add(-1)));
        });
    }
    void receive(int from, void* bytes, index_t count) override {
        char* at = static_cast<char*>(bytes);
        in_pieces(count, [&](index_t first, int length) {
            check(MPI_Irecv(at + first, length, MPI_BYTE, from, tag, all_, &add(length)));
        });
    }

    void progress() override {
        if (done_ == requests_.size()) return;
        int all_done = 0;
        states_.resize(requests_.size());
        check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &all_done, states_.data()));
        if (all_done) done_ = requests_.size();
    }

    [[nodiscard]] bool settled() override {
        progress();
        return done_ == requests_.size();
    }
    [[nodiscard]] bool is_mpi() const noexcept override { return true; }

    void finish() override {
        const auto last = std::chrono::steady_clock::now() + longest_wait;
        for (long long turn = 0; progress(), done_ != requests_.size(); ++turn) {
            // Ranks may be more than processors.
            if (turn > 100) std::this_thread::yield();
            if (turn % 1000 == 999 && std::chrono::steady_clock::now() > last)
                throw rank_error("rank " + std::to_string(rank_) + ": the wait for the other ranks ran out");
        }
        for (std::size_t i = 0; i < requests_.size(); ++i) {
            int came = 0;
            if (expected_[i] < 0) continue;
            check(MPI_Get_count(&states_[i], MPI_BYTE, &came));
            if (came != expected_[i])
                throw rank_error("rank " + std::to_string(rank_) + ": " + std::to_string(came) +
                                 " bytes came from rank " + std::to_string(states_[i].MPI_SOURCE) +
                                 ", expected " + std::to_string(expected_[i]));
        }
        requests_.clear();
        expected_.clear();
        done_ = 0;
    }
    void abandon() noexcept override {
        abandoned_ = true;
        // Nothing may arrive in memory that is given back.
        for (std::size_t i = 0; i < requests_.size(); ++i) {
            if (requests_[i] == MPI_REQUEST_NULL) continue;
            if (expected_[i] >= 0) MPI_Cancel(&requests_[i]);
            MPI_Request_free(&requests_[i]);
        }
        requests_.clear();
        expected_.clear();
        done_ = 0;
    }

private:
    static constexpr int tag = 1;
    /// MPI counts in int.
    template <class F>
    static void in_pieces(index_t count, F&& f) {
        constexpr index_t piece = index_t{1} << 30;
        for (index_t first = 0; first == 0 || first < count; first += piece)
            f(first, static_cast<int>(std::min(piece, count - first)));
    }
    [[nodiscard]] MPI_Request& add(int expected) {
        expected_.push_back(expected);
        return requests_.emplace_back(MPI_REQUEST_NULL);
    }

    MPI_Comm all_ = MPI_COMM_NULL;
    int rank_ = 0, size_ = 1, rank_on_host_ = 0;
    bool ours_ = false, abandoned_ = false;
    std::vector<MPI_Request> requests_;
    std::vector<MPI_Status> states_;
    std::vector<int> expected_;  // bytes of each; -1: a send
    std::size_t done_ = 0;       // all requests when they are done, else 0
};

std::unique_ptr<transport> world() {
    return std::make_unique<world_transport>();
}

}  // namespace
}  // namespace wale::mpi

extern "C" __attribute__((visibility("default"))) const wale::mpi::mpi_api* wale_mpi_entry() {
    static const wale::mpi::mpi_api api{WALE_VERSION, wale::mpi::world};
    return &api;
}
