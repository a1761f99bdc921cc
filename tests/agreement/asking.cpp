// asking - one call of a row of reconstruction, with everything checked that must hold whatever the answer.
#include <gtest/gtest.h>

#include <map>
#include <span>
#include <string_view>

#include "agreement/images.hpp"
#include "solvers/reconstruction/check.hpp"

namespace wale::agreement {
namespace {

/// Bytes in the memory of a backend, and back.
class placed_bytes {
public:
    placed_bytes(const execution& where, std::vector<std::byte>& host) : where_(where), host_(host) {
        if (backend_of(where) == backend::cuda) copy_ = to_device(where, std::span<const std::byte>(host));
    }
    [[nodiscard]] void* data() { return on_device() ? static_cast<void*>(copy_.data()) : host_.data(); }
    void fetch() {
        if (on_device()) copy_bytes(where_, host_.data(), copy_.data(), std::ssize(host_));
    }

private:
    [[nodiscard]] bool on_device() const { return backend_of(where_) == backend::cuda; }
    const execution& where_;
    std::vector<std::byte>& host_;
    buffer<std::byte> copy_;
};

/// Runs call(marker, mask, out), which returns a result, on images where the backend wants them.
template <class Call>
std::optional<values> run(const execution& where, const question& q, bool with_marker, pixel out_type,
                          std::string* refusal, const Call& call) {
    const specimen& s = *q.s;
    const bool turned = q.method == reconstruction_method::erosion;
    stored marker(s.shape, q.gap, turned ? complement(s.shape.type, s.marker) : s.marker);
    stored mask(s.shape, 3 * q.gap, turned ? complement(s.shape.type, s.mask) : s.mask);
    raster out_shape = s.shape;
    out_shape.type = out_type;
    out_shape.pack();
    stored out(out_shape, 5 * q.gap);
    const std::vector<std::byte> marker_before = marker.bytes(), mask_before = mask.bytes();
    placed_bytes marker_at(where, marker.bytes()), mask_at(where, mask.bytes()), out_at(where, out.bytes());
    stored& answer = q.in_place ? marker : out;
    try {
        call(const_image_view(with_marker ? marker_at.data() : nullptr, marker.where()),
             const_image_view(mask_at.data(), mask.where()),
             image_view(q.in_place ? marker_at.data() : out_at.data(), answer.where()));
    } catch (const unsupported_variant& e) {
        *refusal = e.what();
        return std::nullopt;
    }
    out_at.fetch();
    marker_at.fetch();
    mask_at.fetch();
    EXPECT_TRUE(answer.gaps_untouched()) << "the answer's gaps were written";
    EXPECT_TRUE(mask.bytes() == mask_before) << "the mask was written";
    EXPECT_TRUE(q.in_place || marker.bytes() == marker_before) << "the marker was written";
    return answer.get();
}

}  // namespace

std::optional<values> ask(const execution& where, const std::string& variant, const question& q,
                          std::string* refusal) {
    reconstruction_options options;
    options.variant = variant;
    options.method = q.method;
    options.connectivity = q.connectivity;
    options.asynchronous = q.asynchronous;
    if (q.clamp) options.beyond = marker_beyond::clamp;
    auto found = run(where, q, true, q.s->shape.type, refusal,
                     [&](const const_image_view& marker, const const_image_view& mask, const image_view& out) {
                         const auto result = reconstruct(where, marker, mask, out, options);
                         EXPECT_EQ(result.run.variant, variant);
                         EXPECT_EQ(result.run.work, static_cast<double>(mask.pixels()));
                     });
    if (!found) return found;
    const bool turned = q.method == reconstruction_method::erosion;
    const stored marker(q.s->shape, 2, turned ? complement(q.s->shape.type, q.s->marker) : q.s->marker);
    const stored mask(q.s->shape, 0, turned ? complement(q.s->shape.type, q.s->mask) : q.s->mask);
    EXPECT_EQ(reconstruction_flaw(marker.view(), mask.view(), stored(q.s->shape, 1, *found).view(), options),
              "");
    if (turned) found = complement(q.s->shape.type, std::move(*found));
    return found;
}

std::optional<values> ask(const execution& where, const std::string& variant, const question& q,
                          const rules& r, std::string* refusal) {
    using namespace reconstruction;
    const pixel type = q.s->shape.type;
    const bool flag = r.finish == finish_rule::flag && type != pixel::bit;
    return run(where, q, r.start == start_rule::given, flag ? pixel::boolean : type, refusal,
               [&](const const_image_view& marker, const const_image_view& mask, const image_view& out) {
                   reconstruct_job job;
                   job.where = where;
                   job.marker = marker;
                   job.mask = mask;
                   job.out = out;
                   job.method = q.method;
                   job.reach = checked_reach(q.connectivity, mask.rank);
                   job.start = r.start;
                   job.height = r.height;
                   job.finish = r.finish;
                   job.asynchronous = q.asynchronous;
                   (void)run_job(job, variant);
               });
}

bool may_refuse(const std::string& row, const question& q) {
    struct refusals {
        bool bits = true, grey = false, flat = false, volumes = false, asynchronous = false;
    };
    static const std::map<std::string_view, refusals> known{
        {"reference/plain", {.bits = false}},
        {"cpu/bits", {.bits = false, .grey = true}},
        {"cuda/bits", {.bits = false, .grey = true, .volumes = true}},
        {"cuda/tiles", {.volumes = true}},
        {"cuda/tiles_3d", {.flat = true}},
        {"cuda/sweep", {.volumes = true, .asynchronous = true}},
        {"cuda/elementary", {.asynchronous = true}},
    };
    const auto found = known.find(row);
    const refusals may = found == known.end() ? refusals{} : found->second;
    const raster& shape = q.s->shape;
    const bool bits = shape.type == pixel::bit, grey = !bits && shape.type != pixel::boolean;
    return (bits && may.bits) || (grey && may.grey) || (q.asynchronous && may.asynchronous) ||
           (shape.rank == 3 ? may.volumes : may.flat);
}

}  // namespace wale::agreement
