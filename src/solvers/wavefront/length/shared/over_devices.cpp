// over_devices - a pair in host memory over several devices: the rows in parts of whole strips, the devices
// in turn. Words of 32 columns go from the last strip of a part straight into the memory of the next part's
// device, or where the devices do not reach each other into page-locked memory of the host.
#include <algorithm>
#include <cstring>

#include "base/checked.hpp"
#include "base/clock.hpp"
#include "cuda/spread.hpp"
#include "solvers/wavefront/length/cuda/tuning.hpp"
#include "solvers/wavefront/length/shared/pair_part.hpp"
#include "variants/run.hpp"

namespace wale::wavefront {
namespace {

struct crossing_pair {
    /// The call of one device: what the rows add to the answer.
    index_t (*alone)(const execution&, const symbols& rows, const symbols& columns, report&);
    pair_part_table& table;
    int lines;  // that cross, of a column
    /// Rows that the warps of a device work on at once: a part has no more, so that the device of the next
    /// part begins as soon as all these warps have their first columns.
    index_t rows_at_once;
};

/// For tests, through WALE_TUNING: "wavefront/length/rows_at_once=8192" makes many parts of few rows.
template <std::size_t N>
[[nodiscard]] index_t rows_at_once(const char* tuned, const tuning::row<strips_policy> (&policies)[N],
                                   const on_cuda& where) {
    const cuda::device_info there = cuda::require().describe(where.devices[0]);
    const strips_policy& p = policies[choose_strips(tuned, policies, there.sm, any_length)].policy;
    const index_t all = index_t{1024} * p.words * p.warps * p.blocks * there.multiprocessors;
    return static_cast<index_t>(tuning::overridden("wavefront/length/rows_at_once", std::size_t{1} << 40,
                                                   static_cast<std::size_t>(all)));
}

/// As many parts as devices, or a multiple; one for one device.
[[nodiscard]] std::vector<cuda::part> parts_of(index_t rows, index_t devices, index_t at_once) {
    const index_t turns = devices == 1 ? 1 : std::max<index_t>(1, base::ceil_div(rows, devices * at_once));
    const index_t count = devices * turns;
    const index_t strips = base::ceil_div(rows, rows_of_strips);
    std::vector<cuda::part> parts;
    for (index_t k = 0; k < count; ++k) {
        const index_t first = strips * k / count * rows_of_strips,
                      last = std::min(rows, strips * (k + 1) / count * rows_of_strips);
        if (last > first) parts.push_back({first, last});
    }
    return parts;
}

class pair_over_devices {
public:
    pair_over_devices(const on_cuda& where, const crossing_pair& kind, const symbols& rows,
                      const symbols& columns)
        : kind_(kind), rows_(rows), columns_(columns) {
        for (const int device : where.devices)  // a device that is named twice takes its parts in turn
            if (std::find(devices_.devices.begin(), devices_.devices.end(), device) == devices_.devices.end())
                devices_.devices.push_back(device);
        devices_.time_on_device = where.time_on_device;
        parts_ = parts_of(rows.size, static_cast<index_t>(where.devices.size()), kind.rows_at_once);
        jobs_.resize(parts_.size());
    }

    [[nodiscard]] index_t run(report& out) {
        const std::size_t used = std::min(devices_.devices.size(), parts_.size());
        std::vector<cuda::part> each(used);
        std::vector<double> transfers;
        make_words();
        index_t sum = 0;
        const auto upload = [&](std::size_t k, cuda::carrier& c) { upload_to(k, c); };
        cuda::run_parts(devices_, each, upload, transfers, [&](const cuda::for_all_parts&) {
            sum = parts_.size() == 1 ? kind_.alone(jobs_[0].where, jobs_[0].rows, jobs_[0].columns, out)
                                     : compute(out);
        });
        out.transfer_seconds = *std::max_element(transfers.begin(), transfers.end());
        out.policy += " parts=" + std::to_string(parts_.size());
        out.threads = static_cast<int>(used);
        return sum;
    }

private:
    [[nodiscard]] std::size_t place_of(std::size_t part) const { return part % devices_.devices.size(); }
    [[nodiscard]] int device_of(std::size_t part) const { return devices_.devices[place_of(part)]; }

    /// The words above each part but the first: none has come. For tests, through WALE_TUNING:
    /// "wavefront/length/through_host=1" takes the host's memory.
    void make_words() {
        const index_t bytes = 8 * crossing_words(columns_.size, kind_.lines);
        const std::vector<char> none(parts_.size() > 1 ? static_cast<std::size_t>(bytes) : 0, '\xff');
        words_.reserve(parts_.size());
        for (std::size_t k = 1; k < parts_.size(); ++k) {
            const bool reached = tuning::overridden("wavefront/length/through_host", 2, 0) == 0 &&
                                 cuda::require().reaches(device_of(k - 1), device_of(k));
            through_host_ = through_host_ || !reached;
            memory& words = words_.emplace_back(bytes, reached ? memory_space::device : memory_space::pinned,
                                                device_of(k));
            if (reached)
                copy_bytes(on_cuda{.device = device_of(k)}, words.data(), none.data(), bytes);
            else
                std::memcpy(words.data(), none.data(), none.size());
            jobs_[k].above = static_cast<std::uint64_t*>(words.data());
            jobs_[k - 1].below = static_cast<std::uint64_t*>(words.data());
        }
    }

    void upload_to(std::size_t place, cuda::carrier& c) {
        const auto copy = [&](const symbols& s, cuda::part p) {
            const auto* bytes = static_cast<const char*>(s.data);
            const char* there = c.part_of(bytes, p, cuda::traffic::in, s.bytes);
            return symbols{there, p.count(), s.bytes};
        };
        const symbols columns = copy(columns_, {0, columns_.size});
        for (std::size_t k = place; k < parts_.size(); k += devices_.devices.size()) {
            jobs_[k].where = c.where();
            jobs_[k].columns = columns;
            jobs_[k].rows = copy(rows_, parts_[k]);
        }
        c.finish();  // copies are no part of the time
    }

    /// Parts are queued in order, so that the part above has always been queued: on a device named once in
    /// turn with others, a part begins when the device's last one has ended, and it is waited for first.
    [[nodiscard]] index_t compute(report& out) {
        const base::stopwatch watch;
        // Whatever happens, the parts' memory goes before the streams in whose order the memory was taken.
        struct ending {
            std::vector<pair_part_job>& jobs;
            ~ending() {
                for (pair_part_job& job : jobs) job.running.reset();
            }
        };
        const ending ends_here{jobs_};
        index_t sum = 0;
        const auto end = [&](std::size_t k) {
            sum += jobs_[k].running->finish();
            jobs_[k].running.reset();
        };
        const std::size_t devices = devices_.devices.size();
        for (std::size_t k = 0; k < parts_.size(); ++k) {
            if (k >= devices) end(k - devices);
            catalogue::select(kind_.table, backend::cuda, "automatic", jobs_[k]).run(jobs_[k]);
        }
        for (std::size_t k = parts_.size() - std::min(devices, parts_.size()); k < parts_.size(); ++k) end(k);
        out.compute_seconds = watch.seconds();
        out.variant = "cuda/strips";
        out.policy = jobs_[0].policy + (through_host_ ? " copies" : " stores");
        for (const pair_part_job& job : jobs_) out.bytes += job.bytes;
        out.iterations = static_cast<index_t>(parts_.size());
        return sum;
    }

    crossing_pair kind_;
    const symbols &rows_, &columns_;
    on_cuda devices_;
    std::vector<cuda::part> parts_;
    std::vector<memory> words_;
    bool through_host_ = false;  // words of two devices at least
    std::vector<pair_part_job> jobs_;
};

[[nodiscard]] index_t sum_over(const on_cuda& where, const crossing_pair& kind, const symbols& rows,
                               const symbols& columns, report& run) {
    constexpr index_t most = (index_t{1} << 31) - 1;
    if (rows.size > most)
        throw unsupported_variant("cuda/strips: needs sequences of fewer than 2^31 symbols");
    if (columns.size == 0) return 0;
    return pair_over_devices(where, kind, rows, columns).run(run);
}

}  // namespace

index_t length_over_devices(const on_cuda& where, const symbols& a, const symbols& b, report& run) {
    const bool tall = a.size >= b.size;
    const auto alone = [](const execution& on, const symbols& rows, const symbols& columns, report& to) {
        lcs_length_job job{on, rows, columns};
        job.run = &to;
        catalogue::run(lcs_length_rows(), "cuda/strips", job, to);
        return job.length;
    };
    const crossing_pair kind{alone, lcs_part_rows(), 1,
                             rows_at_once("wavefront/length/lcs_strips", lcs_policies, where)};
    return sum_over(where, kind, tall ? a : b, tall ? b : a, run);
}

index_t distance_over_devices(const on_cuda& where, const symbols& a, const symbols& b, report& run) {
    const bool tall = a.size >= b.size;
    const symbols &rows = tall ? a : b, &columns = tall ? b : a;
    if (columns.size == 0) return rows.size;
    const auto alone = [](const execution& on, const symbols& x, const symbols& y, report& to) {
        edit_distance_job job{on, x, y};
        job.run = &to;
        catalogue::run(edit_distance_rows(), "cuda/strips", job, to);
        return job.distance - y.size;
    };
    const crossing_pair kind{alone, edit_part_rows(), 2,
                             rows_at_once("wavefront/length/edit_strips", edit_policies, where)};
    // D(m, n) = D(0, n) + the vertical differences of the last column
    return columns.size + sum_over(where, kind, rows, columns, run);
}

}  // namespace wale::wavefront
