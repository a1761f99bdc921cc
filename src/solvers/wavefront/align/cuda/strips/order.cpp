// order - see order.hpp.
#include "solvers/wavefront/align/cuda/strips/order.hpp"

#include <algorithm>

namespace wale::wavefront::strips {

task_order::task_order(int strips, int panels, int lead) {
    tasks.reserve(static_cast<std::size_t>(index_t{strips} * panels));
    std::vector<std::uint32_t> last_of_panel(static_cast<std::size_t>(panels), no_task);
    std::vector<std::uint32_t> last_of_strip(static_cast<std::size_t>(strips), no_task);
    for (index_t time = 0; time < strips + index_t{lead} * (panels - 1); ++time) {
        const index_t first = std::max<index_t>(0, (time - strips + lead) / lead);
        for (index_t p = first; p < panels && time - lead * p >= 0; ++p) {
            const index_t s = time - lead * p;
            const auto number = static_cast<std::uint32_t>(tasks.size());
            std::uint32_t& above = last_of_panel[static_cast<std::size_t>(p)];
            std::uint32_t& left = last_of_strip[static_cast<std::size_t>(s)];
            tasks.push_back(
                {static_cast<std::int32_t>(s), static_cast<std::int32_t>(p), above, left, no_task});
            if (above != no_task) {
                tasks[above].below = number;
                most_apart = std::max(most_apart, number - above);
            }
            above = left = number;
        }
    }
}

}  // namespace wale::wavefront::strips
