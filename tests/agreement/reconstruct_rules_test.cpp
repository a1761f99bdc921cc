// reconstruct_rules_test - every row with the start and finish rules that derived operations use, through
// jobs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "agreement/reconstruct_rows.hpp"
#include "solvers/reconstruction/study/inputs.hpp"

namespace wale::agreement {
namespace {

using enum reconstruction_method;
using reconstruction::finish_rule;
using reconstruction::start_rule;

constexpr start_rule starts[] = {start_rule::given, start_rule::lowered, start_rule::predecessor,
                                 start_rule::border};
constexpr finish_rule finishes[] = {finish_rule::value, finish_rule::residue, finish_rule::flag};

double next_lower(pixel type, double v) {
    if (type == pixel::f64) return std::nextafter(v, lowest_of(type));
    if (type == pixel::f32) return std::nextafter(static_cast<float>(v), -HUGE_VALF);
    return std::max(v - 1, lowest_of(type));
}

/// a - b as the type rounds it, between its ends.
double lowered_by(pixel type, double a, double b) {
    if (type == pixel::f64) return a - b;
    if (type == pixel::f32) return static_cast<float>(a - b);  // of two floats: rounded once
    return std::clamp(a - b, lowest_of(type), highest_of(type));
}

/// The marker that a start rule asks for, by dilation.
values started(const specimen& s, const rules& r) {
    values marker = s.mask;
    const pixel type = s.shape.type;
    if (r.start == start_rule::given) return s.marker;
    if (r.start == start_rule::border) return border_marker(s.shape, s.mask);
    for (double& v : marker)
        v = r.start == start_rule::lowered ? lowered_by(type, v, r.height) : next_lower(type, v);
    return marker;
}

values finished(const specimen& s, values risen, const rules& r, reconstruction_method method) {
    const pixel type = s.shape.type;
    if (r.finish == finish_rule::value) return method == erosion ? complement(type, risen) : risen;
    for (std::size_t i = 0; i < risen.size(); ++i) {
        const bool differs = risen[i] < s.mask[i];
        risen[i] = r.finish == finish_rule::flag ? differs
                   : differs ? std::min(lowered_by(type, s.mask[i], risen[i]), highest_of(type))
                             : 0;
    }
    return risen;
}

values expected_of(const specimen& s, const rules& r, const question& q) {
    specimen with_marker = s;
    with_marker.marker = started(s, r);
    return finished(s, widest_paths(with_marker, q.connectivity), r, q.method);
}

class ReconstructRules : public Reconstruct {
protected:
    static void expect_all_rules(const specimen& s, double height, question q) {
        q.s = &s;
        for (const start_rule start : starts)
            for (const finish_rule finish : finishes) {
                const pixel type = s.shape.type;
                const bool lowers = start == start_rule::lowered || start == start_rule::predecessor;
                const bool binary = type == pixel::bit || type == pixel::boolean;
                if (lowers && binary && q.method == erosion) continue;  // nothing lies beyond 1
                const rules r{start, finish, height};
                expect_rules(q, r);
            }
    }

    static void expect_rules(const question& q, const rules& r) {
        SCOPED_TRACE("start " + std::to_string(static_cast<int>(r.start)) + ", finish " +
                     std::to_string(static_cast<int>(r.finish)));
        expect_answer(
            q, [&](const execution& on, std::string* refusal) { return ask(on, row().name, q, r, refusal); },
            [&] { return expected_of(*q.s, r, q); });
    }
};

constexpr pixel all_types[] = {pixel::bit, pixel::boolean, pixel::u8, pixel::u16,
                               pixel::i32, pixel::f32,     pixel::f64};

double height_for(pixel type, spread how) {
    if (type == pixel::bit || type == pixel::boolean) return 1;
    if (how == spread::few) return 60;
    if (type == pixel::i32) return 4294967295.0;
    return type == pixel::u8 ? 40 : type == pixel::u16 ? 10280 : 1e9;
}

TEST_P(ReconstructRules, FlatImages) {
    unsigned seed = 40;
    for (const pixel type : all_types)
        for (const int connectivity : {4, 8})
            for (const auto method : {dilation, erosion}) {
                const auto how = static_cast<spread>(++seed % 3);
                const specimen s = random_specimen(shape_of(type, 66, 131), how, seed);
                expect_all_rules(s, height_for(type, how),
                                 {.method = method, .connectivity = connectivity, .gap = seed % 2 * 3});
            }
}

TEST_P(ReconstructRules, SmallImages) {
    unsigned seed = 80;
    for (const pixel type : {pixel::u8, pixel::i32, pixel::f32})
        for (const index_t rows : {0, 1, 2, 3})
            for (const index_t columns : {0, 1, 2, 33})
                expect_all_rules(random_specimen(shape_of(type, rows, columns), spread::extreme, ++seed), 1,
                                 {.method = seed % 2 == 0 ? dilation : erosion, .connectivity = 8});
}

TEST_P(ReconstructRules, VolumesAndBatches) {
    unsigned seed = 60;
    for (const pixel type : all_types)
        for (const auto method : {dilation, erosion}) {
            const auto how = static_cast<spread>(++seed % 3);
            const specimen volumes = random_specimen(shape_of(type, 11, 35, 7, 2), how, seed);
            expect_all_rules(volumes, height_for(type, how), {.method = method, .connectivity = 18});
            const specimen flat = random_specimen(shape_of(type, 20, 33, -1, 3), how, seed);
            expect_all_rules(flat, height_for(type, how), {.method = method, .connectivity = 8, .gap = 1});
        }
}

/// Tiles cut in every direction.
TEST_P(ReconstructRules, SmoothVolumes) {
    const reconstruction::image_size size{.planes = 19, .rows = 41, .columns = 77};
    const auto field = reconstruction::high_bytes(reconstruction::smooth_field(size, 3, 9));
    for (const pixel type : {pixel::u8, pixel::u16, pixel::f64}) {
        const specimen s = dome_specimen("field", shape_of(type, size.rows, size.columns, 19), field, 40);
        expect_all_rules(s, 20, {.connectivity = type == pixel::u16 ? 6 : type == pixel::f64 ? 18 : 26});
    }
}

TEST_P(ReconstructRules, SmoothField) {
    const reconstruction::image_size size{.planes = 1, .rows = 120, .columns = 170};
    const auto field = reconstruction::high_bytes(reconstruction::smooth_field(size, 7, 6));
    for (const pixel type : {pixel::u8, pixel::u16, pixel::f32}) {
        const specimen s = dome_specimen("field", shape_of(type, size.rows, size.columns), field, 40);
        expect_all_rules(s, 40, {.connectivity = 8});
        expect_all_rules(s, 40, {.method = erosion, .connectivity = 4});
    }
}

INSTANTIATE_TEST_SUITE_P(Rows, ReconstructRules, testing::ValuesIn(tried_rows()), test_name);

}  // namespace
}  // namespace wale::agreement
