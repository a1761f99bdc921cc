// batch_cuda_test - the batches on the device against the plain reference: every length around the widths of
// words and groups, every alphabet, bad offsets, bounds, and the same answers a thousand times.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <wale/wale.hpp>

#include "solvers/wavefront/jobs.hpp"

namespace {

using wale::index_t;

template <class Symbol>
struct batch {
    std::vector<Symbol> data;
    std::vector<index_t> offsets{0};

    void add(const std::vector<Symbol>& s) {
        data.insert(data.end(), s.begin(), s.end());
        offsets.push_back(static_cast<index_t>(data.size()));
    }
    [[nodiscard]] index_t count() const { return static_cast<index_t>(offsets.size()) - 1; }
    [[nodiscard]] wale::sequence_batch view() const {
        return {data.data(), offsets.data(), count(), static_cast<int>(sizeof(Symbol))};
    }
};

template <class Symbol>
struct pairs {
    batch<Symbol> a, b;
};

/// Adds a pair: random, or every other time b as a copy of a with a mutation each ten symbols.
template <class Symbol>
void add_pair(pairs<Symbol>& p, std::mt19937& random, index_t m, index_t n, std::uint32_t alphabet,
              std::uint32_t scale = 1) {
    const auto draw = [&] { return static_cast<Symbol>(random() % alphabet * scale); };
    std::vector<Symbol> a(static_cast<std::size_t>(m)), b(static_cast<std::size_t>(n));
    std::generate(a.begin(), a.end(), draw);
    std::generate(b.begin(), b.end(), draw);
    if (random() % 2)
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
            if (random() % 10) b[i] = a[i];
    p.a.add(a);
    p.b.add(b);
}

enum class operation { lcs, edit };

struct asked {
    operation what = operation::edit;
    std::string variant = "automatic";
    index_t bound = -1;
};

template <class Symbol>
std::vector<std::int32_t> reference(const pairs<Symbol>& p, operation what) {
    std::vector<std::int32_t> answers(static_cast<std::size_t>(p.a.count()), -7);
    if (what == operation::lcs)
        (void)wale::lcs_length(wale::on_reference{}, p.a.view(), p.b.view(), std::span(answers));
    else
        (void)wale::edit_distance(wale::on_reference{}, p.a.view(), p.b.view(), std::span(answers));
    return answers;
}

/// A batch on the device, to be asked several times.
template <class Symbol>
class resident {
public:
    explicit resident(const pairs<Symbol>& p)
        : count_(p.a.count()),
          a_(copy(p.a.data)),
          b_(copy(p.b.data)),
          a_offsets_(copy(p.a.offsets)),
          b_offsets_(copy(p.b.offsets)),
          answers_(std::max<index_t>(count_, 1), wale::memory_space::device) {}

    std::vector<std::int32_t> ask(const asked& q, wale::report* report = nullptr) {
        std::vector<std::int32_t> poison(static_cast<std::size_t>(count_), -9);
        const auto bytes = count_ * static_cast<index_t>(sizeof(std::int32_t));
        if (count_ > 0) wale::copy_bytes(device, answers_.data(), poison.data(), bytes);
        const wale::sequence_batch a{a_.data(), a_offsets_.data(), count_, sizeof(Symbol)};
        const wale::sequence_batch b{b_.data(), b_offsets_.data(), count_, sizeof(Symbol)};
        const std::span<std::int32_t> out(answers_.data(), static_cast<std::size_t>(count_));
        const wale::report run =
            q.what == operation::lcs
                ? wale::lcs_length(device, a, b, out, {.variant = q.variant}).run
                : wale::edit_distance(device, a, b, out, {.variant = q.variant, .bound = q.bound}).run;
        if (report) *report = run;
        if (count_ > 0) wale::copy_bytes(device, poison.data(), answers_.data(), bytes);
        return poison;
    }

    const wale::execution device = wale::on_cuda{};

private:
    template <class T>
    static wale::buffer<T> copy(const std::vector<T>& v) {
        const std::vector<T> some(1);  // never an empty allocation
        return wale::to_device<T>(wale::on_cuda{}, std::span<const T>(v.empty() ? some : v));
    }
    index_t count_;
    wale::buffer<Symbol> a_, b_;
    wale::buffer<index_t> a_offsets_, b_offsets_;
    wale::buffer<std::int32_t> answers_;
};

/// The names of the CUDA rows, read from the table so that no row escapes.
std::vector<std::string> rows() {
    std::vector<std::string> names;
    for (const auto& row : wale::wavefront::edit_batch_variants().rows)
        if (row.where == wale::backend::cuda) names.emplace_back(row.name);
    return names;
}

template <class Symbol>
void expect_reference(const pairs<Symbol>& p, const std::string& label) {
    resident<Symbol> on_device(p);
    for (const operation what : {operation::lcs, operation::edit}) {
        const auto expected = reference(p, what);
        for (const std::string& variant : rows()) {
            const auto got = on_device.ask({what, variant});
            index_t bad = 0;
            for (std::size_t k = 0; k < got.size(); ++k)
                if (got[k] != expected[k] && bad++ < 3)
                    ADD_FAILURE() << label << ' ' << variant << (what == operation::lcs ? " lcs" : " edit")
                                  << " pair " << k << ": " << got[k] << ", expected " << expected[k] << ", "
                                  << p.a.offsets[k + 1] - p.a.offsets[k] << " x "
                                  << p.b.offsets[k + 1] - p.b.offsets[k];
            EXPECT_EQ(bad, 0) << label << ' ' << variant;
        }
    }
}

class batch_cuda : public ::testing::Test {
protected:
    void SetUp() override {
        if (const std::string why = wale::why_unavailable(wale::backend::cuda); !why.empty())
            GTEST_SKIP() << why;
        ASSERT_GE(rows().size(), 2u);
    }
    std::mt19937 random{20240607};
};

TEST_F(batch_cuda, every_pair_of_edge_lengths_in_one_batch) {
    pairs<std::uint8_t> p;
    for (const index_t m : {0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1023, 1024, 1025})
        for (const index_t n :
             {0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1023, 1024, 1025})
            add_pair(p, random, m, n, 4);
    add_pair(p, random, 5000, 5000, 4);
    add_pair(p, random, 5000, 3, 4);
    add_pair(p, random, 1, 5000, 4);
    expect_reference(p, "edges");
}

TEST_F(batch_cuda, alphabets_of_bytes) {
    for (const std::uint32_t alphabet : {1u, 2u, 3u, 4u, 5u, 8u, 9u, 20u, 33u, 100u, 256u}) {
        pairs<std::uint8_t> p;
        for (int k = 0; k < 400; ++k) add_pair(p, random, random() % 300, random() % 300, alphabet);
        for (int k = 0; k < 5; ++k)
            add_pair(p, random, 700 + random() % 3000, 700 + random() % 3000, alphabet);
        expect_reference(p, "alphabet " + std::to_string(alphabet));
    }
}

TEST_F(batch_cuda, wide_symbols) {
    for (const std::uint32_t alphabet : {1u, 2u, 300u, 65536u}) {
        pairs<std::uint16_t> p;
        for (int k = 0; k < 300; ++k) add_pair(p, random, random() % 400, random() % 400, alphabet);
        add_pair(p, random, 9000, 9500, alphabet);
        expect_reference(p, "16 bits, " + std::to_string(alphabet));
        pairs<std::uint32_t> q;
        for (int k = 0; k < 300; ++k) add_pair(q, random, random() % 400, random() % 400, alphabet, 65521);
        add_pair(q, random, 5000, 9500, alphabet, 65521);
        expect_reference(q, "32 bits, " + std::to_string(alphabet));
    }
}

TEST_F(batch_cuda, patterns_of_several_strips) {
    pairs<std::uint8_t> p;
    add_pair(p, random, 30000, 30000, 4);
    add_pair(p, random, 28672, 28673, 4);
    add_pair(p, random, 28673, 28704, 4);
    add_pair(p, random, 61000, 57500, 4);
    add_pair(p, random, 40, 40, 4);
    expect_reference(p, "strips of two planes");
    pairs<std::uint32_t> q;
    add_pair(q, random, 13000, 13007, 1000, 999983);
    expect_reference(q, "strips of many planes");
}

TEST_F(batch_cuda, a_long_text_beside_short_ones) {
    pairs<std::uint8_t> p;
    for (int k = 0; k < 3000; ++k) add_pair(p, random, random() % 40, random() % 40, 4);
    add_pair(p, random, 3, 20'000'000, 4);
    add_pair(p, random, 300'000, 90, 4);
    expect_reference(p, "long text");
}

TEST_F(batch_cuda, hundred_thousand_random_pairs) {
    pairs<std::uint8_t> p;
    for (int k = 0; k < 100'000; ++k) add_pair(p, random, random() % 150, random() % 150, 4);
    expect_reference(p, "many");
    pairs<std::uint8_t> q;
    for (int k = 0; k < 30'000; ++k) add_pair(q, random, 90 + random() % 21, 90 + random() % 21, 26);
    expect_reference(q, "many, 26 letters");
}

TEST_F(batch_cuda, none_and_one) {
    pairs<std::uint8_t> none;
    expect_reference(none, "none");
    for (const index_t m : {0, 1, 100, 2000}) {
        pairs<std::uint8_t> one;
        add_pair(one, random, m, 150, 4);
        expect_reference(one, "one of " + std::to_string(m));
    }
    pairs<std::uint8_t> empty;
    for (int k = 0; k < 1000; ++k) add_pair(empty, random, 0, 0, 4);
    expect_reference(empty, "empty sequences");
}

TEST_F(batch_cuda, answers_above_the_bound_are_the_bound_and_one) {
    pairs<std::uint8_t> p;
    for (int k = 0; k < 2000; ++k) add_pair(p, random, random() % 200, random() % 200, 4);
    const auto exact = reference(p, operation::edit);
    resident<std::uint8_t> on_device(p);
    for (const index_t bound : {index_t{0}, index_t{1}, index_t{20}, index_t{1000}, index_t{1} << 40}) {
        const auto got = on_device.ask({operation::edit, "automatic", bound});
        for (std::size_t k = 0; k < got.size(); ++k)
            ASSERT_EQ(got[k], std::min<index_t>(exact[k], bound + 1)) << "bound " << bound << " pair " << k;
    }
}

TEST_F(batch_cuda, bad_offsets_are_named) {
    pairs<std::uint8_t> p;
    for (int k = 0; k < 1000; ++k) add_pair(p, random, 20, 20, 4);
    const auto message = [&](const pairs<std::uint8_t>& bad) -> std::string {
        try {
            (void)resident<std::uint8_t>(bad).ask({operation::edit});
        } catch (const wale::bad_argument& e) {
            return e.what();
        }
        return "nothing thrown";
    };
    auto descending = p;
    descending.b.offsets[700] = 1;
    EXPECT_NE(message(descending).find("b: sequence 699 is ["), std::string::npos) << message(descending);
    auto negative = p;
    negative.a.offsets[0] = -1;
    EXPECT_NE(message(negative).find("a: sequence 0 is [-1, 20)"), std::string::npos) << message(negative);
    auto huge = p;
    for (std::size_t i = 301; i < huge.a.offsets.size(); ++i) huge.a.offsets[i] += index_t{1} << 31;
    EXPECT_NE(message(huge).find("a: sequence 300 is ["), std::string::npos) << message(huge);
    EXPECT_EQ(message(p), "nothing thrown");  // and the device is still usable
}

TEST_F(batch_cuda, a_thousand_repeats_give_one_hash) {
    pairs<std::uint8_t> p;
    for (int k = 0; k < 3000; ++k) add_pair(p, random, random() % 1500, random() % 1500, 4);
    resident<std::uint8_t> on_device(p);
    const auto first = on_device.ask({operation::edit});
    for (int repeat = 0; repeat < 1000; ++repeat)
        ASSERT_EQ(on_device.ask({operation::edit}), first) << repeat;
}

TEST_F(batch_cuda, the_report_counts_true_cells) {
    pairs<std::uint8_t> p;
    double cells = 0;
    for (int k = 0; k < 5000; ++k) {
        const index_t m = random() % 100;
        const index_t n = random() % 100;
        add_pair(p, random, m, n, 4);
        cells += static_cast<double>(m * n);
    }
    wale::report report;
    (void)resident<std::uint8_t>(p).ask({operation::lcs}, &report);
    EXPECT_EQ(report.work, cells);
    EXPECT_GT(report.compute_seconds, 0);
    EXPECT_EQ(report.variant, "cuda/binned");
}

}  // namespace
