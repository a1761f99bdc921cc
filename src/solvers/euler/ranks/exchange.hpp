// exchange - a rank's halo is filled from the ranks that own its cells, while it computes.
#pragma once

#include <vector>

#include "base/aligned.hpp"
#include "mpi/transport.hpp"
#include "solvers/euler/ranks/part.hpp"

namespace wale::euler {

/// Records of `words` numbers a cell, [cells][words]. start() packs and queues, finish() waits and fills the
/// halo; between them the cells that are sent may be read but not the halo written.
template <class Real>
class halo_exchange {
public:
    halo_exchange(mpi::transport& t, const mesh_part& part, index_t words)
        : transport_(t), part_(part), words_(words) {
        for (const mesh_part::peer& p : part.peers) {
            out_.emplace_back(p.send.size() * static_cast<std::size_t>(words));
            in_.emplace_back(p.receive.size() * static_cast<std::size_t>(words));
        }
    }

    void start(const Real* records) {
        for (std::size_t p = 0; p < out_.size(); ++p) {
            const mesh_part::peer& peer = part_.peers[p];
            Real* to = out_[p].data();
            for (const std::int32_t cell : peer.send)
                for (index_t w = 0; w < words_; ++w) *to++ = records[words_ * cell + w];
        }
        queue();
    }
    void progress() { transport_.progress(); }
    void finish(Real* records) {
        transport_.finish();
        for (std::size_t p = 0; p < in_.size(); ++p) {
            const Real* from = in_[p].data();
            for (const std::int32_t cell : part_.peers[p].receive)
                for (index_t w = 0; w < words_; ++w) records[words_ * cell + w] = *from++;
        }
    }

private:
    void queue() {
        constexpr auto size = static_cast<index_t>(sizeof(Real));
        for (std::size_t p = 0; p < in_.size(); ++p) {
            const int rank = part_.peers[p].rank;
            transport_.receive(rank, in_[p].data(), size * std::ssize(in_[p]));
            transport_.send(rank, out_[p].data(), size * std::ssize(out_[p]));
        }
    }

    mpi::transport& transport_;
    const mesh_part& part_;
    index_t words_;
    std::vector<base::aligned_vector<Real>> out_, in_;  // [peers]
};

}  // namespace wale::euler
