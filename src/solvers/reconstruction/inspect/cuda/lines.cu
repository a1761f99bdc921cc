// lines - one pass over marker and mask on the device: NaN, markers beyond their mask, how flat the marker
// is. Floor: both images read once, 2 bytes a pixel for u8.
#include "cuda/stream.cuh"
#include "cuda/warp.cuh"
#include "solvers/reconstruction/problem.hpp"
#include "solvers/reconstruction/shared/row_chunks.cuh"

namespace wale::reconstruction {
namespace {

using count_t = unsigned long long;  // what atomicMin and atomicAdd take

constexpr count_t none = ~count_t{0};

struct findings : cuda::marked {  // pixels counted row by row
    count_t mask_nan = none, marker_nan = none, beyond_at = none;
    count_t beyond_count = 0;
    // Neighbours sampled whose masks differ; those of them with the same marker. The last block of the call
    // puts both back to 0, so that the host need not.
    unsigned changes = 0, flat = 0, blocks = 0, unused = 0;  // no padding: the host compares bytes
};

constexpr index_t sampled = 8;     // one pixel in so many is compared with the pixel before it
constexpr int all_flat = 1 << 20;  // the number that the host gets where all changes are flat; -1: no changes

template <class T>
struct looked_at {
    raster mask_at, marker_at;
    const T* mask;
    const T* marker;  // nullptr: only the mask is read
    bool bits, mirror, beyond;
    bool samples;  // whether the host wants to know how flat the marker is
};

__device__ count_t earlier(count_t a, count_t b) {
    return b < a ? b : a;
}

/// The pixels of an element whose marker is beyond the mask: a bit for each, from bit 0.
template <class T>
__device__ unsigned beyond_bits(const looked_at<T>& p, T marker, T mask, index_t element) {
    if constexpr (std::is_same_v<T, std::uint32_t>) {
        const unsigned wrong = p.mirror ? ~marker & mask : marker & ~mask;
        const index_t valid = p.mask_at.columns - 32 * element;
        return valid < 32 ? wrong & ((1u << valid) - 1) : wrong;
    } else {
        return p.mirror ? marker < mask : mask < marker;
    }
}

template <class T>
__device__ void look_at(const looked_at<T>& p, const row_chunk& c, index_t element, findings& f) {
    const index_t line = (c.image * p.mask_at.planes + c.plane) * p.mask_at.rows + c.row;
    const count_t pixel = line * p.mask_at.columns + element * (p.bits ? 32 : 1);
    const T mask = p.mask[p.mask_at.offset(c.image, c.plane, c.row) + element];
    if (mask != mask) f.mask_nan = earlier(f.mask_nan, pixel);
    if (p.marker == nullptr) return;
    const T marker = p.marker[p.marker_at.offset(c.image, c.plane, c.row) + element];
    if (marker != marker) f.marker_nan = earlier(f.marker_nan, pixel);
    if (p.samples && element % sampled == 1 &&
        mask != (&p.mask[p.mask_at.offset(c.image, c.plane, c.row)])[element - 1]) {
        ++f.changes;
        f.flat += marker == (&p.marker[p.marker_at.offset(c.image, c.plane, c.row)])[element - 1];
    }
    const unsigned wrong = p.beyond ? beyond_bits(p, marker, mask, element) : 0;
    if (wrong == 0) return;
    f.beyond_at = earlier(f.beyond_at, pixel + __ffs(wrong) - 1);
    f.beyond_count += __popc(wrong);
}

/// What the threads of a block found of flat markers; the last block tells the host, and clears the counters.
__device__ void gather_flatness(const findings& f, findings* found) {
    const unsigned changes = cuda::sum_of_warp(f.changes), flat = cuda::sum_of_warp(f.flat);
    if (changes != 0 && threadIdx.x % 32 == 0) {
        atomicAdd(&found->changes, changes);
        atomicAdd(&found->flat, flat);
    }
    __syncthreads();
    if (threadIdx.x != 0) return;
    __threadfence();
    if (atomicAdd(&found->blocks, 1u) != gridDim.x - 1) return;
    __threadfence();
    const double all = atomicExch(&found->changes, 0u), same = atomicExch(&found->flat, 0u);
    found->blocks = 0;
    if (all > 0) cuda::host_words_of(found)->number = static_cast<int>(all_flat * (same / all));
}

template <class T>
__global__ void __launch_bounds__(chunk.threads)
    look(const __grid_constant__ looked_at<T> p, const __grid_constant__ row_chunks all, findings* found) {
    findings f;
    all.for_each([&](const row_chunk& c, index_t element) { look_at(p, c, element, f); });
    // Images are nearly always good: then no thread touches the shared words.
    if (f.mask_nan != none) atomicMin(&found->mask_nan, f.mask_nan);
    if (f.marker_nan != none) atomicMin(&found->marker_nan, f.marker_nan);
    if (f.beyond_at != none) atomicMin(&found->beyond_at, f.beyond_at);
    if (f.beyond_count != 0) atomicAdd(&found->beyond_count, f.beyond_count);
    if (f.mask_nan != none || f.marker_nan != none || f.beyond_count != 0) cuda::mark_changed(found);
    if (p.samples) gather_flatness(f, found);
}

/// Rows of small images are the same however flat the marker is (is_quick_in_tiles).
bool samples(const inspect_job& job) {
    const index_t few = bytes_of(job.mask.type) == 1 ? 4096 : 2048;
    return job.marker.data != nullptr && job.mask.rank == 2 && job.mask.type != pixel::bit &&
           job.mask.rows * job.mask.columns > few;
}

template <class T>
void look_on_device(inspect_job& job, bool bits) {
    const cuda::context on(job.where);
    const cuda::call_report<findings> report(on, {}, false, -1);
    const row_chunks all(job.mask);
    const looked_at<T> p{job.mask,
                         job.marker,
                         static_cast<const T*>(job.mask.data),
                         static_cast<const T*>(job.marker.data),
                         bits,
                         job.method == reconstruction_method::erosion,
                         job.beyond,
                         samples(job)};
    look<T><<<all.blocks(on.multiprocessors()), chunk.threads, 0, on.stream()>>>(p, all, report.data());
    cuda::check_launch();
    const findings f = report.read();
    job.nan_in_marker = f.mask_nan == none && f.marker_nan != none;
    job.nan_at = static_cast<index_t>(job.nan_in_marker ? f.marker_nan : f.mask_nan);
    job.beyond_at = static_cast<index_t>(f.beyond_at);
    job.beyond_count = static_cast<index_t>(f.beyond_count);
    if (report.number() >= 0) job.flat_marker = static_cast<double>(report.number()) / all_flat;
}

void run(inspect_job& job) {
    if (job.mask.pixels() == 0) return;
    if (job.mask.type == pixel::bit)
        look_on_device<std::uint32_t>(job, true);
    else
        visit(job.mask.type, [&]<class T>() { look_on_device<T>(job, false); });
}

}  // namespace

extern constinit const catalogue::row<inspect_job> inspect_cuda_lines{
    "cuda/lines", "one pass, a warp for a stretch of a line", run};

}  // namespace wale::reconstruction
