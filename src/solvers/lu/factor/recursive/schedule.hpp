// schedule - which panel and which strip of columns is worked on when: look-ahead of one panel. Fixed by the
// shape of the matrix alone, so that the bits do not depend on how many threads share the work.
#pragma once

#include <algorithm>
#include <vector>
#include <wale/layout.hpp>

namespace wale::lu {

/// Columns are cut into blocks: the first `panels` of them are factored, and each of these is applied to all
/// blocks behind it.
struct recursive_schedule {
    enum class what {
        first_panel,  // factor panel 0
        next_panel,   // apply panel `step` to block step + 1 and factor that
        strip,        // apply panel `step` to blocks first .. last - 1
        left          // the exchanges of all later panels in block `first`
    };
    struct task {
        what kind;
        index_t step, first, last;
    };
    std::vector<index_t> starts;  // [blocks + 1] first columns
    index_t panels = 0;
    std::vector<task> tasks;  // every task waits for earlier ones only

    [[nodiscard]] index_t blocks() const { return std::ssize(starts) - 1; }
    [[nodiscard]] index_t start(index_t block) const { return starts[static_cast<std::size_t>(block)]; }
    [[nodiscard]] index_t width(index_t block) const { return start(block + 1) - start(block); }

    recursive_schedule(index_t rows, index_t columns, index_t panel, index_t blocks_a_strip, bool exchanges) {
        const index_t diagonal = std::min(rows, columns);
        starts.push_back(0);
        while (starts.back() < diagonal) starts.push_back(std::min(starts.back() + panel, diagonal));
        panels = blocks();
        while (starts.back() < columns) starts.push_back(std::min(starts.back() + panel, columns));
        tasks.push_back({what::first_panel, 0, 0, 1});
        for (index_t k = 0; k < panels; ++k) {
            const bool more = k + 1 < panels;
            if (more) tasks.push_back({what::next_panel, k, k + 1, k + 2});
            // Wide strips are fast products; towards the end narrower ones still give work to several
            // threads.
            const index_t wide = std::clamp<index_t>((blocks() - k) / 4, 1, blocks_a_strip);
            for (index_t first = k + 1 + more; first < blocks(); first += wide)
                tasks.push_back({what::strip, k, first, std::min(first + wide, blocks())});
        }
        for (index_t k = 0; exchanges && k + 1 < panels; ++k) tasks.push_back({what::left, k, k, k + 1});
    }
};

}  // namespace wale::lu
