// padded_image - what the sequential schedules work on: the keys of one image, with a rim around them
// that never rises and raises nothing, so that no neighbour needs a test. Images of a batch go to threads.
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "cpu/poll.hpp"
#include "cpu/team.hpp"
#include "solvers/reconstruction/problem.hpp"

namespace wale::reconstruction {

template <class T>
class padded_image {
public:
    std::vector<T> mask, rising;     // with the rim, whose keys are the lowest
    std::array<index_t, 26> step{};  // to the neighbours, in raster order: the first half lies before a pixel
    int steps = 0;
    std::vector<T> largest;               // of a row: scratch
    std::vector<std::uint8_t> can_raise;  // the same

    explicit padded_image(const reconstruct_job& job)
        : job_(job), rule_(job), pitch_(job.mask.columns + 2), plane_pitch_((job.mask.rows + 2) * pitch_) {
        const index_t planes = job.mask.rank == 3 ? job.mask.planes + 2 : 1;
        mask.assign(static_cast<std::size_t>(planes * plane_pitch_), lowest_key<T>());
        rising = mask;
        largest.resize(static_cast<std::size_t>(job.mask.columns));
        can_raise.resize(largest.size());
        for_each_neighbour(job.mask.rank, job.reach, [&](reconstruction::step s) {
            step[static_cast<std::size_t>(steps++)] = s.plane * plane_pitch_ + s.row * pitch_ + s.column;
        });
    }

    /// Calls f(first, last) for the pixels of each row, in raster order or the other way round.
    template <class F>
    void for_each_row(bool backward, const F& f) const {
        const index_t lines = job_.mask.planes * job_.mask.rows;
        cpu::rare_poll poll(64);
        for (index_t k = 0; k < lines; ++k) {
            poll();
            const index_t line = backward ? lines - 1 - k : k;
            const index_t first = at(line / job_.mask.rows, line % job_.mask.rows);
            f(first, first + job_.mask.columns);
        }
    }

    void load(index_t image) {
        for_each_line([&](index_t plane, index_t row, T* under, T* risen) {
            const T* mask_row = elements(job_.mask, image, plane, row);
            const T* marker_row =
                job_.start == start_rule::given ? elements(job_.marker, image, plane, row) : nullptr;
            for (index_t c = 0; c < job_.mask.columns; ++c) {
                under[c] = rule_.key(mask_row[c]);
                risen[c] = rule_.marker(under[c], marker_row ? marker_row[c] : T{},
                                        at_border(job_.mask, plane, row, c));
            }
        });
    }

    void store(index_t image) {
        for_each_line([&](index_t plane, index_t row, const T* under, const T* risen) {
            const index_t offset = job_.out.offset(image, plane, row);
            if (job_.finish == finish_rule::flag) {
                auto* to = static_cast<std::uint8_t*>(job_.out.data) + offset;
                for (index_t c = 0; c < job_.mask.columns; ++c) to[c] = risen[c] < under[c] ? 1 : 0;
            } else {
                T* to = static_cast<T*>(job_.out.data) + offset;
                for (index_t c = 0; c < job_.mask.columns; ++c) to[c] = rule_.finished(risen[c], under[c]);
            }
        });
    }

private:
    [[nodiscard]] index_t at(index_t plane, index_t row) const {
        return (job_.mask.rank == 3 ? plane + 1 : 0) * plane_pitch_ + (row + 1) * pitch_ + 1;
    }
    static const T* elements(const const_image_view& p, index_t image, index_t plane, index_t row) {
        return static_cast<const T*>(p.data) + p.offset(image, plane, row);
    }
    template <class F>
    void for_each_line(const F& f) {
        for (index_t plane = 0; plane < job_.mask.planes; ++plane)
            for (index_t row = 0; row < job_.mask.rows; ++row)
                f(plane, row, mask.data() + at(plane, row), rising.data() + at(plane, row));
    }

    const reconstruct_job& job_;
    recipe<T> rule_;
    index_t pitch_, plane_pitch_;
};

/// Calls f.template operator()<N>() with the number of neighbours, known to the compiler in the plane; 0:
/// not.
template <class F>
auto with_steps(int steps, const F& f) {
    if (steps == 4) return f.template operator()<4>();
    if (steps == 8) return f.template operator()<8>();
    return f.template operator()<0>();
}

/// One pass in raster order, or the other way round: each pixel takes the least of its mask and the largest
/// of itself and the neighbours before it. Whether any rose. Calls done(first, last) behind each row.
template <class T, class F>
bool raise_in_order(padded_image<T>& f, bool backward, const F& done) {
    const int half = f.steps / 2;
    T* const rising = f.rising.data();
    const T* const mask = f.mask.data();
    bool rose = false;
    f.for_each_row(backward, [&](index_t first, index_t last) {
        // The neighbours in other rows first: nothing in these loops waits for the pixel beside it.
        T* const largest = f.largest.data() - first;
        std::copy(rising + first, rising + last, largest + first);
        for (int k = backward ? half + 1 : 0; k < (backward ? f.steps : half - 1); ++k) {
            const T* const from = rising + f.step[static_cast<std::size_t>(k)];
            for (index_t p = first; p < last; ++p) largest[p] = larger(largest[p], from[p]);
        }
        T beside = lowest_key<T>();
        const auto raise = [&](index_t p) {
            beside = smaller(larger(largest[p], beside), mask[p]);
            rose |= rising[p] < beside;
            rising[p] = beside;
        };
        if (backward)
            for (index_t p = last - 1; p >= first; --p) raise(p);
        else
            for (index_t p = first; p < last; ++p) raise(p);
        done(first, last);
    });
    return rose;
}

/// Calls seed(pixel) for the pixels of a row that can raise one of their neighbours k0 <= k < k1.
template <class T, class F>
void seed_row(padded_image<T>& f, index_t first, index_t last, std::pair<int, int> neighbours,
              const F& seed) {
    const T* const rising = f.rising.data();
    const T* const mask = f.mask.data();
    std::uint8_t* const can = f.can_raise.data() - first;
    std::fill(can + first, can + last, std::uint8_t{0});
    for (int k = neighbours.first; k < neighbours.second; ++k) {
        const index_t by = f.step[static_cast<std::size_t>(k)];
        const T *const to = rising + by, *const under = mask + by;
        for (index_t p = first; p < last; ++p)
            can[p] = static_cast<std::uint8_t>(can[p] | ((to[p] < rising[p]) & (to[p] < under[p])));
    }
    for (index_t p = first; p < last; ++p)
        if (can[p]) seed(p);
}

/// The pixels of the whole image that can raise a neighbour.
template <class T, class F>
void seed_everywhere(padded_image<T>& f, const F& seed) {
    f.for_each_row(false, [&](index_t first, index_t last) { seed_row(f, first, last, {0, f.steps}, seed); });
}

/// A pass there and one back (Vincent 1993). Calls seed(pixel) for those that can still raise a neighbour.
template <class T, class F>
void sweep_and_seed(padded_image<T>& f, const F& seed) {
    raise_in_order(f, false, [](index_t, index_t) {});
    raise_in_order(f, true, [&](index_t first, index_t last) {
        seed_row(f, first, last, {f.steps / 2, f.steps}, seed);
    });
}

/// Raises the neighbours of p under their masks and calls raised(neighbour) for those that rose.
template <int N, class T, class F>
void raise_neighbours(padded_image<T>& f, index_t p, const F& raised) {
    const int all = N > 0 ? N : f.steps;
    const T v = f.rising[static_cast<std::size_t>(p)];
    T* const rising = f.rising.data();
    const T* const mask = f.mask.data();
    for (int k = 0; k < all; ++k) {
        const index_t q = p + f.step[static_cast<std::size_t>(k)];
        if (!(rising[q] < v) || !(rising[q] < mask[q])) continue;
        rising[q] = smaller(v, mask[q]);
        raised(q);
    }
}

inline constexpr unsigned pixels_a_poll = 1 << 14;

/// A queue of pixels as two generations, so that its memory is that of the front.
class first_in_first_out {
public:
    void push(index_t p) { next_.push_back(p); }
    /// Calls f(pixel), which may push, until nothing is left.
    template <class F>
    void run(const F& f) {
        while (!next_.empty()) {
            now_.swap(next_);
            for (const index_t p : now_) {
                f(p);
                poll_();
            }
            now_.clear();
        }
    }

private:
    std::vector<index_t> now_, next_;
    cpu::rare_poll poll_{pixels_a_poll};
};

/// Loads each image, calls solve.template operator()<N>(padded) for the number of its passes, stores it.
template <class Solve>
void reconstruct_padded(reconstruct_job& job, const Solve& solve) {
    constexpr index_t pixels_a_thread = 1 << 15;  // fewer are not worth a thread
    if (job.mask.pixels() == 0) return;
    const int threads =
        cpu::team_size(job.where, std::min(job.mask.images, job.mask.pixels() / pixels_a_thread + 1));
    std::vector<index_t> passes(static_cast<std::size_t>(threads));
    visit(job.mask.type, [&]<class T>() {
        cpu::run_team(threads, [&](int rank) {
            padded_image<T> f(job);
            index_t& most = passes[static_cast<std::size_t>(rank)];
            for (index_t image = rank; image < job.mask.images; image += threads) {
                f.load(image);
                const index_t taken =
                    with_steps(f.steps, [&]<int N>() -> index_t { return solve.template operator()<N>(f); });
                most = std::max(most, taken);
                f.store(image);
            }
        });
    });
    job.result->run.threads = threads;
    job.result->run.iterations = *std::max_element(passes.begin(), passes.end());
}

}  // namespace wale::reconstruction
