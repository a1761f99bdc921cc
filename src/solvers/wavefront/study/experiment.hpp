// experiment - one operation at one size: its input, its runs, and how a result is judged.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include <wale/wavefront.hpp>

#include "solvers/wavefront/study/ceiling.hpp"

namespace wale::wavefront {

class experiment {
public:
    virtual ~experiment() = default;

    [[nodiscard]] virtual double cells() const = 0;
    /// Runs the variant; its result replaces the last one.
    virtual report run(const execution& where, const std::string& variant, tile_shape tile) = 0;
    /// Why the last result is wrong as far as it shows by itself; empty if nothing is seen.
    [[nodiscard]] virtual std::string flaw() = 0;
    /// The last result in numbers, to compare with another variant's. Empty: flaw() has said everything.
    [[nodiscard]] virtual std::vector<index_t> outcome() const = 0;
    /// What outcome() must be, by the plain reference.
    [[nodiscard]] virtual std::vector<index_t> reference_outcome() = 0;
    /// What outcome() must be by another operation, and its name; where there is one.
    [[nodiscard]] virtual std::optional<std::pair<std::string, std::vector<index_t>>> second_opinion() {
        return {};
    }
    /// What bounds the run that gave this report. May overwrite the result.
    [[nodiscard]] virtual ceiling bound(const execution& where, const report& run) = 0;
};

/// The names that study_options.operation may have; each begins with an operation of the variant table.
[[nodiscard]] const std::vector<std::string>& experiment_names();

/// The operation of the variant table that an experiment runs: "fill" for "fill_edit".
[[nodiscard]] std::string operation_of(const std::string& experiment_name);

[[nodiscard]] std::unique_ptr<experiment> make_experiment(const std::string& name, index_t size);
[[nodiscard]] std::unique_ptr<experiment> make_fill(recurrence kind, index_t size);

}  // namespace wale::wavefront
