// batch_test - every row of lcs_batch and edit_batch against the reference, pair by pair.
#include "rows.hpp"
#include "solvers/wavefront/jobs.hpp"

namespace wale::agreement {
namespace {

/// Pairs end to end, as the batches want them.
template <class Symbol>
struct tape {
    std::vector<Symbol> data;
    std::vector<index_t> offsets{0};
    template <class Sequence>
    void add(const Sequence& s) {
        for (const auto x : s) data.push_back(static_cast<Symbol>(x));
        offsets.push_back(std::ssize(data));
    }
};

template <class Symbol>
struct tapes {
    tape<Symbol> a, b;
    void add(const text& x, const text& y) {
        a.add(x);
        b.add(y);
    }
    [[nodiscard]] index_t count() const { return std::ssize(a.offsets) - 1; }
};

enum class operation { lcs, edit };

/// The answers of one call, or nothing if the row refuses it.
template <class Symbol>
std::optional<std::vector<std::int32_t>> answers(const execution& where, const std::string& variant,
                                                 operation o, const tapes<Symbol>& t, index_t bound = -1) {
    const placed<Symbol> a(where, t.a.data), b(where, t.b.data);
    const placed<index_t> a_offsets(where, t.a.offsets), b_offsets(where, t.b.offsets);
    std::vector<std::int32_t> host(static_cast<std::size_t>(t.count()), -7);
    buffer<std::int32_t> out = to_device(where, std::span<const std::int32_t>(host));
    const sequence_batch a_batch{a.data(), a_offsets.data(), t.count(), int{sizeof(Symbol)}};
    const sequence_batch b_batch{b.data(), b_offsets.data(), t.count(), int{sizeof(Symbol)}};
    try {
        if (o == operation::lcs)
            lcs_length(where, a_batch, b_batch, out.span(), {.variant = variant});
        else
            edit_distance(where, a_batch, b_batch, out.span(), {.variant = variant, .bound = bound});
    } catch (const unsupported_variant&) {
        return std::nullopt;
    }
    copy_bytes(where, host.data(), out.data(), t.count() * index_t{sizeof(std::int32_t)});
    return host;
}

struct batch_rows : row_test {
    template <class Symbol>
    static void expect_reference(operation o, const tapes<Symbol>& t, index_t bound = -1) {
        const auto expected = *answers(on_reference{}, "plain", o, t, bound);
        for (const int threads : thread_counts()) {
            const auto got = answers(where(threads), GetParam().name, o, t, bound);
            if (!got) GTEST_SKIP() << "refuses this batch";
            for (std::size_t k = 0; k < expected.size(); ++k)
                ASSERT_EQ((*got)[k], expected[k])
                    << "pair " << k << ": " << t.a.offsets[k + 1] - t.a.offsets[k] << " x "
                    << t.b.offsets[k + 1] - t.b.offsets[k] << ", bound " << bound << ", threads " << threads;
        }
    }
    static void expect_plain(operation o) {
        const auto& strings = all_short_strings();
        tapes<std::uint8_t> t;
        for (const std::string& a : strings)
            for (const std::string& b : strings) {
                t.a.add(a);
                t.b.add(b);
            }
        const auto got = answers(where(), GetParam().name, o, t);
        if (!got) GTEST_SKIP() << "refuses bytes";
        std::size_t k = 0;
        for (const std::string& a : strings)
            for (const std::string& b : strings)
                ASSERT_EQ((*got)[k++], o == operation::lcs ? plain_lcs(a, b) : plain_edit(a, b))
                    << a << " x " << b;
    }
};

/// Everything of one width in one batch: sizes from 0 to several words, in no order.
template <class Symbol>
tapes<Symbol> mixed() {
    tapes<Symbol> t;
    for (const auto& list : {edge_pairs(), alphabet_pairs(), similar_pairs()})
        for (const text_pair& p : list)
            if (p.bytes == int{sizeof(Symbol)} && p.a.size() * p.b.size() < 3'000'000) t.add(p.a, p.b);
    for (const index_t m : edge_sizes())
        for (const index_t n : edge_sizes())
            if (m * n < 300'000)
                t.add(text(static_cast<std::size_t>(m), 7), text(static_cast<std::size_t>(n), 7));
    return t;
}

/// `count` pairs of about `size` symbols, a tenth of them unrelated.
tapes<std::uint8_t> reads(index_t count, index_t size) {
    tapes<std::uint8_t> t;
    for (index_t k = 0; k < count; ++k) {
        const auto seed = static_cast<unsigned>(k);
        const text a = random_text(size + k % 7, 4, seed);
        t.add(a, k % 10 == 0 ? random_text(size + 2, 4, seed + 1) : mutated(a, 0.1, seed));
    }
    return t;
}

tapes<std::uint8_t> empties() {
    tapes<std::uint8_t> t;
    for (int k = 0; k < 100; ++k) t.add({}, {});
    return t;
}

template <operation Operation>
struct rows_for : batch_rows {
    static void sizes_of_batches() {
        for (const index_t count : {0, 1, 2, 7, 8, 9, 31, 32, 33, 127, 128, 129, 1000})
            expect_reference(Operation, reads(count, 40));
        expect_reference(Operation, empties());
    }
};

struct lcs_batch_rows : rows_for<operation::lcs> {};
struct edit_batch_rows : rows_for<operation::edit> {};

TEST_P(lcs_batch_rows, all_short_pairs) {
    expect_plain(operation::lcs);
}
TEST_P(lcs_batch_rows, bytes) {
    expect_reference(operation::lcs, mixed<std::uint8_t>());
}
TEST_P(lcs_batch_rows, symbols_of_2_bytes) {
    expect_reference(operation::lcs, mixed<std::uint16_t>());
}
TEST_P(lcs_batch_rows, symbols_of_4_bytes) {
    expect_reference(operation::lcs, mixed<std::uint32_t>());
}
TEST_P(lcs_batch_rows, sizes_of_batches) {
    sizes_of_batches();
}
TEST_P(lcs_batch_rows, reads_of_100) {
    expect_reference(operation::lcs, reads(3000, 100));
}
TEST_P(lcs_batch_rows, reads_of_1000) {
    expect_reference(operation::lcs, reads(60, 1000));
}

TEST_P(edit_batch_rows, all_short_pairs) {
    expect_plain(operation::edit);
}
TEST_P(edit_batch_rows, bytes) {
    expect_reference(operation::edit, mixed<std::uint8_t>());
}
TEST_P(edit_batch_rows, symbols_of_2_bytes) {
    expect_reference(operation::edit, mixed<std::uint16_t>());
}
TEST_P(edit_batch_rows, symbols_of_4_bytes) {
    expect_reference(operation::edit, mixed<std::uint32_t>());
}
TEST_P(edit_batch_rows, sizes_of_batches) {
    sizes_of_batches();
}
TEST_P(edit_batch_rows, reads_of_100) {
    expect_reference(operation::edit, reads(3000, 100));
}
TEST_P(edit_batch_rows, reads_of_1000) {
    expect_reference(operation::edit, reads(60, 1000));
}

TEST_P(edit_batch_rows, bounds) {
    const tapes<std::uint8_t> t = reads(500, 90);
    const auto exact = *answers(on_reference{}, "plain", operation::edit, t);
    for (const index_t bound : {0, 1, 9, 50, 1000}) {
        const auto got = answers(where(), GetParam().name, operation::edit, t, bound);
        if (!got) GTEST_SKIP() << "refuses a bound";
        for (std::size_t k = 0; k < exact.size(); ++k) {
            if (exact[k] <= bound) {
                ASSERT_EQ((*got)[k], exact[k]) << "pair " << k << ", bound " << bound;
            } else {
                ASSERT_GT((*got)[k], bound) << "pair " << k << ", distance " << exact[k];
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(wavefront, lcs_batch_rows, testing::ValuesIn(rows_of(wavefront::lcs_batch_rows)),
                         test_name);
INSTANTIATE_TEST_SUITE_P(wavefront, edit_batch_rows, testing::ValuesIn(rows_of(wavefront::edit_batch_rows)),
                         test_name);

}  // namespace
}  // namespace wale::agreement
