// matrix_file_test - what is read, and what is refused and in which words.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <wale/wale.hpp>

#include "unit/thrown.hpp"

namespace wale {
namespace {

using std::string_literals::operator""s;

matrix_file_data parsed(const std::string& text, const matrix_file_options& o = {}) {
    return parse_matrix(text, "m", o);
}

std::vector<double> rows_of(const matrix_file_data& m) {
    std::vector<double> all;
    for (index_t i = 0; i < m.shape.rows; ++i)
        for (index_t j = 0; j < m.shape.columns; ++j) {
            const index_t at = i * m.shape.row_step() + j * m.shape.column_step();
            all.push_back(m.shape.type == scalar::f32 ? static_cast<const float*>(m.elements.data())[at]
                                                      : static_cast<const double*>(m.elements.data())[at]);
        }
    return all;
}

void expect_matrix(const std::string& text, index_t rows, index_t columns,
                   const std::vector<double>& values) {
    const matrix_file_data m = parsed(text);
    EXPECT_EQ(m.shape.rows, rows) << text;
    EXPECT_EQ(m.shape.columns, columns) << text;
    EXPECT_EQ(rows_of(m), values) << text;
}

std::string refused(const std::string& text, const matrix_file_options& o = {}) {
    SCOPED_TRACE(text);
    return thrown<bad_input>([&] { (void)parsed(text, o); });
}

std::string npy(const std::string& element, bool fortran, const std::string& shape, const std::string& data) {
    std::string header = "{'descr': '" + element + "', 'fortran_order': " + (fortran ? "True" : "False") +
                         ", 'shape': " + shape + ", }";
    header.resize(117, ' ');
    return "\x93NUMPY\x01"s + '\0' + static_cast<char>(header.size() + 1) + '\0' + header + "\n" + data;
}

template <class T>
std::string bytes(std::initializer_list<T> all) {
    return {reinterpret_cast<const char*>(all.begin()), all.size() * sizeof(T)};
}

const std::string banner = "%%MatrixMarket matrix ";

TEST(MatrixMarket, Arrays) {
    expect_matrix(banner + "array real general\n2 3\n1\n2\n3\n4\n5\n6\n", 2, 3, {1, 3, 5, 2, 4, 6});
    expect_matrix(banner + "array real general\n% a comment\n\n%\n2 1\n\n1e-3\n+2.5\n", 2, 1, {1e-3, 2.5});
    expect_matrix(banner + "array integer general\r\n1 2\r\n-1\r\n7\r\n", 1, 2, {-1, 7});
    expect_matrix(banner + "array real symmetric\n3 3\n1 2 3 4 5 6", 3, 3, {1, 2, 3, 2, 4, 5, 3, 5, 6});
    expect_matrix(banner + "array real skew-symmetric\n3 3\n1\n2\n3\n", 3, 3, {0, -1, -2, 1, 0, -3, 2, 3, 0});
    expect_matrix("%%MatrixMarket MATRIX Array REAL General\n1 1\n5\n", 1, 1, {5});
    expect_matrix(banner + "array real general\n0 4\n", 0, 4, {});
    EXPECT_EQ(parsed(banner + "array real general\n2 2\n1 2 3 4").shape.order, storage_order::column_major);
}

TEST(MatrixMarket, Coordinates) {
    expect_matrix(banner + "coordinate real general\n2 3 2\n1 3 4.5\n2 1 -1\n", 2, 3, {0, 0, 4.5, -1, 0, 0});
    expect_matrix(banner + "coordinate real symmetric\n% c\n2 2 2\n\n1 1 1\n2 1 3", 2, 2, {1, 3, 3, 0});
    expect_matrix(banner + "coordinate integer skew-symmetric\n2 2 1\n2 1 3\n", 2, 2, {0, -3, 3, 0});
    expect_matrix(banner + "coordinate real general\n2 2 0\n", 2, 2, {0, 0, 0, 0});
}

TEST(MatrixMarket, Refusals) {
    EXPECT_EQ(refused("%%MatrixMarkt matrix\n1 1\n2\n"), "m:1: '%%MatrixMarkt', expected %%MatrixMarket");
    EXPECT_NE(refused("1,2\n3,4\n", {.max_bytes = 31}).find("32 bytes of elements"), std::string::npos);
}

TEST(MatrixNpy, Reads) {
    const std::string data = bytes<float>({1, 2, 3, 4, 5, 6});
    const matrix_file_data c = parsed(npy("<f4", false, "(2, 3)", data));
    EXPECT_EQ(c.shape.type, scalar::f32);
    EXPECT_EQ(rows_of(c), (std::vector<double>{1, 2, 3, 4, 5, 6}));
    const matrix_file_data f = parsed(npy("<f4", true, "(2, 3)", data));
    EXPECT_EQ(f.shape.order, storage_order::column_major);
    EXPECT_EQ(rows_of(f), (std::vector<double>{1, 3, 5, 2, 4, 6}));
    const matrix_file_data column = parsed(npy("<f8", false, "(3,)", bytes<double>({1, 2, 3})));
    EXPECT_EQ(column.shape.rows, 3);
    EXPECT_EQ(column.shape.columns, 1);
    std::string swapped = bytes<double>({1.5});
    std::reverse(swapped.begin(), swapped.end());
    EXPECT_EQ(rows_of(parsed(npy(">f8", false, "(1, 1)", swapped))), (std::vector<double>{1.5}));
    EXPECT_EQ(parsed(npy("<f8", false, "(0, 7)", "")).shape.columns, 7);
    const matrix_file_data narrow =
        parsed(npy("<f8", false, "(2,)", bytes<double>({0.1, 2})), {.type = scalar::f32});
    EXPECT_EQ(narrow.shape.type, scalar::f32);
    EXPECT_EQ(rows_of(narrow), (std::vector<double>{0.1F, 2}));
}

TEST(MatrixNpy, OtherTypesBecomeFloats) {
    const auto numbers = [](const std::string& type, const std::string& data) {
        const matrix_file_data m = parsed(npy(type, false, "(1, 2)", data));
        return std::pair(m.shape.type, rows_of(m));
    };
    using found = std::pair<scalar, std::vector<double>>;
    EXPECT_EQ(numbers("|b1", bytes<std::uint8_t>({0, 1})), found(scalar::f64, {0, 1}));
    EXPECT_EQ(numbers("|i1", bytes<std::int8_t>({-128, 1})), found(scalar::f64, {-128, 1}));
    EXPECT_EQ(numbers("<u2", bytes<std::uint16_t>({65535, 1})), found(scalar::f64, {65535, 1}));
    EXPECT_EQ(numbers("<u4", bytes<std::uint32_t>({4294967295, 1})), found(scalar::f64, {4294967295, 1}));
    EXPECT_EQ(numbers("<i8", bytes<std::int64_t>({-9007199254740992, 1})),
              found(scalar::f64, {-9007199254740992, 1}));
    EXPECT_EQ(numbers("<f2", bytes<std::uint16_t>({0xc000, 0x0001})), found(scalar::f32, {-2, 0x1p-24}));
    EXPECT_EQ(numbers(">i2", std::string("\xff\xfe\0\x01", 4)), found(scalar::f64, {-2, 1}));
    EXPECT_NE(refused(npy("<f2", false, "(1, 1)", bytes<std::uint16_t>({0x7c00}))).find("a finite number"),
              std::string::npos);
}

TEST(MatrixNpy, Refusals) {
    EXPECT_EQ(
        refused(npy("<c32", false, "(1, 1)", "abcdefgh")),
        "m: elements '<c32', expected booleans, integers or floats of up to 64 bits, or complex numbers of "
        "up to 128");
    EXPECT_EQ(refused(npy("<c16", false, "(1, 1)", bytes<double>({1, 2})), {.type = scalar::f64}),
              "m: complex128, expected real numbers for float64");
    EXPECT_EQ(refused(npy("<c8", false, "(1, 2)", bytes<float>({1, 2, 3, NAN}))),
              "m: element 0, 1 is nan, expected a finite number");
    EXPECT_EQ(refused(npy("<i8", false, "(1, 2)", bytes<std::int64_t>({1, -9007199254740993}))),
              "m: element 0, 1 is -9007199254740992, expected a whole number within -2^53..2^53");
    EXPECT_EQ(refused(npy("<f4", false, "(1, 1, 1)", "abcd")), "m: 3 axes, expected 1 or 2");
    EXPECT_EQ(refused(npy("<f4", false, "()", "abcd")), "m: 0 axes, expected 1 or 2");
    EXPECT_EQ(refused(npy("<f4", false, "(2, 1)", "abcd")), "m: 4 bytes of elements, expected 8");
    EXPECT_EQ(refused(npy("<f4", false, "(1, 1)", "abcdefgh")), "m: 8 bytes of elements, expected 4");
    EXPECT_EQ(refused(npy("<f8", false, "(4294967296, 4294967296)", "abcd")), "m: a shape beyond 2^63 bytes");
    EXPECT_EQ(
        refused(npy("<f8", false, "(1, 1)", bytes<double>({1e300})), {.type = scalar::f32}).substr(0, 19),
        "m: element 0, 0 is ");
    const std::string three = bytes<double>({1, 2, 1e-320});
    EXPECT_EQ(refused(npy("<f8", false, "(1, 3)", three), {.type = scalar::f32}),
              "m: element 0, 2 is 1e-320, expected a number that float32 holds");
}

TEST(MatrixNpy, NotFinite) {
    const std::string data = bytes<float>({1, 2, 3, 4, NAN, -HUGE_VALF});
    EXPECT_EQ(refused(npy("<f4", false, "(2, 3)", data)), "m: element 1, 1 is nan, expected a finite number");
    EXPECT_EQ(refused(npy("<f4", true, "(2, 3)", data)), "m: element 0, 2 is nan, expected a finite number");
    EXPECT_EQ(refused(npy("<f8", false, "(2,)", bytes<double>({0, -HUGE_VAL}))),
              "m: element 1, 0 is -inf, expected a finite number");
}

}  // namespace
}  // namespace wale
