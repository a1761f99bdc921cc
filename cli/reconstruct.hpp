// reconstruct - what the verb's parts share: the operations, their calls and what there is to say of them.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>
#include <wale/morphology.hpp>
#include <wale/shared_images.hpp>

#include "options.hpp"
#include "placement.hpp"

namespace wale::cli {

/// What an operation answers with.
enum class answer_kind {
    values,     // of the image, some of them changed
    residue,    // what the reconstruction takes away or adds
    flags,      // 0 and 1
    selection,  // the image's values where it was selected, 0 elsewhere
    labels
};

/// What an operation requires of an input file.
enum class input_kind { pixels, flags, labels };

struct operation_input {
    const char* name;  // as the library's messages call it
    input_kind kind = input_kind::pixels;
};

/// Options that an operation takes besides those that all have.
enum : unsigned {
    takes_method = 1,
    takes_clamp = 2,
    takes_height = 4,
    takes_size = 8,
    takes_thresholds = 16,
    takes_points = 32,
    takes_no_data = 64,
    takes_flood = 128  // --mask, --line
};

struct image_call {
    const execution& where;
    std::array<const_image_view, 3> in;  // where the backend can read them
    image_view out;
    const reconstruct_command& command;
    reconstruction_options options;
};

struct image_outcome : reconstruction_result {
    index_t area = 0;
};

struct operation {
    const char* name;
    const char* summary;
    std::vector<operation_input> inputs;
    std::size_t image;  // the input that the answer is shown beside
    unsigned takes;
    answer_kind answer;
    /// How the answer is certified: which reconstruction it is.
    enum class certificate { none, given, lowered, border } proof;
    reconstruction_method method;  // of the certificate
    image_outcome (*run)(const image_call&);
    const char* example;
};

[[nodiscard]] const std::vector<operation>& reconstruct_operations();
[[nodiscard]] const operation& find_operation(const std::string& name);

/// Which options the command line turned into.
[[nodiscard]] reconstruction_options options_of(const reconstruct_command& command);

/// Why the answer is wrong, empty if it is right. All images in host memory, packed. Throws usage_error
/// where there is no certificate.
[[nodiscard]] std::string answer_flaw(const operation& op, std::span<const const_image_view> inputs,
                                      const const_image_view& answer, const reconstruct_command& command);
/// Throws usage_error where answer_flaw() would.
void check_certificate(const operation& op, pixel type);

/// What a rank has of an image that several share, packed, in host memory.
struct shared_image {
    on_cpu where;
    raster whole;
    index_t first = 0;  // where its lines begin
    std::array<const_image_view, 2> in;
    image_view out;
};
/// This rank's part of the answer, of operations that have a certificate. Collective.
reconstruction_result shared_answer(const shared_image& own, const operation& op,
                                    const reconstruct_command& command);

/// The lines of an image, packed, that a rank has; and of the pixels of the whole image these.
[[nodiscard]] row_range lines_of_rank(const raster& whole, int rank);
[[nodiscard]] const_image_view lines_of_rank(const const_image_view& p, const raster& whole, int rank);
/// Throws usage_error unless the first rank, which has whole images, has the lines of each other rank alike.
/// Collective.
void expect_same_lines(const raster& whole, std::span<const const_image_view> views);
/// Brings the lines of all ranks into the whole image at `all` of the first rank. Collective.
void gather_lines(const raster& whole, const const_image_view& own, void* all);

/// What an answer did to its image.
struct answer_summary {
    index_t pixels = 0;
    index_t changed = 0;    // values: pixels that differ; otherwise: that are not 0
    double difference = 0;  // values: the sum of all differences; residue: the sum
};
[[nodiscard]] answer_summary summary_of(answer_kind kind, const const_image_view& before,
                                        const const_image_view& after);

struct reconstruct_report {
    std::string operation;
    std::vector<std::string> files;
    raster shape;
    int bits = 8;
    answer_kind answer = answer_kind::values;
    answer_summary summary;
    image_outcome outcome;
    bool verified = false;
    double read_seconds = 0, to_device_seconds = 0, from_device_seconds = 0;
    std::string output, compare;
};
[[nodiscard]] std::string line_of(const reconstruct_report& r);

/// A flat u8 image of three panels. Each is stretched to black and white, `after` as `before` where both
/// have values of one scale. Large images are averaged down; a volume shows its middle plane, a batch its
/// first image; NaN and the command's value for no data are black.
[[nodiscard]] owned_image compare_images(answer_kind kind, const const_image_view& before,
                                         const const_image_view& after, const reconstruct_command& command);

}  // namespace wale::cli
