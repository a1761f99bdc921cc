// route - a panel goes from its owner to all other ranks along a binomial tree, whose inner ranks hand it on
// while they compute.
#pragma once

#include "mpi/transport.hpp"

namespace wale::lu {

/// Ranks are counted from the owner of the panel, so that the owner of the next panel is the first that gets
/// this one.
class panel_route {
public:
    panel_route(mpi::transport* t, int owner) : transport_(t), owner_(owner) {
        if (t != nullptr) place_ = (t->rank() - owner + t->size()) % t->size();
    }
    /// Queues the receipt of some bytes, of any rank but the owner.
    void receive(void* bytes, index_t count) const {
        int above = 1;
        while (2 * above <= place_) above *= 2;
        transport_->receive(rank_at(place_ - above), bytes, count);
    }
    /// Queues the bytes for the ranks below this one in the tree.
    void send(const void* bytes, index_t count) const {
        if (transport_ == nullptr) return;
        int step = 1;
        while (step <= place_) step *= 2;
        for (; place_ + step < transport_->size(); step *= 2)
            transport_->send(rank_at(place_ + step), bytes, count);
    }

private:
    [[nodiscard]] int rank_at(int place) const { return (owner_ + place) % transport_->size(); }

    mpi::transport* transport_;
    int owner_, place_ = 0;
};

}  // namespace wale::lu
