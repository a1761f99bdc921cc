// decimal_test - the fast reader of numbers against std::from_chars, bit for bit.
#include "io/decimal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <string>

namespace {

using namespace wale;

/// What read_real takes for the whole text, with something behind it that is not its own.
double real(const std::string& text, bool at_end = false) {
    double v = std::nan("");
    const std::string padded = text + (at_end ? "" : " 123456789");
    const char* const end = padded.data() + padded.size();
    const char* const after = io::read_real(padded.data(), end, v);
    return after == padded.data() + text.size() ? v : std::nan("");
}
double truth(const std::string& text) {
    double v = 0;
    std::from_chars(text.data() + (text[0] == '+'), text.data() + text.size(), v);
    return v;
}

TEST(Decimal, SevenDigitsAreRoundedAsFromCharsDoes) {
    std::mt19937_64 engine(1);
    for (int i = 0; i < 200000; ++i) {
        char text[32];
        std::snprintf(text, sizeof text, "%s%d.%07dE%c%02d", engine() % 2 ? "-" : "",
                      static_cast<int>(engine() % 10), static_cast<int>(engine() % 10000000),
                      engine() % 2 ? '+' : '-', static_cast<int>(engine() % 100));
        ASSERT_EQ(real(text), truth(text)) << text;
        ASSERT_EQ(real(text, true), truth(text)) << text;
    }
}

TEST(Decimal, AnyDigitsAreRoundedAsFromCharsDoes) {
    std::mt19937_64 engine(2);
    for (const char* form : {"%.17g", "%.16e", "%.3f", "%.0f", "%.25e", "%.9g"})
        for (int i = 0; i < 20000; ++i) {
            const double v =
                std::ldexp(static_cast<double>(engine()), static_cast<int>(engine() % 300) - 180);
            char text[128];
            std::snprintf(text, sizeof text, form, v);
            ASSERT_EQ(real(text), truth(text)) << text;
        }
    for (const char* text :
         {"0", "-0", "5.", ".5", "+1", "1e-320", "4.9e-324", "9007199254740993", "1e22", "1e23",
          "0.000000000000000000000000000000000001", "123456789012345678901234567890"})
        EXPECT_EQ(real(text), truth(text)) << text;
    EXPECT_TRUE(std::signbit(real("-0.0000000E+00")));
}

TEST(Decimal, FortranWritesExponentsItsOwnWay) {
    EXPECT_EQ(real("0.2500000D+01"), 2.5);
    EXPECT_EQ(real("2.5d0"), 2.5);
    EXPECT_EQ(real("0.1234567-100"), 0.1234567e-100);
    EXPECT_EQ(real("0.1234567+100"), 0.1234567e100);
    EXPECT_EQ(real("0.1234567890123456789012345D-2"), 0.1234567890123456789012345e-2);
}

TEST(Decimal, WhatIsNoFiniteNumberIsNotTaken) {
    for (const char* text : {"",
                             "-",
                             "+",
                             ".",
                             "e5",
                             "1e",
                             "1e+",
                             "1d-",
                             "nan",
                             "inf",
                             "-inf",
                             "0x10",
                             "1e999",
                             "1e-999",
                             "--1",
                             "+-1",
                             "1,5",
                             "1.2.3",
                             "0.1356948E+0x",
                             "1e99999999999999999999"})
        EXPECT_TRUE(std::isnan(real(text))) << text;
}

TEST(Decimal, WholeNumbersKeepTheirRange) {
    const auto whole = [](const std::string& text) {
        std::int64_t v = -77;
        const char* const after = io::read_whole(text.data(), text.data() + text.size(), v);
        return after == text.data() + text.size() ? v : -77;
    };
    EXPECT_EQ(whole("+12"), 12);
    EXPECT_EQ(whole("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
    for (const char* text : {"", "+", "-", "+-1", "9223372036854775808", "1.0", "0x1"})
        EXPECT_EQ(whole(text), -77) << text;
}

}  // namespace
