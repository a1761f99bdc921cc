// overflow_test - problems beyond 2^31 elements, whose answers are known. Only where WALE_OVERFLOW is cpu (up
// to 6 GB of memory) or cuda (up to 40 GB of the device's); else the tests are skipped. `./run trust
// overflow` runs it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <wale/wale.hpp>

namespace wale {
namespace {

constexpr index_t limit = index_t{1} << 31;

class Overflow : public testing::Test {
protected:
    void SetUp() override {
        const char* const asked = std::getenv("WALE_OVERFLOW");
        const std::string name = asked ? asked : "";
        if (name != "cpu" && name != "cuda") GTEST_SKIP() << "WALE_OVERFLOW is neither cpu nor cuda";
        if (name == "cuda") where_ = on_cuda{};
        if (!is_available(backend_of(where_))) GTEST_SKIP() << why_unavailable(backend_of(where_));
    }
    [[nodiscard]] bool on_device() const { return backend_of(where_) == backend::cuda; }

    template <class T>
    [[nodiscard]] buffer<T> room(index_t count) const {
        return buffer<T>(count, on_device() ? memory_space::device : memory_space::host);
    }
    /// Copies of `value` in the whole of `to`, from `first` on.
    template <class T>
    void fill(const buffer<T>& to, T value, index_t first, index_t count) const {
        T* const at = to.data() + first;
        copy_bytes(where_, at, &value, sizeof value);
        for (index_t done = 1; done < count; done *= 2)
            copy_bytes(where_, at + done, at, std::min(done, count - done) * index_t{sizeof(T)});
    }
    template <class T>
    [[nodiscard]] std::vector<T> fetched(const buffer<T>& from, index_t first, index_t count) const {
        std::vector<T> part(static_cast<std::size_t>(count));
        copy_bytes(where_, part.data(), from.data() + first, count * index_t{sizeof(T)});
        return part;
    }
    /// The first place from which on a value other than `value` stands, or -1.
    template <class T>
    [[nodiscard]] index_t first_other(const buffer<T>& from, T value) const {
        constexpr index_t piece = index_t{1} << 24;
        for (index_t first = 0; first < from.size(); first += piece) {
            const std::vector<T> part = fetched(from, first, std::min(piece, from.size() - first));
            for (std::size_t i = 0; i < part.size(); ++i)
                if (part[i] != value) return first + static_cast<index_t>(i);
        }
        return -1;
    }

    execution where_ = on_cpu{};
};

/// A plain with one hole, which lies beyond 2^31 pixels.
TEST_F(Overflow, Image) {
    const index_t rows = 46342, columns = 46343;
    const buffer<std::uint8_t> image = room<std::uint8_t>(rows * columns),
                               out = room<std::uint8_t>(rows * columns);
    fill(image, std::uint8_t{10}, 0, rows * columns);
    for (index_t row = rows - 3; row < rows - 1; ++row)
        fill(image, std::uint8_t{3}, row * columns + columns - 900, 800);
    ASSERT_GT((rows - 3) * columns, limit - 200000);
    fill_holes(where_, view<const std::uint8_t, 2>(image.data(), {rows, columns}),
               view<std::uint8_t, 2>(out.data(), {rows, columns}));
    EXPECT_EQ(first_other(out, std::uint8_t{10}), -1);
}

/// Bits: the frame of a hole in the last rows.
TEST_F(Overflow, Bits) {
    const index_t rows = 46342, words = 1449, columns = 32 * words;
    const buffer<std::uint32_t> image = room<std::uint32_t>(rows * words),
                                out = room<std::uint32_t>(rows * words);
    fill(image, ~0u, 0, rows * words);
    fill(image, 0u, (rows - 3) * words + 3, 1000);
    ASSERT_GT(rows * columns, limit);
    fill_holes(where_, bits_of(view<const std::uint32_t, 2>(image.data(), {rows, words}), columns),
               bits_of(view<std::uint32_t, 2>(out.data(), {rows, words}), columns));
    EXPECT_EQ(first_other(out, ~0u), -1);
}

/// The longest common subsequence with a prefix of b is as long as the part of a that is there.
TEST_F(Overflow, Table) {
    const index_t rows = 1001, columns = 2150000;
    std::vector<std::uint8_t> a(static_cast<std::size_t>(rows)), b(static_cast<std::size_t>(columns), 0);
    std::fill(a.begin(), a.end(), std::uint8_t{1});
    for (index_t k = 0; k < rows; ++k)
        b[static_cast<std::size_t>((k + 1) * 2147)] = 1;  // the last one near the end
    const buffer<std::uint8_t> x = to_device(where_, std::span<const std::uint8_t>(a)),
                               y = to_device(where_, std::span<const std::uint8_t>(b));
    const buffer<std::int16_t> table = room<std::int16_t>(rows * columns);
    ASSERT_GT(table.size(), limit);
    wavefront_fill(where_, std::span<const std::uint8_t>(x.span()), std::span<const std::uint8_t>(y.span()),
                   matrix_view<std::int16_t>(table.data(), {rows, columns}));
    for (const index_t row : {index_t{0}, index_t{500}, index_t{998}, rows - 1}) {
        const std::vector<std::int16_t> line = fetched(table, row * columns, columns);
        for (index_t j = 0; j < columns; ++j)
            ASSERT_EQ(line[static_cast<std::size_t>(j)], std::min(row + 1, std::min(j / 2147, rows)))
                << row << " " << j;
    }
}

/// Pairs whose symbols lie beyond 2^31 of their batch.
TEST_F(Overflow, Batch) {
    const index_t first = limit + 5;
    const buffer<std::uint8_t> a = room<std::uint8_t>(first + 200);
    fill(a, std::uint8_t{7}, 0, first + 100);
    fill(a, std::uint8_t{9}, first + 100, 100);
    const std::vector<index_t> at{0, 10, first + 20, first + 200},
        other{first - 10, first, first, first + 100};
    const buffer<index_t> x = to_device(where_, std::span(at)), y = to_device(where_, std::span(other));
    const buffer<std::int32_t> answers = room<std::int32_t>(2);
    fill(answers, -1, 0, 2);
    const auto ask = [&](index_t pair) {
        edit_distance(where_, sequence_batch{a.data(), x.data() + pair, 1, 1},
                      sequence_batch{a.data(), y.data() + pair, 1, 1},
                      std::span<std::int32_t>(answers.data() + pair / 2, 1));
    };
    ask(0);
    EXPECT_THROW(ask(1), bad_argument);  // 2^31 symbols and none: the distance is no std::int32_t
    ask(2);
    EXPECT_EQ(fetched(answers, 0, 2), (std::vector<std::int32_t>{0, 100}));
}

/// A small matrix whose rows lie 2^26 elements apart: twos on the diagonal, ones in the last row and column.
TEST_F(Overflow, RowsFarApart) {
    const index_t n = 40, leading = index_t{1} << 26;
    const buffer<float> a = room<float>((n - 1) * leading + n);
    ASSERT_GT(a.size(), limit);
    for (index_t i = 0; i < n; ++i) {
        fill(a, i + 1 < n ? 0.0f : 1.0f, i * leading, n);
        fill(a, 2.0f, i * leading + i, 1);
        if (i + 1 < n) fill(a, 1.0f, i * leading + n - 1, 1);
    }
    matrices m(matrix_view<float>(a.data(), {n, n}));
    m.leading = leading;
    const buffer<std::int32_t> pivots = room<std::int32_t>(n);
    EXPECT_EQ(lu_factor(where_, m, pivots.data()).singular, 0);
    std::vector<float> last(static_cast<std::size_t>(n), 0.5f);
    last.back() = 2 - 0.5f * static_cast<float>(n - 1);
    EXPECT_EQ(fetched(a, (n - 1) * leading, n), last);
}

/// Systems 2^26 elements apart: 1 4 1, whose solution is 1.
TEST_F(Overflow, SystemsFarApart) {
    const index_t n = 1000, count = 34, stride = index_t{1} << 26;
    vector_shape shape = vector_shape::flat(scalar::f32, n, count);
    shape.stride = stride;
    const buffer<float> x = room<float>((count - 1) * stride + n);
    const buffer<float> on = room<float>(x.size()), beside = room<float>(x.size());
    ASSERT_GT(x.size(), limit);
    for (index_t s = 0; s < count; ++s) {
        fill(on, 4.0f, s * stride, n);
        fill(beside, 1.0f, s * stride, n);
        fill(x, 6.0f, s * stride, n);
        fill(x, 5.0f, s * stride, 1);
        fill(x, 5.0f, s * stride + n - 1, 1);
    }
    const const_vectors b(beside.data(), shape);
    tridiagonal_solve(where_, b, {on.data(), shape}, b, vectors(x.data(), shape));
    for (index_t s = 0; s < count; ++s)
        for (const float v : fetched(x, s * stride, n)) ASSERT_NEAR(v, 1, 1e-5) << s;
}

/// A text of one letter that ends in what the short sequence ends in, where the table has 2^37 cells: the CPU
/// takes any length, the device fewer than 2^31 symbols and says so beyond.
class LongText : public Overflow {
protected:
    static constexpr index_t common = 50;
    void SetUp() override {
        Overflow::SetUp();
        if (IsSkipped()) return;
        length_ = on_device() ? limit - 1 : limit + 100;
        text_ = room<std::uint8_t>(limit + 100);
        fill(text_, std::uint8_t{1}, 0, limit + 100);
        fill(text_, std::uint8_t{2}, length_ - common, common);
        word_ = room<std::uint8_t>(64);
        fill(word_, std::uint8_t{3}, 0, 64);
        fill(word_, std::uint8_t{2}, 64 - common, common);
    }
    [[nodiscard]] std::span<const std::uint8_t> text(index_t length) const {
        return {text_.data(), static_cast<std::size_t>(length)};
    }
    [[nodiscard]] std::span<const std::uint8_t> word() const { return {word_.data(), 64}; }
    index_t length_ = 0;
    buffer<std::uint8_t> text_, word_;
};

TEST_F(LongText, CommonSubsequence) {
    EXPECT_EQ(lcs_length(where_, text(length_), word()).length, common);
    if (!on_device()) return;
    EXPECT_THROW((void)lcs_length(where_, text(limit), word(), {.variant = "cuda/strips"}),
                 unsupported_variant);
}

TEST_F(LongText, EditDistance) {
    EXPECT_EQ(edit_distance(where_, text(length_), word()).distance, length_ - common);
}

/// 2^19 + 5 matrices of order 64, each that of RowsFarApart.
TEST_F(Overflow, WholeBatch) {
    if (!on_device()) GTEST_SKIP() << "takes 9 GB";
    const index_t n = 64, count = (index_t{1} << 19) + 5, each = n * n;
    const buffer<float> a = room<float>(count * each);
    ASSERT_GT(a.size(), limit);
    std::vector<float> one(static_cast<std::size_t>(each), 0.0f);
    for (index_t i = 0; i < n; ++i) {
        one[static_cast<std::size_t>((n - 1) * n + i)] = one[static_cast<std::size_t>(i * n + n - 1)] = 1;
        one[static_cast<std::size_t>(i * n + i)] = 2;
    }
    copy_bytes(where_, a.data(), one.data(), each * index_t{sizeof(float)});
    for (index_t done = 1; done < count; done *= 2)
        copy_bytes(where_, a.data() + done * each, a.data(),
                   std::min(done, count - done) * each * index_t{sizeof(float)});
    const buffer<std::int32_t> pivots = room<std::int32_t>(count * n);
    const matrices all(view<float, 3>(a.data(), {count, n, n}));
    EXPECT_EQ(lu_factor(where_, all, pivots.data()).singular, 0);
    std::vector<float> last(static_cast<std::size_t>(n), 0.5f);
    last.back() = 2 - 0.5f * static_cast<float>(n - 1);
    for (const index_t k : {index_t{0}, limit / each - 1, limit / each, count - 1})
        EXPECT_EQ(fetched(a, k * each + (n - 1) * n, n), last) << k;
}

/// Every element beyond 2^31 is there: a matrix as that of RowsFarApart.
TEST_F(Overflow, WholeMatrix) {
    if (!on_device()) GTEST_SKIP() << "takes 9 GB";
    const index_t n = 46400;
    const buffer<float> a = room<float>(n * n);
    std::vector<float> row(static_cast<std::size_t>(n), 0.0f);
    for (index_t i = 0; i < n; ++i) {
        if (i + 1 == n) std::fill(row.begin(), row.end(), 1.0f);
        row.back() = 1;
        row[static_cast<std::size_t>(i)] = 2;
        copy_bytes(where_, a.data() + i * n, row.data(), n * index_t{sizeof(float)});
        row[static_cast<std::size_t>(i)] = 0;
    }
    const buffer<std::int32_t> pivots = room<std::int32_t>(n);
    EXPECT_EQ(lu_factor(where_, matrix_view<float>(a.data(), {n, n}), pivots.data()).singular, 0);
    row.assign(row.size(), 0.5f);
    row.back() = 2 - 0.5f * static_cast<float>(n - 1);
    EXPECT_EQ(fetched(a, (n - 1) * n, n), row);
}

/// 2^21 + 5 systems of 1024 unknowns.
TEST_F(Overflow, WholeSystems) {
    if (!on_device()) GTEST_SKIP() << "takes 35 GB";
    const index_t n = 1024, count = (index_t{1} << 21) + 5;
    const vector_shape shape = vector_shape::flat(scalar::f32, n, count);
    const buffer<float> ones = room<float>(n * count), on = room<float>(n * count),
                        x = room<float>(n * count);
    ASSERT_GT(x.size(), limit);
    fill(ones, 1.0f, 0, n * count);
    fill(on, 4.0f, 0, n * count);
    std::vector<float> side(static_cast<std::size_t>(n), 6.0f);
    side.front() = side.back() = 5;
    copy_bytes(where_, x.data(), side.data(), n * index_t{sizeof(float)});
    for (index_t done = 1; done < count; done *= 2)
        copy_bytes(where_, x.data() + done * n, x.data(),
                   std::min(done, count - done) * n * index_t{sizeof(float)});
    const const_vectors b(ones.data(), shape);
    tridiagonal_solve(where_, b, {on.data(), shape}, b, vectors(x.data(), shape),
                      {.pivoting = pivoting::none});
    for (const index_t s : {index_t{0}, count / 2, limit / n, count - 1})
        for (const float v : fetched(x, s * n, n)) ASSERT_NEAR(v, 1, 1e-5) << s;
}

}  // namespace
}  // namespace wale
