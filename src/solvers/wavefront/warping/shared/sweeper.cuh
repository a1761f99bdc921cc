// sweeper - runs tables of pairs as strips: packs the series, lists the tasks, launches.
#pragma once

#include <string>

#include "base/checked.hpp"
#include "cuda/withheld.cuh"
#include "solvers/wavefront/warping/shared/shapes.hpp"
#include "solvers/wavefront/warping/shared/strips.cuh"

namespace wale::wavefront::warping {

inline constexpr index_t most_points = (index_t{1} << 30) - 1;  // of a series: places are 32 bits

/// Tiles of a panel that are asked for, for tests; 0: as many as there is memory for.
[[nodiscard]] inline index_t asked_panel() {
    return static_cast<index_t>(tuning::overridden("wavefront/warping/panel", std::size_t{1} << 30, 0));
}

/// The row of `sweeps`, or of `general_sweeps`: where the rows between strips of the largest pair take too
/// much memory, the one that goes from panel to panel.
template <bool One>
int shape_for(const sweep_work& work) {
    if (!One) return 0;
    const int best = best_sweep(work);
    const double strips = work.most_rows / (warp_size * sweeps[best].policy.rows) + 1;
    if (asked_panel() > 0 || strips * work.most_columns * work.element_bytes > most_hand_bytes) return 0;
    return static_cast<int>(
        tuning::overridden("wavefront/warping/sweeps", std::size(sweeps), static_cast<std::size_t>(best)));
}

/// Pairs of series; a launch is collected until it has enough tasks.
template <class Cell, bool One>
class sweeper {
    using T = typename Cell::number;

public:
    /// `rows` and `columns` are numbers of series of the sides; pairs are given by places in them.
    sweeper(const cuda::context& c, const Cell& cell, const device_side<T>& row_side,
            const device_side<T>& column_side, const std::vector<index_t>& rows,
            const std::vector<index_t>& columns, index_t window, int shape)
        : c_(c),
          cell_(cell),
          row_side_(row_side),
          column_side_(column_side),
          row_series_(rows),
          column_series_(columns),
          window_(window),
          shape_(shape),
          rows_(c, row_side, rows, as_rows{warp_size, policy().rows}),
          columns_(c, column_side, columns, as_columns{policy().columns}) {}

    void add(std::size_t row, std::size_t column, T* answer, T* mirror) {
        packed_pair<T> p{};
        p.rows = rows_.data() + rows_.begin(row);
        p.columns = columns_.data() + columns_.begin(column);
        p.row_count = static_cast<int>(row_side_.size(row_series_[row]));
        p.column_count = static_cast<int>(column_side_.size(column_series_[column]));
        p.pitch = static_cast<int>(base::round_up(index_t{p.column_count} + 1, policy().columns));
        p.offset = p.pitch - p.column_count;
        set_band(p, window_);
        p.answer = answer;
        p.mirror = mirror;
        p.first_state = states_;
        pairs_.push_back(p);
        states_ += strips_of(p) * (policy().rows + 1) * warp_size;
        tasks_ += strips_of(p);
        if (tasks_ >= most_tasks) flush();
    }
    void flush() {
        if (!pairs_.empty()) run(nullptr);
    }
    /// The one pair that was added, with lines kept.
    void flush(const kept_lines<T>& kept) { run(&kept); }

    [[nodiscard]] const sweep_policy& policy() const {
        if constexpr (One) return sweeps[shape_].policy;
        return general_sweeps[0].policy;
    }
    [[nodiscard]] int launches() const { return launches_; }
    [[nodiscard]] double bytes() const { return bytes_; }
    [[nodiscard]] unsigned blocks() const { return blocks_; }

private:
    [[nodiscard]] index_t strips_of(const packed_pair<T>& p) const {
        return base::ceil_div(p.row_count, index_t{warp_size} * policy().rows);
    }
    [[nodiscard]] index_t widest() const {
        index_t tiles = 0;
        for (const packed_pair<T>& p : pairs_) tiles = std::max<index_t>(tiles, p.pitch / policy().columns);
        return tiles;
    }
    /// Tiles of a panel: all, or as many as `rows` rows of have room.
    [[nodiscard]] index_t panel_for(index_t rows) const {
        if (shape_ > 0) return widest();
        const index_t row_bytes = rows * policy().columns * index_t{sizeof(T)};
        const auto room = static_cast<index_t>(most_hand_bytes) / row_bytes;
        return std::min(widest(), asked_panel() > 0 ? asked_panel() : std::max<index_t>(room, 1024));
    }

    /// The tasks of all pairs in order; returns how far apart a task and the one below may be.
    index_t list(index_t panel, std::vector<strip_task>& tasks) const {
        constexpr int step_columns = 200;  // how far a strip is behind the one above, about
        index_t most_apart = 1;
        for (std::size_t k = 0; k < pairs_.size(); ++k) {
            const packed_pair<T>& p = pairs_[k];
            const index_t panels = base::ceil_div(p.pitch, panel * policy().columns);
            const auto first = static_cast<std::uint32_t>(tasks.size());
            if (panels == 1) {
                const auto count = static_cast<std::uint32_t>(strips_of(p));
                for (std::uint32_t s = 0; s < count; ++s)
                    tasks.push_back({{static_cast<std::int32_t>(s), 0, s == 0 ? no_task : first + s - 1,
                                      no_task, s + 1 == count ? no_task : first + s + 1},
                                     static_cast<std::uint32_t>(k)});
                continue;
            }
            const auto lead = std::max<index_t>(1, panel * policy().columns / step_columns);
            const strips::task_order order(static_cast<int>(strips_of(p)), static_cast<int>(panels),
                                           static_cast<int>(lead));
            most_apart = std::max<index_t>(most_apart, order.most_apart);
            const auto moved = [&](std::uint32_t n) { return n == no_task ? n : n + first; };
            for (const strips::task& t : order.tasks)
                tasks.push_back({{t.strip, t.panel, moved(t.above), moved(t.left), moved(t.below)},
                                 static_cast<std::uint32_t>(k)});
        }
        return most_apart;
    }

    /// Blocks that are worth while beside each other on the device, unless tests ask for fewer.
    [[nodiscard]] index_t most_blocks_beside() const {
        constexpr index_t schedulers = 4;  // of a multiprocessor
        sweep_work work{
            static_cast<double>(pairs_.size()), 0, 0, 0, 0, window_, sizeof(T), c_.multiprocessors()};
        for (const packed_pair<T>& p : pairs_) {
            work.rows += p.row_count / work.pairs;
            work.columns += p.column_count / work.pairs;
            work.most_rows = std::max<double>(work.most_rows, p.row_count);
            work.most_columns = std::max<double>(work.most_columns, p.column_count);
        }
        const index_t beside = warps_beside(policy(), work) * schedulers * c_.multiprocessors();
        const auto most = static_cast<std::size_t>(std::max<index_t>(1, beside / policy().warps));
        return std::max<index_t>(1, static_cast<index_t>(tuning::overridden("wavefront/warping/max_blocks",
                                                                            std::size_t{1} << 20, most)));
    }

    void run(const kept_lines<T>* kept) {
        const index_t allowed = most_blocks_beside(), warps = policy().warps;
        blocks_ = static_cast<unsigned>(
            std::clamp<index_t>(base::ceil_div(tasks_, warps), 1,
                                std::min<index_t>(allowed, resident_blocks<Cell, One>(c_, shape_))));
        const index_t in_flight = 2 * blocks_ * warps;  // a warp may be much slower than its neighbours
        const index_t panel = panel_for(std::min<index_t>(tasks_, in_flight) + 1);
        std::vector<strip_task> tasks;
        const index_t apart = list(panel, tasks), count = std::ssize(tasks);
        strips_job<Cell> w{};
        w.ring = static_cast<int>(std::min(count, std::max(in_flight, apart) + 1));
        w.hand_pitch = base::round_up(panel * policy().columns, 32);
        const cuda::uploaded<packed_pair<T>> pairs(c_, pairs_);
        const cuda::uploaded<strip_task> listed(c_, tasks);
        const cuda::scratch<T> hand(c_, w.ring * w.hand_pitch, "the rows between strips");
        const cuda::scratch<T> states(c_, panel < widest() ? states_ : 0, "the columns between panels");
        const cuda::scratch<std::uint32_t> counters(c_, count + 2);
        hand.fill_bytes(0xff);
        counters.fill_bytes(0);
        w.cell = cell_;
        w.pairs = pairs.data();
        w.tasks = listed.data();
        w.task_count = static_cast<std::uint32_t>(count);
        w.done = counters.data();
        w.ticket = w.done + count;
        w.failed = w.ticket + 1;
        w.hand = hand.data();
        w.panel = static_cast<int>(panel);
        w.states = states.data();
        if (kept != nullptr) w.kept = *kept;
        cuda::withhold_tickets(c_, "wavefront/warping", w.ticket);
        launch_strips<Cell, One>(c_, w, shape_, blocks_);
        std::uint32_t failed = 0;
        cuda::read_back(c_, &failed, w.failed, sizeof failed);
        if (failed != 0) throw device_error("warping: a wait for the strip above ran out");
        bytes_ += static_cast<double>(sizeof(T)) * static_cast<double>(hand.size());
        ++launches_;
        pairs_.clear();
        tasks_ = states_ = 0;
    }

    const cuda::context& c_;
    const Cell cell_;
    const device_side<T>&row_side_, &column_side_;
    const std::vector<index_t>&row_series_, &column_series_;
    const index_t window_;
    const int shape_;
    const packed_series<T> rows_, columns_;
    std::vector<packed_pair<T>> pairs_;
    index_t tasks_ = 0, states_ = 0;  // of the pairs; strips
    int launches_ = 0;
    unsigned blocks_ = 0;
    double bytes_ = 0;
};

}  // namespace wale::wavefront::warping
