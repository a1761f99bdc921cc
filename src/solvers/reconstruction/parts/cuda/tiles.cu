// tiles - the CUDA row of a shared image: passes over lines and images of a device; in flat images what
// follows is the work of the worklist of cuda/tiles.
#include "solvers/reconstruction/parts/problem.hpp"
#include "solvers/reconstruction/parts/shared/vectors.cuh"
#include "solvers/reconstruction/problem.hpp"
#include "solvers/reconstruction/reconstruct/cuda/tiles/onward.cuh"
#include "solvers/reconstruction/shared/row_chunks.cuh"

#include <optional>

namespace wale::reconstruction {
namespace {

/// The first or the last line: `rows` of `columns` pixels, without gaps, as is the neighbour's line.
template <class T>
struct outer_line {
    T* risen;
    const T* mask;
    const T* arrived;  // null: the image ends here
    index_t row;       // of a flat image
};

template <class T>
struct raising {
    outer_line<T> lines[2];
    index_t rows, columns;
    int reach;
    bool mirror;
    bool flat;
    tiles::wake_list woken;  // where flat
    std::uint32_t* rose;

    [[nodiscard]] __device__ T key(T v) const { return mirror ? mirrored(v) : v; }

    /// Of a pixel of a line: neighbours across the cut differ in one coordinate already.
    __device__ bool raise(const outer_line<T>& line, index_t row, index_t column) const {
        const int wide = reach > 1 ? 1 : 0, high = flat ? 0 : wide;
        T most = lowest_key<T>();
        for (int dr = -high; dr <= high; ++dr)
            for (int dc = -wide; dc <= wide; ++dc) {
                const index_t r = row + dr, c = column + dc;
                if ((dr != 0) + (dc != 0) >= reach || r < 0 || r >= rows || c < 0 || c >= columns) continue;
                most = larger(most, key(line.arrived[r * columns + c]));
            }
        const index_t at = row * columns + column;
        most = smaller(most, key(line.mask[at]));
        if (!(key(line.risen[at]) < most)) return false;
        line.risen[at] = key(most);
        return true;
    }
};

/// A thread takes a pixel of both lines, which may be one and the same.
template <class T>
__global__ void __launch_bounds__(chunk.threads) raise_lines(const raising<T> of) {
    const index_t step = index_t{gridDim.x} * blockDim.x;
    for (index_t i = index_t{blockIdx.x} * blockDim.x + threadIdx.x; i < of.rows * of.columns; i += step)
        for (const outer_line<T>& line : of.lines) {
            if (line.arrived == nullptr || !of.raise(line, i / of.columns, i % of.columns)) continue;
            *of.rose = 1;
            if (of.flat) of.woken.wake(line.row, i % of.columns);
        }
}

template <class T>
class part_of final : public device_part {
public:
    explicit part_of(const part_job& job)
        : where_(job.where),
          mask_(job.mask),
          risen_(job.risen),
          whole_(job.whole),
          first_(job.first),
          flat_(job.mask.rank == 2),
          rule_(job),
          rose_(1, std::get<on_cuda>(job.where).device) {
        onward_job_.where = job.where;
        onward_job_.marker = onward_job_.out = job.risen;
        onward_job_.mask = job.mask;
        onward_job_.method = job.method;
        onward_job_.reach = job.reach;
    }

    void start(const image_view& marker) override {
        const cuda::context on(where_);
        const recipe<T> rule = rule_.as_recipe();
        const T* const mask = static_cast<const T*>(mask_.data);
        T* const to = static_cast<T*>(marker.data);
        parts::queue_vectors<T>(on, mask_.pixels(), [=] __device__(index_t first, index_t count) {
            parts::vector<T> v;
            v.load(mask, first, count);
            for (T& pixel : v.pixel) pixel = rule.key(rule.marker(rule.key(pixel), T{}, false));
            v.store(to, first, count);
        });
        if (rule_.start != start_rule::border) return;
        const unsigned blocks = row_chunks(mask_).blocks(on.multiprocessors());
        parts::copy_border<T><<<blocks, chunk.threads, 0, on.stream()>>>(mask_, whole_, first_, mask, to);
        cuda::check_launch();
    }

    void send(void* first, void* last) override {
        const cuda::context on(where_);
        if (flat_ && !onward_) onward_.emplace(on, onward_job_);
        const auto copy = [&](void* to, const T* line) {
            cuda::check(cudaMemcpyAsync(to, line, line_bytes(), cudaMemcpyDeviceToHost, on.stream()));
        };
        copy(first, risen() + at(0));
        copy(last, risen() + at(1));
        if (followed_) onward_->finish(on);
        followed_ = false;
        on.synchronize();
    }

    [[nodiscard]] bool raise(const void* above, const void* below) override {
        const cuda::context on(where_);
        raising<T> of{};
        const void* arrived[] = {above, below};
        for (int side = 0; side < 2; ++side)
            of.lines[side] = {risen() + at(side), static_cast<const T*>(mask_.data) + at(side),
                              static_cast<const T*>(arrived[side]), side == 0 ? 0 : mask_.rows - 1};
        of.rows = flat_ ? 1 : mask_.rows;
        of.columns = mask_.columns;
        of.reach = onward_job_.reach;
        of.mirror = rule_.method == reconstruction_method::erosion;
        of.flat = flat_;
        if (flat_) of.woken = onward_->queue_start(on);
        of.rose = rose_.data();
        rose_.zero(on);
        const index_t blocks = (of.rows * of.columns + chunk.threads - 1) / chunk.threads;
        raise_lines<T>
            <<<static_cast<unsigned>(smaller(blocks, index_t{chunk.blocks_per_sm} * on.multiprocessors())),
               chunk.threads, 0, on.stream()>>>(of);
        cuda::check_launch();
        std::uint32_t rose = 0;
        cuda::read_back(on, &rose, rose_.data(), sizeof rose);
        return rose != 0;
    }

    void follow() override {
        if (!flat_) return;
        onward_->queue(cuda::context(where_));
        followed_ = true;
    }

    void finish(const image_view& out) override {
        const cuda::context on(where_);
        if (rule_.finish == finish_rule::value) {
            if (out.data != risen_.data)
                cuda::check(cudaMemcpyAsync(out.data, risen_.data,
                                            static_cast<std::size_t>(mask_.pixels()) * sizeof(T),
                                            cudaMemcpyDeviceToDevice, on.stream()));
            return;
        }
        const recipe<T> rule = rule_.as_recipe();
        const T *const mask = static_cast<const T*>(mask_.data), *const from = risen();
        if (rule_.finish == finish_rule::flag) {
            auto* const flags = static_cast<std::uint8_t*>(out.data);
            return parts::queue_vectors<T>(on, mask_.pixels(), [=] __device__(index_t first, index_t count) {
                parts::vector<T> j, i;
                parts::vector<T, std::uint8_t> flag;
                j.load(from, first, count);
                i.load(mask, first, count);
                for (int k = 0; k < parts::at_once<T>; ++k)
                    flag.pixel[k] = rule.key(j.pixel[k]) < rule.key(i.pixel[k]) ? 1 : 0;
                flag.store(flags, first, count);
            });
        }
        T* const to = static_cast<T*>(out.data);
        parts::queue_vectors<T>(on, mask_.pixels(), [=] __device__(index_t first, index_t count) {
            parts::vector<T> j, i;
            j.load(from, first, count);
            i.load(mask, first, count);
            for (int k = 0; k < parts::at_once<T>; ++k)
                j.pixel[k] = rule.finished(rule.key(j.pixel[k]), rule.key(i.pixel[k]));
            j.store(to, first, count);
        });
    }

private:
    /// The rules of a part_job as those of a reconstruct_job.
    struct rules {
        reconstruction_method method;
        start_rule start;
        finish_rule finish;
        double height;
        explicit rules(const part_job& job)
            : method(job.method), start(job.start), finish(job.finish), height(job.height) {}
        [[nodiscard]] recipe<T> as_recipe() const {
            reconstruct_job job;
            job.method = method;
            job.start = start;
            job.finish = finish;
            job.height = height;
            return recipe<T>(job);
        }
    };

    [[nodiscard]] T* risen() const { return static_cast<T*>(risen_.data); }
    [[nodiscard]] index_t line() const { return (flat_ ? 1 : mask_.rows) * mask_.columns; }
    [[nodiscard]] std::size_t line_bytes() const { return static_cast<std::size_t>(line()) * sizeof(T); }
    /// Of the first and the last line.
    [[nodiscard]] index_t at(int side) const {
        return side == 0 ? 0 : ((flat_ ? mask_.rows : mask_.planes) - 1) * line();
    }

    execution where_;
    const_image_view mask_;
    image_view risen_;
    raster whole_;
    index_t first_;
    bool flat_;
    rules rule_;
    reconstruct_job onward_job_;
    cuda::device_array<std::uint32_t> rose_;
    std::optional<tiles::onward<T>> onward_;
    bool followed_ = false;
};

void run(part_job& job) {
    visit(job.mask.type, [&]<class T>() { job.part = std::make_unique<part_of<T>>(job); });
}

}  // namespace

extern constinit const catalogue::row<part_job> part_cuda_tiles{
    "cuda/tiles", "outermost lines raised by the neighbours', then the worklist of tiles from there", run};

}  // namespace wale::reconstruction
