// output_file_test - whole or not at all.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <wale/error.hpp>
#include <wale/output_file.hpp>

#include "unit/image_files.hpp"

namespace {

namespace fs = std::filesystem;
using wale::testing_files::content;

class OutputFile : public testing::Test {
protected:
    void SetUp() override {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        folder = fs::path(testing::TempDir()) / (std::string("wale_output_") + test->name());
        fs::remove_all(folder);
        fs::create_directory(folder);
        target = folder / "out.txt";
    }
    void TearDown() override { fs::remove_all(folder); }
    [[nodiscard]] long files() const { return std::distance(fs::directory_iterator(folder), {}); }

    fs::path folder, target;
};

TEST_F(OutputFile, HasAName) {
    EXPECT_THROW(wale::output_file(""), wale::cannot_write);
}

TEST_F(OutputFile, AppearsAtCommit) {
    wale::output_file out(target);
    const std::string much(3'000'000, 'x');
    out.write(much);
    out.write("end");
    EXPECT_FALSE(fs::exists(target));
    out.commit();
    EXPECT_EQ(content(target), much + "end");
    EXPECT_EQ(files(), 1);
}

TEST_F(OutputFile, WithoutCommitTheOldFileStays) {
    std::ofstream(target) << "old";
    {
        wale::output_file out(target);
        out.write("new");
        EXPECT_EQ(content(target), "old");
    }
    EXPECT_EQ(content(target), "old");
    EXPECT_EQ(files(), 1);
}

TEST_F(OutputFile, KeepsTheModeAndFollowsLinks) {
    std::ofstream(target) << "old";
    chmod(target.c_str(), 0600);
    fs::create_symlink("out.txt", folder / "link");
    wale::output_file out(folder / "link");
    out.write("new");
    out.commit();
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_EQ(content(target), "new");
    struct stat facts {};
    ASSERT_EQ(stat(target.c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777, 0600U);
    // To a file that is not there yet, over two links.
    fs::create_directory(folder / "d");
    fs::create_symlink("d/next", folder / "first");
    fs::create_symlink("../last", folder / "d" / "next");
    wale::output_file more(folder / "first");
    more.write("more");
    more.commit();
    EXPECT_TRUE(fs::is_symlink(folder / "first") && fs::is_symlink(folder / "d" / "next"));
    EXPECT_EQ(content(folder / "last"), "more");
}

TEST_F(OutputFile, RefusesToReplaceAnInputUnderAnyName) {
    std::ofstream(target) << "input";
    fs::create_symlink("out.txt", folder / "soft");
    fs::create_hard_link(target, folder / "hard");
    for (const char* name : {"out.txt", "soft", "hard"}) try {
            wale::output_file out(folder / name, {"-", (folder / "missing").string(), target.string()});
            ADD_FAILURE() << name;
        } catch (const wale::cannot_write& e) {
            EXPECT_TRUE(e.at_creation());
        }
    EXPECT_EQ(content(target), "input");
}

/// What expect_distinct() says of two outputs, --one and --two; empty if they are distinct.
std::string clash(const std::string& one, const std::string& two) {
    try {
        wale::expect_distinct(
            std::vector<wale::named_output>{{"--one", one}, {"--none", ""}, {"--two", two}});
    } catch (const wale::bad_argument& e) {
        return e.what();
    }
    return {};
}

TEST_F(OutputFile, TwoOutputsInOnePlace) {
    fs::create_directory(folder / "d");
    fs::create_directory_symlink(folder / "d", folder / "to_d");
    const std::string path = target;
    for (const std::string& other :
         {path, (folder / "." / "out.txt").string(), (folder / "d" / ".." / "out.txt").string()}) {
        EXPECT_EQ(clash(path, other), "--one and --two: both are '" + other + "', expected two files");
    }
    EXPECT_NE(clash(folder / "d" / "x", folder / "to_d" / "x"), "");
    EXPECT_EQ(clash(folder / "d" / "x", folder / "x"), "");
    EXPECT_NE(clash("-", "-"), "");
    // A relative path and the same from the root.
    const fs::path before = fs::current_path();
    fs::current_path(folder);
    EXPECT_NE(clash("out.txt", path), "");
    EXPECT_NE(clash("./out.txt", "out.txt"), "");
    fs::current_path(before);
    // Links to a file lead to its place; hard links are places of their own, which a commit shows.
    std::ofstream(target) << "old";
    fs::create_symlink(target, folder / "link");
    EXPECT_NE(clash(path, folder / "link"), "");
    fs::create_hard_link(target, folder / "hard");
    EXPECT_EQ(clash(path, folder / "hard"), "");
    wale::output_file one(target), two(folder / "hard");
    one.write("one");
    two.write("two");
    one.commit();
    two.commit();
    EXPECT_EQ(content(target) + content(folder / "hard"), "onetwo");
    EXPECT_EQ(clash("/dev/null", "/dev/null"), "");
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_NE(clash(folder / "pipe", folder / "." / "pipe"), "");
}

TEST_F(OutputFile, SaysWhereItFailed) {
    fs::create_symlink("loop", folder / "loop");
    const std::string zero = folder.string() + std::string("/a\0b", 4);
    for (const std::string& path :
         {std::string("/nonexistent/out"), folder.string(), (folder / "loop").string(), zero})
        try {
            wale::output_file out(path);
            ADD_FAILURE() << path;
        } catch (const wale::cannot_write& e) {
            EXPECT_TRUE(e.at_creation()) << e.what();
        }
    wale::output_file full("/dev/full");
    full.write("x");
    try {
        full.commit();
        ADD_FAILURE() << "/dev/full took a byte";
    } catch (const wale::cannot_write& e) {
        EXPECT_FALSE(e.at_creation()) << e.what();
    }
}

TEST_F(OutputFile, AHandlerCanRemoveWhatIsUnfinished) {
    wale::output_file one(target), two(folder / "other");
    one.write("x");  // under no name, or a temporary one, as the file system allows
    wale::remove_unfinished_outputs();
    EXPECT_EQ(files(), 0);
}

}  // namespace
