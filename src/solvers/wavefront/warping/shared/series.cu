// series - see series.cuh.
#include "solvers/wavefront/warping/shared/series.cuh"

#include <algorithm>
#include <cmath>

#include "base/argument.hpp"
#include "base/checked.hpp"
#include "cuda/device_api.hpp"
#include "cuda/staged_copy.cuh"
#include "solvers/wavefront/warping/cuda/tuning.hpp"

namespace wale::wavefront::warping {
namespace {

constexpr unsigned most_blocks = 32768;

__device__ index_t thread_number() {
    return index_t{blockIdx.x} * pass_threads + threadIdx.x;
}

template <class T>
__global__ void find_not_finite(const T* numbers, index_t count, unsigned long long* first) {
    for (index_t k = thread_number(); k < count; k += index_t{gridDim.x} * pass_threads)
        if (!isfinite(numbers[k])) atomicMin(first, static_cast<unsigned long long>(k));
}

/// Of one side; series `which[x]` goes to [begins[x], begins[x + 1]).
template <class T>
struct packing {
    const T* numbers;
    const index_t *offsets, *which, *begins;
    index_t count, dimensions;
    T* to;
};

/// A block of the x direction takes a series, those of the y direction share its numbers.
template <class T, class Number>
__device__ void pack(const packing<T>& p, const Number& number_at) {
    for (index_t x = blockIdx.x; x < p.count; x += gridDim.x) {
        const index_t series = p.which[x], begin = p.offsets[series], points = p.offsets[series + 1] - begin;
        const T* const from = p.numbers + (begin - p.offsets[0]) * p.dimensions;
        T* const to = p.to + p.begins[x];
        const index_t size = p.begins[x + 1] - p.begins[x];
        for (index_t e = index_t{blockIdx.y} * pass_threads + threadIdx.x; e < size;
             e += index_t{gridDim.y} * pass_threads)
            to[e] = number_at(from, points, size, e);
    }
}
template <class T>
__global__ void pack_rows(const packing<T> p, int lanes, int rows) {
    const index_t strip = index_t{lanes} * rows;
    pack(p, [&](const T* from, index_t points, index_t, index_t e) {
        const index_t of_strip = e / (strip * p.dimensions), d = e / strip % p.dimensions;
        const index_t i = of_strip * strip + e % lanes * rows + e % strip / lanes;
        return i < points ? from[i * p.dimensions + d] : T{0};
    });
}
template <class T>
__global__ void pack_columns(const packing<T> p) {
    pack(p, [&](const T* from, index_t points, index_t size, index_t e) {
        const index_t pitch = size / p.dimensions, d = e / pitch, j = e % pitch - (pitch - points);
        return j < 0 ? infinity<T>() : from[j * p.dimensions + d];
    });
}

dim3 blocks_for(index_t series, index_t numbers) {
    const index_t each = std::max<index_t>(1, numbers / std::max<index_t>(1, series));
    return {static_cast<unsigned>(std::clamp<index_t>(series, 1, most_blocks)),
            static_cast<unsigned>(std::clamp<index_t>(each / (4 * pass_threads), 1, 1024))};
}

template <class Size>
std::vector<index_t> begins_of(const std::vector<index_t>& which, const Size& size) {
    std::vector<index_t> begins{0};
    begins.reserve(which.size() + 1);
    for (const index_t k : which) begins.push_back(begins.back() + size(k));
    return begins;
}

index_t longest_of(const std::vector<index_t>& begins) {
    index_t longest = 0;
    for (std::size_t k = 0; k + 1 < begins.size(); ++k)
        longest = std::max(longest, begins[k + 1] - begins[k]);
    return longest;
}

}  // namespace

template <class T>
device_side<T>::device_side(const cuda::context& c, const char* name, const series_side& side, index_t count,
                            index_t dimensions)
    : offsets_(side.offsets),
      count_(count),
      dimensions_(dimensions),
      on_device_(c, count + 1),
      copy_(c, cuda::require().kind(side.data) == cuda::pointer_kind::host ? points() * dimensions : 0) {
    const T* const from = static_cast<const T*>(side.data) + offsets_[0] * dimensions;
    const base::stopwatch watch;
    cuda::check(cudaMemcpyAsync(on_device_.data(), offsets_,
                                static_cast<std::size_t>(count + 1) * sizeof(index_t), cudaMemcpyHostToDevice,
                                c.stream()));
    data_ = from;
    if (copy_.size() == 0) {
        refuse_what_is_not_finite(c, name);
        return;
    }
    const index_t bytes = copy_.size() * index_t{sizeof(T)};
    cuda::queue_bytes(c, copy_.data(), from, bytes);
    data_ = copy_.data();
    seconds_ = watch.seconds();
}

template <class T>
void device_side<T>::refuse_what_is_not_finite(const cuda::context& c, const char* name) const {
    const cuda::scratch<unsigned long long> least(c, 1);
    least.fill_bytes(0xff);
    const index_t numbers = points() * dimensions_;
    const auto blocks = static_cast<unsigned>(
        std::clamp<index_t>(base::ceil_div(numbers, index_t{4} * pass_threads), 1, most_blocks));
    find_not_finite<<<blocks, pass_threads, 0, c.stream()>>>(data_, numbers, least.data());
    cuda::check_launch();
    unsigned long long at = 0;
    least.to_host(&at);
    if (at == ~0ull) return;
    T number = 0;
    cuda::read_back(c, &number, data_ + at, sizeof number);
    const index_t point = static_cast<index_t>(at) / dimensions_ + offsets_[0];
    const index_t* const after = std::upper_bound(offsets_, offsets_ + count_ + 1, point);
    const index_t place = static_cast<index_t>(at) - (after[-1] - offsets_[0]) * dimensions_;
    base::refuse(std::string(name) + "[" + base::text(after - 1 - offsets_) + "]",
                 (std::isnan(number) ? "NaN at " : "Inf at ") + base::text(place), "finite numbers");
}

template <class T>
packed_series<T>::packed_series(const cuda::context& c, const device_side<T>& side,
                                const std::vector<index_t>& which, as_rows shape)
    : begins_(begins_of(which,
                        [&](index_t k) {
                            return base::round_up(side.size(k), index_t{shape.lanes} * shape.rows) *
                                   side.dimensions();
                        })),
      on_device_(c, begins_),
      which_(c, which),
      data_(c, begins_.back() + 2 * margin + longest_of(begins_)) {
    const packing<T> work{side.data(),       side.offsets(),    which_.data(),   begins(),
                          std::ssize(which), side.dimensions(), begin_packing(c)};
    pack_rows<<<blocks_for(work.count, begins_.back()), pass_threads, 0, c.stream()>>>(work, shape.lanes,
                                                                                       shape.rows);
    cuda::check_launch();
}

template <class T>
packed_series<T>::packed_series(const cuda::context& c, const device_side<T>& side,
                                const std::vector<index_t>& which, as_columns shape)
    : begins_(begins_of(which,
                        [&](index_t k) {
                            return base::round_up(side.size(k) + 1, index_t{shape.columns}) *
                                   side.dimensions();
                        })),
      on_device_(c, begins_),
      which_(c, which),
      data_(c, begins_.back() + 2 * margin + longest_of(begins_)) {
    const packing<T> work{side.data(),       side.offsets(),    which_.data(),   begins(),
                          std::ssize(which), side.dimensions(), begin_packing(c)};
    pack_columns<<<blocks_for(work.count, begins_.back()), pass_threads, 0, c.stream()>>>(work);
    cuda::check_launch();
}

template <class T>
T* packed_series<T>::begin_packing(const cuda::context& c) const {
    const auto clear = [&](index_t begin, index_t end) {
        cuda::check(cudaMemsetAsync(data_.data() + begin, 0,
                                    static_cast<std::size_t>(end - begin) * sizeof(T), c.stream()));
    };
    clear(0, margin);
    clear(margin + begins_.back(), data_.size());
    return data_.data() + margin;
}

template class device_side<float>;
template class device_side<double>;
template class packed_series<float>;
template class packed_series<double>;

}  // namespace wale::wavefront::warping
