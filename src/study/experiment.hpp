// experiment - one operation at one size: input, runs, and how a result is judged; the list of experiments;
// ceilings of the machine.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include <wale/execution.hpp>
#include <wale/layout.hpp>
#include <wale/report.hpp>
#include <wale/study.hpp>

namespace wale::experiments {

// Chance for the atlas: numbers that depend on a seed and on a cell's number, and a drawn cell.
class experiment;

/// SplitMix64 (Steele, Lea & Flood 2014), started at a hash of seed and cell.
class dice {
public:
    dice(std::uint64_t seed, std::uint64_t cell) : state_(seed) {
        state_ = next() ^ (cell * 0xd1342543de82ef95U);
    }
    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }
    [[nodiscard]] index_t below(index_t bound) {
        return static_cast<index_t>(next() % static_cast<std::uint64_t>(bound));
    }
    [[nodiscard]] bool one_in(index_t n) { return below(n) == 0; }
    /// A number from 1 to most, as likely in each power of two as in the next.
    [[nodiscard]] index_t size(double most) {
        const double part = static_cast<double>(next() >> 11) * 0x1p-53;
        const double drawn = std::exp2(part * std::log2(std::fmax(most, 1) + 1));
        return static_cast<index_t>(std::fmin(drawn, std::fmax(most, 1)));
    }
    template <class T>
    [[nodiscard]] T pick(std::initializer_list<T> all) {
        return *(all.begin() + below(static_cast<index_t>(all.size())));
    }

private:
    std::uint64_t state_;
};

/// How large a cell may be.
struct cell_limits {
    double seconds;  // that a fast variant needs for the cell on one thread
    double bytes;    // that the cell's arrays take
};

/// What was drawn, in words: "type=f64 rows=12".
class traits {
public:
    template <class T>
    traits& add(const char* name, const T& value) {
        if (!text_.empty()) text_ += ' ';
        text_ += name;
        text_ += '=';
        if constexpr (std::is_arithmetic_v<T>)
            text_ += std::to_string(value);
        else
            text_ += value;
        return *this;
    }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string text_;
};

struct drawn_cell {
    std::string traits;
    std::unique_ptr<experiment> work;
};

/// A solver's part of the atlas: what is drawn, by its name and by the operation of the variant table that
/// runs it.
struct drawing {
    const char* name;
    const char* operation;
    drawn_cell (*draw)(dice& d, const cell_limits& most);
};

/// The rate that the resource which binds a variant allows.
struct ceiling {
    double rate = 0;    // cells a second; 0: unknown
    std::string binds;  // the resource
};

/// Bytes a second that `threads` threads write into this host memory, as fast as memset goes.
[[nodiscard]] double host_write_rate(void* memory, index_t bytes, int threads);

/// Bytes a second, read and written, of a large copy within the device; 0 where memory for it is lacking.
[[nodiscard]] double device_copy_rate(const on_cuda& where);

/// A length by bit vectors on the device: integer instructions that a word of 32 cells needs. Host: unknown.
[[nodiscard]] ceiling integer_ceiling(const execution& where, const report& run, bool edit);

class experiment {
public:
    virtual ~experiment() = default;

    /// The work: cells, pixels.
    [[nodiscard]] virtual double cells() const = 0;
    /// Brings the input to the memory of `where`, as it is before a run. Called before each run, and not
    /// timed.
    virtual void prepare(const execution& where) = 0;
    /// Runs the variant on what was prepared; its result replaces the last one.
    virtual report run(const execution& where, const std::string& variant) = 0;
    /// Why the variant should not run on this input; empty if it may.
    [[nodiscard]] virtual std::string hindrance(const std::string& variant) const {
        (void)variant;
        return {};
    }
    /// Whether run() makes something that outlives the call, such as a flow: its report then has the time to
    /// count.
    [[nodiscard]] virtual bool outlives_the_call() const { return false; }
    /// Work a second that the plain reference does, before it was measured.
    [[nodiscard]] virtual double reference_rate() const { return 2e8; }
    /// Why the last result is wrong as far as it shows by itself; empty if nothing is seen.
    [[nodiscard]] virtual std::string flaw() = 0;
    /// Whether flaw() says everything, so that nothing need be compared.
    [[nodiscard]] virtual bool certified() const = 0;
    /// The last result in numbers, to compare with another variant's, where it is not certified.
    [[nodiscard]] virtual std::vector<index_t> outcome() const { return {}; }
    /// What outcome() must be, by the plain reference.
    [[nodiscard]] virtual std::vector<index_t> reference_outcome() { return {}; }
    /// What outcome() must be by another operation, and its name; where there is one.
    [[nodiscard]] virtual std::optional<std::pair<std::string, std::vector<index_t>>> second_opinion() {
        return {};
    }
    /// What bounds the run that gave this report. May overwrite the result.
    [[nodiscard]] virtual ceiling bound(const execution& where, const report& run) = 0;
};

/// What the claims of a solver are judged from.
struct findings {
    const std::string& operation;
    const std::vector<study_row>& rows;
    bool with_cuda;
    experiment* last;                             // of the largest size; nullptr where no size was asked for
    std::function<void(const std::string&)> say;  // progress
    std::vector<std::string>& failed;             // results that were wrong
};

/// One solver's experiments.
struct subject {
    const char* solver;
    std::vector<std::string> names;  // what study_options.operation may be; the first is the default
    std::vector<index_t> sizes;      // the default
    const char* unit;                // of the work: "cell", "pixel"
    /// The operation of the variant table that an experiment runs: "fill" for "fill_edit".
    std::string (*operation_of)(const std::string& name);
    std::unique_ptr<experiment> (*make)(const study_options& options, index_t size);
    std::vector<study_claim> (*claims)(findings& f);
    std::vector<drawing> drawings;  // what an atlas draws from
};

/// Solvers add themselves once; true, as the value of a static constant.
bool enlist(subject s);

/// Throws bad_argument where the solver is unknown.
[[nodiscard]] const subject& subject_of(std::string_view solver);

}  // namespace wale::experiments
