// codes - one pass over the symbols of a pair.
#include "solvers/wavefront/align/shared/codes.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>

#include "base/checked.hpp"
#include "cpu/instruction_set.hpp"
#include "cpu/team.hpp"
#include "solvers/wavefront/length/shared/codes.hpp"

namespace wale::wavefront {
namespace {

bool is_lower(std::uint8_t c) {
    return c >= 'a' && c <= 'z';
}

}  // namespace

letter_codes::letter_codes(std::string_view letters) : count_(static_cast<std::uint32_t>(letters.size())) {
    const std::size_t star = letters.find('*');
    code_.fill(star == letters.npos ? none : static_cast<std::int16_t>(star));
    for (std::size_t k = 0; k < letters.size(); ++k) {
        const auto byte = static_cast<std::uint8_t>(letters[k]);
        code_[byte] = static_cast<std::int16_t>(k);
        folds_case_ = folds_case_ && !is_lower(byte);
    }
    for (std::uint8_t c = 'a'; folds_case_ && c <= 'z'; ++c) code_[c] = code_[c - 'a' + 'A'];
}

void letter_codes::encode(const char* name, const symbols& text, std::vector<std::uint32_t>& codes,
                          std::vector<std::uint8_t>& letters) const {
    const auto bytes = typed<std::uint8_t>(text);
    codes.resize(bytes.size());
    letters.resize(bytes.size());
    for (std::size_t k = 0; k < bytes.size(); ++k) {
        const std::uint8_t c = bytes[k];
        if (code_[c] == none) refuse(name, c, k);
        codes[k] = static_cast<std::uint32_t>(code_[c]);
        letters[k] = folds_case_ && is_lower(c) ? static_cast<std::uint8_t>(c - 'a' + 'A') : c;
    }
}

void letter_codes::refuse(const char* name, std::uint8_t byte, std::size_t at) {
    throw bad_argument(std::string(name) + ": byte " + std::to_string(byte) + " at " + std::to_string(at) +
                       ", expected a letter that has scores, as '*' has none");
}

coded_alignment::coded_alignment(const symbols& query, const symbols& target, const alignment_options& o,
                                 const score_profile* profile) {
    alignment_problem& p = problem_;
    p.by_equality = profile == nullptr && o.matrix.by_equality();
    if (p.by_equality) {
        coded_pair codes = encode(query, target);
        query_ = std::move(codes.a);
        target_ = std::move(codes.b);
        p.letters = codes.count;
        p.match = o.matrix.match();
        p.mismatch = o.matrix.mismatch();
    } else {
        const letter_codes letters(profile == nullptr ? o.matrix.letters() : profile->letters());
        if (profile == nullptr)
            letters.encode("query", query, query_, query_text_);
        else
            take_positions(*profile);
        letters.encode("target", target, target_, target_text_);
        const std::vector<std::int32_t>& table = profile == nullptr ? o.matrix.scores() : profile->scores();
        p.table = table.data();
        p.letters = letters.count();
        p.table_rows = static_cast<std::uint32_t>(table.size() / p.letters);
        p.query_text = query_text_;
        p.target_text = target_text_;
    }
    p.query = query_;
    p.target = target_;
    p.open = o.open;
    p.extend = std::min(o.open, o.extend);
    p.mode = o.mode;
    if (o.mode == alignment_mode::semi_global) p.ends = o.ends;
    // Sums with either stay within 64 bits: a band of all diagonals, a drop beyond any difference of scores.
    p.band = std::min(o.band, std::ssize(query_) + std::ssize(target_));
    p.x_drop = std::min(o.x_drop, std::numeric_limits<index_t>::max() / 4);
}

void coded_alignment::take_positions(const score_profile& profile) {
    query_.resize(profile.consensus().size());
    std::iota(query_.begin(), query_.end(), std::uint32_t{0});
    query_text_.assign(profile.consensus().begin(), profile.consensus().end());
}

void run_slices(index_t count, int threads, report& run, const std::function<void(index_t, index_t)>& work) {
    const index_t slices = base::ceil_div(count, slice_of_pairs);
    std::atomic<index_t> next{0};
    run.threads = cpu::team_size(threads, slices);
    run.device = cpu::instruction_set();
    cpu::run_team(run.threads, [&](int) {
        for (index_t i = next++; i < slices; i = next++)
            work(i * slice_of_pairs, std::min(count, (i + 1) * slice_of_pairs));
    });
}

}  // namespace wale::wavefront
