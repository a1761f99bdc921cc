#include "solvers/wavefront/align/cpu/lanes/kept_prices.hpp"

#include "base/of_thread.hpp"

namespace wale::wavefront {
namespace {

bool same(const alignment_options& a, const alignment_options& b) {
    return a.open == b.open && a.extend == b.extend && a.mode == b.mode &&
           a.ends.query_begin == b.ends.query_begin && a.ends.query_end == b.ends.query_end &&
           a.ends.target_begin == b.ends.target_begin && a.ends.target_end == b.ends.target_end &&
           a.matrix.match() == b.matrix.match() && a.matrix.mismatch() == b.matrix.mismatch() &&
           a.matrix.letters() == b.matrix.letters() && a.matrix.scores() == b.matrix.scores();
}

}  // namespace

bool kept_prices::has(const alignment_options& options) {
    const kept_prices& kept = base::of_thread<kept_prices>();
    return kept.prices_ && same(options, kept.options_);
}

const both_ways& kept_prices::of(const alignment_options& options) {
    kept_prices& kept = base::of_thread<kept_prices>();
    if (!has(options)) {
        kept.prices_.emplace(options);
        kept.options_ = options;
    }
    return *kept.prices_;
}

}  // namespace wale::wavefront
