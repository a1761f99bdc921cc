// batch_test - every row of lcs_batch and edit_batch, with every tuning row, against the reference, pair by
// pair.
#include "rows.hpp"
#include "solvers/wavefront/batch/cuda/tuning.hpp"
#include "solvers/wavefront/jobs.hpp"
#include "unit/thrown.hpp"

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

/// A batch in the memory of `where`, to be asked several times.
template <class Symbol>
class resident {
public:
    resident(const execution& where, const tapes<Symbol>& t)
        : where_(where),
          poison_(static_cast<std::size_t>(t.count()), -7),
          a_(where, t.a.data),
          b_(where, t.b.data),
          a_offsets_(where, t.a.offsets),
          b_offsets_(where, t.b.offsets),
          answers_(to_device(where, std::span<const std::int32_t>(poison_))) {}

    std::vector<std::int32_t> ask(const std::string& operation, const std::string& variant,
                                  index_t bound = -1, report* run = nullptr) {
        const index_t count = std::ssize(poison_);
        const index_t bytes = count * index_t{sizeof(std::int32_t)};
        std::vector<std::int32_t> host = poison_;
        copy_bytes(where_, answers_.data(), host.data(), bytes);
        const sequence_batch a{a_.data(), a_offsets_.data(), count, int{sizeof(Symbol)}};
        const sequence_batch b{b_.data(), b_offsets_.data(), count, int{sizeof(Symbol)}};
        const report ran =
            operation == "lcs_batch"
                ? lcs_length(where_, a, b, answers_.span(), {.variant = variant}).run
                : edit_distance(where_, a, b, answers_.span(), {.variant = variant, .bound = bound}).run;
        if (run != nullptr) *run = ran;
        copy_bytes(where_, host.data(), answers_.data(), bytes);
        return host;
    }

private:
    execution where_;
    std::vector<std::int32_t> poison_;
    placed<Symbol> a_, b_;
    placed<index_t> a_offsets_, b_offsets_;
    buffer<std::int32_t> answers_;
};

struct batches : row_test {
    static std::string operation() { return GetParam().operation; }
    static bool is_edit() { return operation() == "edit_batch"; }

    /// The only refusal that any row of a batch may make.
    static bool may_refuse(std::size_t symbol_bytes) {
        return GetParam().name == "cpu/lanes" && symbol_bytes > 1;
    }

    template <class Symbol>
    static void expect(const std::vector<std::int32_t>& wanted, const tapes<Symbol>& t,
                       const std::string& what, index_t bound = -1) {
        for (const int threads : thread_counts()) {
            resident<Symbol> on(where(threads), t);
            if (may_refuse(sizeof(Symbol))) {
                EXPECT_THROW((void)on.ask(operation(), GetParam().name), unsupported_variant);
                GTEST_SKIP() << "takes symbols of one byte only";
            }
            const auto got = on.ask(operation(), GetParam().name, bound);
            for (std::size_t k = 0; k < wanted.size(); ++k)
                ASSERT_EQ(got[k], wanted[k])
                    << what << ", pair " << k << ": " << t.a.offsets[k + 1] - t.a.offsets[k] << " x "
                    << t.b.offsets[k + 1] - t.b.offsets[k] << ", bound " << bound << ", threads " << threads;
        }
    }
    template <class Symbol>
    static void expect_reference(const tapes<Symbol>& t, const std::string& what = "batch") {
        expect(resident<Symbol>(on_reference{}, t).ask(operation(), "plain"), t, what);
    }
    /// For batches that would take the reference too long.
    template <class Symbol>
    static void expect_pairs_of_the_host(const tapes<Symbol>& t, const std::string& what) {
        expect(resident<Symbol>(on_cpu{}, t).ask(operation(), "cpu/pairs"), t, what);
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

tapes<std::uint8_t> edges() {
    tapes<std::uint8_t> t = mixed<std::uint8_t>();
    t.add(random_text(5000, 4, 1), random_text(5000, 4, 2));
    t.add(random_text(5000, 4, 3), random_text(3, 4, 4));
    t.add(random_text(1, 4, 5), random_text(5000, 4, 6));
    return t;
}

/// Pairs over one alphabet, short ones and some of several words.
template <class Symbol>
tapes<Symbol> of_alphabet(std::uint32_t alphabet, index_t longest) {
    tapes<Symbol> t;
    std::mt19937 random(alphabet);
    const auto add = [&](index_t m, index_t n) {
        const auto seed = static_cast<unsigned>(random());
        t.add(random_text(m, alphabet, seed, int{sizeof(Symbol)}),
              random_text(n, alphabet, seed + 1, int{sizeof(Symbol)}));
    };
    for (int k = 0; k < 100; ++k) add(random() % 300, random() % 300);
    for (int k = 0; k < 3; ++k) add(700 + random() % longest, 700 + random() % longest);
    return t;
}

TEST_P(batches, all_short_pairs) {
    const auto& strings = all_short_strings();
    tapes<std::uint8_t> t;
    std::vector<std::int32_t> wanted;
    for (const std::string& a : strings)
        for (const std::string& b : strings) {
            t.a.add(a);
            t.b.add(b);
            wanted.push_back(is_edit() ? plain_edit(a, b) : plain_lcs(a, b));
        }
    expect(wanted, t, "short pairs");
}
TEST_P(batches, bytes) {
    expect_reference(edges());
}
TEST_P(batches, symbols_of_2_bytes) {
    expect_reference(mixed<std::uint16_t>());
    for (const std::uint32_t alphabet : {1u, 2u, 300u, 65536u})
        expect_reference(of_alphabet<std::uint16_t>(alphabet, 2000), "alphabet " + std::to_string(alphabet));
}
TEST_P(batches, symbols_of_4_bytes) {
    expect_reference(mixed<std::uint32_t>());
    for (const std::uint32_t alphabet : {1u, 2u, 300u, 65521u})
        expect_reference(of_alphabet<std::uint32_t>(alphabet, 2000), "alphabet " + std::to_string(alphabet));
}
TEST_P(batches, alphabets_of_bytes) {
    for (const std::uint32_t alphabet : {1u, 2u, 3u, 4u, 5u, 8u, 9u, 20u, 33u, 100u, 256u})
        expect_reference(of_alphabet<std::uint8_t>(alphabet, 2000), "alphabet " + std::to_string(alphabet));
}
TEST_P(batches, sizes_of_batches) {
    for (const index_t count : {0, 1, 2, 7, 8, 9, 31, 32, 33, 127, 128, 129, 1000})
        expect_reference(reads(count, 40));
    for (const auto& [count, size] : {std::pair{1, 2000}, {60, 1000}, {3000, 100}})
        expect_reference(reads(count, size), std::to_string(count) + " of " + std::to_string(size));
    expect_reference(empties());
}

/// Sizes beside a word, a warp of words and the longest text of few pairs, with symbols of all bits.
TEST_P(batches, few_pairs_of_any_symbols) {
    constexpr std::pair<index_t, index_t> few_sizes[] = {{0, 0},       {0, 9},       {1, 1},      {31, 35},
                                                         {32, 32},     {33, 129},    {64, 2048},  {65, 2047},
                                                         {1023, 1026}, {1024, 1024}, {1024, 2045}};
    for (const std::uint32_t alphabet : {2u, 256u}) {
        tapes<std::uint8_t> t;
        for (const auto& [m, n] : few_sizes)
            for (const bool longer_first : {false, true}) {
                const text a = random_text(m, alphabet, alphabet + 1), b = random_text(n, alphabet, alphabet);
                longer_first ? t.add(b, a) : t.add(a, b);
            }
        expect_reference(t, "within one launch");
        t.add(random_text(1025, alphabet, 3), random_text(1025, alphabet, 4));
        expect_reference(t, "a pair of too many rows");
        t.b.data.insert(t.b.data.end(), 2049 - 1025, 7);
        t.b.offsets.back() = std::ssize(t.b.data);
        expect_reference(t, "a pair of too many columns");
    }
}

TEST_P(batches, bad_offsets_are_named) {
    const tapes<std::uint8_t> good = reads(1000, 20);
    const auto message = [&](const tapes<std::uint8_t>& bad) {
        return thrown<bad_argument>(
            [&] { (void)resident<std::uint8_t>(where(), bad).ask(operation(), GetParam().name); });
    };
    auto descending = good;
    descending.b.offsets[700] = 1;
    EXPECT_NE(message(descending).find("b: sequence 699 is ["), std::string::npos) << message(descending);
    auto negative = good;
    negative.a.offsets[0] = -1;
    EXPECT_NE(message(negative).find("a: sequence 0 is [-1, "), std::string::npos) << message(negative);
    auto huge = good;
    for (std::size_t i = 301; i < huge.a.offsets.size(); ++i) huge.a.offsets[i] += index_t{1} << 31;
    EXPECT_NE(message(huge).find("a: sequence 300 is ["), std::string::npos) << message(huge);
    expect_reference(good);  // and the device is still usable
}

TEST_P(batches, the_report_counts_true_cells) {
    const tapes<std::uint8_t> t = reads(500, 40);
    double cells = 0;
    for (std::size_t k = 0; k + 1 < t.a.offsets.size(); ++k)
        cells += static_cast<double>((t.a.offsets[k + 1] - t.a.offsets[k]) *
                                     (t.b.offsets[k + 1] - t.b.offsets[k]));
    report run;
    (void)resident<std::uint8_t>(where(), t).ask(operation(), GetParam().name, -1, &run);
    EXPECT_EQ(run.work, cells);
    EXPECT_GT(run.compute_seconds, 0);
    EXPECT_EQ(run.variant, GetParam().name);
}

TEST_P(batches, repeats_give_one_answer) {
    tapes<std::uint8_t> t = reads(1000, 90);
    for (const index_t size : {300, 900, 1500}) t.add(random_text(size, 4, 1), random_text(size, 4, 2));
    resident<std::uint8_t> on(where(3), t);
    const auto first = on.ask(operation(), GetParam().name);
    for (int repeat = 0; repeat < (on_device() ? 1000 : 5); ++repeat)
        ASSERT_EQ(on.ask(operation(), GetParam().name), first) << repeat;
}

named_rows all_rows() {
    return joined({rows_of(wavefront::lcs_batch_rows), rows_of(wavefront::edit_batch_rows)});
}

INSTANTIATE_TEST_SUITE_P(wavefront, batches, testing::ValuesIn(all_rows()), test_name);

struct bounded_batches : batches {};

TEST_P(bounded_batches, answers_above_the_bound_are_the_bound_and_one) {
    const tapes<std::uint8_t> t = reads(500, 90);
    const auto exact = resident<std::uint8_t>(on_reference{}, t).ask(operation(), "plain");
    for (const index_t bound :
         {index_t{0}, index_t{1}, index_t{9}, index_t{50}, index_t{1000}, index_t{1} << 40}) {
        auto wanted = exact;
        for (std::int32_t& d : wanted) d = static_cast<std::int32_t>(std::min<index_t>(d, bound + 1));
        expect(wanted, t, "reads", bound);
    }
}

INSTANTIATE_TEST_SUITE_P(wavefront, bounded_batches, testing::ValuesIn(rows_of(wavefront::edit_batch_rows)),
                         test_name);

/// Sizes for the device: several strips, work of very different size in one batch, many warps.
struct large_batches : batches {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(large_batches);  // without the plugin there are no such rows

TEST_P(large_batches, patterns_of_several_strips) {
    tapes<std::uint8_t> t;
    for (const auto& [m, n] :
         {std::pair{30000, 30000}, {28672, 28673}, {28673, 28704}, {61000, 57500}, {40, 40}})
        t.add(random_text(m, 4, static_cast<unsigned>(m)), random_text(n, 4, static_cast<unsigned>(n) + 1));
    expect_pairs_of_the_host(t, "strips of two planes");
    tapes<std::uint32_t> wide;
    wide.add(random_text(13000, 1000, 1, 4), random_text(13007, 1000, 2, 4));
    expect_pairs_of_the_host(wide, "strips of many planes");
}

TEST_P(large_batches, a_long_text_beside_short_ones) {
    tapes<std::uint8_t> t = reads(3000, 20);
    t.add(random_text(3, 4, 1), random_text(20'000'000, 4, 2));
    t.add(random_text(300'000, 4, 3), random_text(90, 4, 4));
    expect_pairs_of_the_host(t, "long text");
}

TEST_P(large_batches, a_hundred_thousand_pairs) {
    tapes<std::uint8_t> t;
    std::mt19937 random(20240607);
    for (unsigned k = 0; k < 100'000; ++k)
        t.add(random_text(random() % 150, 4, k), random_text(random() % 150, 4, k + 1));
    expect_pairs_of_the_host(t, "4 letters");
    tapes<std::uint8_t> letters;
    for (unsigned k = 0; k < 30'000; ++k)
        letters.add(random_text(90 + random() % 21, 26, k), random_text(90 + random() % 21, 26, k + 1));
    expect_pairs_of_the_host(letters, "26 letters");
}

/// The planes of a batch follow from all of its bytes, however rare one is and wherever it stands.
TEST_P(large_batches, a_byte_that_occurs_once) {
    tapes<std::uint8_t> good;
    for (unsigned k = 0; k < 8'000; ++k)
        good.add(random_text(98 + k % 3, 4, k), random_text(98 + k % 3, 4, k + 1));
    expect_pairs_of_the_host(good, "four letters");
    for (const unsigned byte : {unsigned{'N'}, unsigned{'a'}, 0u, 255u})
        for (const bool in_a : {true, false})
            for (const std::size_t at : {std::size_t{0}, std::size_t{333'333}, good.a.data.size() - 1}) {
                auto rare = good;
                (in_a ? rare.a : rare.b).data[at] = static_cast<std::uint8_t>(byte);
                expect_pairs_of_the_host(rare, "byte " + std::to_string(byte) + " at " + std::to_string(at));
            }
}

/// A batch of alike pairs is encoded from shared memory, and nothing beside its symbols is looked at.
TEST_P(large_batches, alike_pairs_between_other_bytes) {
    for (const auto& [size, alphabet] :
         {std::pair{7u, 4u}, {33u, 200u}, {101u, 4u}, {129u, 4u}, {257u, 20u}, {511u, 4u}, {1024u, 4u}}) {
        tapes<std::uint8_t> t;
        t.a.data = t.b.data = std::vector<std::uint8_t>(size % 21, 255);
        t.a.offsets[0] = t.b.offsets[0] = std::ssize(t.a.data);
        for (unsigned k = 0; k < 4200; ++k)  // more than are done in one launch
            t.add(random_text(size - k % 3, alphabet, k), random_text(size - k % 5, alphabet, k + 1));
        for (tape<std::uint8_t>* side : {&t.a, &t.b}) side->data.insert(side->data.end(), 40, 254);
        expect_pairs_of_the_host(t, std::to_string(size) + " letters");
    }
}

/// Long pairs are computed one by one, what is between them as batches.
TEST_P(large_batches, long_pairs_among_short_ones) {
    tapes<std::uint8_t> t;
    const auto add = [&](index_t m, index_t n) { t.add(random_text(m, 4, 1), random_text(n, 4, 2)); };
    add(26'000, 30'011);
    for (index_t k = 0; k < 2600; ++k) {
        add(k % 7, 40 + k % 13);
        if (k == 30) add(31'000, 28'000), add(30'000, 29'000), add(9'000, 100);
    }
    expect_pairs_of_the_host(t, "short pairs last");
    add(33'000, 33'000);
    expect_pairs_of_the_host(t, "a long pair last");
}

INSTANTIATE_TEST_SUITE_P(wavefront, large_batches, testing::ValuesIn(on_cuda_only(all_rows())), test_name);

struct tuned_batches : batches {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(tuned_batches);  // without the plugin there are no such rows

TEST_P(tuned_batches, agree) {
    expect_reference(edges());
    expect_reference(of_alphabet<std::uint8_t>(20, 2000));
    expect_reference(of_alphabet<std::uint32_t>(300, 2000));
    expect_reference(reads(300, 100));
}

/// With every spread, and with and without the launch that answers few short pairs.
named_rows all_tuned() {
    std::vector<tunable> tunables;
    for (const char* operation : {"lcs_batch", "edit_batch"}) {
        for (const char* row : {"cuda/binned", "cuda/thread_per_pair", "cuda/warp_per_pair"})
            tunables.push_back(
                {operation, row, "wavefront/batch/spread", every_row(wavefront::batch::spreads)});
        tunables.push_back(
            {operation, "cuda/binned", "wavefront/batch/systolic", every_row(wavefront::batch::systolics)});
    }
    return tuned(all_rows(), tunables);
}

INSTANTIATE_TEST_SUITE_P(wavefront, tuned_batches, testing::ValuesIn(all_tuned()), test_name);

}  // namespace
}  // namespace wale::agreement
