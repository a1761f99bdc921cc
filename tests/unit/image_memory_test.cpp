// image_memory_test - every allocation of every reader and writer of images fails, alone and with all later
// ones: out of memory is reported as such, nothing else is reported, no file stays, and what succeeds all the
// same is whole.
#include <new>

#include "unit/failing_malloc.hpp"
#include "unit/image_bytes.hpp"
#include "unit/image_files.hpp"

namespace {

using namespace wale::testing_files;
using wale::testing_memory::failing, wale::testing_memory::failing_allocation;

constexpr long most_allocations = 100000;  // far more than any case below makes

/// How a call ended in which an allocation may have failed.
enum class outcome { done, no_memory, other };

template <class F>
outcome outcome_of(const F& f) {
    try {
        f();
        return outcome::done;
    } catch (const wale::out_of_memory&) {
        return outcome::no_memory;
    } catch (const std::bad_alloc&) {
        return outcome::no_memory;
    } catch (...) {
        return outcome::other;
    }
}

/// Runs `call` with the first, then the second, ... allocation failing until none is left to fail; `check`
/// looks at what a call has left.
template <class Call, class Check>
void fail_each_allocation(failing mode, const Call& call, const Check& check) {
    for (long k = 0; k < most_allocations; ++k) {
        SCOPED_TRACE("allocation " + std::to_string(k));
        failing_allocation guard(k, mode);
        const outcome how = outcome_of(call);
        const bool failed = guard.disarm();
        ASSERT_NE(how, outcome::other);
        ASSERT_TRUE(failed || how == outcome::done);
        check(how == outcome::done);
        if (!failed) {
            EXPECT_GT(k, 0);
            return;
        }
    }
    FAIL() << "there is no end to the allocations";
}
template <class Call, class Check>
void fail_each_allocation(const Call& call, const Check& check) {
    for (const failing mode : {failing::once, failing::from_there_on})
        fail_each_allocation(mode, call, check);
}

class ImageMemory : public ImageFile {
protected:
    void check_reader(const std::string& name, const sample_image& p) const {
        SCOPED_TRACE(name);
        const std::string bytes = written(name, p.view());
        wale::image_file_data file;
        fail_each_allocation([&] { file = wale::parse_image(bytes, "f"); },
                             [&](bool done) {
                                 if (done) expect_equal(p.view(), file);
                             });
    }
    void check_writer(const std::string& name, const sample_image& p) const {
        SCOPED_TRACE(name);
        const std::string whole = written("whole" + name, p.view());
        fail_each_allocation([&, to = path(name)] { wale::write_image(to, p.view()); },
                             [&](bool done) {
                                 ASSERT_EQ(fs::exists(path(name)), done);
                                 if (done) {
                                     EXPECT_EQ(content(path(name)), whole);
                                 }
                                 fs::remove(path(name));
                                 EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
                             });
        fs::remove(path("whole" + name));
    }
    const sample_image one{pixel::u16, 2, 1, 1, 61, 83};
    const sample_image pages{pixel::u8, 3, 1, 3, 20, 30};
};

TEST_F(ImageMemory, ReadersReportThatMemoryIsMissing) {
    check_reader("p.png", one);
    check_reader("p.npy", one);
}
TEST_F(ImageMemory, WritersLeaveNoFileWithoutMemory) {
    check_writer("p.png", one);
    check_writer("p.npy", one);
}
TEST_F(ImageMemory, TiffReaderReportsThatMemoryIsMissing) {
    check_reader("p.tif", one);
    check_reader("p.tif", pages);
}
/// Tables and tags that the files of the writers do not have.
TEST_F(ImageMemory, ReadersOfOtherFilesReportThatMemoryIsMissing) {
    const std::string tables = chunk("gAMA", big_endian(45455)) +
                               chunk("PLTE", {"\x0a\x14\x1e\x64\x64\x64", 6}) + chunk("tRNS", {"\x80", 1});
    const std::string coloured = png_of(2, 2, 8, 3, {"\0\1\0\0\0\1\1", 7}, tables, 1);
    auto tags = with(grey_tags(8, 1, 8), {259, 3, 5});  // LZW
    tags.push_back({65000, 3, 7});
    const std::string lzw({'\x80', '\x00', '\x40', '\x61', '\x01', '\x40', '\x02', '\x01'});
    for (const std::string& bytes :
         {coloured, tiff_of(with(tags, {259, 3, 1}), "abcdefgh"), tiff_of(tags, lzw), grey_jpeg, colour_jpeg,
          tiff_of(with(tags, {42113, 2, 0x6e616e, 4}), lzw)}) {
        const wale::image_file_options how{.colour = wale::colour_rule::luminance,
                                           .alpha = wale::alpha_rule::drop};
        std::string whole;
        try {
            for (const int v : values(wale::parse_image(bytes, "f", how))) whole += std::to_string(v) + ' ';
        } catch (const wale::bad_input& e) {
            whole = e.what();
        }
        std::string found;
        fail_each_allocation(
            [&] {
                found.clear();
                try {
                    const wale::image_file_data file = wale::parse_image(bytes, "f", how);
                    for (const int v : values(file)) found += std::to_string(v) + ' ';
                } catch (const wale::bad_input& e) {
                    found = e.what();
                }
            },
            [&](bool done) {
                if (done) {
                    EXPECT_EQ(found, whole);
                }
            });
    }
}
TEST_F(ImageMemory, TiffWriterLeavesNoFileWithoutMemory) {
    check_writer("p.tif", one);
    check_writer("p.tif", pages);
}

}  // namespace
