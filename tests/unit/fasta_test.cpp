// fasta_test - what the formats allow, what they do not, and where the message points.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <wale/error.hpp>
#include <wale/sequence_file.hpp>

#include "unit/gzipped.hpp"
#include "unit/thrown.hpp"

namespace {

using wale::parse_sequences, wale::testing_files::gzipped;

/// "name=SYMBOLS;..." of all records.
std::string digest(std::string_view bytes, const wale::sequence_file_options& options = {}) {
    std::string out;
    for (const auto& r : parse_sequences(bytes, "x.fa", options)) out += r.name + "=" + r.symbols + ";";
    return out;
}

void expect_message(std::string_view bytes, const std::string& part,
                    const wale::sequence_file_options& options = {}) {
    wale::expect_thrown<wale::bad_input>(part, [&] { (void)parse_sequences(bytes, "x.fa", options); });
}

using namespace std::string_view_literals;

TEST(Fasta, LinesOfARecordAreJoinedAndUpperCased) {
    EXPECT_EQ(digest(">one two\nacGT\nA C\tG\n\n>x\n"), "one=ACGTACG;x=;");
    EXPECT_EQ(digest(">one\nacGT\n", {.keep_case = true}), "one=acGT;");
    EXPECT_EQ(digest(">  spaced name\nA"), "spaced=A;");
    EXPECT_EQ(digest(">\nA*-?.~"), "=A*-?.~;");
    EXPECT_EQ(digest("\n\n>a\nA\n\n\nC\n"), "a=AC;");
}

TEST(Fasta, LinesMayEndInAnyWay) {
    const auto ended = [](std::string_view text, std::string_view by) {
        std::string out;
        for (const char c : text) c == '\n' ? out += by : out += c;
        return out;
    };
    for (const std::string_view by : {"\n", "\r\n", "\r"}) {
        EXPECT_EQ(digest(ended(">a b\nAC\n\nGT\n>b\n>c\nT\n", by)), "a=ACGT;b=;c=T;") << by.size();
        EXPECT_EQ(digest(ended(">a\nAC\nGT", by)), "a=ACGT;");
        EXPECT_EQ(digest(ended("@a\nAC\n+\nII\n@b\n\n+\n\n", by)), "a=AC;b=;");
        expect_message(ended(">a\nAC\n\nA>\n", by), "x.fa:4: '>'");
        expect_message(ended("@a\nAC\n+\nI\n", by), "x.fa:5: the file ends after a quality of 1");
    }
    EXPECT_EQ(digest(">a\rAC\r\nGT\n\r\n\rA\r"), "a=ACGTA;");
}

TEST(Fasta, WindowsLineEndsAndByteOrderMark) {
    EXPECT_EQ(digest("\xef\xbb\xbf>a b\r\nAC\r\n\r\nGT\r\n>b\r"), "a=ACGT;b=;");
}

TEST(Fasta, RefusesWithLineAndValue) {
    expect_message("", "x.fa:1: no record");
    expect_message("\n \n", "x.fa:2: byte 0x20, expected '>' (FASTA) or '@' (FASTQ)");
    expect_message("ACGT\n", "x.fa:1: 'A', expected '>'");
    expect_message(">a\nAC\n\0GT\n"sv, "x.fa:3: byte 0x00 in a sequence");
    expect_message(">a\nAC\x80GT\n", "x.fa:2: byte 0x80");
    expect_message(">a\nAC>b\n", "x.fa:2: '>'");
    expect_message(">a\x1b[31m\nAC\n", "x.fa:1: byte 0x1b in a header");
}

TEST(Fasta, EscapesTheFileNameInMessages) {
    const auto call = [] { (void)parse_sequences("", "a\x1b\n.fa"); };
    EXPECT_TRUE(wale::thrown<wale::bad_input>(call).starts_with("a\\x1b\\x0a.fa:1: "));
}

TEST(Fasta, SeveralTitlesInOneHeader) {
    EXPECT_EQ(digest(">gi|1 first\x01"
                     "gi|2 second\nAC\n"),
              "gi|1=AC;");
    EXPECT_EQ(digest(">gi|1\x01"
                     "gi|2\nAC\n>\x01"
                     "x\nG\n"),
              "gi|1=AC;=G;");
    expect_message(
        "@r\x01"
        "s\nA\n+\nI\n",
        "x.fa:1: byte 0x01 in a header");
    expect_message(">r\nA\x01\n", "x.fa:2: byte 0x01 in a sequence");
}

TEST(Fastq, FourLinesARecord) {
    EXPECT_EQ(digest("@r1 x\nacg\n+r1\n!~I\n@r2\n\n+\n\n\n@r3\nT\n+\n@"), "r1=ACG;r2=;r3=T;");
    EXPECT_EQ(digest("@r\n\n+\n"), "r=;");
    EXPECT_EQ(digest("@r\r\nAC\r\n+\r\nII\r\n"), "r=AC;");
}

TEST(Fastq, SeveralLinesOfSequenceAndQuality) {
    EXPECT_EQ(digest("@r\nAC\nGT\nT\n+\nII\n@+I\n@s\nA\n+\n+\n"), "r=ACGTT;s=A;");
    EXPECT_EQ(digest("@r\nAC\n\nGT\n\n+r\nI\n\nIII\n\n@s\n+\n@t\nA\n+\nI"), "r=ACGT;s=;t=A;");
    EXPECT_EQ(digest("@r\r\nAC\r\nGT\r\n+\r\nII\r\nII\r\n"), "r=ACGT;");
    const auto kept =
        wale::parse_sequences("@r\nAC\nGT\nT\n+\nI@\n@+I\n@s\nA\n+\n+\n", "f", {.keep_quality = true});
    EXPECT_EQ(kept[0].quality + " " + kept[1].quality, "I@@+I +");
    // The quality's own line is at fault, and where a quality is too short the one that it runs into.
    expect_message("@r\nAC\nGT\n+\nII\nIII\n", "x.fa:6: quality of 5 characters, expected 4");
    expect_message("@r\nACGT\n+\nIII\n@s\nA\n+\nI\n", "x.fa:5: quality of 5 characters, expected 4");
}

TEST(Fastq, TextAfterThePlusRepeatsTheTitle) {
    EXPECT_EQ(digest("@r 1/2 \nA\n+r 1/2\nI\n"), "r=A;");
    EXPECT_EQ(digest("@r 1/2\r\nA\r\n+r 1/2 \r\nI\r\n"), "r=A;");
    expect_message("@r 1/2\nA\n+r 2/2\nI\n",
                   "x.fa:3: 'r 2/2' after '+', expected nothing, or as after '@' 'r 1/2'");
    expect_message("@r 1/2\nA\n+s\nI\n", "x.fa:3: 's' after '+'");
}

TEST(Fastq, RefusesWithLineAndValue) {
    expect_message("@r\nACGT\n+\nIII\n", "x.fa:5: the file ends after a quality of 3 characters, expected 4");
    expect_message("@r\nACGT\n+\nIIIII\n", "x.fa:4: quality of 5 characters, expected 4");
    expect_message("@r\nACGT\n\n", "ends within a record");
    expect_message("@r\nACGT\n", "ends within a record");
    expect_message("@r\nACGT\n+\n", "a quality of 0 characters");
    expect_message("@r\nA\n+\nI\n>a\nA\n", "x.fa:5: '>', expected '@'");
    expect_message("@r\nA\n+\n\x7f\n", "byte 0x7f in a quality");
}

TEST(Gzip, SeveralMembersAndPadding) {
    const std::string both = gzipped(">a\nAC") + gzipped("GT\n>b\nT\n");
    EXPECT_EQ(digest(both), "a=ACGT;b=T;");
    EXPECT_EQ(digest(both + std::string(1000, '\0')), "a=ACGT;b=T;");
    EXPECT_EQ(digest(gzipped("") + both + gzipped("")), "a=ACGT;b=T;");
}

TEST(Gzip, RefusesEveryTruncationAndDamage) {
    const std::string whole = gzipped(">a\nACGTACGTTTGACA\n");
    for (std::size_t n = 0; n < whole.size(); ++n) expect_message(whole.substr(0, n), "x.fa");
    std::string damaged = whole;
    damaged[damaged.size() - 6] ^= 1;  // the check sum
    expect_message(damaged, "damaged gzip: incorrect data check");
    expect_message(whole + "x", "bytes after the end of the gzip data");
    expect_message(whole + std::string(3, '\0') + "x", "bytes after the end");
}

TEST(Gzip, OutputIsBounded) {
    const std::string bomb = gzipped(">a\n" + std::string(10'000'000, 'A'));
    ASSERT_LT(bomb.size(), 20'000U);
    expect_message(bomb, "limit of 1000000 bytes", {.max_bytes = 1'000'000});
    EXPECT_EQ(parse_sequences(bomb, "x", {.max_bytes = 10'000'003})[0].symbols.size(), 10'000'000U);
    EXPECT_THROW((void)parse_sequences(">a", "x", {.max_bytes = -1}), wale::bad_argument);
}

TEST(SequenceFile, ReadsWhatParseReads) {
    const std::string path = testing::TempDir() + "wale_sequence_file_test.fa.gz";
    std::string text;  // lines of 70 and more than one read of the file
    for (int i = 0; i < 40'000; ++i) {
        const auto at = static_cast<std::size_t>(i);
        text += (i % 1000 == 0 ? ">r" + std::to_string(i) + "\n" : "") +
                std::string(60 + at % 11, "ACGT"[at % 4]) + "\n";
    }
    for (const bool compressed : {false, true}) {
        std::ofstream(path, std::ios::binary) << (compressed ? gzipped(text) : text);
        const auto from_file = wale::read_sequences(path);
        const auto from_memory = parse_sequences(text, "x");
        ASSERT_EQ(from_file.size(), from_memory.size());
        for (std::size_t k = 0; k < from_file.size(); ++k) {
            EXPECT_EQ(from_file[k].name, from_memory[k].name);
            EXPECT_EQ(from_file[k].symbols, from_memory[k].symbols);
        }
    }
    std::remove(path.c_str());
}

TEST(SequenceFile, WhatCannotBeOpened) {
    EXPECT_THROW((void)wale::read_sequences("/nonexistent/x.fa"), wale::cannot_open);
    EXPECT_THROW((void)wale::read_sequences(testing::TempDir()), wale::cannot_open);
    EXPECT_THROW((void)wale::read_sequences("/dev/null"), wale::bad_input);
    EXPECT_THROW((void)wale::read_sequences("/dev/zero"), wale::bad_input);
}

}  // namespace
