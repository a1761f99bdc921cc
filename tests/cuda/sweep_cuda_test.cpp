// sweep_cuda - cuda/sweep against the reference: every tile shape, and the faults that such sweeps had when
// they were new: pixels of the first and the last column, and images narrower than a tile. Skipped without
// a device.
#include <gtest/gtest.h>

#include <random>
#include <wale/buffer.hpp>

#include "solvers/reconstruction/jobs.hpp"
#include "solvers/reconstruction/reconstruct/cuda/sweep/tuning.hpp"
#include "solvers/reconstruction/study/inputs.hpp"
#include "tuning_rows.hpp"

namespace wale::reconstruction {
namespace {

template <class T>
struct grey_case {
    std::vector<T> mask, marker;
    index_t images, rows, columns, pitch;
    int reach = 2;
    reconstruction_method method = reconstruction_method::dilation;
    start_rule start = start_rule::given;
    finish_rule finish = finish_rule::value;
};

template <class T>
raster raster_of(const grey_case<T>& c) {
    raster r;
    r.type = pixel_of<T>::value;
    r.images = c.images;
    r.rows = c.rows;
    r.columns = c.columns;
    r.row_stride = c.pitch;
    r.plane_stride = r.image_stride = c.rows * c.pitch;
    return r;
}

template <class T>
std::vector<std::uint8_t> computed(const grey_case<T>& c, const execution& where, const char* variant) {
    const auto at_mask = to_device(where, std::span<const T>(c.mask));
    const auto at_marker = to_device(where, std::span<const T>(c.marker));
    std::vector<std::uint8_t> answer(c.mask.size() * sizeof(T), 0xa5);
    const auto at_out = to_device(where, std::span<const std::uint8_t>(answer));
    reconstruction_result result;
    reconstruct_job job;
    job.where = where;
    job.mask = {at_mask.data(), raster_of(c)};
    job.marker = {at_marker.data(), raster_of(c)};
    job.out = image_view(at_out.data(), raster_of(c));
    if (c.finish == finish_rule::flag) job.out.type = pixel::boolean;
    job.method = c.method;
    job.reach = c.reach;
    job.start = c.start;
    job.height = 3;
    job.finish = c.finish;
    job.result = &result;
    select(reconstruct_rows(), backend_of(where), variant, job).run(job);
    if (c.columns > 0 && c.rows > 0 && c.images > 0) {
        EXPECT_GT(result.run.iterations, 0);
    }
    copy_bytes(where, answer.data(), at_out.data(), static_cast<index_t>(answer.size()));
    return answer;
}

template <class T>
grey_case<T> random_case(index_t images, index_t rows, index_t columns, std::mt19937& random) {
    grey_case<T> c{{}, {}, images, rows, columns, columns + 3};
    std::uniform_int_distribution<int> level(0, 40), rare(0, 60);
    for (index_t k = 0; k < images * rows * c.pitch; ++k) {
        c.mask.push_back(static_cast<T>(level(random)));
        c.marker.push_back(static_cast<T>(rare(random) == 0 ? level(random) : 0));
    }
    return c;
}

class SweepCuda : public testing::TestWithParam<std::size_t> {
protected:
    void SetUp() override {
        if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
        const std::string row = "reconstruction/reconstruct/sweep=" + std::to_string(GetParam());
        ASSERT_EQ(setenv("WALE_TUNING", row.c_str(), 1), 0);
    }
    void TearDown() override { unsetenv("WALE_TUNING"); }

    template <class T>
    static void expect_agreement(grey_case<T> c) {
        for (c.reach = 1; c.reach <= 2; ++c.reach)
            EXPECT_EQ(computed(c, on_cuda{}, "cuda/sweep"), computed(c, on_reference{}, "reference/plain"))
                << name_of(pixel_of<T>::value) << " " << c.images << " x " << c.rows << " x " << c.columns
                << " reach " << c.reach;
    }
    template <class T>
    static void expect_agreement_of_widths() {
        std::mt19937 random(7);
        for (const index_t columns : {0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 300})
            for (const index_t rows : {1, 2, 31, 33, 70})
                expect_agreement(random_case<T>(2, rows, columns, random));
    }
};
INSTANTIATE_TEST_SUITE_P(Rows, SweepCuda, testing::ValuesIn(tuning::compiled_rows(sweep::policies)));

TEST_P(SweepCuda, EveryWidthAndType) {
    expect_agreement_of_widths<std::uint8_t>();
    expect_agreement_of_widths<std::uint16_t>();
    expect_agreement_of_widths<std::int32_t>();
    expect_agreement_of_widths<float>();
    expect_agreement_of_widths<double>();
}

TEST_P(SweepCuda, EveryRule) {
    std::mt19937 random(8);
    grey_case<std::uint8_t> c = random_case<std::uint8_t>(2, 50, 140, random);
    for (const auto method : {reconstruction_method::dilation, reconstruction_method::erosion})
        for (const auto start :
             {start_rule::given, start_rule::lowered, start_rule::predecessor, start_rule::border})
            for (const auto finish : {finish_rule::value, finish_rule::residue, finish_rule::flag}) {
                c.method = method;
                c.start = start;
                c.finish = finish;
                expect_agreement(c);
            }
}

/// All 3 x 3 images with marker <= mask as a batch.
TEST_P(SweepCuda, EveryImageOfThreeByThree) {
    grey_case<std::uint8_t> c{{}, {}, 0, 3, 3, 3};
    for (unsigned mask = 0; mask < 512; ++mask)
        for (unsigned marker = mask;; marker = (marker - 1) & mask) {
            for (unsigned bit = 0; bit < 9; ++bit) {
                c.mask.push_back(mask >> bit & 1);
                c.marker.push_back(marker >> bit & 1);
            }
            ++c.images;
            if (marker == 0) break;
        }
    expect_agreement(c);
}

TEST_P(SweepCuda, Corridors) {
    const image_size size{1, 150, 170};
    for (const auto& mask :
         {serpentine(size), spiral(size), comb(size), checkerboard(size), percolation(size, 60, 3)})
        expect_agreement(grey_case<std::uint8_t>{mask, corner_marker(mask), 1, 150, 170, 170});
}

}  // namespace
}  // namespace wale::reconstruction
