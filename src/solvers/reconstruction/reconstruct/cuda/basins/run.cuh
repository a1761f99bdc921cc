// run - host side of cuda/basins for one pixel type: scratch memory, and three launches for each chunk
// of images. Nothing waits unless the caller wants a report.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "base/checked.hpp"
#include "cuda/queued_read.cuh"
#include "solvers/reconstruction/reconstruct/cuda/basins/apply.cuh"
#include "solvers/reconstruction/reconstruct/cuda/basins/graph.cuh"
#include "solvers/reconstruction/reconstruct/cuda/basins/tile.cuh"

namespace wale::reconstruction::basins {

/// Device memory for chunks of so many tiles.
template <class T, class Link, int Row>
class workspace {
public:
    using shape = shape_of<Link, Row>;
    using level = typename levels<T>::level;
    using wide = typename levels<T>::wide;
    static constexpr bool two_words = sizeof(wide) == 8;

    workspace(const cuda::context& c, index_t tiles, index_t blocks)
        : tiles_(tiles), memory_(c, lay_out(nullptr, blocks)) {
        (void)lay_out(memory_.data(), blocks);
    }

    [[nodiscard]] graph<wide> nodes_and_edges() const {
        const index_t n = nodes(tiles_);
        graph<wide> g{};
        g.count = count;
        g.marker = marker_;
        g.parent = parent_;
        g.cap = cap_;
        g.level = level_;
        g.roots = roots_;
        for (int k = 0; k < 2; ++k) {
            g.best[k] = best_ + k * n;
            g.best_number[k] = two_words ? number_ + k * n : nullptr;
        }
        g.ends = ends_;
        g.weight = weight_;
        g.most_nodes = static_cast<std::uint32_t>(n);
        g.most_edges = static_cast<std::uint32_t>(edges(tiles_));
        return g;
    }
    void place_in(tiling<T>& t) const {
        t.labels = labels_;
        t.heads = heads_;
        t.parents = parents_;
        t.parent_levels = parent_levels_;
        t.spill = spill_;
    }
    [[nodiscard]] label_map where() const { return {labels_, heads_, shape::pixels}; }

    counters* count = nullptr;

private:
    /// Number 0 is the source.
    static index_t nodes(index_t tiles) { return tiles * shape::at_edge + 2; }
    static index_t edges(index_t tiles) { return tiles * (shape::at_edge + shape::most_crossings); }

    index_t lay_out(unsigned char* memory, index_t blocks) {
        const index_t n = nodes(tiles_), e = edges(tiles_);
        cuda::pieces all(memory);
        all.next(count, 1);
        for (wide** levels : {&marker_, &cap_, &level_}) all.next(*levels, n);
        all.next(parent_, n);
        all.next(roots_, n);
        all.next(best_, 2 * n);
        all.next(number_, two_words ? 2 * n : 0);
        all.next(ends_, e);
        all.next(weight_, e);
        all.next(labels_, tiles_ * shape::pixels);
        all.next(heads_, tiles_);
        all.next(parents_, tiles_ * shape::basins);
        all.next(parent_levels_, tiles_ * shape::basins);
        all.next(spill_, blocks * ((shape::spill_words + 1) / 2 * 2));
        return all.used();
    }

    index_t tiles_;
    wide *marker_, *cap_, *level_;
    std::uint32_t *parent_, *roots_;
    std::uint64_t* best_;
    std::uint32_t* number_;
    edge* ends_;
    wide* weight_;
    std::uint16_t* labels_;
    tile_head* heads_;
    std::uint16_t* parents_;
    level* parent_levels_;
    std::uint32_t* spill_;
    cuda::scratch<unsigned char> memory_;
};

/// A job in chunks of whole images.
template <class T, class Link, int Row>
class run_of {
public:
    using shape = shape_of<Link, Row>;
    using memory = tile_memory<T, Link, Row>;
    using wide = typename levels<T>::wide;

    run_of(const cuda::context& c, reconstruct_job& job) : context_(c), job_(job), tiling_(recipe<T>(job)) {
        const raster& r = job.mask;
        tiling_.across = base::ceil_div(r.columns, shape::columns);
        tiling_.down = base::ceil_div(r.rows, shape::rows);
        tiling_.deep = base::ceil_div(r.planes, shape::planes);
        tiles_ = tiling_.across * tiling_.down * tiling_.deep;
        at_once_ = std::clamp<index_t>(chunk_pixels / (tiles_ * shape::pixels), 1, r.images);
        const auto kernel = contract_tiles<T, Link, Row>;
        constexpr int bytes = sizeof(memory);
        const int resident = cuda::launch_limits::blocks(c, kernel, shape::threads, bytes);
        blocks_ = at_most(std::min(index_t{resident} * c.multiprocessors(), tiles_ * at_once_));
    }

    void run() {
        const workspace<T, Link, Row> space(context_, tiles_ * at_once_, blocks_);
        space.place_in(tiling_);
        if (job_.asynchronous) return start_all(space);
        counters last{};
        const cuda::queued_read left(context_, space.count, sizeof last);
        cuda::timer timer(context_);
        start_all(space);
        job_.result->run.compute_seconds = timer.stop(left);
        left.copy_to(&last);
        if (last.failed != 0) throw device_error("reconstruct: cuda/basins: a wait ran out");
        job_.result->run.iterations = last.rounds;
        job_.result->tile_visits = tiles_ * job_.mask.images;
    }

private:
    void start_all(const workspace<T, Link, Row>& space) {
        cuda::check(cudaMemsetAsync(space.count, 0, sizeof(counters), context_.stream()));
        for (index_t first = 0; first < job_.mask.images; first += at_once_) {
            const index_t images = std::min(at_once_, job_.mask.images - first);
            point_at(first, images);
            start(space, first > 0);
        }
    }

    void point_at(index_t first, index_t images) {
        const auto from = [&](const void* data, const raster& r) {
            return static_cast<const T*>(data) + first * r.image_stride;
        };
        tiling_.mask_at = job_.mask;
        tiling_.marker_at = job_.marker;
        tiling_.out_at = job_.out;
        tiling_.mask = from(job_.mask.data, job_.mask);
        if (job_.start == start_rule::given) tiling_.marker = from(job_.marker.data, job_.marker);
        const index_t skipped = first * job_.out.image_stride;
        const bool flags = job_.finish == finish_rule::flag;
        tiling_.out =
            static_cast<std::uint8_t*>(job_.out.data) + skipped * static_cast<index_t>(flags ? 1 : sizeof(T));
        tiling_.tiles = tiles_ * images;
        tiling_.mask_in_vectors = in_vectors(tiling_.mask, tiling_.mask_at, sizeof(T));
        tiling_.out_in_vectors = !flags && in_vectors(tiling_.out, tiling_.out_at, sizeof(T));
    }

    static bool in_vectors(const void* data, const raster& r, index_t bytes) {
        const auto begins = static_cast<index_t>(reinterpret_cast<std::uintptr_t>(data) % 16);
        return (begins | r.row_stride * bytes | r.plane_stride * bytes | r.image_stride * bytes) % 16 == 0;
    }

    /// again: for images after the first ones, whose counters stand where the kernels left them.
    void start(const workspace<T, Link, Row>& space, bool again) const {
        graph<wide> g = space.nodes_and_edges();
        g.trap = job_.asynchronous;
        constexpr std::size_t kept = offsetof(counters, nodes);
        if (again)
            cuda::check(cudaMemsetAsync(&g.count->nodes, 0, sizeof(counters) - kept, context_.stream()));
        const auto blocks = static_cast<unsigned>(std::min(blocks_, tiling_.tiles));
        contract_tiles<T, Link, Row>
            <<<blocks, shape::threads, sizeof(memory), context_.stream()>>>(tiling_, g);
        cuda::check_launch();
        if (tiles_ > 1)
            join(context_, g, space.where());  // basins of an image of one tile touch no other tile
        const auto all = static_cast<unsigned>(std::min(tiling_.tiles, most_blocks));
        apply_levels<T, Link, Row><<<all, shape::threads, 0, context_.stream()>>>(tiling_, g.level);
        cuda::check_launch();
    }

    static constexpr index_t most_blocks = (index_t{1} << 31) - 1;

    const cuda::context& context_;
    reconstruct_job& job_;
    tiling<T> tiling_;
    index_t tiles_, at_once_, blocks_;
};

template <class T, class Link>
void run_link(const cuda::context& c, reconstruct_job& job) {
    const auto with = [&]<int Row>() {
        constexpr tile_policy p = tile_of<Link::rank, Row>();
        std::string& policy = job.result->run.policy;
        policy.assign("tile=").append(std::to_string(p.columns)).append("x").append(std::to_string(p.rows));
        if (Link::rank == 3) policy.append("x").append(std::to_string(p.planes));
        run_of<T, Link, Row>(c, job).run();
    };
    if constexpr (Link::rank == 2)
        tuning::with_row<flat_policies, sizeof(T)>(
            tuning::choose("reconstruction/reconstruct/basins", flat_policies, c.sm(), sizeof(T)), with);
    else
        tuning::with_row<volume_policies, sizeof(T)>(
            tuning::choose("reconstruction/reconstruct/basins_volume", volume_policies, c.sm(), sizeof(T)),
            with);
}

template <class T>
void run_type(const cuda::context& c, reconstruct_job& job) {
    if (job.mask.rank == 2)
        return job.reach == 1 ? run_link<T, flat_link<1>>(c, job) : run_link<T, flat_link<2>>(c, job);
    if (job.reach == 1) return run_link<T, volume_link<1>>(c, job);
    if (job.reach == 2) return run_link<T, volume_link<2>>(c, job);
    run_link<T, volume_link<3>>(c, job);
}

}  // namespace wale::reconstruction::basins
