// steps - the order of the work on all devices. Group g of panels lies on device g modulo devices. While the
// devices bring their columns up to date with group g, the owner of group g + 1 has done so with these
// columns first, factors them, and sends them to all others.
//
// One thread of the host queues everything, each event after what it stands for: a stream waits for events of
// streams on other devices, no kernel for another kernel, so that any order in which devices run what they
// have is a right one. Two places for panels of others are enough: group g + 2 is sent to a device when the
// device's products with group g have ended.
#pragma once

#include "solvers/lu/factor/cuda/lookahead/order_launch.cuh"
#include "solvers/lu/parts/cuda/block_cyclic/dealing.hpp"
#include "solvers/lu/parts/cuda/block_cyclic/lane.cuh"

namespace wale::lu {

template <class T>
struct divided_shape {
    index_t rows, diagonal, leading;
    panel_grid grid;
    int first_shape;
};

template <class T>
class cyclic_steps {
public:
    cyclic_steps(const divided_shape<T>& shape, const column_dealing& dealing,
                 const std::vector<columns_of_device<T>>& devices)
        : s_(shape), dealing_(dealing), devices_(devices), lanes_(devices) {}

    void run() {
        queue_panels(0);
        for (std::size_t g = 0; g < dealing_.with_panels; ++g) {
            if (g + 1 < dealing_.with_panels) advance(g);
            for (std::size_t k = 0; k < lanes_.size(); ++k) apply(g, k);
        }
        for (std::size_t k = 0; k < lanes_.size(); ++k) reorder(k);
        lu_result found;
        factor_job job;
        job.result = &found;
        for (std::size_t k = 0; k < lanes_.size(); ++k) {
            const cuda::context here(devices_[k].where);
            here.synchronize();
            lanes_[k].report.report(job, "cuda/block_cyclic");
        }
    }

private:
    struct columns {
        index_t first, count;  // of the device
    };
    [[nodiscard]] const column_group& group(std::size_t g) const { return dealing_.groups[g]; }
    [[nodiscard]] index_t first(int panel) const { return s_.grid.first(panel); }
    [[nodiscard]] index_t end(int panel) const { return std::min<index_t>(first(panel + 1), s_.diagonal); }

    /// The columns of group g + 1 first, by their owner.
    void advance(std::size_t g) {
        const column_group& next = group(g + 1);
        const std::size_t k = next.owner;
        {
            const cuda::context here(devices_[k].where);
            wait_for_panels(g, k, lanes_[k].panels.get());
            if (g > 0) lanes_[k].rest_done.wait(lanes_[k].panels.get());
            update(g, k, {next.local, next.end - next.begin}, true);
            // The panels get their multiprocessors first: the rest waits for the same moment by way of an
            // event.
            lanes_[k].next_ready.record(lanes_[k].panels.get());
        }
        queue_panels(g + 1);
    }
    /// All columns of device k right of group g that are not up to date.
    void apply(std::size_t g, std::size_t k) {
        const cuda::context here(devices_[k].where);
        device_lane<T>& lane = lanes_[k];
        wait_for_panels(g, k, here.stream());
        index_t from = dealing_.right_of(g, k);
        if (g + 1 < dealing_.with_panels && group(g + 1).owner == k) {
            from += group(g + 1).end - group(g + 1).begin;
            lane.next_ready.wait(here.stream());
        }
        if (dealing_.columns[k] > from) update(g, k, {from, dealing_.columns[k] - from}, false);
        lane.rest_done.record(here.stream());
    }
    void wait_for_panels(std::size_t g, std::size_t k, cudaStream_t stream) const {
        const std::size_t owner = group(g).owner;
        owner == k ? lanes_[k].factored.wait(stream) : lanes_[owner].sent[k].wait(stream);
    }

    /// Panels of one group: each updates those after it and exchanges the rows of those before it.
    void queue_panels(std::size_t g) {
        const column_group& all = group(g);
        const std::size_t k = all.owner;
        const cuda::context here(devices_[k].where);
        const cudaStream_t stream = lanes_[k].panels.get();
        for (int t = all.first_panel; t <= all.last_panel; ++t) {
            queue_panel(k, all, t);
            const columns after{all.local + end(t) - all.begin, all.end - end(t)};
            if (after.count > 0) {
                launch_exchange(exchange(g, k, t, t, after), stream, true);
                multiply(g, k, t, t, after, true);
            }
            if (t == all.first_panel) continue;
            exchange_job<T> left = exchange(g, k, t, t, {all.local, first(t) - all.begin});
            left.inverse = nullptr;
            launch_exchange(left, stream, true);
        }
        lanes_[k].factored.record(stream);
        for (std::size_t i = 1; i < lanes_.size(); ++i) send(g, k, (k + i) % lanes_.size());
    }
    void queue_panel(std::size_t k, const column_group& all, int t) {
        const columns_of_device<T>& own = devices_[k];
        panel_job<T> p{};
        p.a = own.a + first(t) + (all.local + first(t) - all.begin) * s_.leading;
        p.leading = s_.leading;
        p.rows = static_cast<int>(s_.rows - first(t));
        p.columns = static_cast<int>(end(t) - first(t));
        p.first = static_cast<std::int32_t>(first(t));
        p.from = own.notes[t].from;
        p.to = own.notes[t].to;
        p.source = own.sources + index_t{t} * s_.rows + first(t);
        p.pivots = own.pivots + first(t);
        p.inverse = own.notes[t].inverse;
        p.solved = own.solved;
        p.report = lanes_[k].report.data();
        launch_panel(p, s_.first_shape, lanes_[k].panels.get());
    }

    void send(std::size_t g, std::size_t k, std::size_t to) {
        const column_group& all = group(g);
        const columns_of_device<T>&from = devices_[k], &there = devices_[to];
        const cudaStream_t stream = lanes_[k].copies[to].get();
        lanes_[k].factored.wait(stream);
        if (g > 1) lanes_[to].rest_done.wait(stream);
        if (dealing_.right_of(g, to) < dealing_.columns[to]) copy_panels(g, k, to, stream);
        const auto copy = [&](auto* target, const auto* source, index_t count) {
            cuda::check(cudaMemcpyAsync(target, source, static_cast<std::size_t>(count) * sizeof *source,
                                        cudaMemcpyDefault, stream));
        };
        const index_t panels = all.last_panel - all.first_panel + 1, at = all.first_panel * s_.rows;
        copy(there.notes + all.first_panel, from.notes + all.first_panel, panels);
        copy(there.sources + at, from.sources + at, panels * s_.rows);
        lanes_[k].sent[to].record(stream);
    }
    /// The panels of a group, from the group's first row on, to the place for them.
    void copy_panels(std::size_t g, std::size_t k, std::size_t to, cudaStream_t stream) const {
        const column_group& all = group(g);
        const auto bytes = [](index_t elements) { return static_cast<std::size_t>(elements) * sizeof(T); };
        cuda::check(cudaMemcpy2DAsync(
            devices_[to].arrived[g % 2] + all.begin, bytes(s_.leading),
            devices_[k].a + all.begin + all.local * s_.leading, bytes(s_.leading), bytes(s_.rows - all.begin),
            static_cast<std::size_t>(all.end - all.begin), cudaMemcpyDefault, stream));
    }

    void update(std::size_t g, std::size_t k, const columns& right, bool next) {
        const column_group& all = group(g);
        const cudaStream_t stream = next ? lanes_[k].panels.get() : lanes_[k].context.stream();
        for (int t = all.first_panel; t <= all.last_panel; ++t)
            launch_exchange(exchange(g, k, all.first_panel, t, right), stream, next);
        multiply(g, k, all.first_panel, all.last_panel, right, next);
    }
    /// Element (i, j) of group g on device k is panels_on(g, k)[i + (j - begin of the group) * leading].
    [[nodiscard]] const T* panels_on(std::size_t g, std::size_t k) const {
        const columns_of_device<T>& own = devices_[k];
        return group(g).owner == k ? own.a + group(g).local * s_.leading : own.arrived[g % 2];
    }
    /// Columns right of panel t, which is joined with those from s on.
    [[nodiscard]] exchange_job<T> exchange(std::size_t g, std::size_t k, int s, int t,
                                           const columns& right) const {
        const columns_of_device<T>& own = devices_[k];
        exchange_job<T> e{};
        e.right = own.a + first(t) + right.first * s_.leading;
        e.lower = panels_on(g, k) + first(t) + (first(s) - group(g).begin) * s_.leading;
        e.leading = s_.leading;
        e.above = static_cast<int>(first(t) - first(s));
        e.block = static_cast<int>(end(t) - first(t));
        e.count = right.count;
        e.from = own.notes[t].from;
        e.to = own.notes[t].to;
        e.inverse = own.notes[t].inverse;
        return e;
    }
    /// What lies below panels s to last in columns `right`.
    void multiply(std::size_t g, std::size_t k, int s, int last, const columns& right, bool next) {
        const index_t after = end(last);
        T* const c = devices_[k].a + right.first * s_.leading;
        const T* const l = panels_on(g, k) + (first(s) - group(g).begin) * s_.leading;
        const device_lane<T>& lane = lanes_[k];
        lane.products.queue(
            next ? lane.blas_next : lane.blas_rest,
            {s_.rows - after, right.count, after - first(s), l + after, c + first(s), c + after, s_.leading});
    }

    /// What panels after a group did to the rows of its columns.
    void reorder(std::size_t k) {
        const cuda::context here(devices_[k].where);
        const columns_of_device<T>& own = devices_[k];
        const int rows = static_cast<int>(s_.rows), panels = group(dealing_.with_panels - 1).last_panel + 1;
        launch_compose({own.sources, own.later, nullptr, rows, panels, s_.grid}, here.stream());
        for (std::size_t g = 0; g + 1 < dealing_.with_panels; ++g) {
            const column_group& all = group(g);
            if (all.owner != k) continue;
            launch_reorder<T>(here, {own.a + all.local * s_.leading, s_.leading, own.later, own.spare, rows,
                                     static_cast<int>(all.begin), static_cast<int>(all.end), s_.grid});
        }
    }

    const divided_shape<T>& s_;
    const column_dealing& dealing_;
    const std::vector<columns_of_device<T>>& devices_;
    const device_lanes<T> lanes_;
};

}  // namespace wale::lu
