// tuned_rows - rows of an operation together with a row of one of their tuning tables, or with another number
// that WALE_TUNING sets, such as how many thread blocks are resident.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "agreement/rows.hpp"
#include "agreement/rows_here.hpp"
#include "tuning/override.hpp"

namespace wale::agreement {

struct tuned_row {
    named_row row;
    std::string tuning;  // "tree/chains/lanes=2"; empty: the choice of the tuning tables
};

inline std::ostream& operator<<(std::ostream& out, const tuned_row& r) {
    return out << r.row.name << (r.tuning.empty() ? "" : " with ") << r.tuning;
}

/// "cuda_spike_tree_chains_spike_blocks_1"
[[nodiscard]] inline std::string tuned_name(const tuned_row& r) {
    return word_of(r.row.name + (r.tuning.empty() ? "" : "_") + r.tuning);
}

[[nodiscard]] inline named_row row_called(const std::string& name) {
    return {name, name.starts_with("cuda/")  ? backend::cuda
                  : name.starts_with("cpu/") ? backend::cpu
                                             : backend::reference};
}

/// Adds the row with each row of one of its tuning tables that is compiled for elements of such a size;
/// tables of the host have no kernels.
template <class Policy, std::size_t N>
void add_tunings(std::vector<tuned_row>& all, const std::string& row, const std::string& table,
                 const tuning::row<Policy> (&rows)[N], std::initializer_list<int> sizes = {4, 8}) {
    const auto compiled = [&](std::size_t k) {
        return std::any_of(sizes.begin(), sizes.end(),
                           [&](int size) { return tuning::compiled(rows, k, size); });
    };
    for (std::size_t k = 0; k < N; ++k)
        if (row.starts_with("cpu/") || compiled(k))
            all.push_back({row_called(row), table + "=" + std::to_string(k)});
}

[[nodiscard]] inline execution execution_of(const named_row& row, int threads = 1) {
    if (row.where == backend::cuda) return on_cuda{};
    if (row.where == backend::cpu) return on_cpu{.threads = threads};
    return on_reference{};
}

/// A test whose parameter is a tuned_row or a class derived from it.
template <class Tuned>
class tuned_test : public testing::TestWithParam<Tuned> {
protected:
    void SetUp() override {
        const std::string why = why_unavailable(this->GetParam().row.where);
        if (!why.empty()) GTEST_SKIP() << why;
        if (!this->GetParam().tuning.empty()) forced_.emplace(this->GetParam().tuning);
    }
    void TearDown() override { forced_.reset(); }

private:
    std::optional<tuning::scoped_override> forced_;
};

}  // namespace wale::agreement
