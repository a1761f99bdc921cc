// reconstruction_fuzz - small images of any type and connectivity: the rows of the host beside the plain
// sweeps, bit for bit.
#include <algorithm>

#include "fuzz/solver_fuzz.hpp"
#include "solvers/reconstruction/jobs.hpp"

namespace wale::reconstruction {

extern const catalogue::row<reconstruct_job> reconstruct_cpu_clamp_scan, reconstruct_cpu_downhill,
    reconstruct_reference_plain;

}  // namespace wale::reconstruction

namespace {

using namespace wale;
using namespace wale::reconstruction;

template <class T>
void compare(fuzz::numbers_of& from, pixel type) {
    raster shape;
    shape.type = type;
    shape.images = 1 + from.below(2);
    shape.rank = 2 + from.below(2);
    shape.planes = shape.rank == 3 ? 1 + from.below(4) : 1;
    shape.rows = 1 + from.below(40);
    shape.columns = 1 + from.below(90);
    shape.pack();
    const auto pixels = static_cast<std::size_t>(shape.pixels());
    const bool dilation = from.byte() % 2 == 0;
    const unsigned levels = 1 + from.byte();
    std::vector<T> mask(pixels), marker(pixels);
    for (std::size_t i = 0; i < pixels; ++i) {
        mask[i] = static_cast<T>(from.byte() % levels);
        const auto other = static_cast<T>(from.byte() % levels);
        marker[i] = dilation ? std::min(mask[i], other) : std::max(mask[i], other);
    }
    reconstruct_job job;
    job.where = on_cpu{.threads = 1 + from.below(3)};
    job.marker = {marker.data(), shape};
    job.mask = {mask.data(), shape};
    job.method = dilation ? reconstruction_method::dilation : reconstruction_method::erosion;
    job.reach = 1 + from.below(shape.rank);
    job.finish = from.byte() % 4 == 0 ? finish_rule::residue : finish_rule::value;
    const auto answer = [&](const catalogue::row<reconstruct_job>& row) {
        std::vector<T> out(pixels);
        reconstruction_result result;
        job.out = {out.data(), shape};
        job.result = &result;
        if (!fuzz::ran(row, job, result.run)) out.clear();
        return out;
    };
    const std::vector<T> truth = answer(reconstruct_reference_plain);
    for (const auto* row : {&reconstruct_cpu_clamp_scan, &reconstruct_cpu_downhill}) {
        const std::vector<T> found = answer(*row);
        fuzz::demand(found.empty() || found == truth, row->name);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::numbers_of from(data, size);
    switch (from.below(5)) {
        case 0:
            compare<std::uint8_t>(from, pixel::u8);
            break;
        case 1:
            compare<std::uint16_t>(from, pixel::u16);
            break;
        case 2:
            compare<std::int32_t>(from, pixel::i32);
            break;
        case 3:
            compare<float>(from, pixel::f32);
            break;
        default:
            compare<double>(from, pixel::f64);
    }
    return 0;
}
