// engine - from pairs of texts to calls of the library.
#include "engine.hpp"

#include <algorithm>
#include <wale/buffer.hpp>
#include <wale/error.hpp>

#include "group.hpp"
#include "placement.hpp"
#include "text_batch.hpp"

namespace wale::cli {
namespace {

constexpr double large_pair = 1e8;    // cells from which one pair keeps a backend busy
constexpr double device_pays = 1e10;  // cells from which starting the device (0.3 s) pays
constexpr double huge_pair = 1e12;    // cells from which several devices divide a pair that is alone

/// A text in the memory of a backend.
buffer<char> placed(const execution& where, std::string_view text) {
    return to_device(where, std::span<const char>(text));
}

/// One side of a batch.
std::vector<std::string_view> side(std::span<job*> jobs, std::string_view job::*text) {
    std::vector<std::string_view> texts;
    for (const job* j : jobs) texts.push_back(j->*text);
    return texts;
}

/// Time since the watch was started, that went into copies to a device; 0 where there is none.
double transfer_time(const execution& where, const stopwatch& watch) {
    return backend_of(where) == backend::cuda ? watch.seconds() : 0;
}

void append_once(std::string& list, const std::string& name) {
    if (name.empty() || ("+" + list + "+").find("+" + name + "+") != std::string::npos) return;
    list += (list.empty() ? "" : "+") + name;
}

}  // namespace

engine::engine(const align_options& options, double cells)
    : options_(options),
      second_(options.measure == "edit" ? "edit_distance" : "lcs_length", threads_of_rank(options.threads)),
      chosen_(choose_backend(options, threads_of_rank(options.threads), cells >= device_pays)) {
    const bool edit = options.measure == "edit";
    pairs_ = has_variant("wavefront", edit ? "edit_distance" : "lcs_length", options.variant);
    batches_ = has_variant("wavefront", edit ? "edit_batch" : "lcs_batch", options.variant);
}

double engine::chunk_cells() const {
    return backend_of(chosen_.where) == backend::cuda ? 4e12 : 2e10;
}

template <class F>
auto engine::on_backend(F&& f) {
    return cli::on_backend(chosen_, options_.threads, f);
}

void engine::account(const report& run, double cells, double transfer_seconds) {
    report& all = totals_.run;
    all.work += cells;
    all.compute_seconds += run.compute_seconds;
    all.transfer_seconds += run.transfer_seconds + transfer_seconds;
    all.threads = std::max(all.threads, run.threads);
    append_once(all.variant, run.variant);
    append_once(all.device, run.device);
    append_once(all.policy, run.policy);
}

void engine::run_pair(job& j) {
    on_backend([&](const execution& where) {
        const stopwatch watch;
        const execution home = home_of(where);
        const buffer<char> a = placed(home, j.a), b = placed(home, j.b);
        const double transfer = transfer_time(home, watch);
        const sequence_view x(a.data(), a.size(), 1), y(b.data(), b.size(), 1);
        if (options_.measure == "edit") {
            const auto r = edit_distance(where, x, y, {options_.variant, options_.bound});
            j.value = r.distance;
            j.within_bound = r.within_bound;
            account(r.run, j.cells(), transfer);
        } else {
            const auto r = lcs_length(where, x, y, {options_.variant});
            j.value = r.length;
            account(r.run, j.cells(), transfer);
        }
    });
}

void engine::run_batch(std::span<job*> jobs) {
    if (jobs.empty()) return;
    on_backend([&](const execution& where) {
        const stopwatch watch;
        const text_batch a(where, side(jobs, &job::a)), b(where, side(jobs, &job::b));
        std::vector<std::int32_t> answers(jobs.size());
        const execution home = home_of(where);
        const buffer<std::int32_t> out = to_device(home, std::span<const std::int32_t>(answers));
        const double transfer = transfer_time(home, watch);
        const bool edit = options_.measure == "edit";
        const report run =
            edit
                ? edit_distance(where, a.view(), b.view(), out.span(), {options_.variant, options_.bound}).run
                : lcs_length(where, a.view(), b.view(), out.span(), {options_.variant}).run;
        copy_bytes(home, answers.data(), out.data(), out.size() * index_t{sizeof(std::int32_t)});
        double cells = 0;
        for (std::size_t k = 0; k < jobs.size(); ++k) {
            jobs[k]->value = answers[k];
            jobs[k]->within_bound = !edit || options_.bound < 0 || answers[k] <= options_.bound;
            cells += jobs[k]->cells();
        }
        account(run, cells, transfer);
    });
}

void engine::run(std::span<job> jobs, const std::function<void(index_t)>& progress) {
    std::vector<job*> small, large;
    for (job& j : jobs) {
        const bool alone = options_.devices.empty() ? jobs.size() == 1 || j.cells() >= large_pair
                                                    : jobs.size() == 1 && j.cells() >= huge_pair;
        (batches_ && !(alone && pairs_) ? small : large).push_back(&j);
    }
    run_batch(small);
    index_t done = std::ssize(small);
    progress(done);
    for (job* j : large) {
        run_pair(*j);
        progress(++done);
    }
}

lcs_string_result engine::string(const job& j) {
    return on_backend([&](const execution& where) {
        const stopwatch watch;
        const buffer<char> a = placed(where, j.a), b = placed(where, j.b);
        const double transfer = transfer_time(where, watch);
        auto r = lcs_string(where, sequence_view(a.data(), a.size(), 1), sequence_view(b.data(), b.size(), 1),
                            {options_.variant});
        account(r.run, j.cells(), transfer);
        return r;
    });
}

std::string engine::flaw(const job& j) const {
    const index_t second =
        second_.ask(totals_.run.variant, j.cells(), [&](const execution& where, const std::string& row) {
            if (options_.measure == "lcs") return lcs_length(where, j.a, j.b, {row}).length;
            return edit_distance(where, j.a, j.b, {row, options_.bound}).distance;
        });
    if (second == j.value) return {};
    return "is " + std::to_string(j.value) + ", another row says " + std::to_string(second);
}

}  // namespace wale::cli
