// staged_launch - launches the kernel of small systems in shared memory.
#pragma once

#include "solvers/lu/cuda/sizes.cuh"
#include "solvers/lu/cuda/staged.cuh"

namespace wale::lu::batched {

template <class T>
[[nodiscard]] const staged_policy& staged_policy_for(const cuda::context& c) {
    return staged_policies[tuning::choose("lu/solve/staged", staged_policies, c.sm(),
                                          static_cast<int>(sizeof(T)))]
        .policy;
}

/// Inverse: `work.b` are the factors themselves.
template <bool Inverse, class T>
void launch_staged(const cuda::context& c, const solve_work<T>& work, const size_class& s,
                   const staged_policy& p) {
    const index_t sides = Inverse ? s.rows : std::min<index_t>(s.right_sides, p.sides);
    staged_memory<T> memory{s.rows, 1, static_cast<int>(sides)};
    const index_t strips = (s.right_sides + sides - 1) / sides;
    const index_t threads = staged_threads / sides, bytes = p.bytes / memory.of_system();
    const index_t spread = work.count * strips / (2 * c.multiprocessors());  // two blocks for each of them
    memory.systems = static_cast<int>(std::max<index_t>(1, std::min({threads, bytes, spread})));
    const auto kernel = staged_kernel<T, Inverse>;
    const auto size = static_cast<std::size_t>(memory.bytes());
    cuda::launch_limits::permit(c, kernel, size);
    constexpr index_t most_blocks_y = 65535;
    for (index_t strip = 0; strip < strips; strip += most_blocks_y) {
        solve_work<T> part = work;
        part.first_side = strip * sides;
        const dim3 blocks(static_cast<unsigned>((work.count + memory.systems - 1) / memory.systems),
                          static_cast<unsigned>(std::min(strips - strip, most_blocks_y)));
        kernel<<<blocks, staged_threads, size, c.stream()>>>(part, memory);
        cuda::check_launch();
    }
}

}  // namespace wale::lu::batched
