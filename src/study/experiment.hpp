// experiment - one operation at one size: its input, its runs, and how a result is judged; and what a solver
// tells the study of its experiments.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include <wale/study.hpp>

#include "study/ceiling.hpp"

namespace wale::experiments {

class experiment {
public:
    virtual ~experiment() = default;

    /// The work: cells, pixels.
    [[nodiscard]] virtual double cells() const = 0;
    /// Runs the variant; its result replaces the last one.
    virtual report run(const execution& where, const std::string& variant) = 0;
    /// Why the variant had better not be tried on this input; empty if nothing speaks against it.
    [[nodiscard]] virtual std::string hindrance(const std::string& variant) const {
        (void)variant;
        return {};
    }
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
};

/// Solvers add themselves once, from a static initialiser.
void enlist(subject s);

}  // namespace wale::experiments
