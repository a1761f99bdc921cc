// panels - the row for complex numbers. A matrix of at most 4 rows and columns in the registers of a thread,
// of at most 32 in those of some lanes; a small one whole in shared memory, a block each; of a larger one, or
// a batch of them, panel after panel: the panel by a cluster, the exchanges and U's rows a thread a column,
// the product by cuBLAS. The launches are the order.
#include <optional>

#include "cuda/brief_timer.cuh"
#include "solvers/lu/factor/cuda/batched/tuning.hpp"
#include "solvers/lu/factor/cuda/batched/work.cuh"
#include "solvers/lu/factor/cuda/panels/beside.cuh"
#include "solvers/lu/factor/cuda/panels/eliminate.cuh"
#include "solvers/lu/factor/cuda/panels/held_panel.cuh"
#include "solvers/lu/factor/cuda/panels/lanes.cuh"
#include "solvers/lu/factor/cuda/panels/panel.cuh"
#include "solvers/lu/factor/cuda/panels/product.cuh"
#include "solvers/lu/factor/shared/refusals.hpp"

namespace wale::lu {
namespace {

using namespace panels;

constexpr index_t most_blocks = 65535;

unsigned blocks_for(index_t size, index_t part) {
    return static_cast<unsigned>(std::clamp<index_t>((size + part - 1) / part, 1, most_blocks));
}

/// Matrices of one shape, panel after panel.
template <class T>
class panel_steps {
public:
    panel_steps(const cuda::context& c, const policy& p, const device_batch<T>& all, const all_rules& by)
        : c_(c),
          all_(all),
          by_(by),
          blas_(c),
          triangles_(c, by.pivots ? 0 : all.count * most_width * most_width),
          rows_(all.first.rows),
          columns_(all.first.columns),
          width_(p.width),
          held_(p.held),
          joined_(std::max<index_t>(p.width, std::max(rows_, columns_) < p.joined_from ? 0 : p.joined)) {
        constexpr index_t least = 4;  // columns of a panel
        while (width_ > least && !fits(rows_, width_)) width_ /= 2;
    }

    void queue() {
        const index_t diagonal = all_.first.diagonal();
        for (index_t outer = 0; outer < diagonal; outer += joined_) {
            const index_t end = std::min(outer + joined_, diagonal);
            const bool alone = end - outer <= width_;
            for (index_t first = outer; first < end; first += width_) {
                const index_t next = std::min(first + width_, end);
                queue_panel(static_cast<int>(first), static_cast<int>(next - first));
                queue_beside(first, next - first, alone ? columns_ : end);
                queue_product(blas_, all_, {next, rows_, next, end, first, next});
            }
            if (end == columns_) break;
            for (index_t first = outer; !alone && first < end; first += width_) {
                const index_t next = std::min(first + width_, end);
                queue_rows(first, next - first, end);
                queue_product(blas_, all_, {next, end, end, columns_, first, next});
            }
            queue_product(blas_, all_, {end, rows_, end, columns_, outer, end});
        }
    }

private:
    static index_t each_of(index_t rows, index_t blocks) { return (rows + blocks - 1) / blocks; }
    /// Whether a cluster holds panels with pivots.
    [[nodiscard]] bool fits(index_t rows, index_t width) const {
        const index_t most = c_.facts().shared_per_block - index_t{sizeof(panel_shared<T>)};
        return c_.facts().clusters != 0 &&
               each_of(rows, panel_blocks) * (width * index_t{sizeof(T)} + index_t{sizeof(int)}) <= most;
    }
    void queue_panel(int first, int width) {
        panel_call<T> call{all_, by_, first, width, 0, triangles_.data()};
        const index_t rows = rows_ - first;
        const unsigned count = blocks_for(all_.count, 1);
        if (!by_.pivots) {
            const unsigned blocks = blocks_for(rows - width, plain_threads);
            panels_plain<<<dim3(blocks, count), plain_threads, 0, c_.stream()>>>(call);
            return cuda::check_launch();
        }
        if (holds(rows)) return queue_held<1>(call, rows, count);
        if (fits(rows, width)) {
            unsigned blocks = 2;  // a cluster of one is an error to compute-sanitizer
            while (blocks < panel_blocks && each_of(rows, blocks) > panel_threads / 2) blocks *= 2;
            call.each = static_cast<int>(each_of(rows, blocks));
            return launch_cluster(panels_cluster<T>, panel_bytes<T>(call.each, call.width), call, blocks,
                                  count);
        }
        panels_alone<<<dim3(1, count), panel_threads, 0, c_.stream()>>>(call);
        cuda::check_launch();
    }
    /// Whether the registers of a cluster hold panels with pivots.
    [[nodiscard]] bool holds(index_t rows) const {
        return c_.facts().clusters != 0 &&
               rows <= panel_blocks * held_panel<T, 1>::height * std::min(held_, most_held<T>);
    }
    /// A batch fills the device with few blocks a matrix, which meet sooner.
    template <int Rows>
    void queue_held(const panel_call<T>& call, index_t rows, unsigned count) {
        constexpr index_t height = held_panel<T, Rows>::height, few = 8;
        const index_t most = all_.count <= few ? panel_blocks : 2;
        if constexpr (2 * Rows <= most_held<T>)
            if (2 * Rows <= held_ && rows > most * height) return queue_held<2 * Rows>(call, rows, count);
        unsigned blocks = 2;  // a cluster of one is an error to compute-sanitizer
        while (blocks * height < rows) blocks *= 2;
        launch_cluster(panels_held<T, Rows>, 0, call, blocks, count);
    }
    void launch_cluster(void (*kernel)(panel_call<T>), std::size_t bytes, const panel_call<T>& call,
                        unsigned blocks, unsigned count) {
        cuda::launch_limits::permit(c_, kernel, bytes);
        cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
        cudaLaunchAttribute cluster{};
        cluster.id = cudaLaunchAttributeClusterDimension;
        cluster.val.clusterDim = {blocks, 1, 1};
        cudaLaunchConfig_t launch{};
        launch.gridDim = dim3(blocks, count);
        launch.blockDim = dim3(panel_threads);
        launch.dynamicSmemBytes = bytes;
        launch.stream = c_.stream();
        launch.attrs = &cluster;
        launch.numAttrs = 1;
        cuda::check(cudaLaunchKernelEx(&launch, kernel, call));
    }
    /// Exchanges in all columns; rows of U up to column `solved`.
    void queue_beside(index_t first, index_t width, index_t solved) {
        launch({all_, by_.pivots ? by_.to : nullptr, static_cast<int>(first), static_cast<int>(width),
                by_.pivots ? 0 : first + width, by_.pivots ? columns_ : solved, solved, triangles_.data()});
    }
    /// The rows of U that the panel left to be solved, in columns from `begin` on.
    void queue_rows(index_t first, index_t width, index_t begin) {
        launch({all_, nullptr, static_cast<int>(first), static_cast<int>(width), begin, columns_, columns_,
                nullptr});
    }
    void launch(const beside_call<T>& call) {
        if (call.begin >= call.end && call.triangles == nullptr) return;
        const dim3 blocks(blocks_for(call.end - call.begin, beside_threads), blocks_for(all_.count, 1));
        panels_beside<<<blocks, beside_threads, 0, c_.stream()>>>(call);
        cuda::check_launch();
    }

    const cuda::context& c_;
    device_batch<T> all_;
    all_rules by_;
    cuda::blas blas_;
    cuda::scratch<T> triangles_;
    index_t rows_, columns_, width_;
    int held_;
    index_t joined_;
};

/// All of one shape together; those of a list one after the other.
template <class T>
void queue_large(const cuda::context& c, const factor_job& job, const policy& p, const all_rules& by) {
    if (!job.a.listed()) return panel_steps<T>(c, p, batch_on_device<T>(c, job.a).get(), by).queue();
    for (index_t i = 0; i < job.a.count(); ++i) {
        const matrices one = job.a[i];
        device_batch<T> all = batch_on_device<T>(c, batch(one)).get();
        all.first.pivot_start = 0;
        all_rules own = by;
        if (own.to) own.to += job.a.pivot_start(i);
        if (own.smallest_pivot) own.smallest_pivot += i;
        if (one.diagonal() > 0) panel_steps<T>(c, p, all, own).queue();
    }
}

template <class T, int Size>
void queue_lanes(const cuda::context& c, const device_batch<T>& all, const all_rules& by, index_t size) {
    if constexpr (2 * Size <= most_width)
        if (size > Size) return queue_lanes<T, 2 * Size>(c, all, by, size);
    constexpr index_t most_in_x = (index_t{1} << 31) - 1;
    const index_t groups = lanes_threads / Size, blocks = (all.count + groups - 1) / groups;
    panels_lanes<T, Size>
        <<<static_cast<unsigned>(std::min(blocks, most_in_x)), lanes_threads, 0, c.stream()>>>(all, by);
    cuda::check_launch();
}

template <class T>
void queue_small(const cuda::context& c, const device_batch<T>& all, const all_rules& by, index_t bytes,
                 int threads) {
    const auto kernel = panels_small<T>;
    cuda::launch_limits::permit(c, kernel, static_cast<std::size_t>(bytes));
    kernel<<<blocks_for(all.count, 1), static_cast<unsigned>(threads), static_cast<std::size_t>(bytes),
             c.stream()>>>(all, by);
    cuda::check_launch();
}

/// Bytes of the largest matrix in shared memory.
template <class T>
index_t small_bytes(const batch& all) {
    return all.largest([](const matrices& m) { return (m.rows | 1) * m.columns * index_t{sizeof(T)}; });
}

/// Whether the kernels tell what they are asked to tell.
template <class T>
bool queue_all(const cuda::context& c, const factor_job& job, const policy& p, const all_rules& by) {
    const index_t size = std::max(job.a.largest_rows(), job.a.largest_columns());
    const index_t bytes = small_bytes<T>(job.a), most = job.a.count() == 1 ? p.lone_bytes : p.small_bytes;
    if (size > most_width && bytes > std::min<index_t>(most, c.facts().shared_per_block)) {
        queue_large<T>(c, job, p, by);
        return false;
    }
    const batch_on_device<T> all(c, job.a);
    if (size <= most_by_thread && by.tells && by.smallest_pivot == nullptr)
        batched::launch_threads<T>(c,
                                   {.all = all.get(),
                                    .count = job.a.count(),
                                    .out = {.pivots = by.to},
                                    .to = by.noted,
                                    .pivoting = by.pivots},
                                   static_cast<int>(size));
    else if (size <= most_width)
        queue_lanes<T, 4>(c, all.get(), by, size);
    else
        queue_small<T>(c, all.get(), by, bytes, p.threads_for(bytes));
    return by.tells;
}

void factor_panels(factor_job& job) {
    const cuda::context c(job.where);
    const policy& p = policies[tuning::choose("lu/factor/panels", policies, c.sm(),
                                              static_cast<int>(bytes_of(job.a.type())))]
                          .policy;
    const outcome_on_device to(c, job);
    std::optional<cuda::brief_timer> timer;
    if (!job.asynchronous) timer.emplace(c);
    const all_rules by{job.pivoting != pivoting::none, job.out.pivots, job.smallest_pivot, to.data(),
                       !wants_more_than_summary(job)};
    const bool told = job.a.count() == 0 || cuda::with_device_type(job.a.type(), [&](auto zero) {
                          return queue_all<decltype(zero)>(c, job, p, by);
                      });
    if (!told) queue_finish(c, job, to);
    if (timer) job.result->run.compute_seconds = timer->stop(to.words());
    job.result->run.policy = "panel=" + std::to_string(p.width);
    to.report(job, "cuda/panels");
}

/// Real matrices have faster rows.
bool suits_panels(const factor_job& job) {
    return job.is_complex();
}

}  // namespace

extern constinit const catalogue::row<factor_job> factor_cuda_panels{
    "cuda/panels",
    "complex numbers too: a small matrix in registers or shared memory, else panels by a cluster, products "
    "by cuBLAS",
    factor_panels,
    refuses_tournament,
    suits_panels,
    true};

}  // namespace wale::lu
