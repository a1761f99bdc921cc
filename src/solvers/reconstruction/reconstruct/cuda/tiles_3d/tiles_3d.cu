// tiles_3d - launches the first pass, the persistent warps and the last pass.
#include "solvers/reconstruction/reconstruct/cuda/tiles_3d/tiles_3d.cuh"

#include <optional>

#include "cuda/queued_read.cuh"
#include "solvers/reconstruction/reconstruct/cuda/tiles_3d/tuning.hpp"
#include "solvers/reconstruction/reconstruct/cuda/tiles_3d/words.cuh"
#include "solvers/reconstruction/reconstruct/shared/passes.cuh"
#include "tuning/override.hpp"

namespace wale::reconstruction::tiles_3d {

// The first and the last pass: from images of any strides to tiles of keys, and from those to the answer.
// Floors for u8, in bytes a pixel: first 2 or 3, and 2 of tiles; last 2 of tiles and 1.

/// A word of a tile of a volume: where its pixels lie. A block takes a plane of a tile at a time.
struct spot {
    index_t image, plane, row, column, index;  // index: of the word in all tiles
};

/// 32-bit where a kernel divides: 64-bit divisions would cost more than the pass.
template <class T>
struct grid {
    using number = std::uint32_t;
    static constexpr index_t most_tiles = 1 << 26;  // so that their planes can be counted
    index_t tiles;
    number tiles_x, tiles_y, tiles_z, planes;  // planes: of a tile

    grid(const raster& r, int tile_planes)
        : tiles_x(static_cast<number>((r.columns + pack<T>::columns - 1) / pack<T>::columns)),
          tiles_y(static_cast<number>((r.rows + rows - 1) / rows)),
          tiles_z(static_cast<number>((r.planes + tile_planes - 1) / tile_planes)),
          planes(static_cast<number>(tile_planes)) {
        tiles = r.images;
        for (const number n : {tiles_x, tiles_y, tiles_z}) {
            tiles *= n;
            if (tiles >= most_tiles) throw bad_argument("cuda/tiles_3d: the volumes have 2^26 tiles or more");
        }
    }
    [[nodiscard]] index_t words() const { return tiles * planes * plane_pitch; }
    [[nodiscard]] __device__ spot at(number tile_plane, number thread) const {
        const number tile = tile_plane / planes, plane = tile_plane % planes;
        const number x = tile % tiles_x, y = tile / tiles_x % tiles_y, z = tile / tiles_x / tiles_y;
        const number row = thread / across, word = thread % across;
        return {
            z / tiles_z, index_t{z % tiles_z} * planes + plane, index_t{y} * rows + row,
            index_t{x} * pack<T>::columns + word * pack<T>::pixels,
            index_t{tile_plane} * plane_pitch + index_of(0, static_cast<int>(row), static_cast<int>(word))};
    }
};

/// Whether rows can be accessed in words.
template <class T>
struct access {
    bool mask, marker, out;
};

template <class T>
struct pass {
    using k = pack<T>;
    using word = typename k::word;
    static constexpr int bits = 8 * sizeof(word) / k::pixels;
    typed_job<T> job;
    grid<T> cut;
    access<T> whole;  // images whose words are aligned

    /// The pixels of a word at `from`; those beyond the row are not read.
    __device__ static void load(const T* from, bool whole, index_t count, T (&v)[k::pixels]) {
        if (whole && count == k::pixels) {
            const word w = *reinterpret_cast<const word*>(from);
            for (int i = 0; i < k::pixels; ++i) v[i] = part(w, i);
        } else {
            for (int i = 0; i < k::pixels; ++i) v[i] = i < count ? from[i] : T{};
        }
    }
    __device__ static T part(word w, int i) {
        if constexpr (k::pixels == 1)
            return std::bit_cast<T>(w);
        else
            return static_cast<T>(w >> (bits * i));
    }
    /// Pixels of the image in a word that begins here, 0 where it lies beyond.
    __device__ index_t count(const spot& s) const {
        const raster& r = job.mask_at;
        if (s.plane >= r.planes || s.row >= r.rows || s.column >= r.columns) return 0;
        return r.columns - s.column < k::pixels ? r.columns - s.column : k::pixels;
    }
    __device__ void start(const spot& s, word* mask, word* risen) const {
        const index_t n = count(s);
        T under[k::pixels], given[k::pixels] = {};
        word m = 0, j = 0;
        if (n > 0) {
            load(job.mask + job.mask_at.offset(s.image, s.plane, s.row) + s.column, whole.mask, n, under);
            if (job.rule.start == start_rule::given)
                load(job.marker + job.marker_at.offset(s.image, s.plane, s.row) + s.column, whole.marker, n,
                     given);
            for (int i = 0; i < n; ++i) {
                const T key = job.rule.key(under[i]);
                const bool outer = at_border(job.mask_at, s.plane, s.row, s.column + i);
                m |= static_cast<word>(ordered(key) << (bits * i));
                j |= static_cast<word>(ordered(job.rule.marker(key, given[i], outer)) << (bits * i));
            }
        }
        mask[s.index] = m;
        risen[s.index] = j;
    }
    __device__ void finish(const spot& s, const word* mask, const word* risen) const {
        const index_t n = count(s), at = job.out_at.offset(s.image, s.plane, s.row) + s.column;
        if (n == 0) return;
        const word m = mask[s.index], j = risen[s.index];
        if (job.rule.finish == finish_rule::flag) {
            for (int i = 0; i < n; ++i) static_cast<std::uint8_t*>(job.out)[at + i] = key(j, i) < key(m, i);
            return;
        }
        T* out = static_cast<T*>(job.out) + at;
        if (k::pixels > 1 && whole.out && n == k::pixels) {
            word w = 0;
            for (int i = 0; i < k::pixels; ++i)
                w |= static_cast<word>(job.rule.finished(key(j, i), key(m, i))) << (bits * i % 32);
            *reinterpret_cast<word*>(out) = w;
        } else {
            for (int i = 0; i < n; ++i) out[i] = unsigned_zero(job.rule.finished(key(j, i), key(m, i)));
        }
    }
    /// Both zeros have one key, which erosion would make -0.
    __device__ static T unsigned_zero(T v) {
        if constexpr (std::is_floating_point_v<T>)
            return v + T{0};
        else
            return v;
    }
    __device__ static T key(word w, int i) {
        if constexpr (k::pixels == 1)
            return key_of<T>(w);
        else
            return static_cast<T>(w >> (bits * i));
    }
};

template <class T>
__global__ void __launch_bounds__(pass_threads)
    start_tiles(const pass<T> of, typename pack<T>::word* mask, typename pack<T>::word* risen) {
    const auto count = static_cast<std::uint32_t>(of.cut.tiles) * of.cut.planes;
    for (std::uint32_t i = blockIdx.x; i < count; i += gridDim.x) {
        of.start(of.cut.at(i, threadIdx.x), mask, risen);
        // Visits copy whole planes, so the words between rows are set too.
        if (const int gap = static_cast<int>(threadIdx.x); gap < gaps) {
            const index_t at = index_t{i} * plane_pitch +
                               (gap < rows ? index_of(0, gap, across) : rows * row_pitch + gap - rows);
            mask[at] = risen[at] = 0;
        }
    }
}

template <class T>
__global__ void __launch_bounds__(pass_threads)
    finish_tiles(const pass<T> of, const typename pack<T>::word* mask, const typename pack<T>::word* risen) {
    const auto count = static_cast<std::uint32_t>(of.cut.tiles) * of.cut.planes;
    for (std::uint32_t i = blockIdx.x; i < count; i += gridDim.x)
        of.finish(of.cut.at(i, threadIdx.x), mask, risen);
}

/// Volumes that are a tile each, a block a tile: nothing lies around them, so that one visit, of the first
/// warp, is all, and nothing is shared.
template <int Row, class T, int Reach>
__global__ void __launch_bounds__(pass_threads) lone_tiles(const __grid_constant__ pass<T> of) {
    constexpr int planes = policies[Row].policy.planes;
    using resident = tile<T, planes>;
    __shared__ __align__(16) typename pack<T>::word risen[planes * plane_pitch], mask[planes * plane_pitch];
    const auto for_each_spot = [&](const auto& f) {
        for (std::uint32_t plane = 0; plane < planes; ++plane) {
            spot s = of.cut.at(blockIdx.x * planes + plane, threadIdx.x);
            s.index -= index_t{blockIdx.x} * planes * plane_pitch;
            f(s);
        }
    };
    for_each_spot([&](const spot& s) { of.start(s, mask, risen); });
    __syncthreads();
    if (threadIdx.x < 32)
        resident{risen, mask, {static_cast<int>(threadIdx.x)}}.template settle<Reach>(resident::all_planes);
    __syncthreads();
    for_each_spot([&](const spot& s) { of.finish(s, mask, risen); });
}

}  // namespace wale::reconstruction::tiles_3d

namespace wale::reconstruction {
namespace tiles_3d {
namespace {

/// States, ring and counters, in one piece that one memset clears.
struct list_memory {
    index_t tiles, slots;
    list_memory(index_t tiles_, index_t workers)
        : tiles(tiles_),
          slots(static_cast<index_t>(std::bit_ceil(static_cast<std::uint64_t>(larger(tiles_, workers))))) {}
    [[nodiscard]] index_t bytes() const {
        return static_cast<index_t>(sizeof(tiles::control)) + 4 * (slots + tiles);
    }
    [[nodiscard]] tiles::worklist in(unsigned char* memory, index_t workers) const {
        tiles::worklist work{};
        work.all = reinterpret_cast<tiles::control*>(memory);
        work.slots = reinterpret_cast<std::uint32_t*>(memory + sizeof(tiles::control));
        work.state = work.slots + slots;
        work.slot_mask = static_cast<std::uint32_t>(slots - 1);
        work.tiles = static_cast<std::uint32_t>(tiles);
        work.workers = static_cast<std::uint32_t>(workers);
        work.jitter = tiles::hook("tiles_3d", "jitter");
        work.withheld = tiles::hook("tiles_3d", "withhold");
        return work;
    }
};

template <class T>
[[nodiscard]] bool has_words(const const_image_view& p) {
    const auto whole = [](index_t elements) { return elements * static_cast<index_t>(sizeof(T)) % 4 == 0; };
    return reinterpret_cast<std::uintptr_t>(p.data) % 4 == 0 && (p.rows <= 1 || whole(p.row_stride)) &&
           (p.planes <= 1 || whole(p.plane_stride)) && (p.images <= 1 || whole(p.image_stride));
}

template <int Row, class T, int Reach>
class run {
public:
    explicit run(reconstruct_job& job, const cuda::context& on) : job_(job), on_(on) {}

    void operator()() const {
        const grid<T> cut(job_.mask, p.planes);
        job_.result->run.policy = "tile=" + std::to_string(pack<T>::columns) + "x" + std::to_string(rows) +
                                  "x" + std::to_string(p.planes) + " warps=" + std::to_string(p.warps);
        if (cut.tiles == job_.mask.images && !is_tested()) return visit_once(cut);
        const unsigned blocks =
            tiles::resident_blocks(on_, "tiles_3d", settle_tiles<Row, T, Reach>, p.warps, shared, cut.tiles);
        const index_t workers = index_t{blocks} * p.warps;
        const list_memory list(cut.tiles, workers);
        const cuda::scratch<unsigned char> memory(on_, list.bytes());
        const cuda::scratch<word> mask(on_, cut.words()), risen(on_, cut.words());
        const task<T> of{mask.data(),
                         risen.data(),
                         static_cast<int>(cut.tiles_x),
                         static_cast<int>(cut.tiles_y),
                         static_cast<int>(cut.tiles_z),
                         list.in(memory.data(), workers)};
        const auto queue = [&] {
            memory.fill_bytes(0);
            queue_all(of, cut, blocks, mask.data(), risen.data());
        };
        if (job_.asynchronous) return queue();
        tiles::control all{};
        const cuda::queued_read left(on_, of.work.all, sizeof all);
        cuda::timer watch(on_);
        queue();
        job_.result->run.compute_seconds = watch.stop(left);
        left.copy_to(&all);
        job_.result->tile_visits = all.visits;
        if (all.failed != tiles::none) throw device_error("cuda/tiles_3d: a wait for another tile ran out");
    }

private:
    using word = typename pack<T>::word;
    static constexpr policy p = policies[Row].policy;
    static constexpr std::size_t shared =
        sizeof(word) * 2 * visitor<T, p.planes, Reach>::words * static_cast<std::size_t>(p.warps);

    [[nodiscard]] pass<T> ends_of(const grid<T>& cut) const {
        const bool out_words = job_.finish != finish_rule::flag && has_words<T>(job_.out);
        return {typed_job<T>(job_), cut, {has_words<T>(job_.mask), has_words<T>(job_.marker), out_words}};
    }
    /// Tests of the worklist want it where there is one tile too.
    [[nodiscard]] static bool is_tested() {
        return tiles::hook("tiles_3d", "max_blocks") != 0 || tiles::hook("tiles_3d", "jitter") != 0 ||
               tiles::hook("tiles_3d", "withhold") != 0;
    }
    void visit_once(const grid<T>& cut) const {
        std::optional<cuda::timer> watch;
        if (!job_.asynchronous) watch.emplace(on_);
        lone_tiles<Row, T, Reach>
            <<<static_cast<unsigned>(cut.tiles), pass_threads, 0, on_.stream()>>>(ends_of(cut));
        cuda::check_launch();
        job_.result->tile_visits = cut.tiles;
        if (watch) job_.result->run.compute_seconds = watch->stop();
    }
    void queue_all(const task<T>& of, const grid<T>& cut, unsigned blocks, word* mask, word* risen) const {
        const pass<T> ends = ends_of(cut);
        const auto pass_grid = static_cast<unsigned>(
            smaller(cut.tiles * index_t{cut.planes}, index_t{pass_blocks} * on_.multiprocessors()));
        start_tiles<<<pass_grid, pass_threads, 0, on_.stream()>>>(ends, mask, risen);
        cuda::check_launch();
        settle_tiles<Row, T, Reach><<<blocks, 32 * p.warps, shared, on_.stream()>>>(of);
        cuda::check_launch();
        finish_tiles<<<pass_grid, pass_threads, 0, on_.stream()>>>(ends, mask, risen);
        cuda::check_launch();
    }

    reconstruct_job& job_;
    const cuda::context& on_;
};

template <class T>
void run_typed(reconstruct_job& job) {
    const cuda::context on(job.where);
    const auto row = tuning::choose("reconstruction/reconstruct/tiles_3d", policies, on.sm(), sizeof(T));
    tuning::with_row<policies, sizeof(T)>(row, [&]<int Row>() {
        if (job.reach == 1) return run<Row, T, 1>(job, on)();
        if (job.reach == 2) return run<Row, T, 2>(job, on)();
        run<Row, T, 3>(job, on)();
    });
}

}  // namespace
}  // namespace tiles_3d

namespace {

std::string refusal(const reconstruct_job& job) {
    if (job.mask.rank != 3) return "takes volumes only";
    return refuses_bits(job);
}

void run(reconstruct_job& job) {
    if (job.mask.pixels() == 0) return;
    visit(job.mask.type, [&]<class T>() { tiles_3d::run_typed<T>(job); });
}

}  // namespace

extern constinit const catalogue::row<reconstruct_job> reconstruct_cuda_tiles_3d{
    "cuda/tiles_3d",
    "volumes: asynchronous worklist of tiles in shared memory, sweeps through planes, rows and columns", run,
    refusal};

}  // namespace wale::reconstruction
