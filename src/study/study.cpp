// study - every variant of an operation on one input: run, verified, timed, compared.
#include <algorithm>
#include <limits>
#include <map>
#include <new>
#include <set>
#include <wale/error.hpp>
#include <wale/study.hpp>
#include <wale/variants.hpp>

#include "base/argument.hpp"
#include "study/experiment.hpp"

namespace wale {
namespace {

using namespace experiments;

constexpr double reference_cells = 2e9;  // what the plain reference is asked to verify
constexpr index_t small_size = 1000;     // where a variant proves itself if every size asked for is too large
constexpr index_t most_size = 2147483647;       // its square fits in 64 bits
constexpr double most_times_seconds_each = 10;  // a run may take this many times seconds_each
constexpr const char* reference_name = "reference/plain";

std::string at(index_t size) {
    return " at " + std::to_string(size);
}

/// One verified or failed candidate for a row, until it is known which.
struct candidate {
    study_row row;
    std::vector<index_t> outcome;
};

class study_run {
public:
    study_run(const subject& s, study_options o) : subject_(s), o_(std::move(o)) { check(); }
    study_result run();

private:
    void check();
    void choose_variants();
    void study_size(index_t size, bool shown);
    void try_variant(const variant_info& v, index_t size, std::vector<candidate>& done);
    [[nodiscard]] candidate measure(const variant_info& v, index_t size);
    void settle(std::vector<candidate>& done, index_t size, bool shown);
    [[nodiscard]] std::optional<std::vector<index_t>> expected_answer(const std::vector<candidate>& done,
                                                                      index_t size);
    void ask_another(const std::vector<candidate>& done,
                     std::map<std::vector<index_t>, std::set<std::string>>& votes);
    void compare_rows();
    [[nodiscard]] std::string hindrance(const std::string& variant) const;
    [[nodiscard]] execution where_of(const variant_info& v) const {
        if (v.where == backend::reference) return on_reference{};
        if (v.where == backend::cuda) return on_cuda{.time_on_device = true};
        return on_cpu{o_.threads};
    }
    void say(const std::string& text) const {
        if (o_.progress) o_.progress(text);
    }

    const subject& subject_;
    study_options o_;
    study_result out_;
    std::vector<variant_info> variants_;
    std::string cuda_reason_;
    std::unique_ptr<experiment> now_;
    std::map<std::string, double> rate_;  // cells a second, at the last size
    std::set<std::string> refused_;       // variants that said why already
};

void study_run::check() {
    const auto& names = subject_.names;
    if (o_.operation.empty()) o_.operation = names.front();
    if (o_.sizes.empty()) o_.sizes = subject_.sizes;
    if (std::find(names.begin(), names.end(), o_.operation) == names.end()) {
        std::string list;
        for (const std::string& n : names) list += (list.empty() ? "" : ", ") + n;
        base::refuse("operation", "is '" + o_.operation + "'", "one of " + list);
    }
    for (const index_t n : o_.sizes)
        if (n < 1 || n > most_size)
            base::refuse("sizes", "contains " + std::to_string(n), "1 to " + std::to_string(most_size));
    if (o_.repeats < 1) base::refuse("repeats", "is " + std::to_string(o_.repeats), "1 or more");
    if (o_.threads < 0) base::refuse("threads", "is " + std::to_string(o_.threads), "0 (all) or more");
}

void study_run::choose_variants() {
    cuda_reason_ = o_.cuda ? why_unavailable(backend::cuda) : "CUDA was not asked for";
    if (o_.cuda && !cuda_reason_.empty()) out_.skipped.push_back("cuda: " + cuda_reason_);
    std::string others;
    bool named = false;
    for (variant_info& v : variants(subject_.solver)) {
        if (v.operation != subject_.operation_of(o_.operation)) continue;
        if (v.name.find(o_.variant) == std::string::npos) {
            others += (others.empty() ? "" : ", ") + v.name;
            continue;
        }
        named = true;
        const bool wanted = v.where == backend::cuda ? cuda_reason_.empty() : o_.cpu;
        if (wanted) variants_.push_back(std::move(v));
    }
    if (!named)
        throw unsupported_variant(o_.operation + ": no variant's name contains '" + o_.variant +
                                  "'; there are: " + others);
}

study_result study_run::run() {
    out_.unit = subject_.unit;
    choose_variants();
    std::vector<index_t> sizes = o_.sizes;
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    const auto first = sizes.empty() ? nullptr : subject_.make(o_, sizes[0]);
    const bool large = first && !first->certified() && first->cells() > reference_cells;
    if (large) study_size(small_size, false);
    for (const index_t size : sizes) study_size(size, true);
    compare_rows();
    findings f{o_.operation,
               out_.rows,
               cuda_reason_.empty(),
               now_.get(),
               [this](const std::string& text) { say(text); },
               out_.failed};
    out_.claims = subject_.claims(f);
    return std::move(out_);
}

/// Why the variant is not even tried; empty if it is.
std::string study_run::hindrance(const std::string& variant) const {
    const double cells = now_->cells();
    const auto known = rate_.find(variant);
    const bool plain = variant == reference_name;
    const double rate = known != rate_.end() ? known->second : plain ? now_->reference_rate() : 0;
    if (rate > 0 && cells / rate > most_times_seconds_each * o_.seconds_each)
        return "would take more than " +
               std::to_string(static_cast<int>(most_times_seconds_each * o_.seconds_each)) + " s";
    return now_->hindrance(variant);
}

void study_run::study_size(index_t size, bool shown) {
    say("input of size " + std::to_string(size));
    now_ = subject_.make(o_, size);
    std::vector<candidate> done;
    for (const variant_info& v : variants_) try_variant(v, size, done);
    settle(done, size, shown);
}

void study_run::try_variant(const variant_info& v, index_t size, std::vector<candidate>& done) {
    if (refused_.contains(v.name)) return;
    if (const std::string why = hindrance(v.name); !why.empty()) {
        out_.skipped.push_back(v.name + at(size) + ": " + why);
        return;
    }
    say(v.name + at(size));
    try {
        done.push_back(measure(v, size));
        rate_[v.name] = done.back().row.rate;
    } catch (const out_of_memory& e) {
        out_.skipped.push_back(v.name + at(size) + ": " + e.what());
    } catch (const std::bad_alloc&) {
        out_.skipped.push_back(v.name + at(size) + ": host memory does not suffice");
    } catch (const device_error& e) {
        out_.failed.push_back(v.name + at(size) + ": " + e.what());
        refused_.insert(v.name);
    } catch (const error& e) {             // the message of a refusal names the variant
        const std::string why = e.what();  // often the same at every size
        if (std::find(out_.skipped.begin(), out_.skipped.end(), why) == out_.skipped.end())
            out_.skipped.push_back(why);
    }
}

/// One run to warm up, then the median. A first run that takes longer than it should is the measurement.
candidate study_run::measure(const variant_info& v, index_t size) {
    const execution where = where_of(v);
    now_->prepare(where);
    report last = now_->run(where, v.name);
    std::vector<double> seconds;
    if (last.compute_seconds > o_.seconds_each) seconds.push_back(last.compute_seconds);
    double spent = last.compute_seconds;
    while (std::ssize(seconds) < o_.repeats && (seconds.empty() || spent < o_.seconds_each)) {
        now_->prepare(where);
        last = now_->run(where, v.name);
        seconds.push_back(last.compute_seconds);
        spent += last.compute_seconds;
    }
    std::nth_element(seconds.begin(), seconds.begin() + std::ssize(seconds) / 2, seconds.end());

    candidate c;
    c.row.variant = v.name;
    c.row.size = size;
    c.row.seconds = seconds[seconds.size() / 2];
    c.row.rate = now_->cells() / std::max(c.row.seconds, 1e-9);
    c.row.iterations = last.iterations;
    c.row.policy = last.policy;
    c.row.device = last.device;
    c.outcome = now_->outcome();
    const std::string flaw = now_->flaw();
    c.row.verified = flaw.empty();
    if (!flaw.empty()) out_.failed.push_back(v.name + at(size) + ": " + flaw);
    const ceiling limit = now_->bound(where, last);
    c.row.ceiling = limit.rate;
    c.row.binds = limit.binds;
    c.row.of_ceiling = limit.rate > 0 ? c.row.rate / limit.rate : 0;
    return c;
}

/// Compares outcomes with the expected_answer; what passes becomes a row.
void study_run::settle(std::vector<candidate>& done, index_t size, bool shown) {
    std::erase_if(done, [](const candidate& c) { return !c.row.verified; });
    if (done.empty()) return;
    const auto right = expected_answer(done, size);
    for (candidate& c : done) {
        if (right && c.outcome == *right) {
            if (shown) out_.rows.push_back(std::move(c.row));
            continue;
        }
        refused_.insert(c.row.variant);
        out_.failed.push_back(
            c.row.variant + at(size) +
            (right ? ": differs from the reference" : ": nothing to verify it against agrees with it"));
    }
}

/// The reference's outcome; beyond its reach the outcome on which two variants agree, that were right before.
std::optional<std::vector<index_t>> study_run::expected_answer(const std::vector<candidate>& done,
                                                               index_t size) {
    if (now_->certified()) return done.front().outcome;
    for (const candidate& c : done)
        if (c.row.variant == reference_name) return c.outcome;
    if (now_->cells() <= reference_cells) {
        say(std::string(reference_name) + at(size) + ", to verify");
        return now_->reference_outcome();
    }
    std::map<std::vector<index_t>, std::set<std::string>> votes;
    for (const candidate& c : done) votes[c.outcome].insert(c.row.variant);
    if (const auto other = now_->second_opinion()) votes[other->second].insert(other->first);
    if (done.size() == 1 && votes.size() == 1 && votes.begin()->second.size() == 1) ask_another(done, votes);
    for (const auto& [outcome, names] : votes)
        if (names.size() > 1) {
            out_.skipped.push_back(std::string(reference_name) + at(size) + ": out of its reach; " +
                                   *names.begin() + " and " + *names.rbegin() + " verify each other");
            return outcome;
        }
    return std::nullopt;
}

void study_run::ask_another(const std::vector<candidate>& done,
                            std::map<std::vector<index_t>, std::set<std::string>>& votes) {
    for (const execution& where : {execution(on_cpu{o_.threads}), execution(on_cuda{})}) {
        if (!is_available(backend_of(where))) continue;
        for (const variant_info& v : variants(subject_.solver)) {
            if (v.operation != subject_.operation_of(o_.operation) || v.where != backend_of(where)) continue;
            if (v.name == done.front().row.variant) continue;
            say(v.name + ", to verify");
            try {
                now_->prepare(where);
                (void)now_->run(where, v.name);
                votes[now_->outcome()].insert(v.name);
                return;
            } catch (const error&) {
                continue;  // refuses this job: the next one may not
            }
        }
    }
}

void study_run::compare_rows() {
    std::map<index_t, std::pair<double, double>> extremes;  // fastest, slowest [s]
    for (const study_row& r : out_.rows) {
        auto& [fastest, slowest] =
            extremes.try_emplace(r.size, std::numeric_limits<double>::infinity(), 0).first->second;
        fastest = std::min(fastest, r.seconds);
        slowest = std::max(slowest, r.seconds);
    }
    for (study_row& r : out_.rows) {
        const auto [fastest, slowest] = extremes[r.size];
        r.over_slowest = r.seconds > 0 ? slowest / r.seconds : 1;
        r.of_fastest = r.seconds > 0 ? fastest / r.seconds : 1;
    }
}

std::vector<subject>& subjects() {
    static std::vector<subject> all;
    return all;
}

}  // namespace

namespace experiments {

bool enlist(subject s) {
    subjects().push_back(std::move(s));
    return true;
}

const subject& subject_of(std::string_view solver) {
    for (const subject& s : subjects())
        if (solver == s.solver) return s;
    std::string list;
    for (const std::string& name : study_operations()) list += (list.empty() ? "" : ", ") + name;
    base::refuse("solver", "is '" + std::string(solver) + "'", "one of " + list);
}

}  // namespace experiments

study_result study(std::string_view solver, const study_options& options) {
    return study_run(subject_of(solver), options).run();
}

std::vector<std::string> study_operations(std::string_view solver) {
    std::vector<std::string> all;
    for (const subject& s : subjects()) {
        if (solver.empty()) all.emplace_back(s.solver);
        if (solver == s.solver) all = s.names;
    }
    std::sort(all.begin(),
              solver.empty() ? all.end() : all.begin());  // solvers by name, operations as they are
    return all;
}

}  // namespace wale
