// share - one device's share of a plan that several devices follow: its tiles and what these read. Its own
// cells are numbered from 0, its ghosts and the records that it borrows behind them.
#pragma once

#include "solvers/euler/advance/cuda/second_order/plan.hpp"
#include "solvers/euler/advance/shared/parts/deal.hpp"

namespace wale::euler::second_order {

template <class Real>
struct plan_share {
    plan<Real> own;                     // `order` has the system's numbers of its own cells
    std::vector<std::int32_t> records;  // [records] the whole plan's number of each
};

/// Tiles as the share lists them. O(records of the whole plan).
template <class Real>
[[nodiscard]] plan_share<Real> share_of(const plan<Real>& whole, const part_share& share);

}  // namespace wale::euler::second_order
