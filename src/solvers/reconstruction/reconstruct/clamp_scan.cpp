// clamp_scan - threads over pictures, or over bands of one picture. Bands of even and of odd number take
// turns, so that a band at work finds its neighbours at rest: no thread waits for another but between turns,
// and neither values nor marks need atomics. A band is brought to rest while it is in its core's cache.
#include "solvers/reconstruction/reconstruct/clamp_scan.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <vector>

#include "base/aligned.hpp"
#include "base/checked.hpp"
#include "cpu/instruction_set.hpp"
#include "cpu/team.hpp"
#include "solvers/reconstruction/reconstruct/cpu.hpp"
#include "solvers/reconstruction/reconstruct/cpu_tuning.hpp"
#include "solvers/reconstruction/visit.hpp"
#include "tuning/override.hpp"

namespace wale::reconstruction {
namespace {

const void* at_byte(const void* data, index_t elements, pixel type) {
    return data ? static_cast<const char*>(data) + elements * bytes_of(type) : nullptr;
}

/// Memory of one picture at a time.
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

/// All that the pictures of a job have in common.
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

scan_field picture_of(const reconstruct_job& job, const scan_field& common, index_t picture, workspace& w) {
    scan_field f = common;
    f.mask = at_byte(job.mask.data, picture * job.mask.picture_stride, job.mask.type);
    if (job.start == start_rule::given)
        f.marker = at_byte(job.marker.data, picture * job.marker.picture_stride, job.marker.type);
    f.out = static_cast<char*>(job.out.data) + picture * job.out.picture_stride * bytes_of(job.out.type);
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
    for (auto& s : w.scratch) s.resize(static_cast<std::size_t>(2 * f.words));
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

/// One picture and its team: turns until no band can rise.
class turns {
public:
    turns(const scan_field& f, const cut& c, workspace& w)
        : f_(f),
          cut_(c),
          workspace_(w),
          awake_(static_cast<std::size_t>(2 * c.bands)),
          started_(static_cast<std::size_t>(c.bands)) {}

    void run(int threads) {
        threads_ = threads;
        list_turn();
        std::barrier between(threads, [this]() noexcept { list_turn(); });
        cpu::run_team(threads, [&](int rank) {
            auto* scratch = workspace_.scratch[static_cast<std::size_t>(rank)].data();
            while (!over_) {
                for (index_t k = next_.fetch_add(1); k < listed_; k = next_.fetch_add(1))
                    work(list_at(k), scratch);
                between.arrive_and_wait();
            }
        });
    }
    [[nodiscard]] index_t turns_taken() const { return turn_; }
    [[nodiscard]] index_t band_visits() const { return band_visits_; }

private:
    /// A single thread takes the bands in order, there and back; a team takes every other one.
    [[nodiscard]] index_t list_at(index_t k) const {
        if (threads_ > 1) return 2 * k + (turn_ - 1) % 2;
        return turn_ % 2 == 1 ? k : cut_.bands - 1 - k;
    }
    void list_turn() noexcept {
        const bool first = threads_ > 1 ? turn_ < 2 : turn_ < 1;
        const bool awake = std::any_of(awake_.begin(), awake_.end(), [](char a) { return a != 0; });
        over_ = !first && !awake;
        if (over_) return;
        ++turn_;
        listed_ = threads_ > 1 ? (cut_.bands + turn_ % 2) / 2 : cut_.bands;
        next_.store(0);
    }

    void work(index_t b, std::uint64_t* scratch) {
        char* awake = &awake_[static_cast<std::size_t>(2 * b)];
        char& started = started_[static_cast<std::size_t>(b)];
        if (started && !awake[0] && !awake[1]) return;
        awake[0] = awake[1] = 0;
        scan_band band;
        band.begin = b * cut_.slices;
        band.end = b + 1 == cut_.bands ? f_.slices() : band.begin + cut_.slices;
        band.before_ready = b > 0 && started_[static_cast<std::size_t>(b - 1)];
        band.after_ready = b + 1 < cut_.bands && started_[static_cast<std::size_t>(b + 1)];
        band.scratch = scratch;
        if (started)
            scan_settle(f_, band);
        else
            scan_start(f_, band);
        started = 1;
        if (band.woke_before) awake[-1] = 1;  // the later side of the band before
        if (band.woke_after) awake[2] = 1;
        band_visits_.fetch_add(1);
    }

    const scan_field& f_;
    const cut cut_;
    workspace& workspace_;
    std::vector<char> awake_;    // [bands][from before, from after]
    std::vector<char> started_;  // [bands]
    int threads_ = 1;
    index_t turn_ = 0, listed_ = 0;
    bool over_ = false;
    std::atomic<index_t> next_{0}, band_visits_{0};
};

/// What a call adds up over its pictures.
struct tally {
    std::atomic<index_t> turns{0}, visits{0};
};

void finish_picture(const scan_field& f, const cut& c, int threads) {
    if (f.finish == finish_rule::value) return;
    std::atomic<index_t> next{0};
    cpu::run_team(threads, [&](int) {
        for (index_t b = next.fetch_add(1); b < c.bands; b = next.fetch_add(1))
            scan_finish(f, b * c.slices, b + 1 == c.bands ? f.slices() : (b + 1) * c.slices);
    });
}

void reconstruct_picture(const scan_field& f, const cut& c, workspace& w, int threads, tally& sum) {
    turns t(f, c, w);
    t.run(threads);
    finish_picture(f, c, threads);
    sum.visits.fetch_add(t.band_visits());
    index_t most = sum.turns.load();
    while (most < t.turns_taken() && !sum.turns.compare_exchange_weak(most, t.turns_taken())) {
    }
}

/// Threads take pictures; or, where there are few, all threads work on one after the other.
void reconstruct_all(const reconstruct_job& job, const scan_field& common, const clamp_scan_policy& policy,
                     int threads, tally& sum) {
    const bool alone = job.mask.pictures >= threads;
    const int together = alone ? 1 : threads;
    std::atomic<index_t> next{0};
    cpu::run_team(alone ? threads : 1, [&](int) {
        workspace w = make_workspace(job, common, together);
        const cut c = cut_into_bands(common, policy, together);
        for (index_t i = next.fetch_add(1); i < job.mask.pictures; i = next.fetch_add(1))
            reconstruct_picture(picture_of(job, common, i, w), c, w, together, sum);
    });
}

}  // namespace

void reconstruct_clamp_scan(reconstruct_job& job) {
    report& run = job.result->run;
    run.device = cpu::instruction_set();
    if (job.mask.pixels() == 0) return;
    const auto element = static_cast<int>(bytes_of(job.mask.type));
    const std::size_t row =
        tuning::choose("reconstruction/reconstruct/clamp_scan", clamp_scan_policies, 0, element);
    const clamp_scan_policy& policy = clamp_scan_policies[row].policy;
    const on_cpu* cpu = std::get_if<on_cpu>(&job.where);
    const int threads =
        cpu::team_size(cpu ? cpu->threads : 1, job.mask.pixels() * element / policy.thread_bytes);
    const scan_field common = field_of(job);
    tally sum;
    reconstruct_all(job, common, policy, threads, sum);
    run.threads = threads;
    run.policy = "band=" + std::to_string(cut_into_bands(common, policy, threads).slices);
    run.iterations = sum.turns;
    job.result->tile_visits = sum.visits;
}

}  // namespace wale::reconstruction
