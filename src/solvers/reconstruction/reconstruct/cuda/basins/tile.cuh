// tile - a block contracts a tile: pixels to basins, basins to nodes and edges. Reads the image
// once.
#pragma once

#include "solvers/reconstruction/reconstruct/cuda/basins/contract.cuh"
#include "solvers/reconstruction/reconstruct/cuda/basins/levels.cuh"
#include "solvers/reconstruction/reconstruct/cuda/basins/tile_place.cuh"

namespace wale::reconstruction::basins {

/// One tile, in the hands of one thread of its block. Between the steps the block waits for itself.
template <class T, class Link, int Row>
class tile_work : tile_place<T, Link, Row> {
    using place = tile_place<T, Link, Row>;
    using place::at_;
    using place::in_image;
    using place::in_vectors_;
    using place::inside_image;
    using place::inside_tile;
    using place::job_;
    using place::leaves_tile;
    using place::look_up;
    using place::m_;
    using place::marker_at;
    using place::neighbour_of;
    using place::pixel_of_step;
    using place::stored;
    using place::thread;
    using place::tile_;
    using place::touches_end_;
    using place::x_;
    using place::y_;
    using place::y_of;
    using place::z_of;

public:
    using memory = tile_memory<T, Link, Row>;
    using shape = typename memory::shape;
    using level = typename memory::level;
    using wide = typename memory::wide;

    __device__ tile_work(const tiling<T>& job, memory& in, index_t tile)
        : place(job, in, tile), edges_(in, job.spill) {}

    __device__ void run(const graph<wide>& g) {
        load();
        __syncthreads();
        find_parents();
        __syncthreads();
        join_parts();
        open_basins();
        follow_parents();
        gather_markers();
        edges_.settle();
        __syncthreads();
        contract(m_, edges_);
        publish(g);
    }

private:
    /// Keys of the tile and of a rim of one pixel; 0 outside the image, where nothing looks.
    __device__ void load() {
        constexpr int width = shape::columns + 2, height = shape::rows + 2;
        constexpr int layers = shape::planes + 2 * shape::depth;
        if (Link::rank == 2 && in_vectors_) {
            load_vectors();
            for (int i = thread(); i < 2 * (width + shape::rows); i += shape::threads) {
                const int over = i - 2 * width;
                const int x = over < 0 ? i % width - 1 : over % 2 * (shape::columns + 1) - 1;
                load_key(x, over < 0 ? i / width * (shape::rows + 1) - 1 : over / 2, 0);
            }
        } else {
            for (int i = thread(); i < width * height * layers; i += shape::threads)
                load_key(i % width - 1, i / width % height - 1, i / (width * height) - shape::depth);
        }
        if (threadIdx.x == 0)
            m_.found = m_.candidates = m_.edges = m_.crossings = m_.nodes = m_.attached = m_.inner = 0;
    }
    __device__ void load_key(int x, int y, int z) {
        level l = 0;
        if (in_image(x, y, z)) l = levels<T>::of(job_.rule.key(stored(job_.mask, job_.mask_at, x, y, z)));
        m_.keys[memory::place(x, y, z)] = l;
    }
    /// The tile without its rim, 16 bytes at a time.
    __device__ void load_vectors() {
        using unit = vector_of<T>;
        constexpr int across = shape::columns / unit::size;
        const T* from = job_.mask + job_.mask_at.offset(at_.image, at_.plane, at_.row) + at_.column;
        for (int i = thread(); i < across * shape::rows; i += shape::threads) {
            const int x = i % across * unit::size, y = i / across;
            const unit stored = unit::load(from + y * job_.mask_at.row_stride + x);
            stored.keys(job_.rule).store_levels(&m_.keys[memory::place(x, y, 0)]);
        }
    }

    /// Every pixel points to its highest neighbour in the tile, or to itself. Notes the maxima, and the
    /// pixels that may join parts of their upper link, in bits of this thread's steps; then in lists, so that
    /// what few pixels need is done by full warps.
    __device__ void find_parents() {
        level window[3 * Link::layer];
        std::uint32_t joins = 0;
        fill_layer(window, 0, x_, y_, -1);
        fill_layer(window, 1, x_, y_, 0);
        maxima_ = 0;
#pragma unroll(Link::rank == 2 ? shape::steps : 2)
        for (int k = 0; k < shape::steps; ++k) {
            fill_layer(window, 2, x_, y_, k + 1);
            const seen s = see(window, x_, y_of(k), z_of(k));
            const int pixel = pixel_of_step(k);
            m_.parent[pixel] = static_cast<std::uint16_t>(s.parent != 0 ? pixel + s.distance : is_basin);
            if (touches_end_ && !in_image(x_, y_of(k), z_of(k)))
                m_.parent[pixel] = no_label;
            else if (s.parent == 0)
                maxima_ |= 1u << k;
            if (Link::may_join(s.up, s.parent)) joins |= 1u << k;
#pragma unroll
            for (int i = 0; i < 2 * Link::layer; ++i) window[i] = window[i + Link::layer];
        }
        int at = reserve_in_warp(&m_.candidates, __popc(joins));
        for (; joins != 0; joins &= joins - 1)
            m_.candidate()[at++] =
                static_cast<std::uint16_t>(pixel_of_step(__ffs(static_cast<int>(joins)) - 1));
    }

    /// Neighbours of a pixel above it; those in the tile; the one that it points to, or none.
    struct seen {
        std::uint32_t up, inside, parent;
        int distance;  // from the pixel to its parent
    };
    __device__ seen see(const level* window, int x, int y, int z) const {
        seen s{0, inside_tile(x, y, z), 0, 0};
        look_up(window, s.up, s.parent, s.distance);
        if (touches_end_) s.up = in_image(x, y, z) ? s.up & inside_image(x, y, z) : 0;
        s.parent &= s.up & s.inside;
        if (s.parent == 0 && (s.up & Link::near & s.inside) != 0) {  // the highest one lies outside
            s.parent = lowest_bit(s.up & Link::near & s.inside);
            s.distance = neighbour_of(0, __ffs(static_cast<int>(s.parent)) - 1);
        }
        return s;
    }
    /// One edge to each part of the upper link that the parent is not in.
    __device__ void join_parts() {
        for (int base = 0; base < m_.candidates; base += shape::threads) {
            int pixel = 0;
            std::uint32_t joined = 0, inside = 0;
            if (base + thread() < m_.candidates) {
                pixel = m_.candidate()[base + thread()];
                const seen s = see_again(pixel);
                joined = Link::saddles(s.up, s.parent, s.inside);
                inside = s.inside;
            }
            edges_.note(pixel, joined & inside, joined & ~inside);
        }
        __syncthreads();  // basins lie where the candidates were
    }
    __device__ seen see_again(int pixel) const {
        const int x = pixel % shape::columns, y = pixel / shape::columns % shape::rows;
        const int z = pixel / (shape::columns * shape::rows);
        level window[3 * Link::layer];
#pragma unroll
        for (int layer = 0; layer < 3; ++layer)
            fill_layer(window, layer, x, y, layer - 1 + (Link::rank == 2 ? 0 : z));
        return see(window, x, y, z);
    }

    /// Layer `layer` of a window becomes the rows, or planes, `step` beyond (x, y).
    __device__ void fill_layer(level* window, int layer, int x, int y, int step) const {
        const level* from =
            m_.keys + (Link::rank == 2 ? memory::place(x, y + step, 0) : memory::place(x, y, step));
#pragma unroll
        for (int i = 0; i < Link::layer; ++i)
            window[layer * Link::layer + i] =
                from[(Link::rank == 2 ? 0 : i / 3 - 1) * memory::pitch + i % 3 - 1];
    }

    /// Numbers the maxima.
    __device__ void open_basins() {
        if (threadIdx.x == 0) {
            m_.marker[shape::basins] = static_cast<wide>(~wide{0});
            m_.root[shape::basins] = shape::basins;
        }
        int id = reserve_in_warp(&m_.found, __popc(maxima_));
        for (std::uint32_t left = maxima_; left != 0; left &= left - 1) {
            const int k = __ffs(static_cast<int>(left)) - 1;
            const int y = y_of(k), z = z_of(k);
            m_.parent[pixel_of_step(k)] = static_cast<std::uint16_t>(is_basin | id);
            m_.marker[id] = levels<T>::of(marker_at(m_.keys[memory::place(x_, y, z)], y, z));
            m_.root[id] = static_cast<std::uint16_t>(id);
            m_.best[id] = 0;
            if constexpr (!memory::packed) m_.best_level[id] = 0;
            m_.open[id] = 0;
            ++id;
        }
    }

    /// Turns pixels' parents to basins: all look some steps ahead, then all write, so that steps grow
    /// fivefold.
    __device__ void follow_parents() {
        std::uint16_t towards[shape::steps];
        bool on_the_way = true;
        while (__syncthreads_or(on_the_way)) {
            on_the_way = false;
#pragma unroll
            for (int k = 0; k < shape::steps; ++k) towards[k] = m_.parent[pixel_of_step(k)];
#pragma unroll
            for (int step = 0; step < 4; ++step)
#pragma unroll
                for (int k = 0; k < shape::steps; ++k)
                    if ((towards[k] & is_basin) == 0) towards[k] = m_.parent[towards[k]];
            __syncthreads();
#pragma unroll
            for (int k = 0; k < shape::steps; ++k) {
                m_.parent[pixel_of_step(k)] = towards[k];
                on_the_way = on_the_way || (towards[k] & is_basin) == 0;
            }
        }
    }

    /// The highest marker of every basin, and whether it touches the tile's edge. A marker that falls with
    /// the mask is highest at the basin's maximum, where open_basins() took it.
    __device__ void gather_markers() {
        const start_rule start = job_.rule.start;
        const bool markers = start == start_rule::given || (start == start_rule::border && touches_end_);
        const bool column_at_edge = x_ == 0 || x_ == shape::columns - 1;
        for (int k = 0; k < shape::steps; ++k) {
            const int y = y_of(k), z = z_of(k);
            const bool at_edge = column_at_edge || y == 0 || y == shape::rows - 1 ||
                                 (Link::rank == 3 && (z == 0 || z == shape::planes - 1));
            if (!at_edge && !markers) continue;
            const std::uint16_t basin = m_.parent[pixel_of_step(k)];
            if (basin == no_label) continue;
            const int id = basin & ~is_basin;
            if (at_edge && leaves_tile(y, z)) m_.open[id] = 1;
            if (!markers) continue;
            const wide marker = levels<T>::of(marker_at(m_.keys[memory::place(x_, y, z)], y, z));
            if (marker > m_.marker[id]) raise(&m_.marker[id], marker);
        }
    }

    __device__ void publish(const graph<wide>& g) {
        number_basins();
        __syncthreads();
        if (threadIdx.x == 0) reserve_in(g);
        __syncthreads();
        if (m_.first_node == 0) return;  // no space left: reserve_in() has set the flag
        write_basins(g);
        write_crossings(g);
        __syncthreads();
        write_labels();
    }

    /// Nodes first, so that a label alone identifies a node.
    __device__ void number_basins() {
        for (int id = thread(); id < m_.found; id += shape::threads) {
            m_.hook[id] = static_cast<std::uint16_t>(atomicAdd(m_.open[id] ? &m_.nodes : &m_.attached, 1));
            const int on = m_.root[id];
            const bool joins = m_.open[id] && on != id && on != shape::basins;
            m_.best[id] = joins ? static_cast<std::uint32_t>(atomicAdd(&m_.inner, 1)) : dead;
        }
    }

    __device__ void reserve_in(const graph<wide>& g) {
        const auto nodes = static_cast<std::uint32_t>(m_.nodes);
        const auto edges = static_cast<std::uint32_t>(m_.inner + m_.crossings);
        m_.first_node = atomicAdd(&g.count->nodes, nodes) + 1;
        m_.first_edge = atomicAdd(&g.count->edges, edges);
        job_.heads[tile_] = {m_.first_node, static_cast<std::uint16_t>(m_.nodes),
                             static_cast<std::uint16_t>(m_.attached)};
        if (m_.first_node + nodes > g.most_nodes || m_.first_edge + edges > g.most_edges) {
            g.count->failed = 1;
            m_.first_node = 0;
        }
    }

    __device__ void write_basins(const graph<wide>& g) {
        for (int id = thread(); id < m_.found; id += shape::threads) {
            if (!m_.open[id]) {
                write_hanging(id);
                continue;
            }
            const std::uint32_t node = m_.first_node + m_.hook[id];
            g.marker[node] = m_.marker[id];
            g.parent[node] = node;
            g.best[0][node] = 0;
            if constexpr (sizeof(wide) == 8) g.best_number[0][node] = 0;
            if (m_.best[id] == dead) continue;
            const std::uint32_t i = m_.first_edge + m_.best[id];
            g.ends[i] = {node, m_.first_node + m_.hook[m_.root[id]]};
            g.weight[i] = m_.cap[id];
        }
    }

    __device__ void write_hanging(int id) {
        level cap = m_.cap[id];
        int on = m_.root[id];
        while (on != shape::basins && !m_.open[on]) {
            cap = smaller(cap, m_.cap[on]);
            on = m_.root[on];
        }
        const index_t i = tile_ * shape::basins + m_.hook[id];
        m_.hook[id] = static_cast<std::uint16_t>(m_.hook[id] + m_.nodes);  // this basin is no parent
        job_.parents[i] = on == shape::basins ? to_source : m_.hook[on];
        job_.parent_levels[i] = cap;
    }

    __device__ void write_crossings(const graph<wide>& g) {
        for (int i = thread(); i < m_.crossings; i += shape::threads) {
            const std::uint32_t code = edges_.crossing(i);
            const int pixel = static_cast<int>(code >> 5), k = static_cast<int>(code & 31u);
            const std::uint32_t node = m_.first_node + m_.hook[m_.parent[pixel] & ~is_basin];
            const std::uint32_t to = m_.first_edge + static_cast<std::uint32_t>(m_.inner + i);
            g.ends[to] = {node | crosses, address_of(pixel, k)};
            g.weight[to] = m_.keys[memory::place(pixel)];
        }
    }

    /// Where the label of a pixel's neighbour in another tile lies.
    __device__ std::uint32_t address_of(int pixel, int k) const {
        const int x = pixel % shape::columns + Link::dx(k),
                  y = pixel / shape::columns % shape::rows + Link::dy(k);
        const int z = pixel / (shape::columns * shape::rows) + Link::dz(k);
        const auto beyond = [](int at, int size) { return at < 0 ? -1 : at >= size ? 1 : 0; };
        const int right = beyond(x, shape::columns), below = beyond(y, shape::rows),
                  behind = beyond(z, shape::planes);
        const index_t tile = tile_ + right + job_.across * (below + job_.down * behind);
        const int local =
            x - right * shape::columns +
            shape::columns * (y - below * shape::rows + shape::rows * (z - behind * shape::planes));
        return static_cast<std::uint32_t>(tile * shape::pixels + local);
    }

    /// 16 bytes of labels at a time.
    __device__ void write_labels() {
        auto* to = reinterpret_cast<uint4*>(job_.labels + tile_ * shape::pixels);
        const auto* from = reinterpret_cast<const uint4*>(m_.parent);
        for (int i = thread(); i < shape::pixels / 8; i += shape::threads) {
            const uint4 basins = from[i];
            to[i] = make_uint4(labels_of(basins.x), labels_of(basins.y), labels_of(basins.z),
                               labels_of(basins.w));
        }
    }
    __device__ std::uint32_t labels_of(std::uint32_t two) const {
        const auto label = [&](std::uint32_t basin) -> std::uint32_t {
            return touches_end_ && basin == no_label ? basin : m_.hook[basin & 0x7fffu];
        };
        return label(two & 0xffffu) | label(two >> 16) << 16;
    }

    tile_edges<T, Link, Row> edges_;
    std::uint32_t maxima_ = 0;  // of this thread's steps
};

template <class T, class Link, int Row>
__global__ void __launch_bounds__(shape_of<Link, Row>::threads, shape_of<Link, Row>::policy.blocks)
    contract_tiles(const __grid_constant__ tiling<T> job,
                   const __grid_constant__ graph<typename levels<T>::wide> g) {
    extern __shared__ __align__(16) unsigned char raw[];
    auto& memory = *reinterpret_cast<tile_memory<T, Link, Row>*>(raw);
    for (index_t tile = blockIdx.x; tile < job.tiles; tile += gridDim.x) {
        tile_work<T, Link, Row>(job, memory, tile).run(g);
        __syncthreads();
    }
}

}  // namespace wale::reconstruction::basins
