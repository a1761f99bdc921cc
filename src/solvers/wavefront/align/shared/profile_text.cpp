// profile_text - files of profiles: PSI-BLAST's ASCII PSSM, and plain tables.
//
//   Last position-specific scoring matrix computed, ...       PSI-BLAST: the letters twice, for the scores
//   and
//              A  R ...  V   A   R ...  V                     for percentages, which a row has after its
//              scores,
//       1 M   -1 -2 ...  1   0   0 ...  0  0.45 0.10          then two numbers more; the parameters below say
//                         K         Lambda                    which matrix the scores are scaled as.
//   Standard Gapped     0.0410     0.2670
#include <wale/profile.hpp>
#include <wale/search.hpp>

#include <algorithm>

#include "solvers/wavefront/align/shared/named_statistics.hpp"
#include "solvers/wavefront/align/shared/score_text.hpp"

namespace wale {
namespace {

using words = std::vector<std::string_view>;

constexpr index_t most_bytes = index_t{1} << 26;
constexpr std::string_view amino_acids = "ARNDCQEGHILKMFPSTWYV";

bool is_count(std::string_view word) {
    return std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

class reader {
public:
    reader(std::string_view bytes, const std::string& name) : text_(bytes, name) {}

    score_profile read() {
        const words* line = &text_.next();
        if (!line->empty() && line->front() == "Last") line = &text_.next();  // PSI-BLAST's title
        take_letters(*line);
        for (line = &text_.next(); !line->empty(); line = &text_.next()) {
            if (of_psiblast_ && !is_count(line->front())) break;
            take_row(*line);
        }
        const std::string scale = line->empty() ? "" : scale_of(*line);
        if (scores_.empty()) text_.refuse("has no line of scores, expected one for each position");
        try {
            score_profile out(letters_, std::move(scores_), std::move(consensus_));
            out.scaled_as = scale;
            return out;
        } catch (const bad_argument& e) {  // a letter twice
            text_.refuse(e.what());
        }
    }

private:
    void take_letters(const words& line) {
        for (const std::string_view word : line) letters_ += text_.letter(word);
        if (letters_.empty()) text_.refuse("has no line of letters, expected a profile");
        const std::size_t half = letters_.size() / 2;
        of_psiblast_ = letters_.size() % 2 == 0 && letters_.compare(0, half, letters_, half) == 0;
        given_ = of_psiblast_ ? half : letters_.size();
        letters_.resize(given_);
        completed_ = of_psiblast_ && letters_ == amino_acids;
        if (completed_) letters_ += "BZX*";
    }

    void take_row(const words& line) {
        std::size_t first = 0;  // of the scores
        if (of_psiblast_ || line.size() == given_ + 2) {
            if (!is_count(line.front())) text_.refuse_word(line.front(), "the number of a position");
            first = 1;
        }
        if (of_psiblast_ || line.size() != given_) ++first;
        const std::size_t most = of_psiblast_ ? 2 * given_ + 4 : first + given_;
        if (line.size() < first + given_ || line.size() > most)
            text_.refuse(std::to_string(line.size()) + " words, expected " + std::to_string(given_) +
                         " scores" + (of_psiblast_ ? " after a number and a letter" : ""));
        const bool lettered = first > 0;
        if (!scores_.empty() && lettered == consensus_.empty())
            text_.refuse("expected a letter in every row of scores, or in none");
        if (lettered) consensus_ += text_.letter(line[first - 1]);
        const std::size_t row = scores_.size();
        for (std::size_t k = 0; k < given_; ++k) scores_.push_back(text_.score(line[first + k]));
        if (!completed_) return;
        const auto of = [&](char c) { return scores_[row + amino_acids.find(c)]; };
        const std::int32_t b = std::max(of('D'), of('N')), z = std::max(of('E'), of('Q'));
        scores_.insert(scores_.end(), {b, z, -1, -4});
    }

    /// The lines below the scores, from "K Lambda" on.
    std::string scale_of(const words& line) {
        if (line != words{"K", "Lambda"}) text_.refuse_word(line.front(), "the number of a position");
        for (const words* next = &text_.next(); !next->empty(); next = &text_.next())
            if (next->size() == 4 && (*next)[0] == "Standard" && (*next)[1] == "Gapped")
                return wavefront::matrix_with_parameters((*next)[2], (*next)[3]);
        return {};
    }

    wavefront::score_text text_;
    std::string letters_, consensus_;
    std::vector<std::int32_t> scores_;
    bool of_psiblast_ = false;
    bool completed_ = false;  // by the letters that databases have beside the 20 amino acids
    std::size_t given_ = 0;   // scores of a row of the file
};

}  // namespace

score_profile score_profile::parse(std::string_view bytes, const std::string& name) {
    return reader(bytes, name).read();
}

score_profile score_profile::read(const std::string& path) {
    return wavefront::read_scores(path, most_bytes, parse);
}

}  // namespace wale
