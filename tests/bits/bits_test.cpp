// bits - binary pictures: the bits rows against the reference, for words and for bytes, and against each
// other.
#include <gtest/gtest.h>

#include <random>
#include <wale/buffer.hpp>
#include <wale/reconstruction.hpp>

#include "solvers/reconstruction/jobs.hpp"
#include "solvers/reconstruction/study/inputs.hpp"

namespace wale::reconstruction {
namespace {

using bytes = std::vector<std::uint8_t>;

struct binary_case {
    bytes mask, marker;  // 0 and 1, pictures one after the other
    picture_size size;
    int rank = 2, reach = 2;
    index_t pictures = 1;
    reconstruction_method method = reconstruction_method::dilation;
    start_rule start = start_rule::given;
    finish_rule finish = finish_rule::value;
};

raster raster_of(const binary_case& c, pixel type) {
    raster r;
    r.type = type;
    r.rank = c.rank;
    r.pictures = c.pictures;
    r.planes = c.size.planes;
    r.rows = c.size.rows;
    r.columns = c.size.columns;
    r.row_stride = r.row_elements() + 1;  // a gap
    r.plane_stride = r.rows * r.row_stride;
    r.picture_stride = r.planes * r.plane_stride;
    return r;
}

/// Stored as `type` with rubbish in the gaps and beyond the last column.
struct stored {
    raster shape;
    std::vector<std::uint32_t> words;
    bytes pixels;

    stored(const binary_case& c, pixel type, const bytes& from)
        : shape(raster_of(c, type)),
          words(static_cast<std::size_t>(shape.pictures * shape.picture_stride), 0xa5a5a5a5u),
          pixels(words.size(), 0xa5) {
        std::size_t k = 0;
        for (index_t line = 0; line < shape.pictures * shape.planes * shape.rows; ++line)
            for (index_t column = 0; column < shape.columns && k < from.size(); ++column)
                put(line * shape.row_stride, column, from[k++]);
    }
    void* data() { return shape.type == pixel::bit ? static_cast<void*>(words.data()) : pixels.data(); }
    void put(index_t offset, index_t column, std::uint8_t value) {
        pixels[static_cast<std::size_t>(shape.type == pixel::bit ? 0 : offset + column)] = value;
        std::uint32_t& word =
            words[static_cast<std::size_t>(offset + (shape.type == pixel::bit ? column / 32 : 0))];
        const std::uint32_t bit = std::uint32_t{1} << column % 32;
        word = value != 0 ? word | bit : word & ~bit;
    }
};

/// The stored answer with all that lies around it, which no row may touch.
stored computed(const binary_case& c, pixel type, const execution& where, const char* variant,
                bool in_place = false) {
    stored mask(c, type, c.mask), marker(c, type, c.marker), out(c, type, {});
    reconstruction_result result;
    reconstruct_job job;
    job.where = where;
    job.mask = {mask.data(), mask.shape};
    if (c.start == start_rule::given) job.marker = {marker.data(), marker.shape};
    job.out = in_place ? picture(marker.data(), marker.shape) : picture(out.data(), out.shape);
    job.method = c.method;
    job.reach = c.reach;
    job.start = c.start;
    job.height = 1;
    job.finish = c.finish;
    job.result = &result;
    select(reconstruct_variants(), backend_of(where), variant, job).run(job);
    return in_place ? marker : out;
}

void expect_agreement(const binary_case& c) {
    for (const pixel type : {pixel::bit, pixel::boolean}) {
        const stored expected = computed(c, type, on_reference{}, "reference/plain");
        for (const int threads : {1, 3}) {
            const stored got = computed(c, type, on_cpu{threads}, "cpu/bits");
            ASSERT_EQ(got.words, expected.words)
                << name_of(type) << " " << c.size.planes << " x " << c.size.rows << " x " << c.size.columns
                << " reach " << c.reach << " threads " << threads;
            ASSERT_EQ(got.pixels, expected.pixels)
                << name_of(type) << " " << c.size.planes << " x " << c.size.rows << " x " << c.size.columns
                << " reach " << c.reach << " threads " << threads;
        }
    }
}

bytes random_bits(index_t count, double share, std::mt19937& random) {
    std::bernoulli_distribution one(share);
    bytes b;
    for (index_t k = 0; k < count; ++k) b.push_back(one(random) ? 1 : 0);
    return b;
}

bytes ones_of(bytes grey) {
    for (std::uint8_t& v : grey) v = v != 0 ? 1 : 0;
    return grey;
}

/// Every rule and every kind of neighbour.
void expect_agreement_of_all_rules(binary_case c) {
    for (c.reach = 1; c.reach <= c.rank; ++c.reach)
        for (const auto method : {reconstruction_method::dilation, reconstruction_method::erosion})
            for (const auto finish : {finish_rule::value, finish_rule::residue, finish_rule::flag})
                for (const auto start :
                     {start_rule::given, start_rule::border, start_rule::predecessor, start_rule::lowered}) {
                    if (method == reconstruction_method::erosion &&
                        (start == start_rule::lowered || start == start_rule::predecessor))
                        continue;
                    c.method = method;
                    c.finish = finish;
                    c.start = start;
                    ASSERT_NO_FATAL_FAILURE(expect_agreement(c));
                }
}

TEST(Bits, EveryPictureOfThreeByThree) {
    for (int reach = 1; reach <= 2; ++reach) {
        binary_case c;
        c.size = {1, 3, 3};
        c.reach = reach;
        c.pictures = 0;
        for (unsigned mask = 0; mask < 512; ++mask)
            for (unsigned marker = mask;; marker = (marker - 1) & mask) {
                for (unsigned bit = 0; bit < 9; ++bit) {
                    c.mask.push_back(mask >> bit & 1);
                    c.marker.push_back(marker >> bit & 1);
                }
                ++c.pictures;
                if (marker == 0) break;
            }
        EXPECT_EQ(c.pictures, 19683);  // 3^9
        expect_agreement(c);
    }
}

TEST(Bits, EveryWidth) {
    std::mt19937 random(1);
    for (const index_t columns : {0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 511, 512, 513, 700})
        for (const index_t rows : {0, 1, 2, 7, 40}) {
            binary_case c;
            c.size = {1, rows, columns};
            c.mask = random_bits(rows * columns, 0.62, random);
            c.marker = random_bits(rows * columns, 0.01, random);
            ASSERT_NO_FATAL_FAILURE(expect_agreement_of_all_rules(c));
        }
}

TEST(Bits, VolumesAndBatches) {
    std::mt19937 random(2);
    for (const picture_size size : {picture_size{1, 5, 70}, picture_size{6, 1, 33}, picture_size{7, 9, 65},
                                    picture_size{5, 6, 130}, picture_size{3, 0, 4}})
        for (const index_t pictures : {0, 1, 3}) {
            binary_case c;
            c.rank = 3;
            c.size = size;
            c.pictures = pictures;
            c.mask = random_bits(pictures * size.pixels(), 0.35, random);
            c.marker = random_bits(pictures * size.pixels(), 0.03, random);
            ASSERT_NO_FATAL_FAILURE(expect_agreement_of_all_rules(c));
        }
}

TEST(Bits, Corridors) {
    for (const index_t side : {31, 66, 97}) {
        const picture_size size{1, side, side};
        for (const bytes& mask : {serpentine(size), spiral(size), comb(size), checkerboard(size),
                                  hilbert_corridor(size), percolation(size, 60, 3)}) {
            binary_case c;
            c.size = size;
            c.mask = ones_of(mask);
            c.marker = ones_of(corner_marker(mask));
            for (c.reach = 1; c.reach <= 2; ++c.reach) ASSERT_NO_FATAL_FAILURE(expect_agreement(c));
            bytes turned(c.mask.size());  // columns there and back
            for (index_t r = 0; r < side; ++r)
                for (index_t q = 0; q < side; ++q)
                    turned[static_cast<std::size_t>(q * side + r)] =
                        c.mask[static_cast<std::size_t>(r * side + q)];
            c.mask = turned;
            for (c.reach = 1; c.reach <= 2; ++c.reach) ASSERT_NO_FATAL_FAILURE(expect_agreement(c));
        }
    }
}

TEST(Bits, TheAnswerMayReplaceTheMarker) {
    std::mt19937 random(4);
    binary_case c;
    c.size = {1, 50, 77};
    c.mask = random_bits(c.size.pixels(), 0.6, random);
    c.marker = random_bits(c.size.pixels(), 0.05, random);
    for (const pixel type : {pixel::bit, pixel::boolean}) {
        const stored expected = computed(c, type, on_reference{}, "reference/plain");
        const stored got = computed(c, type, on_cpu{2}, "cpu/bits", true);
        if (type == pixel::bit) {
            EXPECT_EQ(got.words, expected.words);
        } else {
            EXPECT_EQ(got.pixels, expected.pixels);
        }
    }
}

/// Runs only and sweeps only, which `automatic` never is.
TEST(Bits, BothMethodsAgree) {
    std::mt19937 random(5);
    for (const char* row : {"0", "1"}) {
        ASSERT_EQ(
            setenv("WALE_TUNING", (std::string("reconstruction/reconstruct/cpu_bits=") + row).c_str(), 1), 0);
        for (int rank = 2; rank <= 3; ++rank) {
            binary_case c;
            c.rank = rank;
            c.size = {rank == 3 ? 8 : 1, 40, 150};
            c.mask = random_bits(c.size.pixels(), rank == 3 ? 0.3 : 0.6, random);
            c.marker = random_bits(c.size.pixels(), 0.01, random);
            expect_agreement_of_all_rules(c);
        }
    }
    unsetenv("WALE_TUNING");
}

TEST(Bits, RefusesWhatABitCannotHold) {
    binary_case c;
    c.size = {1, 2, 2};
    c.mask = {1, 1, 1, 1};
    c.start = start_rule::lowered;
    c.method = reconstruction_method::erosion;
    EXPECT_THROW((void)computed(c, pixel::bit, on_cpu{1}, "cpu/bits"), unsupported_variant);
}

}  // namespace
}  // namespace wale::reconstruction
