// clamp_scan - threads over images, or over bands of one image. Bands of even and of odd number take
// turns, so that a band at work finds its neighbours at rest: no thread waits for another but between turns,
// and neither values nor marks need atomics. A band is brought to rest while it is in its core's cache.
#include "solvers/reconstruction/reconstruct/cpu/clamp_scan/clamp_scan.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "base/aligned.hpp"
#include "base/checked.hpp"
#include "cpu/barrier.hpp"
#include "cpu/instruction_set.hpp"
#include "cpu/poll.hpp"
#include "cpu/ready_rows_sync.hpp"
#include "cpu/team.hpp"
#include "solvers/reconstruction/problem.hpp"
#include "solvers/reconstruction/reconstruct/cpu/clamp_scan/tuning.hpp"
#include "solvers/reconstruction/reconstruct/shared/bounded.hpp"
#include "solvers/reconstruction/reconstruct/shared/narrow.hpp"
#include "tuning/override.hpp"

namespace wale::reconstruction {
namespace {

const void* at_byte(const void* data, index_t elements, pixel type) {
    return data ? static_cast<const char*>(data) + elements * bytes_of(type) : nullptr;
}

/// Memory of one image at a time.
struct workspace {
    base::aligned_vector<std::uint64_t> dirty;
    base::aligned_vector<char> rising;                         // where `out` cannot hold J
    std::vector<base::aligned_vector<std::uint64_t>> scratch;  // [threads]
};

bool out_holds_values(const reconstruct_job& job) {
    return job.finish != finish_rule::flag || bytes_of(job.mask.type) == 1;
}

/// The lines beside a line, as for_each_neighbour gives its pixels.
void add_steps(scan_field& f, int rank, int reach) {
    int before = 0, after = 0;
    for_each_neighbour(rank, reach, [&](step s) {
        if (s.column != 0 || (s.plane == 0 && s.row == 0)) return;
        const int differing = (s.plane != 0) + (s.row != 0);
        const line_step next{s.plane, s.row, differing + 1 <= reach};
        f.wide = f.wide || next.wide;
        if (s.plane < 0 || (s.plane == 0 && s.row < 0))
            f.before[before++] = next;
        else
            f.after[after++] = next;
    });
    f.steps = before;
}

/// All that the images of a job have in common.
scan_field field_of(const reconstruct_job& job) {
    scan_field f;
    f.type = job.mask.type;
    f.falling = job.method == reconstruction_method::erosion;
    f.volume = job.mask.planes > 1;
    f.all_border = job.mask.rank == 3 && !f.volume;
    f.start = job.start;
    f.finish = job.finish;
    f.height = job.height;
    f.planes = job.mask.planes;
    f.rows = job.mask.rows;
    f.columns = job.mask.columns;
    f.mask_row = job.mask.row_stride;
    f.mask_plane = job.mask.plane_stride;
    f.marker_row = job.marker.row_stride;
    f.marker_plane = job.marker.plane_stride;
    f.out_row = job.out.row_stride;
    f.out_plane = job.out.plane_stride;
    f.rising_row = out_holds_values(job) ? f.out_row : f.columns;
    f.rising_plane = out_holds_values(job) ? f.out_plane : f.columns * f.rows;
    add_steps(f, f.volume ? 3 : 2, f.volume ? job.reach : std::min(job.reach, 2));
    f.units = base::ceil_div(f.columns, scan_lanes(f.type));
    f.words = base::ceil_div(f.units, index_t{64});
    return f;
}

scan_field image_of(const reconstruct_job& job, const scan_field& common, index_t image, workspace& w) {
    scan_field f = common;
    f.mask = at_byte(job.mask.data, image * job.mask.image_stride, job.mask.type);
    if (job.start == start_rule::given)
        f.marker = at_byte(job.marker.data, image * job.marker.image_stride, job.marker.type);
    f.out = static_cast<char*>(job.out.data) + image * job.out.image_stride * bytes_of(job.out.type);
    f.rising = out_holds_values(job) ? f.out : w.rising.data();
    f.dirty = w.dirty.data();
    return f;
}

workspace make_workspace(const reconstruct_job& job, const scan_field& f, int threads) {
    workspace w;
    w.dirty.resize(static_cast<std::size_t>(f.planes * f.rows * f.words));
    if (!out_holds_values(job))
        w.rising.resize(static_cast<std::size_t>(f.planes * f.rows * f.columns * bytes_of(f.type)));
    w.scratch.resize(static_cast<std::size_t>(threads));
    for (auto& s : w.scratch) s.resize(static_cast<std::size_t>(3 * f.words));
    return w;
}

struct cut {
    index_t slices;  // of a band
    index_t bands;
};

cut cut_into_bands(const scan_field& f, const clamp_scan_policy& policy, int threads) {
    const index_t slice_bytes = 2 * f.lines_of_slice() * f.columns * bytes_of(f.type);
    const index_t cached = policy.band_bytes / slice_bytes;
    const index_t shared =
        threads > 1 ? base::ceil_div(f.slices(), index_t{threads} * policy.bands_a_thread) : cached;
    const index_t least = f.volume ? 2 : policy.least_slices;
    cut c;
    c.slices = std::max({std::min(cached, shared), least, index_t{2}});
    c.bands = std::max(f.slices() / c.slices, index_t{1});  // the last one takes the rest
    return c;
}

/// One image and its team. Each thread has a run of bands and goes through it, there and back, until all
/// are at rest; then it takes bands of other runs while there are any. At last the team passes a barrier, and
/// begins again if bands have been woken meanwhile.
///
/// Who does what: a thread visits a band whose seams it could lock. What it waits for: nothing but the
/// barrier; a band whose seam is taken is left for later. Why it cannot deadlock: no lock is waited for, and
/// a visit ends. Why that is enough: a visit reads and writes its own band, and the edges, marks and flags of
/// the two beside it; what is read without a lock is a hint.
class sweeping_team {
public:
    /// `onward`: J is there, and the units that it may rise in are marked.
    sweeping_team(const scan_field& f, const cut& c, workspace& w, int threads, index_t looks, bool onward)
        : f_(f),
          cut_(c),
          workspace_(w),
          budget_(looks * f.planes * f.rows * f.units),
          threads_(static_cast<int>(std::min<index_t>(threads, c.bands))),
          awake_(static_cast<std::size_t>(2 * c.bands) + 4),
          started_(static_cast<std::size_t>(c.bands) + 2),
          seams_(static_cast<std::size_t>(c.bands) + 1) {
        if (!onward) return;
        std::fill(awake_.begin() + 2, awake_.end() - 2, char{1});
        std::fill(started_.begin() + 1, started_.end() - 1, char{1});
    }

    void run() {
        cpu::barrier barrier(threads_);
        const auto close_round = [this] {
            ++rounds_;
            over_ = gave_up_.load() ||
                    std::none_of(awake_.begin() + 2, awake_.end() - 2, [](char a) { return a != 0; });
        };
        cpu::run_team(threads_, [&](int rank) {
            while (!over_) {
                sweep_run(rank);
                barrier.wait(close_round);
            }
        });
    }
    [[nodiscard]] index_t rounds() const { return rounds_; }
    [[nodiscard]] index_t visits() const { return visits_; }
    [[nodiscard]] bool gave_up() const { return gave_up_; }

private:
    [[nodiscard]] index_t first_band(int rank) const { return cut_.bands * rank / threads_; }

    using sync = cpu::ready_rows_sync<>;
    enum class visit { at_rest, done, taken };

    void sweep_run(int rank) {
        const index_t begin = first_band(rank), end = first_band(rank + 1);
        bool worked = true;
        for (bool down = true; worked; down = !down) {
            bool waits = worked = false;
            for (index_t k = begin; k < end; ++k) {
                cpu::poll();
                const visit v = visit_between_seams(down ? k : begin + end - 1 - k, rank);
                worked = worked || v == visit::done;
                waits = waits || v == visit::taken;
            }
            if (waits && !worked) std::this_thread::yield();
            worked = worked || waits;
        }
        help(begin, rank);
    }

    /// Bands of other runs, as long as a thread is at work that may wake more.
    void help(index_t first, int rank) {
        for (std::uint32_t idle = 0; idle < sync::spin_limit; ++idle) {
            for (index_t k = 0; k < cut_.bands; ++k) {
                const index_t b = (first + k) % cut_.bands;
                if (is_at_rest(b) || visit_between_seams(b, rank) != visit::done) continue;
                cpu::poll();
                idle = 0;
            }
            if (at_work_.load(std::memory_order_acquire) == 0) return;
            sync::pause(idle);
        }
    }

    visit visit_between_seams(index_t b, int rank) {
        const auto at = static_cast<std::size_t>(b);
        const std::unique_lock before(seams_[at], std::try_to_lock), after(seams_[at + 1], std::try_to_lock);
        if (!before || !after) return visit::taken;
        if (is_at_rest(b)) return visit::at_rest;
        at_work_.fetch_add(1, std::memory_order_relaxed);
        visit_band(b, rank);
        at_work_.fetch_sub(1, std::memory_order_release);
        return visit::done;
    }

    /// A flag of a band, which other threads look at without its seams.
    static bool get(char& flag) { return std::atomic_ref(flag).load(std::memory_order_relaxed) != 0; }
    static void set(char& flag, bool to) {
        std::atomic_ref(flag).store(static_cast<char>(to), std::memory_order_relaxed);
    }
    [[nodiscard]] bool is_at_rest(index_t b) {
        char* awake = &awake_[static_cast<std::size_t>(2 * (b + 1))];
        return get(started_[static_cast<std::size_t>(b + 1)]) &&
               ((!get(awake[0]) && !get(awake[1])) || gave_up_.load(std::memory_order_relaxed));
    }

    void visit_band(index_t b, int rank) {
        char* awake = &awake_[static_cast<std::size_t>(2 * (b + 1))];
        char* started = &started_[static_cast<std::size_t>(b + 1)];
        set(awake[0], false);
        set(awake[1], false);
        scan_band band;
        band.begin = b * cut_.slices;
        band.end = b + 1 == cut_.bands ? f_.slices() : band.begin + cut_.slices;
        band.before_ready = get(started[-1]);
        band.after_ready = get(started[1]);
        band.scratch = workspace_.scratch[static_cast<std::size_t>(rank)].data();
        band.limit = budget_ - looks_.load(std::memory_order_relaxed);
        if (get(*started))
            scan_settle(f_, band);
        else
            scan_start(f_, band);
        set(*started, true);
        if (band.woke_before) set(awake[-1], true);  // a flag for each side: they may be set at once
        if (band.woke_after) set(awake[2], true);
        visits_.fetch_add(1, std::memory_order_relaxed);
        looks_.fetch_add(band.visits, std::memory_order_relaxed);
        if (band.gave_up) gave_up_.store(true, std::memory_order_relaxed);
    }

    const scan_field& f_;
    const cut cut_;
    workspace& workspace_;
    const index_t budget_;  // visits to units
    const int threads_;
    std::vector<char> awake_;    // [bands][from before, from after], and a band beyond either end
    std::vector<char> started_;  // [bands], likewise
    std::vector<std::mutex> seams_;
    bool over_ = false;
    index_t rounds_ = 0;
    std::atomic<index_t> visits_{0}, looks_{0};
    std::atomic<bool> gave_up_{false};
    std::atomic<int> at_work_{0};
};

/// What a call adds up over its images.
struct tally {
    std::atomic<index_t> rounds{0}, visits{0};
    std::atomic<bool> guarded{false};
};

void finish_image(const scan_field& f, const cut& c, int threads) {
    if (f.finish == finish_rule::value) return;
    std::atomic<index_t> next{0};
    cpu::run_team(threads, [&](int) {
        for (index_t b = next.fetch_add(1); b < c.bands; b = next.fetch_add(1))
            scan_finish(f, b * c.slices, b + 1 == c.bands ? f.slices() : (b + 1) * c.slices);
    });
}

/// An adversarial image: J lies between marker and answer, so any method may go on from it. By one with a
/// bound, on this thread.
void finish_bounded(const reconstruct_job& job, const scan_field& f, workspace& w) {
    std::fill(w.dirty.begin(), w.dirty.end(), 0);
    raster one = job.mask;
    one.images = 1;
    raster risen = one;
    risen.row_stride = f.rising_row;
    risen.plane_stride = f.rising_plane;
    raster answer = job.out;
    answer.images = 1;
    reconstruction_result result;
    reconstruct_job rest = job;
    rest.where = on_cpu{1};
    rest.start = start_rule::given;
    rest.mask = {f.mask, one};
    rest.marker = {f.rising, risen};
    rest.out = {f.out, answer};
    rest.result = &result;
    finish_downhill(rest);
}

/// One job, and what its images have in common.
struct plan {
    const reconstruct_job& job;
    scan_field common;
    cut bands;
    int threads;  // at one image
    index_t looks;
    bool onward;  // job.out is at rest but for what its outermost pixels start
};

/// The units that an outermost pixel may raise.
void mark_outermost(const scan_field& f) {
    const auto outer = [](index_t at, index_t count) { return at < 2 || at >= count - 2; };
    for (index_t n = 0; n < f.planes * f.rows; ++n) {
        const bool all = outer(n % f.rows, f.rows) || (f.volume ? outer(n / f.rows, f.planes) : f.all_border);
        const auto mark = [&](index_t unit) {
            f.dirty[n * f.words + unit / 64] |= std::uint64_t{1} << unit % 64;
        };
        for (index_t unit = 0; unit < f.units; ++unit) {
            if (!all && unit == 2) unit = std::max<index_t>(unit, f.units - 2);
            mark(unit);
        }
    }
}

void reconstruct_image(const plan& p, index_t image, workspace& w, tally& sum) {
    const scan_field f = image_of(p.job, p.common, image, w);
    if (p.onward) mark_outermost(f);
    sweeping_team team(f, p.bands, w, p.threads, p.looks, p.onward);
    team.run();
    sum.visits.fetch_add(team.visits());
    index_t most = sum.rounds.load();
    while (most < team.rounds() && !sum.rounds.compare_exchange_weak(most, team.rounds())) {
    }
    if (!team.gave_up()) return finish_image(f, p.bands, p.threads);
    sum.guarded.store(true);
    finish_bounded(p.job, f, w);
}

/// Threads take images; or, where there are few, all threads work on one after the other.
void reconstruct_all(const plan& p, int threads, tally& sum) {
    std::atomic<index_t> next{0};
    cpu::run_team(threads / p.threads, [&](int) {
        workspace w = make_workspace(p.job, p.common, p.threads);
        for (index_t i = next.fetch_add(1); i < p.job.mask.images; i = next.fetch_add(1))
            reconstruct_image(p, i, w, sum);
    });
}

void run_from(reconstruct_job& job, bool onward) {
    report& run = job.result->run;
    run.device = cpu::instruction_set();
    if (job.mask.pixels() == 0) return;
    const auto element = static_cast<int>(bytes_of(job.mask.type));
    const std::size_t row =
        tuning::choose("reconstruction/reconstruct/clamp_scan", clamp_scan_policies, 0, element);
    const clamp_scan_policy& policy = clamp_scan_policies[row].policy;
    const int threads = cpu::team_size(job.where, job.mask.pixels() * element / policy.thread_bytes);
    const scan_field common = field_of(job);
    const int sharing = job.mask.images >= threads ? 1 : threads;
    const plan p{job, common, cut_into_bands(common, policy, sharing), sharing, policy.looks, onward};
    tally sum;
    reconstruct_all(p, threads, sum);
    run.threads = threads;
    run.policy = "band=" + std::to_string(p.bands.slices);
    run.iterations = sum.rounds;
    job.result->tile_visits = sum.visits;
    job.result->guarded = sum.guarded;
}
void run(reconstruct_job& job) {
    run_from(job, false);
}

}  // namespace

void run_onward(reconstruct_job& job) {
    run_from(job, true);
}

extern constinit const catalogue::row<reconstruct_job> reconstruct_cpu_clamp_scan{
    "cpu/clamp_scan", "SIMD sweeps along lines as prefix scans, in bands that stay in cache", run,
    refuses_bits, wide_rows};

}  // namespace wale::reconstruction
