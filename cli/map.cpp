// map - reads two files, finds the places of each read in each record of the genome, keeps the nearest.
#include "map.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <wale/verification.hpp>

#include "backend.hpp"
#include "failure.hpp"
#include "progress.hpp"
#include "text.hpp"
#include "verification.hpp"

namespace wale::cli {
namespace {

using records = std::vector<sequence_record>;

constexpr double chunk_reads = 4096;

/// Reads end to end.
struct packed_reads {
    std::string letters;
    std::vector<index_t> offsets{0};
    packed_reads(const records& reads, std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            letters += reads[k].symbols;
            offsets.push_back(std::ssize(letters));
        }
    }
    [[nodiscard]] sequence_batch batch() const {
        return {letters.data(), offsets.data(), std::ssize(offsets) - 1, 1};
    }
};

class mapping {
public:
    explicit mapping(const map_command& command)
        : command_(command),
          reads_(read(command.reads_file)),
          genome_(read(command.genome_file)),
          where_(choose_backend(command.backend, command.variant, threads_of_rank(command.threads), false)
                     .where),
          writer_(command, genome_) {}

    int run() {
        expect_same_records(reads_, genome_);
        in_turns(
            std::ssize(reads_), chunk_reads - 1, [](index_t) { return 1.0; }, writer_.out(),
            [&](index_t begin, index_t end) {
                line_.say(std::to_string(begin) + " of " + std::to_string(reads_.size()) + " reads");
                run_chunk(static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
            });
        line_.stop();
        totals_.reads = std::ssize(reads_);
        totals_.mapped = summed(totals_.mapped);
        totals_.repeated = summed(totals_.repeated);
        totals_.verified = summed(totals_.verified);
        totals_.run = merged(totals_.run);
        if (!flaws_.none_anywhere()) return exit_verdict;
        writer_.finish(totals_);
        if (group().rank() > 0) return exit_good;
        const std::string line =
            "wale: " + std::to_string(totals_.reads) + (totals_.reads == 1 ? " read, " : " reads, ") +
            std::to_string(totals_.mapped) + " mapped, " + std::to_string(totals_.repeated) +
            " of them to several places, in " + time_text(totals_.run.compute_seconds) + ", " +
            rate_text(totals_.run.work / std::max(totals_.run.compute_seconds, 1e-9)) +
            ran_text(totals_.run) + ")\n";
        std::cerr << line;
        if (totals_.reads > 0 && totals_.mapped == 0 && longest(genome_) < longest(reads_))
            std::cerr << "wale: note: " << printable(command_.genome_file) << " has shorter records than "
                      << printable(command_.reads_file) << "; the reads come first, then the genome\n";
        return exit_good;
    }

private:
    [[nodiscard]] static std::size_t longest(const records& all) {
        std::size_t most = 0;
        for (const sequence_record& r : all) most = std::max(most, r.symbols.size());
        return most;
    }

    [[nodiscard]] records read(const std::string& file) {
        line_.say("reading " + printable(file));
        return read_sequences(file,
                              {.keep_case = command_.keep_case, .keep_quality = command_.format == "sam"});
    }

    /// Errors that a read may have.
    [[nodiscard]] index_t bound_of(const sequence_record& r) const {
        const auto size = std::ssize(r.symbols);
        if (command_.bound >= 0) return std::min(command_.bound, size);
        return static_cast<index_t>(std::floor(command_.errors * static_cast<double>(size)));
    }

    void run_chunk(std::size_t begin, std::size_t end) {
        const packed_reads packed(reads_, begin, end);
        std::vector<mapped_read> mapped(end - begin);
        std::vector<index_t> bounds;
        for (std::size_t k = begin; k < end; ++k) {
            mapped[k - begin].read = &reads_[k];
            bounds.push_back(bound_of(reads_[k]));
        }
        for (std::size_t target = 0; target < genome_.size(); ++target) {
            infix_result found = infix_align(
                where_, packed.batch(), genome_[target].symbols,
                {.variant = command_.variant, .both_strands = !command_.forward, .bounds = bounds});
            account(found.run);
            for (std::size_t k = 0; k < mapped.size(); ++k) {
                if (found.matches[k].distance < 0) continue;
                if (command_.verify) check(*mapped[k].read, genome_[target], found.matches[k], bounds[k]);
                bounds[k] = found.matches[k].distance;  // other records must be as near
                add_places(mapped[k], target, std::move(found.matches[k]));
            }
        }
        for (std::size_t k = 0; k < mapped.size(); ++k) {
            totals_.mapped += mapped[k].places.empty() ? 0 : 1;
            totals_.repeated += mapped[k].places.size() > 1 ? 1 : 0;
            writer_.add(static_cast<index_t>(begin + k), mapped[k]);
        }
    }

    /// Parts that overlap are one place: the first of them. The empty part, which a read of errors alone
    /// begins with, is none.
    void add_places(mapped_read& to, std::size_t target, infix_match&& match) {
        if (match.distance != to.distance) to.places.clear();
        to.distance = match.distance;
        const infix_location* last = nullptr;
        for (const infix_location& at : match.locations) {
            const bool apart = last == nullptr || at.reverse != last->reverse || at.begin >= last->end;
            if (!apart || at.end <= at.begin) continue;
            last = &at;
            const bool has_path = &at == &match.locations.front();
            to.places.push_back({target, at, has_path ? std::move(match.cigar) : std::string()});
            if (!has_path && (command_.all || to.places.size() == 1)) add_path(to, to.places.back());
        }
    }

    /// The path along a place that is not the first; the place ends where a path of this distance first can.
    void add_path(const mapped_read& m, read_place& p) const {
        const std::string& letters = m.read->symbols;
        const std::string_view part = std::string_view(genome_[p.target].symbols)
                                          .substr(static_cast<std::size_t>(p.at.begin),
                                                  static_cast<std::size_t>(p.at.end - p.at.begin));
        if (const auto size = std::ssize(letters);
            m.distance == size) {  // no letter is equal to one opposite
            const index_t unequal = std::min(size, std::ssize(part));
            p.at.end = p.at.begin + unequal;
            p.cigar = std::to_string(unequal) + "X";
            if (unequal < size) p.cigar += std::to_string(size - unequal) + "I";
            return;
        }
        const infix_match path =
            infix_align(on_cpu{.threads = 1}, p.at.reverse ? reverse_complement(letters) : letters, part,
                        {.mode = infix_mode::prefix});
        p.at.end = p.at.begin + path.locations.front().end;
        p.cigar = path.cigar;
    }

    /// Until the cells are used up.
    void check(const sequence_record& read, const sequence_record& target, const infix_match& match,
               index_t bound) {
        const auto letters = static_cast<double>(read.symbols.size());
        cells_ -= 4 * letters * letters * static_cast<double>(match.locations.size());
        if (cells_ < 0 || flaws_.any()) return;
        ++totals_.verified;
        flaws_.add(read.name, target.name,
                   infix_flaw(read.symbols, target.symbols, match,
                              {.both_strands = !command_.forward, .bound = bound}));
    }

    void account(const report& run) {
        const double seconds = totals_.run.compute_seconds, work = totals_.run.work;
        totals_.run = run;
        totals_.run.compute_seconds += seconds;
        totals_.run.work += work;
    }

    const map_command& command_;
    progress line_;  // first, since it shows what is read
    records reads_, genome_;
    execution where_;
    map_writer writer_;
    map_totals totals_;
    found_flaws flaws_;
    double cells_ = 1e9;  // that a verification may take
};

}  // namespace

int map_reads(const map_command& command) {
    if (command.reads_file == "-" && command.genome_file == "-")
        throw usage_error("both files are standard input, expected one");
    return mapping(command).run();
}

}  // namespace wale::cli
