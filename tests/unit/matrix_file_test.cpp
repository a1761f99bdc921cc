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
    expect_matrix(banner + "coordinate pattern symmetric\n2 2 2\n1 1\n2 1", 2, 2, {1, 1, 1, 0});
    expect_matrix(banner + "coordinate double general\n1 2 1\n1 2 2.5\n", 1, 2, {0, 2.5});
    expect_matrix(banner + "array unsigned-integer general\n1 1\n7\n", 1, 1, {7});
}

TEST(MatrixMarket, Refusals) {
    EXPECT_EQ(refused("%%MatrixMarkt x\n"), "m:1: '%%MatrixMarkt', expected %%MatrixMarket");
    EXPECT_EQ(refused(banner + "array pattern general\n"),
              "m:1: an array of a pattern, expected coordinates");
    EXPECT_EQ(
        refused(banner + "coordinate quaternion general\n"),
        "m:1: 'quaternion', expected real or integer or complex or double or unsigned-integer or pattern");
    EXPECT_EQ(refused(banner + "array complex general\n1 1\n1 2\n", {.type = scalar::f64}),
              "m:1: complex numbers, expected real ones for float64");
    EXPECT_EQ(refused(banner + "array complex general\n1 1\n1\n"), "m:3: the line ends, expected a number");
    EXPECT_EQ(refused(banner + "array complex hermitian\n1 1\n1 2\n"),
              "m:3: an imaginary part on the diagonal, expected none in a hermitian matrix");
    EXPECT_EQ(refused(banner + "array real hermitian\n"),
              "m:1: 'hermitian', expected general or symmetric or skew-symmetric");
    EXPECT_EQ(refused("%%MatrixMarket\n"), "m:1: the line ends, expected matrix");
    EXPECT_EQ(refused(banner + "array real general x\n"), "m:1: 'x', expected the end of the banner");
    EXPECT_EQ(refused(banner + "array real general\n"), "m:2: the file ends, expected the number of rows");
    EXPECT_EQ(refused(banner + "array real general\n2\n1 2\n"),
              "m:2: the line ends, expected the number of columns");
    EXPECT_EQ(refused(banner + "array real general\n2 -2\n"),
              "m:2: '-2', expected the number of columns, 0 to 2^63");
    EXPECT_EQ(refused(banner + "array real general\n2 2 4\n"),
              "m:2: '4', expected the end of the line of sizes");
    EXPECT_EQ(refused(banner + "array real general\n2 2\n1\n2\n3\n"),
              "m:3: 4 entries, which the 6 bytes that follow cannot hold");
    EXPECT_EQ(refused(banner + "array real general\n2 2\n1.25\n2.5\n3.5\n"),
              "m:6: the file ends, expected a number");
    EXPECT_EQ(refused(banner + "array real general\n1 1\n1\n2\n"),
              "m:4: '2', expected the end of the file after its last number");
    EXPECT_EQ(refused(banner + "array real symmetric\n2 3\n1\n"),
              "m:2: 2 x 3, expected as many rows as columns in a symmetric matrix");
    EXPECT_EQ(refused(banner + "coordinate real general\n2 2 1\n3 1 1\n"), "m:3: row is 3, expected 1 to 2");
    EXPECT_EQ(refused(banner + "coordinate real general\n2 2 1\n1 0 1\n"),
              "m:3: column is 0, expected 1 to 2");
    EXPECT_EQ(refused(banner + "coordinate real general\n2 2 1\n1 1\n1.0\n"),
              "m:3: the line ends, expected a number");
    EXPECT_EQ(refused(banner + "coordinate real general\n2 2 1\n1 1 1 1\n"),
              "m:3: '1', expected the end of the entry");
    EXPECT_EQ(refused(banner + "coordinate real general\n2 2 2\n1 1 1\n1 1 1\n"),
              "m:4: entry 1, 1 for the second time, expected it once");
    EXPECT_EQ(refused(banner + "coordinate real symmetric\n2 2 2\n1 2 1\n2 1 1\n"),
              "m:4: entry 2, 1 for the second time, expected it once");
    EXPECT_EQ(refused(banner + "coordinate real skew-symmetric\n2 2 1\n1 1 1\n"),
              "m:3: an entry on the diagonal, expected none in a skew-symmetric matrix");
    EXPECT_EQ(refused(banner + "coordinate real general\n2 2 2\n1 1 1.00000\n"),
              "m:4: the file ends, expected row");
}

TEST(MatrixMarket, ComplexNumbers) {
    using c = std::complex<double>;
    const auto numbers = [](const matrix_file_data& m) {
        EXPECT_EQ(m.shape.type, scalar::c128);
        std::vector<c> all;
        for (index_t i = 0; i < m.shape.rows; ++i)
            for (index_t j = 0; j < m.shape.columns; ++j)
                all.push_back(static_cast<const c*>(
                    m.elements.data())[i * m.shape.row_step() + j * m.shape.column_step()]);
        return all;
    };
    EXPECT_EQ(numbers(parsed(banner + "array complex general\n2 1\n1 2\n3 -4e-3\n")),
              (std::vector<c>{{1, 2}, {3, -4e-3}}));
    EXPECT_EQ(numbers(parsed(banner + "coordinate complex hermitian\n2 2 2\n1 1 5 0\n2 1 1 2\n")),
              (std::vector<c>{{5, 0}, {1, -2}, {1, 2}, {0, 0}}));
    EXPECT_EQ(numbers(parsed(banner + "array complex skew-symmetric\n2 2\n1 2\n")),
              (std::vector<c>{{0, 0}, {-1, -2}, {1, 2}, {0, 0}}));
    EXPECT_EQ(numbers(parsed(banner + "array real general\n1 1\n7\n", {.type = scalar::c128})),
              (std::vector<c>{{7, 0}}));
    EXPECT_EQ(numbers(parsed(npy("<c8", false, "(1, 1)", bytes<float>({1, 2})), {.type = scalar::c128})),
              (std::vector<c>{{1, 2}}));
}

TEST(MatrixMarket, HugeSizes) {
    EXPECT_EQ(refused(banner + "array real general\n100000 100000\n1\n2\n"),
              "m:3: 10000000000 entries, which the 4 bytes that follow cannot hold");
    EXPECT_EQ(refused(banner + "array real general\n9223372036854775807 3\n1\n"),
              "m:3: a matrix beyond 2^63 elements");
    EXPECT_EQ(refused(banner + "coordinate real general\n100000000 100000000 1\n1 1 1\n"),
              "m:3: 100000000 x 100000000, which this machine's memory cannot hold as a dense matrix");
    EXPECT_EQ(refused(banner + "coordinate real general\n9223372036854775807 9223372036854775807 0\n"),
              "m:3: 9223372036854775807 x 9223372036854775807, which this machine's memory cannot hold as a "
              "dense matrix");
    EXPECT_EQ(refused(banner + "coordinate real general\n10 10 0\n", {.max_bytes = 799}),
              "m: 800 bytes of elements, expected at most 799");
    EXPECT_EQ(refused(banner + "array real general\n99999999999999999999 1\n"),
              "m:2: '99999999999999999999', expected the number of rows, 0 to 2^63");
}

TEST(MatrixMarket, ManyEmptyColumns) {
    const matrix_file_data m = parsed(banner + "array real general\n0 2147483647\n");
    EXPECT_EQ(m.shape.columns, 2147483647);
    EXPECT_EQ(why_unwritable("a.mtx", m.view()), "");
    EXPECT_EQ(refused(banner + "array real general\n0 2147483648\n"),
              "m: 0 x 2147483648, expected extents up to 2147483647");
    EXPECT_EQ(refused(npy("<f8", false, "(9223372036854775807, 0)", "")),
              "m: 9223372036854775807 x 0, expected extents up to 2147483647");
}

TEST(MatrixText, Numbers) {
    for (const char* word :
         {"nan", "inf", "-inf", "NaN", "Infinity", "1.5x", "x", "--1", "+-1", "0x10", "1,5", "+"})
        EXPECT_EQ(refused("1\n"s + word + "\n"), "m:2: '"s + word + "', expected a finite number") << word;
    EXPECT_EQ(refused("1\n1e400\n"), "m:2: '1e400', expected a number that float64 holds");
    EXPECT_EQ(refused("1\n1e39\n", {.type = scalar::f32}),
              "m:2: '1e39', expected a number that float32 holds");
    EXPECT_EQ(rows_of(parsed("1\n1e38\n", {.type = scalar::f32}))[0], static_cast<double>(1e38F));
    EXPECT_EQ(rows_of(parsed("1\n4.9e-324\n"))[0], std::numeric_limits<double>::denorm_min());
    EXPECT_EQ(rows_of(parsed("1\n-1e-320\n"))[0], -1e-320);
    EXPECT_EQ(rows_of(parsed("1\n1e-40\n", {.type = scalar::f32}))[0], double{1e-40F});
    EXPECT_EQ(rows_of(parsed("1\n0e-999\n", {.type = scalar::f32}))[0], 0);
    // Halfway between two floats for a double, above it in the text: read as a double it would round down.
    EXPECT_EQ(rows_of(parsed("1\n1.00000005960464477540\n", {.type = scalar::f32}))[0], 1 + 0x1p-23);
    EXPECT_EQ(refused("1\n-1e-400\n"), "m:2: '-1e-400', expected a number that float64 holds");
    EXPECT_EQ(refused("1\n1e-320\n", {.type = scalar::f32}),
              "m:2: '1e-320', expected a number that float32 holds");
    EXPECT_EQ(refused("1\n\x1b[31m\n"), "m:2: '\\x1b[31m', expected a finite number");
}

TEST(MatrixMarket, IntegersAreWhole) {
    const std::string array = banner + "array integer general\n1 1\n";
    EXPECT_EQ(refused(array + "1.5\n"), "m:3: '1.5', expected a whole number");
    EXPECT_EQ(refused(array + "1e3\n"), "m:3: '1e3', expected a whole number");
    EXPECT_EQ(refused(banner + "coordinate integer general\n2 2 1\n1 2 0.25\n"),
              "m:3: '0.25', expected a whole number");
    EXPECT_EQ(rows_of(parsed(array + "-9223372036854775808\n"))[0], -0x1p63);
    EXPECT_EQ(rows_of(parsed(array + "+9007199254740992\n"))[0], 0x1p53);
    EXPECT_EQ(refused(array + "9007199254740993\n"),
              "m:3: '9007199254740993', expected a whole number of 64 bits that float64 holds exactly");
    EXPECT_EQ(refused(array + "16777217\n", {.type = scalar::f32}),
              "m:3: '16777217', expected a whole number of 64 bits that float32 holds exactly");
    EXPECT_EQ(refused(array + "9223372036854775808\n"),
              "m:3: '9223372036854775808', expected a whole number of 64 bits that float64 holds exactly");
}

TEST(Rodinia, Text) {
    const matrix_file_data m = parsed("2\n1.000000 2.5 \n3 4\n\n");
    EXPECT_EQ(m.format, matrix_format::rodinia);
    EXPECT_EQ(rows_of(m), (std::vector<double>{1, 2.5, 3, 4}));
    EXPECT_EQ(m.shape.order, storage_order::row_major);
    expect_matrix("0\n", 0, 0, {});
    EXPECT_EQ(refused("2\n1 2\n3\n"), "m:4: the file ends, expected a number");
    EXPECT_EQ(refused("2\n1 2\n3 4\n5\n"), "m:4: '5', expected the end of the file after 4 numbers");
    EXPECT_EQ(refused("3000000000\n1 2\n"),
              "m:1: 3000000000 rows, whose numbers the 5 bytes that follow cannot hold");
    EXPECT_EQ(refused("4000000000\n1 2\n"),
              "m:1: 4000000000 rows, whose numbers the 5 bytes that follow cannot hold");
    EXPECT_EQ(refused(""), "m: an empty file, expected MatrixMarket, NPY, NPZ, or lines of numbers");
    EXPECT_EQ(refused("abc"), "m: starts with 'a', expected MatrixMarket, NPY, NPZ, or lines of numbers");
}

TEST(MatrixLines, AnySeparator) {
    for (const char* text :
         {"1,2,3\n-4,5e1,6\n", "1 2 3\n-4 5e1 6\n", "# made by a spreadsheet\r\n1; 2; 3\r\n\r\n-4;5e1;6",
          " 1\t2   3 \n\t-4 50.0\t+6", "1 , 2,3\n # between\n-4\t,50,6\n"}) {
        const matrix_file_data m = parsed(text);
        EXPECT_EQ(m.shape.rows, 2) << text;
        EXPECT_EQ(m.shape.columns, 3) << text;
        EXPECT_EQ(rows_of(m), (std::vector<double>{1, 2, 3, -4, 50, 6})) << text;
        EXPECT_EQ(m.shape.order, storage_order::row_major);
    }
    EXPECT_EQ(parsed("1,2\n").format, matrix_format::csv);
    EXPECT_EQ(parsed("1 2\n").format, matrix_format::text);
    EXPECT_EQ(parsed("1,2\n", {.type = scalar::f32}).shape.type, scalar::f32);
}

// A whole number alone in the first line is a number of rows only where lines of several numbers follow.
/// A comment ends with its line, whatever ends lines.
TEST(MatrixLines, CarriageReturns) {
    for (const char* text : {"1,2 # a\r3,4 # b\r", "# a\r1 2\r\r3 4",
                             "\xef\xbb\xbf"
                             "1;2\r3;4\r# c"})
        expect_matrix(text, 2, 2, {1, 2, 3, 4});
    expect_matrix("%%MatrixMarket matrix coordinate real general\r% a\r2 2 2\r1 1 5\r2 2 6\r", 2, 2,
                  {5, 0, 0, 6});
    const number_lines lines = parse_number_lines("time,x # s, m\r0,1.5\r1,2.5 # end\r", "a.csv");
    EXPECT_EQ(lines.numbers, (std::vector<double>{0, 1.5, 1, 2.5}));
    EXPECT_EQ(lines.count(), 2);
}

TEST(MatrixLines, OneColumn) {
    expect_matrix("2.5\n1\n", 2, 1, {2.5, 1});
    expect_matrix("3\n1\n2\n", 3, 1, {3, 1, 2});
    expect_matrix("1\n1\n2\n", 3, 1, {1, 1, 2});
    expect_matrix("2\n1 2\n3 4\n", 2, 2, {1, 2, 3, 4});
    expect_matrix("1\n7\n", 1, 1, {7});
    for (const char* name : {"a.csv", "A.TXT", "a.csv.gz"}) {
        EXPECT_EQ(rows_of(parse_matrix("1\n7\n", name)), (std::vector<double>{1, 7})) << name;
        EXPECT_EQ(rows_of(parse_matrix("0\n", name)), (std::vector<double>{0})) << name;
        EXPECT_EQ(rows_of(parse_matrix("2\n1 2\n3 4\n", name)), (std::vector<double>{1, 2, 3, 4})) << name;
    }
}

TEST(MatrixLines, Refused) {
    EXPECT_EQ(refused("1,2\n3\n"), "m:2: 1 numbers in the line, expected 2 as in the first one");
    EXPECT_EQ(refused("1 2\n3 4 5\n"), "m:2: 3 numbers in the line, expected 2 as in the first one");
    EXPECT_EQ(refused("1,,2\n"), "m:1: an empty field, expected a number");
    EXPECT_EQ(refused("1,2\n\n3,\n"), "m:3: an empty field, expected a number");
    EXPECT_EQ(refused("1;2,5\n"), "m:1: '2,5', expected a finite number");
    EXPECT_EQ(refused("1,2\n3,nan\n"), "m:2: 'nan', expected a finite number");
    EXPECT_EQ(refused("1 2\n1e400 2\n"), "m:2: '1e400', expected a number that float64 holds");
    EXPECT_EQ(refused("# nothing\n"), "m: has no numbers");
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
