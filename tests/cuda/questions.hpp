// questions - calls of every operation that has CUDA rows, whose answers are compared as bytes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>
#include <wale/wale.hpp>

namespace wale::agreement {

using bytes = std::vector<char>;
/// Asks one row on the data that was placed when the question was made.
using question = std::function<bytes(const std::string& variant)>;

/// How often a call is repeated; WALE_DEVICE_RUNS makes it less, under a tool that slows kernels down.
[[nodiscard]] int runs(int wanted);

/// Of n and of other sequences, pixels or rows.
[[nodiscard]] question lcs(const execution& where, index_t n, index_t other);
[[nodiscard]] question edit(const execution& where, index_t n, index_t other);
[[nodiscard]] question table(const execution& where, index_t n, index_t other);
/// A table of recurrence::lcs, which cuda/strips_bits asks for; `table` is of recurrence::edit.
[[nodiscard]] question lcs_table(const execution& where, index_t n, index_t other);
[[nodiscard]] question score(const execution& where, index_t n, index_t other);
[[nodiscard]] question holes(const execution& where, index_t n, index_t other);
[[nodiscard]] question factors(const execution& where, index_t n);
/// Without pivots, which cuda/tile_dag asks for.
[[nodiscard]] question unpivoted_factors(const execution& where, index_t n);
[[nodiscard]] question chains(const execution& where, index_t n, index_t count);
[[nodiscard]] question trees(const execution& where, index_t n);
[[nodiscard]] question flow(const execution& where, index_t n);

struct operation {
    const char *solver, *name;
    question (*make)(const execution&, index_t);
    bool is_exact;  // all rows give the reference's bits
};
[[nodiscard]] const std::vector<operation>& operations();

/// "automatic" and the names of the CUDA rows.
[[nodiscard]] std::vector<std::string> rows_of(const operation& o);

/// The answer, or nothing where the row refuses the question.
[[nodiscard]] std::optional<bytes> answer(const question& ask, const std::string& variant);

}  // namespace wale::agreement
