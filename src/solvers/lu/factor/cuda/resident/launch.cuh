// launch - queues one factorisation: its workspace, cleared, and the launch. Kind: pivoted or unpivoted.
#pragma once

#include "cuda/withheld.cuh"
#include "solvers/lu/factor/cuda/resident/workspace.cuh"

namespace wale::lu::resident {

template <class T>
index_t furnish(workspace<T>& in, unsigned char* memory, int height, int sub) {
    cuda::pieces all(memory);
    const index_t steps = index_t{in.panels_wide()} * width;
    all.next(in.ticket, 1);
    all.next(in.exchanges, steps);
    // With pivots: every sub-panel of the last block is published, whether it has steps left or not.
    if (sub > 0) all.next(in.places, steps / sub * height);
    all.next(in.parked, in.blocks());
    all.next(in.diagonal, steps);
    all.next(in.panels, steps * height);
    return all.used();
}

template <class Kind, int Row, int Shape, class T>
shape launch(const cuda::context& on, workspace<T> in, int most_blocks) {
    constexpr shape s = Kind::policies[Row].policy.of[Shape];
    constexpr int bytes = Kind::template shared_bytes<T, Row, Shape>;
    const cuda::scratch<unsigned char> memory(on, furnish(in, nullptr, s.height(sizeof(T)), s.sub));
    furnish(in, memory.data(), s.height(sizeof(T)), s.sub);
    memory.fill_bytes(0xff);
    cuda::withhold_tickets(on, "lu/factor/resident", in.ticket, ~0u);
    const auto kernel = Kind::template kernel<T, Row, Shape>();
    cuda::launch_limits::permit(on, kernel, bytes);
    kernel<<<static_cast<unsigned>(std::min(in.blocks(), most_blocks)), 32 * s.warps, bytes, on.stream()>>>(
        in);
    cuda::check_launch();
    return s;
}

/// Row and shape become compile-time numbers.
template <class Kind, class T>
shape launch(const cuda::context& on, const workspace<T>& in, int most_blocks) {
    const auto row = tuning::choose(Kind::name, Kind::policies, on.sm(), sizeof(T));
    return tuning::with_row<Kind::policies, sizeof(T)>(row, [&]<int Row>() {
        const int s = Kind::policies[Row].policy.pick(in.rows, sizeof(T));
        return tuning::with_number<shapes>(static_cast<std::size_t>(s), [&]<int Shape>() {
            return launch<Kind, Row, Shape>(on, in, most_blocks);
        });
    });
}

}  // namespace wale::lu::resident
