// devices - an image in host memory over several devices of this machine: each reconstructs its lines, then
// outermost lines go to the neighbours through page-locked memory until nothing rises. Of a batch each device
// takes images.
#include <atomic>
#include <wale/buffer.hpp>
#include <wale/shared_images.hpp>

#include "base/clock.hpp"
#include "cuda/spread.hpp"
#include "solvers/reconstruction/parts/problem.hpp"
#include "tuning/override.hpp"

namespace wale::reconstruction {
namespace {

using cuda::carrier;
using cuda::traffic;

/// Lines [p.first, p.last) of images of the host.
template <class Images>
[[nodiscard]] Images lines_of(Images all, cuda::part p) {
    if (all.data == nullptr) return all;
    const raster whole = all;
    const bool batch = whole.images != 1, volume = whole.rank == 3;
    index_t& count = batch ? all.images : volume ? all.planes : all.rows;
    count = p.count();
    const index_t skipped = batch    ? whole.offset(p.first, 0, 0)
                            : volume ? whole.offset(0, p.first, 0)
                                     : whole.offset(0, 0, p.first);
    using byte = std::conditional_t<std::is_same_v<Images, image_view>, char, const char>;
    all.data = static_cast<byte*>(all.data) + skipped * bytes_of(whole.type);
    return all;
}

/// What stays on a device while rounds go on.
struct share {
    reconstruct_job own;  // from a marker to J
    image_view out;
    std::unique_ptr<device_part> part;
};

class shared_image {
public:
    shared_image(const reconstruct_job& job, const std::string& variant, std::span<const cuda::part> parts)
        : job_(job),
          variant_(variant),
          parts_(parts),
          alone_(parts.size() == 1 || job.mask.images != 1),
          beyond_(lines_beyond()),
          line_bytes_((job.mask.rank == 3 ? job.mask.rows : 1) * job.mask.columns * bytes_of(job.mask.type)),
          shares_(parts.size()),
          lines_(alone_ ? 0 : 4 * static_cast<index_t>(parts.size()) * line_bytes_, memory_space::pinned) {}

    [[nodiscard]] bool alone() const { return alone_; }
    void add_rounds(report& run) const {
        run.compute_seconds += seconds_;
        run.policy += " rounds=" + std::to_string(rounds_);
    }

    /// The reconstruction of a part by itself. Where the border of the image is the marker, with some lines
    /// of the neighbours: most of what flows to and fro across the cut is then found here, and rounds have
    /// little left.
    [[nodiscard]] reconstruction_result begin(carrier& c, std::size_t k) {
        share& s = shares_[k];
        const cuda::part wide = alone_ ? parts_[k] : widened(parts_[k]);
        const cuda::part inner{parts_[k].first - wide.first, parts_[k].last - wide.first};
        reconstruct_job& own = s.own = job_;
        own.where = c.where();
        own.mask = c.copy_of(lines_of(job_.mask, wide));
        if (job_.marker.data != nullptr) own.marker = c.copy_of(lines_of(job_.marker, wide));
        own.out = s.out = c.copy_of(lines_of(job_.out, parts_[k]), traffic::out);
        c.finish();  // copies are no part of the time
        if (alone_) return run_job(own, variant_);
        double seconds = 0;
        if (job_.finish == finish_rule::flag || inner.count() != wide.count()) own.out = scratch(c, own);
        if (job_.start == start_rule::border) {
            const image_view marker = scratch(c, own);
            const base::stopwatch watch;
            part_of(own, wide.first)->start(marker);
            c.finish();
            seconds = watch.seconds();
            own.marker = marker;
            own.start = start_rule::given;
            own.flat_marker = 1;
        }
        own.finish = finish_rule::value;
        reconstruction_result result = run_job(own, variant_);
        result.run.compute_seconds += seconds;
        own.start = start_rule::given;
        own.mask = lines_of(own.mask, inner);
        own.out = lines_of(own.out, inner);
        s.part = part_of(own, parts_[k].first);
        return result;
    }

    /// Rounds until nothing rises, then the answers.
    void join(const cuda::for_all_parts& each) {
        const base::stopwatch watch;
        each([&](std::size_t k, carrier&) { shares_[k].part->send(line(0, k, 0), line(0, k, 1)); });
        for (bool rose = true; rose; ++rounds_) {
            std::atomic<bool> any = false;
            const index_t now = rounds_ % 2;
            each([&](std::size_t k, carrier&) {
                if (settle(k, now)) any.store(true, std::memory_order_relaxed);
            });
            rose = any.load(std::memory_order_relaxed);
        }
        each([&](std::size_t k, carrier& c) {
            shares_[k].part->finish(shares_[k].out);
            c.finish();
        });
        seconds_ = watch.seconds();
    }

private:
    /// Lines arrive in those of `now` and leave for the other ones, so that none is written while it is read.
    [[nodiscard]] bool settle(std::size_t k, index_t now) {
        share& s = shares_[k];
        if (!s.part->raise(k > 0 ? line(now, k - 1, 1) : nullptr,
                           k + 1 < parts_.size() ? line(now, k + 1, 0) : nullptr)) {
            s.part->send(line(1 - now, k, 0), line(1 - now, k, 1));
            return false;
        }
        if (job_.mask.rank == 3) {
            s.own.marker = s.own.out;
            s.own.flat_marker = 0;
            (void)run_job(s.own, variant_);
        }
        s.part->follow();
        s.part->send(line(1 - now, k, 0), line(1 - now, k, 1));
        return true;
    }

    [[nodiscard]] void* line(index_t turn, std::size_t part, index_t side) const {
        const auto number = 2 * (turn * static_cast<index_t>(parts_.size()) + static_cast<index_t>(part));
        return lines_.data() + (number + side) * line_bytes_;
    }

    /// An image of the mask's shape and type on the device.
    [[nodiscard]] static image_view scratch(carrier& c, const reconstruct_job& own) {
        return {c.allocate(own.mask.span_elements() * bytes_of(own.mask.type)), own.mask};
    }

    [[nodiscard]] std::unique_ptr<device_part> part_of(const reconstruct_job& own, index_t first) const {
        part_job job{.where = own.where,
                     .mask = own.mask,
                     .risen = own.out,
                     .whole = job_.mask,
                     .first = first,
                     .method = job_.method,
                     .reach = job_.reach,
                     .start = job_.start,
                     .height = job_.height,
                     .finish = job_.finish,
                     .part = nullptr};
        catalogue::select(part_rows(), backend::cuda, "automatic", job).run(job);
        return std::move(job.part);
    }

    /// A part and lines of its neighbours.
    [[nodiscard]] cuda::part widened(const cuda::part& own) const {
        return {own.first - std::min(own.first / lines_apart * lines_apart, beyond_),
                std::min(parts_.back().last, own.last + beyond_)};
    }
    /// A sixteenth of a part. For tests, through WALE_TUNING: "reconstruction/parts/beyond=1" says 16 lines.
    [[nodiscard]] index_t lines_beyond() const {
        const index_t usual = parts_[0].count() / (16 * lines_apart);
        return job_.start != start_rule::border
                   ? 0
                   : lines_apart * static_cast<index_t>(tuning::overridden("reconstruction/parts/beyond",
                                                                           std::size_t{1} << 20,
                                                                           static_cast<std::size_t>(usual)));
    }

    /// Passes over a part ask for lines that begin at 16 bytes: so many lines of any length do.
    static constexpr index_t lines_apart = 16;

    const reconstruct_job& job_;
    const std::string& variant_;
    std::span<const cuda::part> parts_;
    bool alone_;      // each part is images by themselves
    index_t beyond_;  // lines of the neighbours that a part begins with
    index_t line_bytes_;
    std::vector<share> shares_;
    buffer<char> lines_;  // [turn][part][first or last]
    index_t rounds_ = 0;
    double seconds_ = 0;
};

void merge_part(reconstruction_result& all, const reconstruction_result& part, index_t) {
    all.tile_visits += part.tile_visits;
    all.guarded = all.guarded || part.guarded;
}

}  // namespace

reconstruction_result run_over_devices(const reconstruct_job& job, const std::string& variant) {
    if (job.asynchronous) throw bad_argument("options.asynchronous: does not go with where.devices");
    if (job.mask.type == pixel::bit)
        throw unsupported_variant(
            "where.devices: bit-packed images are not split, expected a byte or more for each pixel");
    const on_cuda& where = std::get<on_cuda>(job.where);
    const index_t lines = image_share(job.mask, 0, 1).last;
    const std::size_t most = job.mask.pixels() == 0 ? 1 : where.devices.size();
    const auto parts = cuda::split_by_work(lines, most, 1, [](index_t) { return 1.0; });
    shared_image image(job, variant, parts);
    const auto call = [&](carrier& c, const cuda::part& p) {
        return image.begin(c, static_cast<std::size_t>(&p - parts.data()));
    };
    std::function<void(const cuda::for_all_parts&)> together;
    if (!image.alone()) together = [&](const cuda::for_all_parts& each) { image.join(each); };
    reconstruction_result result =
        cuda::spread<reconstruction_result>(where, parts, call, merge_part, together);
    if (!image.alone()) image.add_rounds(result.run);
    return result;
}

}  // namespace wale::reconstruction
