// inputs - what every kernel of this folder starts from: symbols widened to 32 bits, so that each kernel is
// compiled for five recurrences and not for five times three symbol widths, and padded, so that a skewed warp
// may look past both ends; and recurrences re-aimed at a copy of their inputs in shared memory or registers.
#pragma once

#include <type_traits>
#include <utility>

#include "cuda/stream.cuh"
#include "solvers/wavefront/fill/problem.hpp"
#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

/// A recurrence over two sequences; the others read an image.
template <class R>
concept over_sequences = requires(const R& r) {
    r.a;
    r.b;
};

template <class R>
struct symbol_type {
    using type = std::uint8_t;  // a pixel
};
template <over_sequences R>
struct symbol_type<R> {
    using type = std::remove_cvref_t<decltype(*std::declval<R>().a)>;
};
/// 32 bits wide after wide_inputs, 64 in float64 series.
template <class R>
using symbol_of = typename symbol_type<R>::type;

/// The same recurrence over other memory.
template <over_sequences R, class S>
WALE_HD R over(R r, const S* a, const S* b) {
    r.a = a;
    r.b = b;
    return r;
}
template <class T>
WALE_HD summed_area_recurrence<T> over(summed_area_recurrence<T> r, const std::uint8_t* image,
                                       index_t pitch) {
    r.image = image;
    r.pitch = pitch;
    return r;
}

/// The value of a cell or of the border: (i, j) from -1.
template <class R>
WALE_HD typename R::value_type border(const R& r, index_t i, index_t j) {
    return i >= 0 ? r.left(i) : j >= 0 ? r.top(j) : r.corner();
}

/// Device copies of a and b: 32-bit symbols, series bit for bit; `padding` symbols before and after.
class wide_inputs {
public:
    static constexpr index_t padding = 1024;
    wide_inputs(const cuda::context& on, const fill_job& job)
        : rows_(job.a.size),
          bytes_(job.a.bytes == 8 ? 8 : 4),
          words_(on, job.kind == recurrence::summed_area
                         ? 0
                         : (job.a.size + job.b.size + 3 * padding) * bytes_ / 4) {}
    void copy(const cuda::context& on, const fill_job& job) const;
    [[nodiscard]] int bytes() const { return bytes_; }
    [[nodiscard]] const std::uint32_t* a() const { return words_.data() + padding * bytes_ / 4; }
    [[nodiscard]] const std::uint32_t* b() const { return a() + (rows_ + padding) * bytes_ / 4; }

private:
    index_t rows_;
    int bytes_;  // of a symbol
    cuda::scratch<std::uint32_t> words_;
};

/// visit(), over the widened inputs: f(recurrence).
template <class F>
void visit_wide(const fill_job& job, const wide_inputs& inputs, F&& f) {
    fill_job wide = job;
    if (job.kind != recurrence::summed_area) {
        wide.a = {inputs.a(), job.a.size, inputs.bytes()};
        wide.b = {inputs.b(), job.b.size, inputs.bytes()};
    }
    visit<true>(wide, f);
}

}  // namespace wale::wavefront
