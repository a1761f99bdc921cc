// flood - the flooding over a padded copy of an image, for any queue.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cpu/poll.hpp"
#include "solvers/reconstruction/jobs.hpp"
#include "solvers/reconstruction/problem.hpp"

namespace wale::reconstruction {

struct waiting_pixel {
    index_t index;  // into the padded image
    std::int32_t label;
};

template <class T>
struct at_level {
    T level;
    waiting_pixel pixel;
};

/// One image with a rim of closed pixels, so that no neighbour needs a test for the image's ends.
template <class T, class Queue>
class padded_flood {
public:
    padded_flood(const watershed_job& job, index_t number, Queue& queue)
        : job_(job), number_(number), queue_(queue) {
        const raster& r = job.image;
        row_ = r.columns + 2;
        plane_ = row_ * (r.rows + 2);
        const auto size = static_cast<std::size_t>(plane_ * (r.planes + 2 * rim()));
        values_.resize(size);
        state_.assign(size, closed);
        for (int far = 1; far <= job.reach; ++far)  // nearest first
            for_each_neighbour(r.rank, job.reach, [&](step s) {
                if ((s.plane != 0) + (s.row != 0) + (s.column != 0) == far)
                    steps_.push_back(s.plane * plane_ + s.row * row_ + s.column);
            });
        for_each_row([&](index_t plane, index_t row, index_t start) { load(plane, row, start); });
    }

    void run() {
        cpu::rare_poll poll(1 << 14);
        for (; !queue_.empty(); poll()) go(queue_.pop());
        for_each_row([&](index_t plane, index_t row, index_t start) { store(plane, row, start); });
    }

private:
    static constexpr std::int32_t closed = least_label - 2;  // not in the image or the mask, or on a line
    static constexpr std::int32_t waiting =
        least_label - 1;  // with a line: in the queue, without a label yet

    [[nodiscard]] index_t rim() const { return job_.image.rank == 3 ? 1 : 0; }
    [[nodiscard]] std::int32_t& state(index_t i) { return state_[static_cast<std::size_t>(i)]; }

    template <class F>
    void for_each_row(const F& f) {
        for (index_t plane = 0; plane < job_.image.planes; ++plane)
            for (index_t row = 0; row < job_.image.rows; ++row)
                f(plane, row, (plane + rim()) * plane_ + (row + 1) * row_ + 1);
    }
    template <class U>
    [[nodiscard]] const U* row_of(const const_image_view& p, index_t plane, index_t row) const {
        return p.data ? static_cast<const U*>(p.data) + p.offset(number_, plane, row) : nullptr;
    }

    void load(index_t plane, index_t row, index_t start) {
        const T* value = row_of<T>(job_.image, plane, row);
        const auto* marker = row_of<std::int32_t>(job_.markers, plane, row);
        const auto* open = row_of<std::uint8_t>(job_.mask, plane, row);
        std::copy_n(value, job_.image.columns, values_.begin() + start);
        for (index_t c = 0; c < job_.image.columns; ++c) {
            if (open != nullptr && open[c] == 0) continue;
            state(start + c) = marker[c];
            if (marker[c] != 0) queue_.push(value[c], {start + c, marker[c]});
        }
    }

    /// A marked pixel that lies on a line keeps its label.
    void store(index_t plane, index_t row, index_t start) {
        const auto* marker = row_of<std::int32_t>(job_.markers, plane, row);
        const auto* open = row_of<std::uint8_t>(job_.mask, plane, row);
        auto* label = static_cast<std::int32_t*>(job_.labels.data) + job_.labels.offset(number_, plane, row);
        for (index_t c = 0; c < job_.image.columns; ++c) {
            const std::int32_t s = state(start + c);
            const bool counts = open == nullptr || open[c] != 0;
            label[c] = s != closed ? s : counts ? marker[c] : 0;
        }
    }

    /// The pixel's neighbours without a label wait. Without a line they get it at once: no pixel can come
    /// before. With one they get it when they go; a pixel that arrives later at no lower level goes later.
    void go(const at_level<T>& next) {
        const auto [index, label] = next.pixel;
        if (job_.line) state(index) = between_labels(index, label) ? closed : label;
        for (const index_t s : steps_) {
            const index_t n = index + s;
            if (state(n) != 0) continue;
            state(n) = job_.line ? waiting : label;
            queue_.push(larger(values_[static_cast<std::size_t>(n)], next.level), {n, label});
        }
    }

    [[nodiscard]] bool between_labels(index_t index, std::int32_t label) {
        return std::any_of(steps_.begin(), steps_.end(), [&](index_t s) {
            const std::int32_t other = state(index + s);
            return other != 0 && other != closed && other != waiting && other != label;
        });
    }

    const watershed_job& job_;
    index_t number_;
    index_t row_ = 0, plane_ = 0;  // steps in the padded image
    std::vector<T> values_;
    std::vector<std::int32_t> state_;  // label, 0, closed or waiting
    std::vector<index_t> steps_;
    Queue& queue_;  // empty before and after
};

/// All images of the job, one after the other, on this thread.
template <class T, class Queue>
void flood_all(watershed_job& job) {
    if (job.image.pixels() == 0) return;
    Queue queue;
    for (index_t number = 0; number < job.image.images; ++number)
        padded_flood<T, Queue>(job, number, queue).run();
}

}  // namespace wale::reconstruction
