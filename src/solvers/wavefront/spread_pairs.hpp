// spread_pairs - a batch of pairs in host memory over several devices, by the cells of the pairs; a search's
// block of records by their letters.
#pragma once

#include <span>

#include "cuda/spread.hpp"
#include "solvers/wavefront/search_jobs.hpp"
#include "variants/run.hpp"

namespace wale::wavefront {

/// call(where, a, b, answers) computes a part of the batch on one device. The offsets have been checked.
template <class Result, class T, class Call>
[[nodiscard]] Result spread_pairs(const on_cuda& where, const sequence_batch& a, const sequence_batch& b,
                                  std::span<T> answers, const Call& call) {
    const auto cells = [&](index_t k) {
        return static_cast<double>(a.offsets[k + 1] - a.offsets[k]) *
               static_cast<double>(b.offsets[k + 1] - b.offsets[k]);
    };
    const auto parts = cuda::split_by_work(a.count, where.devices.size(), 1, cells);
    return cuda::spread<Result>(
        where, parts,
        [&](cuda::carrier& c, cuda::part p) {
            T* const out = c.part_of(answers.data(), p, cuda::traffic::out);
            return call(c.where(), c.part_of(a, p), c.part_of(b, p),
                        std::span<T>(out, static_cast<std::size_t>(p.count())));
        },
        [](Result&, const Result&, index_t) {});
}

/// All queries with the targets in parts of about equal letters. The rows copy from and to the host.
[[nodiscard]] inline report spread_targets(const on_cuda& where, const align_cross_job& all,
                                           const std::string& variant) {
    const auto letters = [&](index_t k) {
        return static_cast<double>(all.targets.offsets[k + 1] - all.targets.offsets[k]);
    };
    const auto parts = cuda::split_by_work(all.target_count, where.devices.size(), 1, letters);
    const auto score_part = [&](cuda::carrier& c, cuda::part p) {
        alignment_batch_result out;
        align_cross_job own = all;
        own.where = c.where();
        own.targets.offsets += p.first;
        own.target_count = p.count();
        own.scores += p.first;
        own.run = &out.run;
        catalogue::run(align_cross_rows(), variant, own, out.run);
        return out;
    };
    const auto merge = [](alignment_batch_result&, const alignment_batch_result&, index_t) {};
    return cuda::spread<alignment_batch_result>(where, parts, score_part, merge).run;
}

}  // namespace wale::wavefront
