// tree_file_test - Hines systems in text: what is read, what is refused and where, and every printed digit.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <wale/error.hpp>
#include <wale/hines.hpp>
#include <wale/tree_file.hpp>

namespace {

using namespace wale;

// Numbers of three decimals, as those of neurons, and not diagonally dominant.
constexpr const char* generated = R"(24
0 8.708 0.109 0.148 1.426 -1
1 -4.077 -6.623 0.192 1.199 0
2 -3.843 2.203 -0.800 1.151 1
3 -7.942 8.494 -0.877 1.297 2
4 -3.251 6.267 0.394 1.118 3
5 4.012 0.294 -0.046 1.229 4
6 4.850 1.849 -0.386 0.538 5
7 -4.109 -2.001 -0.832 1.206 6
8 -0.161 7.210 0.014 0.733 7
9 4.708 -0.564 0.248 0.179 8
10 -6.131 6.776 -0.143 0.367 9
11 1.209 -5.019 0.912 1.031 10
12 3.819 -8.715 0.971 1.398 11
13 -7.456 8.288 0.174 0.672 12
14 1.146 1.475 0.218 1.047 1
15 9.003 4.949 -0.859 0.221 10
16 -1.154 5.536 0.428 1.390 15
17 -7.870 -8.011 0.498 1.466 12
18 0.146 8.939 0.396 0.942 17
19 -0.674 2.642 0.817 1.399 18
20 1.371 -9.260 0.927 0.975 19
21 1.648 -4.493 0.252 0.269 20
22 6.178 -8.068 -0.553 0.618 21
23 -5.761 -1.886 -0.185 0.830 22
)";
// Solved in exact rationals (Python's fractions, leaves first) and rounded once.
constexpr const char* exact = R"(0 8.70800000e+00 1.09000000e-01 -3.13762174e-01 -1.46775727e+01
1 -4.07700000e+00 -6.62300000e+00 -1.46044852e-01 1.67676897e+00
2 -3.84300000e+00 2.20300000e+00 5.68653994e-01 4.04644474e+00
3 -7.94200000e+00 8.49400000e+00 1.42632075e-01 2.32984409e+01
4 -3.25100000e+00 6.26700000e+00 1.81240874e+00 9.26031032e-01
5 4.01200000e+00 2.94000000e-01 -6.29648103e-01 6.14436808e+00
6 4.85000000e+00 1.84900000e+00 4.02039893e-02 -1.82441068e+00
7 -4.10900000e+00 -2.00100000e+00 -1.84129860e-01 3.48038937e+00
8 -1.61000000e-01 7.21000000e+00 3.28876525e+00 5.10383146e-01
9 4.70800000e+00 -5.64000000e-01 -2.27079150e-01 -1.19277222e+01
10 -6.13100000e+00 6.77600000e+00 -3.49618459e-01 -3.43145363e+00
11 1.20900000e+00 -5.01900000e+00 -6.35630602e-01 1.11316216e+00
12 3.81900000e+00 -8.71500000e+00 -4.90704095e-02 4.05084090e+02
13 -7.45600000e+00 8.28800000e+00 8.64130288e-01 6.72000000e-01
14 1.14600000e+00 1.47500000e+00 4.13960034e-01 1.04700000e+00
15 9.00300000e+00 4.94900000e+00 2.54634643e-01 4.81707482e+00
16 -1.15400000e+00 5.53600000e+00 -7.06228333e-01 1.39000000e+00
17 -7.87000000e+00 -8.01100000e+00 -2.46891381e-01 -2.02248168e-01
18 1.46000000e-01 8.93900000e+00 3.19753229e+00 7.82314061e-01
19 -6.74000000e-01 2.64200000e+00 6.06993118e-01 -1.11513137e+01
20 1.37100000e+00 -9.26000000e+00 -6.18531267e+00 -1.01156515e+00
21 1.64800000e+00 -4.49300000e+00 7.63254620e+00 -3.72726965e+00
22 6.17800000e+00 -8.06800000e+00 -4.78986157e+00 -1.24726578e+01
23 -5.76100000e+00 -1.88600000e+00 -1.11068421e+01 8.30000000e-01
)";

std::string message_of(const std::string& text, const tree_file_options& options = {}) {
    try {
        (void)parse_tree_case(text, "f", options);
    } catch (const bad_input& e) {
        return e.what();
    }
    return "";
}

std::string written(const tree_case& c) {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("wale_tree_file_test_" + std::to_string(::getpid())))
            .string();
    output_file out(path);
    write_tree_case(out, c);
    out.commit();
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    std::remove(path.c_str());
    return text.str();
}

/// In place, as the course's programs do.
void solve(tree_case& c, const execution& where, const std::string& variant = "automatic") {
    const tree_case before = parse_tree_case(generated, "f", {.type = c.type});
    hines_options options;
    options.variant = variant;
    options.eliminated = c.view(c.diagonal);
    (void)hines_solve(where, hines_plan(c.parent), before.view(before.diagonal), c.view(c.upper),
                      c.view(c.lower), c.view(c.rhs), options);
}

TEST(tree_file, gives_every_digit_of_the_exact_solution) {
    for (const execution& where : {execution(on_reference{}), execution(on_cpu{})}) {
        tree_case c = parse_tree_case(generated, "f");
        ASSERT_EQ(c.size(), 24);
        solve(c, where);
        EXPECT_EQ(written(c), exact);
    }
}

TEST(tree_file, takes_lines_in_any_order_and_blank_lines) {
    const tree_case c = parse_tree_case("3\r\n2 5 6 7 8 0\r\n\r\n 0 0 0 1 4 -1 \r\n1 1 2 3 4e0 2", "f");
    EXPECT_EQ(c.parent, (std::vector<std::int32_t>{-1, 2, 0}));
    EXPECT_EQ(static_cast<const double*>(c.upper.data())[2], 5);
    EXPECT_EQ(static_cast<const double*>(c.lower.data())[2], 6);
    EXPECT_EQ(static_cast<const double*>(c.rhs.data())[1], 3);
    EXPECT_EQ(static_cast<const double*>(c.diagonal.data())[1], 4);
    EXPECT_EQ(parse_tree_case("0\n", "f").size(), 0);
}

TEST(tree_file, says_where_the_damage_is) {
    EXPECT_EQ(message_of("2\n0 0 0 1 4 -1\n0 1 1 1 4 0\n"), "f:3: node 0 stands here again, first in line 2");
    EXPECT_EQ(message_of("3\n0 0 0 1 4 -1\n2 1 1 1 4 0\n\n\n\n\n\n\n\n\n\n\n\n\n"),
              "f:16: the file ends after 2 of 3 nodes, node 1 is missing");
    EXPECT_EQ(message_of("2\n0 0 0 1 4 -1\n1 1 1 1 4 2\n"), "f:3: '2', expected the parent, -1 to 1");
    EXPECT_EQ(message_of("2\n0 0 0 1 4 -1\n2 1 1 1 4 0\n"), "f:3: '2', expected a node, 0 to 1");
    EXPECT_EQ(message_of("2\n0 0 0 1 4 -1\n1 1 1 1 4 1\n"), "f:3: node 1 is its own parent");
    EXPECT_EQ(message_of("2\n1 0 0 1 4 -1\n0 0 0 1 4 -1\n"),
              "f:3: node 0 is a second root, the first is in line 2; expected one tree");
    EXPECT_EQ(message_of("4\n0 0 0 1 4 -1\n1 1 1 1 4 3\n2 1 1 1 4 1\n3 1 1 1 4 2\n"),
              "f:3: node 1 is among its own ancestors (a cycle)");
    EXPECT_EQ(message_of("1\n0 0 0 1 x -1\n"), "f:2: 'x', expected a finite number");
    EXPECT_EQ(message_of("1\n0 0 0 nan 1 -1\n"), "f:2: 'nan', expected a finite number");
    EXPECT_EQ(message_of("1\n0 0 0 1 4 -1 9\n"), "f:2: '9', expected 6 columns");
    EXPECT_EQ(message_of("1\n0 0 0 1 4 -1\n9\n"), "f:3: '9', expected the end of the file after 1 nodes");
    EXPECT_EQ(message_of("1\n0 0 0 1 4\n"), "f:2: the line ends, expected the parent");
    EXPECT_EQ(message_of("99\n0 0 0 1 4 -1\n"),
              "f:1: 99 nodes, whose lines the 14 bytes that follow cannot hold");
    EXPECT_EQ(message_of("2\n0 0 0 1 4 -1\n1 0 0 1 4 0\n", {.max_nodes = 1}),
              "f:1: 2 nodes, expected at most 1");
    EXPECT_FALSE(message_of("").empty());
}

TEST(tree_file, reads_forests_that_are_meant) {
    EXPECT_EQ(message_of("2\n1 0 0 1 4 -1\n0 0 0 1 4 -1\n", {.forest = true}), "");
}

TEST(tree_file, refuses_numbers_that_float32_does_not_hold) {
    const std::string text = "1\n0 0 0 6e48 4 -1\n";
    EXPECT_EQ(message_of(text), "");
    EXPECT_EQ(message_of(text, {.type = scalar::f32}), "f:2: '6e48', expected a number that float32 holds");
}

TEST(tree_file, writes_no_garbage_when_a_solution_overflowed) {
    tree_case c = parse_tree_case("2\n0 0 0 1e30 1e-20 -1\n1 0 0 0 1 0\n", "f", {.type = scalar::f32});
    const hines_result r = hines_solve(on_reference{}, hines_plan(c.parent), c.view(c.diagonal),
                                       c.view(c.upper), c.view(c.lower), c.view(c.rhs));
    EXPECT_LT(r.first_bad_system, 0);  // the pivots are good
    EXPECT_THROW((void)written(c), bad_argument);
}

}  // namespace
