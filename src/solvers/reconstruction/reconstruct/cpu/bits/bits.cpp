// bits - binary images, 64 pixels a word: lines are swept down and up, only those and only where a
// neighbour line rose, until none does. Threads own bands of lines and exchange edges between rounds. An
// image that keeps the sweeps busy for too long (corridors there and back) is finished by its runs.
#include <atomic>
#include <memory>
#include <string>

#include "cpu/barrier.hpp"
#include "cpu/instruction_set.hpp"
#include "cpu/poll.hpp"
#include "cpu/team.hpp"
#include "solvers/reconstruction/problem.hpp"
#include "solvers/reconstruction/reconstruct/cpu/bits/bits.hpp"
#include "solvers/reconstruction/reconstruct/cpu/bits/tuning.hpp"
#include "solvers/reconstruction/reconstruct/shared/narrow.hpp"

namespace wale::reconstruction {
namespace {

/// The units [first, last) of one thread, with copies of the unit before and the unit after.
class bits_band {
public:
    bits_band(bits_field& field, index_t first, index_t last)
        : field_(field),
          shape_(field.shape()),
          first_(first),
          last_(last),
          raise_(best_raise_line()),
          before_(static_cast<std::size_t>(shape_.unit_words() + bits_margin)),
          after_(before_.size()),
          pending_(static_cast<std::size_t>((last - first) * shape_.lines)) {}

    [[nodiscard]] index_t first() const { return first_; }
    [[nodiscard]] index_t last() const { return last_; }

    /// Sweeps down and up until no line can rise, or `words` have been visited; whether the former. The
    /// number of sweeps is added to `sweeps`.
    bool settle(index_t& words, index_t& sweeps, bool first_visit) {
        const index_t lines = (last_ - first_) * shape_.lines;
        if (first_visit) {
            ++sweeps;
            clear();
            for (index_t k = 0; k < lines; ++k) visit(k, {0, shape_.words}, true);
            words -= lines * shape_.words;
        }
        for (bool down = !first_visit; any_pending(); down = !down) {
            ++sweeps;
            cpu::poll();
            for (index_t i = 0; i < lines; ++i) {
                const index_t k = down ? i : lines - 1 - i;
                if (at(k).empty()) continue;
                const word_range look = at(k);
                words -= bits_margin + look.last - look.first;
                visit(k, look, false);
            }
            words -= lines / bits_margin;
            if (words < 0) return !any_pending();
        }
        return true;
    }

    /// Takes the edges of the bands beside this one; call between barriers. Whether a line may rise.
    bool exchange() {
        if (first_ > 0) take(field_.rising_unit(first_ - 1), before_.data(), -1);
        if (last_ < shape_.units) take(field_.rising_unit(last_), after_.data(), last_ - first_);
        return any_pending();
    }

private:
    [[nodiscard]] word_range& at(index_t k) { return pending_[static_cast<std::size_t>(k)]; }
    [[nodiscard]] bool any_pending() const { return pending_lines_ > 0; }

    [[nodiscard]] const std::uint64_t* line_of(index_t unit, index_t line) {
        if (unit < first_) return before_.data() + shape_.offset(line);
        if (unit >= last_) return after_.data() + shape_.offset(line);
        return field_.rising(unit, line);
    }

    /// A new image begins.
    void clear() {
        std::fill(before_.begin(), before_.end(), 0);
        std::fill(after_.begin(), after_.end(), 0);
        std::fill(pending_.begin(), pending_.end(), word_range());
        pending_lines_ = 0;
    }

    void visit(index_t k, word_range look, bool first_visit) {
        if (!at(k).empty()) --pending_lines_;
        at(k) = {};
        const index_t unit = first_ + k / shape_.lines, line = k % shape_.lines;
        bits_neighbours from;
        int n = 0;
        for (const bits_step& s : shape_.steps) {
            from.lines[n++] = line_of(unit + s.units, line + s.lines);
            ++(s.dilated ? from.dilated : from.plain);
        }
        const word_range changed =
            raise_({field_.mask(unit, line), field_.rising(unit, line), look, first_visit}, from);
        if (changed.empty()) return;
        for (const bits_step& s : shape_.steps) wake(unit + s.units, line + s.lines, changed);
    }

    /// A neighbour of this line rose in the words `where`.
    void wake(index_t unit, index_t line, word_range where) {
        if (unit < first_ || unit >= last_ || line < 0 || line >= shape_.lines) return;
        word_range& mine = at((unit - first_) * shape_.lines + line);
        const word_range wider{std::max<index_t>(0, where.first - 1), std::min(shape_.words, where.last + 1)};
        if (mine.empty()) {
            mine = wider;
            ++pending_lines_;
        } else {
            mine = {std::min(mine.first, wider.first), std::max(mine.last, wider.last)};
        }
    }

    /// Copies a unit of another band, `unit` counted from this band's first, and wakes what touches a change.
    void take(const std::uint64_t* from, std::uint64_t* copy, index_t unit) {
        for (index_t line = 0; line < shape_.lines; ++line) {
            word_range changed{shape_.words, 0};
            const index_t offset = shape_.offset(line);
            for (index_t w = 0; w < shape_.words; ++w) {
                if (copy[offset + w] == from[offset + w]) continue;
                copy[offset + w] = from[offset + w];
                changed = {std::min(changed.first, w), w + 1};
            }
            if (changed.empty()) continue;
            for (const bits_step& s : shape_.steps) wake(first_ + unit + s.units, line + s.lines, changed);
        }
    }

    bits_field& field_;
    const bits_shape& shape_;
    index_t first_, last_;
    raise_line raise_;
    base::aligned_vector<std::uint64_t> before_, after_;
    std::vector<word_range> pending_;
    index_t pending_lines_ = 0;
};

/// One image after another by all threads, each with a band.
class bits_bands {
public:
    bits_bands(const reconstruct_job& job, const bits_shape& shape, const bits_policy& policy, int threads)
        : job_(job),
          shape_(shape),
          guard_(policy.guard * std::max<index_t>(1, shape.units * shape.lines * shape.words / threads)),
          field_(shape),
          barrier_(threads) {
        for (int k = 0; k < threads; ++k)
            bands_.emplace_back(field_, shape.units * k / threads, shape.units * (k + 1) / threads);
    }

    [[nodiscard]] index_t sweeps() const { return sweeps_; }
    [[nodiscard]] bool guarded() const { return guarded_; }

    void reconstruct(index_t image) {
        rising_[0] = rising_[1] = 0;
        exhausted_ = false;
        const int threads = static_cast<int>(bands_.size());
        cpu::run_team(threads, [&](int k) { propagate(image, k); });
        if (!exhausted_) return;
        guarded_ = true;
        fill_by_runs(field_);
        cpu::run_team(threads, [&](int k) { store(image, bands_[static_cast<std::size_t>(k)]); });
    }

private:
    /// Who does what: thread k raises its band, all others theirs. What it waits for: the barrier before it
    /// reads the edges of its neighbours, and the one before it goes on to write its own. Why it cannot
    /// deadlock: every thread passes the same barriers, the way out is one decision that all read. Why this
    /// order: a barrier orders everything before it before everything after it.
    void propagate(index_t image, int k) {
        bits_band& band = bands_[static_cast<std::size_t>(k)];
        for (index_t unit = band.first(); unit < band.last(); ++unit) load_unit(job_, image, unit, field_);
        barrier_.wait();  // the margin after a band's last line is the one before the next band's
                          // first
        index_t words = guard_, sweeps = 0;
        for (int round = 0;; ++round) {
            if (!band.settle(words, sweeps, round == 0)) exhausted_ = true;
            if (bands_.size() == 1) break;
            barrier_.wait();
            if (band.exchange()) rising_[round % 2] = true;
            barrier_.wait();
            if (exhausted_ || !rising_[round % 2]) break;
            if (k == 0) rising_[(round + 1) % 2] = false;
            barrier_.wait();
        }
        if (k == 0) sweeps_ = std::max(sweeps_, sweeps);
        if (!exhausted_) store(image, band);
    }

    void store(index_t image, const bits_band& band) {
        for (index_t unit = band.first(); unit < band.last(); ++unit) store_unit(job_, image, unit, field_);
    }

    const reconstruct_job& job_;
    const bits_shape& shape_;
    index_t guard_;
    bits_field field_;
    std::vector<bits_band> bands_;
    cpu::barrier barrier_;
    index_t sweeps_ = 0;  // the most of any image, of the first band
    bool guarded_ = false;
    std::atomic<bool> rising_[2] = {}, exhausted_ = false;
};

/// Whether all images had lines of few words and were done; each by one thread.
bool run_few_words(reconstruct_job& job, const bits_shape& shape, const bits_policy& policy) {
    if (few_words::of(shape, policy.few_words) == nullptr) return false;
    const index_t words = shape.units * shape.lines * shape.words * job.mask.images;
    const int threads =
        cpu::team_size(job.where, std::min(words / policy.words_a_thread + 1, job.mask.images));
    std::vector<index_t> sweeps(static_cast<std::size_t>(threads));
    std::atomic<bool> done = true;
    cpu::run_team(threads, [&](int rank) {
        const std::unique_ptr<few_words> solver = few_words::of(shape, policy.few_words);
        index_t& most = sweeps[static_cast<std::size_t>(rank)];
        for (index_t image = rank; image < job.mask.images && done; image += threads) {
            const int taken = solver->reconstruct(job, image);
            if (taken == 0) done = false;
            most = std::max<index_t>(most, taken);
        }
    });
    job.result->run.iterations = *std::max_element(sweeps.begin(), sweeps.end());
    job.result->run.threads = threads;
    return done;
}

void run(reconstruct_job& job) {
    if (job.mask.pixels() == 0) return;
    const bits_policy& policy = chosen_bits();
    const bits_shape shape(job.mask, job.reach);
    job.result->run.device = cpu::instruction_set();
    job.result->run.policy = "guard=" + std::to_string(policy.guard);
    if (run_few_words(job, shape, policy)) return;
    const index_t words = shape.units * shape.lines * shape.words;
    const index_t useful =
        std::min(words * job.mask.images / policy.words_a_thread + 1, std::max(shape.units, job.mask.images));
    const int threads = cpu::team_size(job.where, useful);
    // Many images: each thread has its own. Few: all share each.
    const int groups = job.mask.images >= threads ? threads : 1;
    std::vector<std::unique_ptr<bits_bands>> solvers;
    for (int k = 0; k < groups; ++k)
        solvers.push_back(std::make_unique<bits_bands>(
            job, shape, policy, groups > 1 ? 1 : static_cast<int>(std::min<index_t>(threads, shape.units))));
    cpu::run_team(groups, [&](int k) {
        for (index_t image = k; image < job.mask.images; image += groups)
            solvers[static_cast<std::size_t>(k)]->reconstruct(image);
    });
    for (const auto& s : solvers) {
        job.result->run.iterations = std::max(job.result->run.iterations, s->sweeps());
        job.result->guarded = job.result->guarded || s->guarded();
    }
    job.result->run.threads = threads;
}

bool suits(const reconstruct_job& job) {
    return job.mask.type == pixel::bit || wide_rows(job);  // no other variant takes packed pixels
}

}  // namespace

extern constinit const catalogue::row<reconstruct_job> reconstruct_cpu_bits{
    "cpu/bits", "binary: 64 pixels a word, runs filled by a carry, lines that can rise", run, refuses_grey,
    suits};

}  // namespace wale::reconstruction
