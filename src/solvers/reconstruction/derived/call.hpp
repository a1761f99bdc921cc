// call - what the functions of <wale/morphology.hpp> share: checks, scratch images, passes one after the
// other.
#pragma once

#include <optional>
#include <wale/morphology.hpp>

#include "cuda/call_memory.hpp"
#include "solvers/reconstruction/check.hpp"
#include "solvers/reconstruction/prepare/problem.hpp"

namespace wale::reconstruction {

/// Checks image and out (of type `out_type`) and fills a job with them: no start rule, method or finish yet.
[[nodiscard]] reconstruct_job checked_job(const execution& where, const const_image_view& image,
                                          const image_view& out, pixel out_type,
                                          const reconstruction_options& options);

/// Refuses bit-packed images where only elements can be worked on.
void refuse_bits(const char* name, const raster& p);

/// A threshold as the pixels' type holds it: rounded for f32, as it is for the others. Not NaN.
[[nodiscard]] double checked_number(const char* name, double value, pixel type);

/// Makes a job whose images have one column of adjacent pixels one of rows: the same neighbours in the same
/// memory, in rows that fill vectors (api.cpp). False where they have more columns. A job that passes run
/// before is turned before the first of them.
bool turn_columns(reconstruct_job& job);

/// Counts a pass that ran before the one in `result`.
void add_pass(reconstruction_result& result, const reconstruction_result& before);

/// For steps that leave plateaus in a marker which no check looks at: values go long ways, but for thin
/// images.
void expect_flat_marker(reconstruct_job& job);

/// Takes the step, then runs the job; the time is that of both.
[[nodiscard]] reconstruction_result run_after(prepare_job& step, reconstruct_job& job,
                                              const std::string& variant);

/// An image that one call needs beside the caller's, in the memory of its backend. On CUDA in stream order:
/// the memory outlives the work that is queued when the object goes, so that an asynchronous call may use it.
class scratch_image {
public:
    /// Of the shape of `like`; pixels are not set.
    scratch_image(const execution& where, const raster& like, pixel type);
    [[nodiscard]] image_view get() const noexcept { return {memory_.data(), shape_}; }

private:
    cuda::call_memory<char> memory_;
    raster shape_;
};

/// On the host, a job of the variant "automatic" on tall narrow images as one on transposed copies, whose
/// rows fill vectors: cost O(pixels), a tenth of what short rows cost. Of other jobs nothing is copied. A job
/// that passes run before is transposed before the first of them.
class transposed_job {
public:
    transposed_job(reconstruct_job& job, const std::string& variant);
    transposed_job(const transposed_job&) = delete;
    transposed_job& operator=(const transposed_job&) = delete;
    explicit operator bool() const { return out_.has_value(); }
    /// Where a pixel of the caller's images lies in the copies.
    [[nodiscard]] pixel_position moved(pixel_position p) const;
    /// Copies the answer to the caller's image.
    void finish(reconstruction_result& result) const;

private:
    execution where_;
    bool by_planes_ = false;
    std::optional<scratch_image> mask_, marker_, out_;
    image_view answer_;
};

}  // namespace wale::reconstruction
