// matrix_round_trip_test - matrices that are written read the same; what a format cannot hold is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <wale/wale.hpp>

namespace wale {
namespace {

using std::string_literals::operator""s;

class MatrixFiles : public testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() / ("matrix_file_test." + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

private:
    std::filesystem::path folder_;
};

/// A random bit pattern that is a finite number.
template <class T, class Bits>
T any_number(std::mt19937_64& engine) {
    while (true) {
        const auto bits = static_cast<Bits>(engine());
        T v = 0;
        std::memcpy(&v, &bits, sizeof v);
        if (std::isfinite(v)) return v;
    }
}

template <class T, class Bits>
void expect_round_trip(const std::string& path, storage_order order, index_t rows, index_t columns) {
    std::mt19937_64 engine(5);
    matrix_shape s;
    s.type = scalar_of<T>::value;
    s.order = order;
    s.rows = rows;
    s.columns = columns;
    s.leading = s.line_size() + 3;  // written without the gap
    std::vector<T> values(static_cast<std::size_t>(s.lines() * s.leading));
    for (T& v : values) {
        if constexpr (std::is_floating_point_v<T>)
            v = any_number<T, Bits>(engine);
        else
            v = T(any_number<typename T::value_type, Bits>(engine),
                  any_number<typename T::value_type, Bits>(engine));
    }
    write_matrix(path, const_matrices(values.data(), s));
    const matrix_file_data back = read_matrix(path, {.type = s.type});
    ASSERT_EQ(back.shape.rows, rows);
    ASSERT_EQ(back.shape.columns, columns);
    const T* found = static_cast<const T*>(back.elements.data());
    for (index_t i = 0; i < rows; ++i)
        for (index_t j = 0; j < columns; ++j)
            EXPECT_EQ(found[i * back.shape.row_step() + j * back.shape.column_step()],
                      values[static_cast<std::size_t>(i * s.row_step() + j * s.column_step())])
                << path;
}

TEST_F(MatrixFiles, ReadAsTheyWereWritten) {
    for (const char* name : {"a.mtx", "a.npy", "a.dat", "a.csv", "a.txt"})
        for (const storage_order order : {storage_order::row_major, storage_order::column_major})
            for (const index_t n : {0, 1, 7, 40}) {
                const bool lines = name == "a.csv"s || name == "a.txt"s;
                if (lines && n == 0) continue;  // they hold no empty matrix
                const index_t columns = name == "a.dat"s ? n : lines && n == 7 ? 1 : n + 2;
                expect_round_trip<double, std::uint64_t>(path(name), order, n, columns);
                expect_round_trip<float, std::uint32_t>(path(name), order, n, columns);
                if (lines || name == "a.dat"s) continue;  // hold real numbers only
                expect_round_trip<std::complex<double>, std::uint64_t>(path(name), order, n, columns);
                expect_round_trip<std::complex<float>, std::uint32_t>(path(name), order, n, columns);
            }
    // NPY keeps the order, and the type.
    std::vector<float> values{1, 2, 3, 4};
    write_matrix(path("f.npy"),
                 const_matrices(matrix_view<const float, layout_left>(values.data(), extents<2>{{2, 2}})));
    const matrix_file_data back = read_matrix(path("f.npy"));
    EXPECT_EQ(back.shape.order, storage_order::column_major);
    EXPECT_EQ(back.shape.type, scalar::f32);
}

TEST_F(MatrixFiles, WhatAFormatCannotHold) {
    std::vector<double> values{1, NAN, 3, 4, 5, 6};
    const const_matrices wide(matrix_view<const double>(values.data(), extents<2>{{2, 3}}));
    EXPECT_EQ(why_unwritable("a.xyz", wide),
              "a.xyz: names no format, expected .mtx, .mm, .npy, .csv, .txt or .dat");
    EXPECT_EQ(why_unwritable("a.dat", wide),
              "a.dat: is 2 x 3, expected as many rows as columns (Rodinia's text holds no others)");
    EXPECT_EQ(why_unwritable("a.MTX", wide),
              "a.MTX: element 0, 1 is nan, expected finite numbers (MatrixMarket holds no others, NPY does)");
    EXPECT_EQ(why_unwritable("a.npy", wide), "");
    EXPECT_EQ(
        why_unwritable("a.csv", const_matrices(matrix_view<const double>(values.data(), extents<2>{{0, 3}}))),
        "a.csv: is 0 x 3, expected elements (CSV has no empty matrix)");
    EXPECT_THROW(write_matrix(path("a.mtx"), wide), bad_argument);
    EXPECT_FALSE(std::filesystem::exists(path("a.mtx")));
    EXPECT_THROW((void)read_matrix(path("none.mtx")), cannot_open);
    EXPECT_STREQ(name_of(matrix_format::matrix_market), "MatrixMarket");
}

TEST_F(MatrixFiles, Indices) {
    const std::vector<std::int32_t> pivots{3, 1, 2};
    output_file out(path("p.npy"));
    write_indices(out, pivots);
    out.commit();
    std::ifstream file(path("p.npy"), std::ios::binary);
    const std::string all((std::istreambuf_iterator<char>(file)), {});
    EXPECT_NE(all.find("'descr': '<i4', 'fortran_order': False, 'shape': (3,), }"), std::string::npos);
    EXPECT_EQ(all.size() % 64, 12U);
}

TEST(Rodinia, ItsOwnMatrices) {
    std::vector<double> values(30 * 30), again(30 * 30);
    const matrices a(matrix_view<double>(values.data(), extents<2>{{30, 30}}));
    fill_rodinia_smooth(a);
    EXPECT_EQ(values[0], 10);
    EXPECT_EQ(values[5 * 30 + 2], 10 * std::exp(-0.003));
    fill_rodinia_product(a, 7);
    const matrices b(matrix_view<double>(again.data(), extents<2>{{30, 30}}));
    fill_rodinia_product(b, 7);
    EXPECT_EQ(values, again);
    fill_rodinia_product(b, 8);
    EXPECT_NE(values, again);
    // Without pivoting its factors are what it was made of.
    lu_result r = lu_factor(on_reference{}, a, nullptr, {.pivoting = pivoting::none});
    EXPECT_EQ(r.singular, 0);
    for (index_t i = 0; i < 30; ++i)
        for (index_t j = 0; j < 30; ++j) {
            EXPECT_GT(values[static_cast<std::size_t>(i * 30 + j)], -1e-6);
            EXPECT_LT(values[static_cast<std::size_t>(i * 30 + j)], 1 + 1e-6);
        }
    EXPECT_THROW(fill_rodinia_smooth(matrices(matrix_view<double>(values.data(), extents<2>{{2, 3}}))),
                 bad_argument);
}

}  // namespace
}  // namespace wale
