// unpivoted - LU without exchanges for large matrices: a diagonal block after the other, with the inverses of
// its triangles, so that both panels are products; the next diagonal block is brought up to date first and
// factored on a stream of its own while the rest of the product runs. Nothing waits for the host.
//
//       . . . . . . .        D   factored by cuda/tile_dag's kernel, with inv(L) and inv(U)
//       . D U U U U U        U = inv(L) A, L = A inv(U): into scratch, from where the products read them
//       . L N t t t t        N   the next D: its product, then its factorisation, on the urgent stream
//       . L t t t t t        t   the rest of the product, behind which N is hidden
#include "solvers/lu/factor/cuda/lookahead/lookahead.hpp"

#include <array>
#include <optional>

#include "cuda/blas.cuh"
#include "cuda/event.cuh"
#include "solvers/lu/factor/cuda/lookahead/unpivoted_tuning.hpp"
#include "solvers/lu/factor/cuda/tile_dag/queue.cuh"
#include "tuning/override.hpp"

namespace wale::lu {
namespace {

using namespace unpivoted;
using tile_dag::launcher;
using tile_dag::tile;
using tile_dag::tile_problem;

/// A matrix by columns, on the device.
template <class T>
struct panel {
    T* data;
    index_t leading, rows, columns;
    [[nodiscard]] panel part(index_t row, index_t column, index_t height, index_t breadth) const {
        return {data + row + column * leading, leading, height, breadth};
    }
    [[nodiscard]] bool empty() const { return rows == 0 || columns == 0; }
};

/// A panel from scratch to its place, behind the products that read the scratch.
template <class T>
__global__ void copy_kernel(panel<T> from, panel<T> to) {
    const index_t r = static_cast<index_t>(blockIdx.x) * copy_rows + threadIdx.x;
    if (r >= from.rows) return;
#pragma unroll 4
    for (index_t c = blockIdx.y; c < from.columns; c += gridDim.y)
        to.data[r + c * to.leading] = from.data[r + c * from.leading];
}

/// to = factor * x y + keep * to; the numbers lie where the handle expects them.
template <class T>
void queue_product(const cuda::blas& on, const T* factor, const panel<T>& x, const panel<T>& y, const T* keep,
                   const panel<T>& to) {
    if (to.empty()) return;
    using of = cuda::blas_of<T>;
    cuda::check(of::gemm(on.get(), CUBLAS_OP_N, CUBLAS_OP_N, to.rows, to.columns, x.columns, of::in(factor),
                         of::in(x.data), x.leading, of::in(y.data), y.leading, of::in(keep), of::out(to.data),
                         to.leading));
}

/// The memory of one call, large enough for every matrix of the job.
template <class T>
struct memory {
    index_t width, rows, columns;  // of a diagonal block; of the largest matrix, by columns
    cuda::scratch<T> lower_inverse, upper_inverse, left[2], top[2];
    cuda::scratch<std::uint32_t> counters;
    cuda::scratch<tile_dag::matrix_summary> summary;
    cuda::scratch<T> numbers;  // tile_problem::scale, 1 and 0
    memory(const cuda::context& on, index_t w, index_t m, index_t n, index_t inverse_size, index_t word_count)
        : width(w),
          rows((m + 31) / 32 * 32),
          columns(n),
          lower_inverse(on, inverse_size),
          upper_inverse(on, inverse_size),
          left{{on, rows * w}, {on, rows * w}},
          top{{on, w * n}, {on, w * n}},
          counters(on, word_count),
          summary(on, 1),
          numbers(on, 3) {}
};

template <class T>
class factorisation {
public:
    factorisation(const cuda::context& on, const factor_job& job, const policy& how, const memory<T>& scratch)
        : on_(on),
          job_(job),
          how_(how),
          scratch_(scratch),
          launch_(on),
          blas_(on),
          panel_blas_(on),
          next_blas_(on, next_.get()) {
        cuda::check(cublasSetPointerMode(panel_blas_.get(), CUBLAS_POINTER_MODE_DEVICE));
    }

    void queue(index_t number, const outcome_on_device& to) {
        problem_ = tile_dag::problem_of<T>(job_, number);
        matrix_ = problem_.matrix;
        problem_.summary = scratch_.summary.data();
        problem_.scale = reinterpret_cast<real_of<T>*>(scratch_.numbers.data());
        problem_.to = to.data();
        unit_upper_ = job_.a[number].row_major();
        a_ = {problem_.a, problem_.leading, problem_.rows, problem_.columns};
        scratch_.counters.fill_bytes(0);
        scratch_.summary.fill_bytes(0);
        scratch_.numbers.fill_bytes(0);
        scratch_.lower_inverse.fill_bytes(0);  // its upper triangle stays so
        scratch_.upper_inverse.fill_bytes(0);
        words_ = scratch_.counters.data();
        fork();
        index_t at = 0;
        if (remaining(at) > how_.tail) queue_diagonal(at, on_.stream());
        while (remaining(at) > how_.tail) at = queue_step(at);
        if (remaining(at) > 0) queue_tail(at);
        join();
    }
    [[nodiscard]] std::string policy_text() const { return launch_.policy_text(); }
    [[nodiscard]] index_t launches() const { return launches_; }  // of the tiles' kernel

private:
    [[nodiscard]] index_t remaining(index_t at) const { return std::min(a_.rows, a_.columns) - at; }
    [[nodiscard]] index_t width_at(index_t at) const {
        return std::min<index_t>(remaining(at),
                                 remaining(at) >= how_.wide_from ? how_.wide_width : how_.width);
    }
    void fork() {
        panels_.order(on_.stream(), next_.get());
        panels_.wait(copies_.get());
        for (const cuda::event& c : copied_) c.record(copies_.get());
    }
    void join() {
        ahead_.order(next_.get(), on_.stream());
        copied_[0].order(copies_.get(), on_.stream());
    }

    /// The factors of a diagonal block and the inverses of its triangles.
    void queue_diagonal(index_t at, cudaStream_t stream) {
        tile_problem<T> p = problem_;
        p.bordered = true;
        p.rows = p.columns = width_at(at);
        p.lower_inverse = scratch_.lower_inverse.data();
        p.upper_inverse = scratch_.upper_inverse.data();
        p.inverse_leading = scratch_.width;
        p.inverse_row = tile;
        p.inverse_column = tile * scratch_.width;
        queue_tiles(p, at, stream, how_.blocks);
    }
    /// All that is left.
    void queue_tail(index_t at) {
        tile_problem<T> p = problem_;
        p.rows = a_.rows - at;
        p.columns = a_.columns - at;
        p.lower_inverse = scratch_.lower_inverse.data();
        p.upper_inverse = scratch_.upper_inverse.data();
        p.inverse_leading = tile;
        p.inverse_row = tile * tile;
        queue_tiles(p, at, on_.stream(), 0);
    }
    void queue_tiles(tile_problem<T>& p, index_t at, cudaStream_t stream, int blocks) {
        p.a = a_.data + at * (a_.leading + 1);
        p.first_column = at;
        if (p.pivots) p.pivots += at;
        p.matrix = std::min(p.rows, p.columns) == remaining(at) ? matrix_ : -1;
        p.counters = words_;
        words_ += tile_dag::counters::size(p.dag());
        launch_.queue(p, unit_upper_, stream, blocks);
        ++launches_;
    }

    /// The panels right of and below a factored diagonal block, into scratch. The inverses are triangles: a
    /// strip of a panel needs the part of them up to its own end.
    void queue_panels(index_t at, index_t width, const panel<T>& left, const panel<T>& top) {
        const panel<T> lower{scratch_.lower_inverse.data(), scratch_.width, width, width},
            upper{scratch_.upper_inverse.data(), scratch_.width, width, width};
        const T *const scale = scratch_.numbers.data(), *const one = scale + 1, *const zero = scale + 2;
        const index_t strip = (width + how_.strips - 1) / how_.strips;
        for (index_t s = 0; s < width; s += strip) {
            const index_t breadth = std::min(strip, width - s), end = s + breadth;
            queue_product(panel_blas_, unit_upper_ ? scale : one, lower.part(s, 0, breadth, end),
                          a_.part(at, at + width, end, top.columns), zero,
                          top.part(s, 0, breadth, top.columns));
            queue_product(panel_blas_, unit_upper_ ? one : scale, a_.part(at + width, at, left.rows, end),
                          upper.part(0, s, end, breadth), zero, left.part(0, s, left.rows, breadth));
        }
    }
    void queue_copy(const panel<T>& from, const panel<T>& to) const {
        if (from.empty()) return;
        const dim3 blocks(static_cast<unsigned>((from.rows + copy_rows - 1) / copy_rows),
                          static_cast<unsigned>(std::min<index_t>(from.columns, most_copy_blocks)));
        copy_kernel<<<blocks, copy_rows, 0, copies_.get()>>>(from, to);
        cuda::check_launch();
    }

    /// From a diagonal block that is factored, or queued to be, to the next. Where that begins.
    index_t queue_step(index_t at) {
        const index_t width = width_at(at), next = at + width;
        const panel<T> rest = a_.part(next, next, a_.rows - next, a_.columns - next);
        const index_t turn = turn_++ % 2;
        const panel<T> left{scratch_.left[turn].data(), scratch_.rows, rest.rows, width},
            top{scratch_.top[turn].data(), scratch_.width, width, rest.columns};
        copied_[turn].wait(on_.stream());  // what these held two steps ago
        queue_panels(at, width, left, top);
        panels_.order(on_.stream(), copies_.get());
        queue_copy(left, a_.part(next, at, rest.rows, width));
        queue_copy(top, a_.part(at, next, width, rest.columns));
        copied_[turn].record(copies_.get());
        const index_t ahead = remaining(next) > how_.tail ? width_at(next) : 0;
        const T minus_one(-1), plus_one(1);
        const auto subtract = [&](const cuda::blas& on, index_t row, index_t column, index_t height,
                                  index_t breadth) {
            queue_product(on, &minus_one, left.part(row, 0, height, width),
                          top.part(0, column, width, breadth), &plus_one,
                          rest.part(row, column, height, breadth));
        };
        if (ahead > 0) {
            panels_.wait(next_.get());
            subtract(next_blas_, 0, 0, ahead, ahead);
            queue_diagonal(next, next_.get());
            ahead_.record(next_.get());
        }
        subtract(blas_, 0, ahead, rest.rows, rest.columns - ahead);
        subtract(blas_, ahead, 0, rest.rows - ahead, ahead);
        if (ahead > 0) ahead_.wait(on_.stream());
        return next;
    }

    const cuda::context& on_;
    const factor_job& job_;
    const policy& how_;
    const memory<T>& scratch_;
    launcher<T> launch_;
    cuda::priority_stream next_, copies_;
    cuda::blas blas_, panel_blas_, next_blas_;  // the panels' takes its factors from the device
    cuda::event ahead_, copied_[2], panels_;
    tile_problem<T> problem_{};
    panel<T> a_{};
    std::uint32_t* words_ = nullptr;
    index_t matrix_ = -1;
    bool unit_upper_ = false;
    int turn_ = 0;
    index_t launches_ = 0;
};

template <class T>
void queue_all(const cuda::context& on, const factor_job& job, const outcome_on_device& to) {
    const policy& how = unpivoted::policies[tuning::choose("lu/factor/unpivoted", unpivoted::policies,
                                                           on.sm(), int{sizeof(T)})]
                            .policy;
    const index_t m = job.a.largest([](const matrices& a) { return a.line_size(); });
    const index_t n = job.a.largest([](const matrices& a) { return a.lines(); });
    const index_t diagonal = job.a.largest([](const matrices& a) { return a.diagonal(); });
    const index_t width =
        std::min<index_t>(tile_dag::tiles_of(diagonal) * tile, std::max(how.width, how.wide_width));
    const index_t tail = tile_dag::tiles_of(std::min<index_t>(diagonal, how.tail)) * tile * tile;
    const index_t words_of_step = tile_dag::counters::size({width / tile, width / tile, true});
    const memory<T> scratch(on, width, m, n, std::max(width * width, tail),
                            (diagonal / how.width + 1) * words_of_step + tile_dag::counters_of(m, n));
    factorisation<T> one(on, job, how, scratch);
    for (index_t i = 0; i < job.a.count(); ++i)
        if (job.a[i].diagonal() > 0) one.queue(i, to);
    job.result->run.policy =
        "width=" + std::to_string(how.width) + " tail=" + std::to_string(how.tail) + " " + one.policy_text();
}

}  // namespace

void factor_unpivoted(factor_job& job) {
    const cuda::context on(job.where);
    const outcome_on_device outcome(on, job);
    std::optional<cuda::timer> timer;
    if (!job.asynchronous) timer.emplace(on);
    cuda::with_device_type(job.a.type(), [&](auto zero) { queue_all<decltype(zero)>(on, job, outcome); });
    if (wants_more_than_summary(job)) queue_finish(on, job, outcome);
    if (timer) job.result->run.compute_seconds = timer->stop(outcome.words());
    outcome.report(job, "cuda/lookahead");
}

}  // namespace wale::lu
