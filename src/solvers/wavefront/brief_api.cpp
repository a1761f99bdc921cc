// brief_api - short texts without a table of rows: checks arguments, computes on the calling thread.
#include <optional>
#include <string>
#include <utility>
#include <wale/brief.hpp>

#include "base/argument.hpp"
#include "solvers/wavefront/check.hpp"
#include "solvers/wavefront/length/shared/short_pair.hpp"
#include "variants/run.hpp"

namespace wale {
namespace {

using namespace wavefront;

/// In host memory, for a call without a table of rows.
std::pair<symbols, symbols> checked_pair(sequence_view a, sequence_view b) {
    static const execution& here = *new const execution(on_cpu{.threads = 1});
    catalogue::check_environment();
    const std::pair both{checked(here, "a", a), checked(here, "b", b)};
    check_same_width("a, b", both.first.bytes, both.second.bytes);
    return both;
}

/// Many pairs on the calling thread.
template <bool Edit>
class brief_pairs {
public:
    using texts = std::span<const sequence_view>;
    brief_pairs(texts a, texts b, std::int32_t* answers, index_t bound)
        : a_(a), b_(b), answers_(answers), bound_(bound) {
        constexpr std::size_t worth_tables = 12;  // pairs
        if (bound < 0 && a.size() >= worth_tables) some_.emplace();
    }
    /// False where a pair is not short.
    bool answer() {
        for (std::size_t k = 0; k < a_.size();) {
            const auto [x, y] = checked_pair(a_[k], b_[k]);
            std::size_t done = 0;
            if (words_.template takes_run<Edit>(x, bound_) && !answer_run(k, x, done)) return false;
            if (done == 0 && some_) done = answer_together(k);
            if (done == 0) {
                const auto found = words_.template answer<Edit>(x, y, bound_);
                if (!found) return false;
                answers_[k] = static_cast<std::int32_t>(*found);
                done = 1;
            }
            k += done;
        }
        return true;
    }

private:
    /// The pairs from `first` on that have its a where it lies, and a text b of its width; false where one is
    /// not short.
    bool answer_run(std::size_t first, const symbols& query, std::size_t& done) {
        std::size_t end = first;
        while (end < a_.size() && a_[end].data() == query.data && a_[end].size() == query.size &&
               a_[end].symbol_bytes() == query.bytes && b_[end].symbol_bytes() == query.bytes)
            ++end;
        if (end - first < 2) return true;
        const auto text = [&](std::size_t t) {
            return symbols{b_[first + t].data(), b_[first + t].size(), query.bytes};
        };
        done = end - first;
        return words_.template run<Edit>(query, done, text, answers_ + first, bound_);
    }
    std::size_t answer_together(std::size_t first) {
        const auto next = [&](std::size_t t) { return checked_pair(a_[first + t], b_[first + t]); };
        const std::size_t left = a_.size() - first;
        std::int32_t* const to = answers_ + first;
        const std::size_t done = some_->one.answer_next(left, next, to);
        return done > 0 ? done : some_->two.answer_next(left, next, to);
    }

    texts a_, b_;
    std::int32_t* answers_;
    index_t bound_;
    short_pairs words_;
    struct tables {
        pairs_together<Edit> one;
        pairs_together<Edit, 2> two;
    };
    std::optional<tables> some_;
};

template <bool Edit>
bool brief_answers(std::span<const sequence_view> a, std::span<const sequence_view> b,
                   std::span<std::int32_t> answers, index_t bound) {
    if (a.size() != b.size() || a.size() != answers.size())
        base::refuse("a, b, answers",
                     std::to_string(a.size()) + ", " + std::to_string(b.size()) + " and " +
                         std::to_string(answers.size()) + " entries",
                     "the same");
    return brief_pairs<Edit>(a, b, answers.data(), bound).answer();
}

}  // namespace

std::optional<brief_result> brief_lcs_length(sequence_view a, sequence_view b) {
    const auto [x, y] = checked_pair(a, b);
    return short_length(x, y);
}

std::optional<brief_result> brief_edit_distance(sequence_view a, sequence_view b, index_t bound) {
    const auto [x, y] = checked_pair(a, b);
    return short_distance(x, y, bound);
}

bool brief_lcs_lengths(std::span<const sequence_view> a, std::span<const sequence_view> b,
                       std::span<std::int32_t> answers) {
    return brief_answers<false>(a, b, answers, -1);
}

bool brief_edit_distances(std::span<const sequence_view> a, std::span<const sequence_view> b,
                          std::span<std::int32_t> answers, index_t bound) {
    return brief_answers<true>(a, b, answers, bound);
}

}  // namespace wale
