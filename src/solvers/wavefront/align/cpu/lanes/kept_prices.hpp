// kept_prices - the prices of a call as vectors take them, kept from call to call: they take longer than a
// short pair.
#pragma once

#include <optional>

#include "solvers/wavefront/align/cpu/lanes/groups.hpp"

namespace wale::wavefront {

/// The prices of a call, for rows that are the query and for rows that are the target.
struct both_ways {
    lane_scoring upright, swapped;
    explicit both_ways(const alignment_options& o) : upright(o, false), swapped(o, true) {}

    void number_bytes(const batch_side& query, index_t queries, const batch_side& target, index_t targets) {
        if (upright.kind != lane_scores::equality) return;
        upright.number_bytes(query, 0, queries, target, 0, targets);
        swapped.codes = upright.codes;
        swapped.letters = upright.letters;
    }
    void number_codes(std::size_t letters) {
        if (upright.kind == lane_scores::equality) upright.letters = swapped.letters = letters;
    }
    /// Whether rows that are the target take less time.
    [[nodiscard]] bool swaps(index_t query, index_t target, std::size_t lanes) const {
        constexpr double around = 8;  // of a column, in vectors of it
        const auto time = [&](index_t rows, index_t columns) {
            const auto vectors =
                static_cast<double>((rows + static_cast<index_t>(lanes) - 1) / static_cast<index_t>(lanes));
            return (vectors + around) * static_cast<double>(columns);
        };
        return time(target, query) < time(query, target);
    }
};

/// What a thread keeps of its last call.
class kept_prices {
public:
    [[nodiscard]] static bool has(const alignment_options& options);
    /// Until the thread asks for others.
    [[nodiscard]] static const both_ways& of(const alignment_options& options);
    /// Of lane_scoring.
    [[nodiscard]] static std::string refusal(const alignment_options& options) {
        return has(options) ? std::string() : lane_scoring::refusal(options);
    }

private:
    std::optional<both_ways> prices_;
    alignment_options options_;
};

}  // namespace wale::wavefront
