// device_halo - a rank's halo on a device is filled from the ranks that own its cells: packed by a kernel,
// staged through page-locked memory of the host, on a stream of its own.
#pragma once

#include <vector>

#include "cuda/device_array.cuh"
#include "mpi/transport.hpp"
#include "solvers/euler/cuda/launch.cuh"
#include "solvers/euler/ranks/part.hpp"

namespace wale::euler {

namespace {

/// packed[i] = records[cells[i]], or the other way round.
template <bool Unpacks, class Real>
__global__ void __launch_bounds__(threads_of_block)
    move_records(Real* records, const std::int32_t* cells, index_t count, Real* packed) {
    const index_t word = cell_of_thread();
    if (word >= count * variables) return;
    Real& record = records[variables * index_t{cells[word / variables]} + word % variables];
    if constexpr (Unpacks)
        record = packed[word];
    else
        packed[word] = record;
}

}  // namespace

/// Records of five numbers a cell. start() queues behind what `ready` says is done; finish() waits for the
/// other ranks and queues what fills the halo, which `filled` says is done.
template <class Real>
class device_halo {
public:
    device_halo(const cuda::context& on, mpi::transport& t, const mesh_part& part)
        : transport_(t), out_(on, part, &mesh_part::peer::send), in_(on, part, &mesh_part::peer::receive) {
        for (const mesh_part::peer& p : part.peers) peers_.push_back(p.rank);
        int least = 0, greatest = 0;  // what is sent goes before what is computed meanwhile
        cuda::check(cudaDeviceGetStreamPriorityRange(&least, &greatest));
        cuda::check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, greatest));
        cuda::check(cudaEventCreateWithFlags(&filled_, cudaEventDisableTiming));
    }
    device_halo(const device_halo&) = delete;
    device_halo& operator=(const device_halo&) = delete;
    ~device_halo() {
        (void)cudaStreamSynchronize(stream_);
        (void)cudaEventDestroy(filled_);
        (void)cudaStreamDestroy(stream_);
    }

    void start(Real* records, cudaEvent_t ready) {
        cuda::check(cudaStreamWaitEvent(stream_, ready));
        move<false>(out_, records);
        copy(out_.host(), out_.packed.data(), out_.bytes(), cudaMemcpyDeviceToHost);
    }
    [[nodiscard]] cudaEvent_t finish(Real* records) {
        cuda::check(cudaStreamSynchronize(stream_));
        constexpr auto size = static_cast<index_t>(sizeof(Real)) * variables;
        for (std::size_t p = 0; p < peers_.size(); ++p) {
            transport_.receive(peers_[p], in_.host() + variables * in_.first[p],
                               size * (in_.first[p + 1] - in_.first[p]));
            transport_.send(peers_[p], out_.host() + variables * out_.first[p],
                            size * (out_.first[p + 1] - out_.first[p]));
        }
        transport_.finish();
        copy(in_.packed.data(), in_.host(), in_.bytes(), cudaMemcpyHostToDevice);
        move<true>(in_, records);
        cuda::check(cudaEventRecord(filled_, stream_));
        return filled_;
    }

private:
    /// The cells of all peers, one peer after the other.
    struct side {
        side(const cuda::context& on, const mesh_part& part, std::vector<std::int32_t> mesh_part::peer::*list)
            : first{0} {
            std::vector<std::int32_t> all;
            for (const mesh_part::peer& p : part.peers) {
                all.insert(all.end(), (p.*list).begin(), (p.*list).end());
                first.push_back(std::ssize(all));
            }
            cells = cuda::device_array<std::int32_t>(on, all);
            packed = cuda::device_array<Real>(variables * std::ssize(all), on.device());
            staged = memory(static_cast<index_t>(packed.bytes()), memory_space::pinned, on.device());
        }
        [[nodiscard]] Real* host() const { return static_cast<Real*>(staged.data()); }
        [[nodiscard]] std::size_t bytes() const { return packed.bytes(); }
        std::vector<index_t> first;  // [peers + 1]
        cuda::device_array<std::int32_t> cells;
        cuda::device_array<Real> packed;
        memory staged;
    };

    template <bool Unpacks>
    void move(const side& s, Real* records) const {
        const index_t count = s.first.back();
        if (count == 0) return;
        move_records<Unpacks><<<blocks_of(variables * count), threads_of_block, 0, stream_>>>(
            records, s.cells.data(), count, s.packed.data());
        cuda::check_launch();
    }
    void copy(Real* to, const Real* from, std::size_t bytes, cudaMemcpyKind kind) const {
        if (bytes > 0) cuda::check(cudaMemcpyAsync(to, from, bytes, kind, stream_));
    }

    mpi::transport& transport_;
    side out_, in_;
    std::vector<int> peers_;
    cudaStream_t stream_{};
    cudaEvent_t filled_{};
};

}  // namespace wale::euler
