// rows - what every agreement test needs: the rows of a variant table as test parameters (the plugin's rows
// too), inputs in the memory of a row's backend, and the pairs of sequences that have broken such kernels
// before.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <vector>
#include <wale/wale.hpp>

#include "agreement/rows_here.hpp"
#include "cuda/device_api.hpp"
#include "tuning/override.hpp"
#include "tuning/table.hpp"
#include "variants/table.hpp"

namespace wale::agreement {

/// A row of an operation under test, and the entries of WALE_TUNING that it runs with.
struct named_row {
    std::string name;
    backend where = backend::reference;
    std::string operation{};
    std::string tuning{};
};

inline std::ostream& operator<<(std::ostream& out, const named_row& r) {
    return out << r.operation << (r.operation.empty() ? "" : " ") << r.name
               << (r.tuning.empty() ? "" : " with ") << r.tuning;
}

using named_rows = std::vector<named_row>;

template <class Job>
[[nodiscard]] named_rows rows_of(catalogue::table<Job>& (*get)()) {
    (void)cuda::api();  // loads the plugin, which appends its rows
    named_rows all;
    for (const catalogue::row<Job>& r : get().rows) all.push_back({r.name, r.where, get().operation});
    return all;
}

[[nodiscard]] inline named_rows joined(std::initializer_list<named_rows> lists) {
    named_rows all;
    for (const named_rows& list : lists) all.insert(all.end(), list.begin(), list.end());
    return all;
}

[[nodiscard]] inline named_rows on_cuda_only(named_rows rows) {
    std::erase_if(rows, [](const named_row& r) { return r.where != backend::cuda; });
    return rows;
}

[[nodiscard]] inline named_row row_called(const std::string& name) {
    return {name, name.starts_with("cuda/")  ? backend::cuda
                  : name.starts_with("cpu/") ? backend::cpu
                                             : backend::reference};
}

/// A row with one row of one of its tuning tables, or with another number that WALE_TUNING sets.
[[nodiscard]] inline named_row row_with(const std::string& name, const std::string& table,
                                        std::size_t number) {
    named_row row = row_called(name);
    row.tuning = table + "=" + std::to_string(number);
    return row;
}

/// Adds the row with each row of one of its tuning tables that is compiled for elements of such a size;
/// tables of the host have no kernels.
template <class Policy, std::size_t N>
void add_tunings(named_rows& all, const std::string& row, const std::string& table,
                 const tuning::row<Policy> (&rows)[N], std::initializer_list<int> sizes = {4, 8}) {
    const auto compiled = [&](std::size_t k) {
        return std::any_of(sizes.begin(), sizes.end(),
                           [&](int size) { return tuning::compiled(rows, k, size); });
    };
    for (std::size_t k = 0; k < N; ++k)
        if (row.starts_with("cpu/") || compiled(k)) all.push_back(row_with(row, table, k));
}

/// What WALE_TUNING can change about a row: the rows of one tuning table and, unless `blocks` is null, how
/// many blocks are resident.
struct tunable {
    const char* operation;
    const char* row;
    const char* table;
    std::vector<std::size_t> numbers;
    const char* blocks = nullptr;
};

template <class Policy, std::size_t N>
[[nodiscard]] std::vector<std::size_t> every_row(const tuning::row<Policy> (&)[N]) {
    std::vector<std::size_t> numbers(N);
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    return numbers;
}

/// Of `rows` those that a tunable names, once for each tuning row and number of resident blocks (1, 2, any).
[[nodiscard]] named_rows tuned(const named_rows& rows, const std::vector<tunable>& tunables);

/// "cpu/band" of fill with "wavefront/fill/simd=1,wavefront/fill/max_blocks=2" ->
/// "cpu_band_fill_simd_row_1_max_blocks_2": the row first, since bench/gpu.sh leaves out the tests of cpu
/// rows by the beginning of this name.
[[nodiscard]] std::string name_in_tests(const named_row& row);
inline constexpr auto test_name = [](const auto& info) { return name_in_tests(info.param); };

[[nodiscard]] inline execution execution_of(const named_row& row, int threads = 1) {
    if (row.where == backend::cuda) return on_cuda{};
    if (row.where == backend::cpu) return on_cpu{.threads = threads};
    return on_reference{};
}

/// A test of a named_row or of what is derived from one.
template <class Row>
class row_test_of : public testing::TestWithParam<Row> {
protected:
    void SetUp() override {
        const named_row& row = this->GetParam();
        const std::string why = why_unavailable(row.where);
        if (!why.empty()) GTEST_SKIP() << why;
        if (!row.tuning.empty()) tuning_.emplace(row.tuning);
    }
    void TearDown() override { tuning_.reset(); }

    [[nodiscard]] static const named_row& row() { return row_test_of::GetParam(); }
    [[nodiscard]] static execution where(int threads = 1) { return execution_of(row(), threads); }
    /// Thread counts worth trying: a row of the CPU must not depend on them.
    [[nodiscard]] static std::vector<int> thread_counts() {
        return row().where == backend::cpu ? std::vector<int>{1, 3} : std::vector<int>{1};
    }
    [[nodiscard]] static bool on_device() { return row().where == backend::cuda; }
    /// Entries of WALE_TUNING beside the row's own, until the next call or the end of the test.
    void tune(const std::string& more) {
        tuning_.emplace(row().tuning + (row().tuning.empty() ? "" : ",") + more);
    }

private:
    std::optional<tuning::scoped_override> tuning_;
};
using row_test = row_test_of<named_row>;

/// A sequence where the backend can read it.
template <class Symbol>
class placed {
public:
    placed(const execution& where, std::span<const Symbol> s) : data_(s.data()), size_(std::ssize(s)) {
        if (backend_of(where) != backend::cuda) return;
        copy_ = to_device(where, s);
        data_ = copy_.data();
    }
    [[nodiscard]] sequence_view view() const { return {data_, size_, int{sizeof(Symbol)}}; }
    [[nodiscard]] const Symbol* data() const { return data_; }

private:
    buffer<Symbol> copy_;
    const Symbol* data_;
    index_t size_;
};

using text = std::vector<std::uint32_t>;  // symbols of any width, narrowed when they are used

struct text_pair {
    std::string what;
    text a, b;
    int bytes = 1;  // of a symbol
};

template <class Symbol>
[[nodiscard]] std::vector<Symbol> narrowed(const text& wide) {
    std::vector<Symbol> narrow(wide.size());
    std::transform(wide.begin(), wide.end(), narrow.begin(), [](auto x) { return static_cast<Symbol>(x); });
    return narrow;
}

/// f(a, b) with both as vectors of the pair's symbol type.
template <class F>
auto with_symbols(const text_pair& p, F&& f) {
    if (p.bytes == 1) return f(narrowed<std::uint8_t>(p.a), narrowed<std::uint8_t>(p.b));
    if (p.bytes == 2) return f(narrowed<std::uint16_t>(p.a), narrowed<std::uint16_t>(p.b));
    return f(p.a, p.b);
}

/// f(view of a, view of b) with both in the memory of `where`.
template <class F>
auto asked(const execution& where, const text_pair& p, F&& f) {
    return with_symbols(p, [&]<class V>(const V& a, const V& b) {
        using symbol = typename V::value_type;
        const placed<symbol> at(where, a), bt(where, b);
        return f(at.view(), bt.view());
    });
}

/// `size` symbols drawn from `alphabet` codes, spread over the whole range of `bytes`-wide symbols.
[[nodiscard]] text random_text(index_t size, std::uint32_t alphabet, unsigned seed, int bytes = 1);

/// A copy with about `rate` of its symbols substituted, deleted or doubled.
[[nodiscard]] text mutated(const text& original, double rate, unsigned seed);

/// Equal, nearly equal and unequal sizes at the edges of words, lanes, strips and blocks.
[[nodiscard]] std::vector<text_pair> edge_pairs();
/// Alphabets of 1 to 256 bytes, 16- and 32-bit symbols.
[[nodiscard]] std::vector<text_pair> alphabet_pairs();
/// Pairs that differ by 0, 1% and 10%, and by a long gap.
[[nodiscard]] std::vector<text_pair> similar_pairs();
/// Pairs of several strips and column blocks.
[[nodiscard]] std::vector<text_pair> large_pairs();
/// Pairs at which a tuning row or a number of resident blocks may break: around words, lanes and strips,
/// carries through all of them, alphabets of every kind, and many strips.
[[nodiscard]] std::vector<text_pair> tuned_pairs();
/// For rows of the device: too large for the reference.
[[nodiscard]] std::vector<text_pair> huge_pairs();

[[nodiscard]] const std::vector<index_t>& edge_sizes();

/// All strings over three letters up to length 6: 1093 of them.
[[nodiscard]] const std::vector<std::string>& all_short_strings();

/// The plain tables, written here once more so that the reference is tested as well.
[[nodiscard]] int plain_lcs(std::string_view a, std::string_view b);
[[nodiscard]] int plain_edit(std::string_view a, std::string_view b);

}  // namespace wale::agreement
