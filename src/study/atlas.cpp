// atlas - draws cells, runs every variant on each in turn, verifies and times them.
#include <algorithm>
#include <new>
#include <optional>
#include <wale/atlas.hpp>
#include <wale/error.hpp>
#include <wale/variants.hpp>

#include "base/argument.hpp"
#include "base/clock.hpp"
#include "base/threads.hpp"
#include "study/experiment.hpp"

namespace wale {
namespace {

using namespace experiments;

constexpr double reference_seconds =
    0.3;  // the plain reference is asked to verify a cell that takes it so long,
constexpr double patience_seconds = 10;  // or so long where nothing else can
constexpr double hopeless = 4;           // a variant this many times slower than the best is timed once
constexpr double always_timed = 1e-3;  // [s] but not where its first call, perhaps a cold one, was this short
constexpr double rounds_seconds = 0.3;  // the rounds of a cell together, as far as `least_rounds` let them
constexpr std::size_t least_rounds = 7, most_rounds = 41;
constexpr const char* automatic = "automatic";

/// One variant, or `automatic`, on one cell.
struct contender {
    std::string name;
    std::string ran;  // report.variant
    std::vector<double> seconds{}, compute{};
    std::vector<index_t> outcome{};
    std::string verified{};
    [[nodiscard]] double first() const { return seconds.front(); }
};

/// The lower quartile: what other programs do meanwhile only adds to a time.
double quartile(std::vector<double> all) {
    if (all.size() > 2) all.erase(all.begin());  // the first call warms up
    const auto place = all.begin() + (std::ssize(all) - 1) / 4;
    std::nth_element(all.begin(), place, all.end());
    return *place;
}

class atlas_run {
public:
    atlas_run(const subject& s, const atlas_options& o) : subject_(s), o_(o) {
        check();
        out_.solver = s.solver;
        out_.seed = o.seed;
        all_ = variants(s.solver);
    }
    atlas_result run();

private:
    void check();
    void study_cell(index_t number);
    [[nodiscard]] execution draw_place(dice& d) const;
    void try_once(const std::string& name, const execution& where, std::vector<contender>& all);
    void run_once(contender& c, const execution& where);
    void verify(std::vector<contender>& all, const atlas_cell& cell);
    [[nodiscard]] std::optional<std::pair<std::string, std::vector<index_t>>> right_outcome(
        const std::vector<contender>& all);
    void time(std::vector<contender>& all, const execution& where);
    void settle(std::vector<contender>& all, atlas_cell& cell);
    [[nodiscard]] std::string named(const atlas_cell& cell) const {
        return "seed " + std::to_string(o_.seed) + " cell " + std::to_string(cell.number) + ", " +
               cell.operation + " on " + cell.backend + " with " + cell.traits +
               ", threads=" + std::to_string(cell.threads);
    }

    const subject& subject_;
    const atlas_options& o_;
    atlas_result out_;
    std::vector<variant_info> all_;
    bool device_ = false;
    std::unique_ptr<experiment> now_;
};

void refuse_unless(bool good, const char* name, const std::string& found, const char* expected) {
    if (!good) base::refuse(name, "is " + found, expected);
}

void atlas_run::check() {
    const std::vector<std::string> names = atlas_operations(subject_.solver);
    std::string list;
    for (const std::string& n : names) list += (list.empty() ? "" : ", ") + n;
    refuse_unless(o_.operation.empty() || std::find(names.begin(), names.end(), o_.operation) != names.end(),
                  "operation", "'" + o_.operation + "'", ("one of " + list).c_str());
    refuse_unless(o_.first >= 0, "first", std::to_string(o_.first), "0 or more");
    refuse_unless(o_.cells >= 1, "cells", std::to_string(o_.cells), "1 or more");
    refuse_unless(o_.seconds >= 0, "seconds", std::to_string(o_.seconds), "0 (no bound) or more");
    refuse_unless(o_.largest_seconds > 0, "largest_seconds", std::to_string(o_.largest_seconds),
                  "more than 0");
    refuse_unless(o_.largest_bytes > 0, "largest_bytes", std::to_string(o_.largest_bytes), "more than 0");
    base::check_threads("threads", o_.threads);
    device_ = o_.cuda && is_available(backend::cuda);
    if (!o_.cpu && !device_)
        throw backend_unavailable("CUDA is not available: " + why_unavailable(backend::cuda));
}

atlas_result atlas_run::run() {
    const base::stopwatch watch;
    for (index_t k = 0; k < o_.cells; ++k) {
        if (o_.seconds > 0 && watch.seconds() > o_.seconds) {
            out_.skipped.push_back("cells from number " + std::to_string(o_.first + k) + ": " +
                                   std::to_string(static_cast<int>(o_.seconds)) + " s are over");
            break;
        }
        study_cell(o_.first + k);
    }
    return std::move(out_);
}

execution atlas_run::draw_place(dice& d) const {
    const bool device = d.one_in(2);  // drawn in any case: a cell is the same on every machine
    const auto most = static_cast<double>(available_threads());
    const auto threads = static_cast<int>(d.size(most));
    if (device_ && (device || !o_.cpu)) return on_cuda{};
    return on_cpu{o_.threads > 0 ? o_.threads : threads};
}

void atlas_run::study_cell(index_t number) {
    dice d(o_.seed, static_cast<std::uint64_t>(number));
    const std::vector<drawing>& can = subject_.drawings;
    const auto* what = &can[static_cast<std::size_t>(d.below(std::ssize(can)))];
    for (const drawing& one : can)
        if (one.name == o_.operation) what = &one;
    const execution where = draw_place(d);
    atlas_cell cell;
    cell.number = number;
    cell.operation = what->name;
    cell.backend = name_of(backend_of(where));
    if (const auto* cpu = std::get_if<on_cpu>(&where)) cell.threads = cpu->threads;
    try {
        drawn_cell drawn = what->draw(d, {o_.largest_seconds, o_.largest_bytes});
        now_ = std::move(drawn.work);
        cell.traits = std::move(drawn.traits);
        cell.work = now_->cells();
        if (o_.progress)
            o_.progress("cell " + std::to_string(number) + ", " + cell.operation + " " + cell.traits);
        std::vector<contender> all;
        std::string refusal;
        try {
            try_once(automatic, where, all);
        } catch (const unsupported_variant& e) {
            if (backend_of(where) == backend::cpu)
                throw;  // every cell has a CPU variant, not each a CUDA one
            refusal = e.what();
        }
        for (const variant_info& v : all_)
            if (v.operation == what->operation && v.where == backend_of(where)) try_once(v.name, where, all);
        if (!refusal.empty()) {
            auto& list = all.empty() ? out_.skipped : out_.failed;
            list.push_back(named(cell) + ": " + refusal);
            return now_.reset();
        }
        verify(all, cell);
        if (o_.timed) time(all, where);
        settle(all, cell);
    } catch (const out_of_memory& e) {
        out_.skipped.push_back(named(cell) + ": " + e.what());
    } catch (const std::bad_alloc&) {
        out_.skipped.push_back(named(cell) + ": host memory does not suffice");
    }
    now_.reset();
}

void atlas_run::run_once(contender& c, const execution& where) {
    now_->prepare(where);
    const base::stopwatch watch;
    const report r = now_->run(where, c.name);
    const double seconds = watch.seconds();
    c.seconds.push_back(now_->outlives_the_call() ? r.compute_seconds : seconds);
    c.compute.push_back(r.compute_seconds);
    c.ran = r.variant;
}

void atlas_run::try_once(const std::string& name, const execution& where, std::vector<contender>& all) {
    contender c;
    c.name = name;
    try {
        if (name != automatic && !now_->hindrance(name).empty()) return;
        run_once(c, where);
    } catch (const unsupported_variant&) {
        if (name == automatic) throw;
        return;
    }
    if (const std::string flaw = now_->flaw(); !flaw.empty())
        c.verified = "wrong: " + flaw;
    else if (now_->certified())
        c.verified = "certificate";
    c.outcome = now_->outcome();
    all.push_back(std::move(c));
}

/// The outcome that all must have, and where it comes from; nothing where a single variant stands alone.
std::optional<std::pair<std::string, std::vector<index_t>>> atlas_run::right_outcome(
    const std::vector<contender>& all) {
    const double seconds = now_->cells() / now_->reference_rate();
    if (seconds <= reference_seconds) return {{"reference", now_->reference_outcome()}};
    if (auto other = now_->second_opinion()) return {{"agreement", std::move(other->second)}};
    for (const contender& c : all)
        if (c.ran != all.front().ran) return {{"agreement", all.front().outcome}};
    if (seconds <= patience_seconds) return {{"reference", now_->reference_outcome()}};
    return std::nullopt;
}

void atlas_run::verify(std::vector<contender>& all, const atlas_cell& cell) {
    if (!now_->certified()) {
        const auto right = right_outcome(all);
        for (contender& c : all) {
            if (!c.verified.empty() || !right) continue;
            c.verified =
                c.outcome == right->second ? right->first : "wrong: differs from the " + right->first;
        }
    }
    for (const contender& c : all)
        if (c.verified.starts_with("wrong"))
            out_.failed.push_back(named(cell) + ": " + c.name + " is " + c.verified);
    std::erase_if(all,
                  [](const contender& c) { return c.verified.empty() || c.verified.starts_with("wrong"); });
}

/// Rounds of all contenders, each round begun by the next one, so that what disturbs the machine disturbs
/// all.
void atlas_run::time(std::vector<contender>& all, const execution& where) {
    if (all.empty()) return;
    double best = all.front().first(), round = 0;
    for (const contender& c : all) best = std::min(best, c.first());
    std::vector<contender*> active;
    for (contender& c : all)
        if (c.name == automatic || c.first() < std::max(hopeless * best, always_timed)) active.push_back(&c);
    for (const contender* c : active) round += c->first();
    const double wanted = rounds_seconds / std::max(round, 1e-9);
    const auto rounds = static_cast<std::size_t>(
        std::clamp(wanted, static_cast<double>(least_rounds), static_cast<double>(most_rounds)));
    for (std::size_t k = 0; k < rounds; ++k)
        for (std::size_t i = 0; i < active.size(); ++i) run_once(*active[(k + i) % active.size()], where);
}

void atlas_run::settle(std::vector<contender>& all, atlas_cell& cell) {
    for (const contender& c : all) {
        const double seconds = quartile(c.seconds);
        cell.times.push_back({c.name, seconds, quartile(c.compute), c.verified});
        if (c.name == automatic) {
            cell.chosen = c.ran;
            cell.automatic_seconds = seconds;
        } else if (cell.best.empty() || seconds < cell.best_seconds) {
            cell.best = c.name;
            cell.best_seconds = seconds;
        }
    }
    if (cell.chosen.empty() || cell.best.empty()) {
        out_.skipped.push_back(named(cell) + ": nothing verifies what ran");
        return;
    }
    double taken =
        cell.automatic_seconds;  // the variant by its name is the same code: the less disturbed time counts
    for (const atlas_time& t : cell.times)
        if (t.variant == cell.chosen) taken = std::min(taken, t.seconds);
    cell.regret = std::max(1.0, taken / std::max(cell.best_seconds, 1e-9));
    out_.cells.push_back(std::move(cell));
}

}  // namespace

atlas_result atlas(std::string_view solver, const atlas_options& options) {
    return atlas_run(subject_of(solver), options).run();
}

std::vector<std::string> atlas_operations(std::string_view solver) {
    std::vector<std::string> names;
    for (const drawing& d : subject_of(solver).drawings) names.emplace_back(d.name);
    return names;
}

}  // namespace wale
