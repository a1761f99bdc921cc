// reconstruct_summary - what an answer did to its image, in numbers and in the line on standard error.
#include "reconstruct.hpp"
#include "text.hpp"

namespace wale::cli {
namespace {

template <class T>
answer_summary differences(const const_image_view& before, const const_image_view& after) {
    answer_summary f;
    f.pixels = after.pixels();
    const T* a = values_of<T>(before);
    const T* b = values_of<T>(after);
    for (index_t k = 0; k < f.pixels; ++k) {
        if (a[k] == b[k] || (a[k] != a[k] && b[k] != b[k])) continue;  // NaN stays NaN
        ++f.changed;
        f.difference += std::abs(static_cast<double>(b[k]) - static_cast<double>(a[k]));
    }
    return f;
}

template <class T>
answer_summary sums(const const_image_view& after) {
    answer_summary f;
    f.pixels = after.pixels();
    const T* b = values_of<T>(after);
    for (index_t k = 0; k < f.pixels; ++k) {
        f.changed += b[k] != 0;
        f.difference += static_cast<double>(b[k]);
    }
    return f;
}

/// The type in the file: 16-bit values with a sign are int32 only while they are computed with.
std::string type_text(pixel type, int bits) {
    if (type == pixel::i32) return "int" + std::to_string(bits);
    if (type == pixel::u8 && bits < 8) return std::to_string(bits) + "-bit " + name_of(type);
    return name_of(type);
}

std::string shape_text(const raster& r, int bits) {
    std::string text = r.images == 1 ? "" : std::to_string(r.images) + " x ";
    if (r.rank == 3) text += std::to_string(r.planes) + " x ";
    return text + std::to_string(r.rows) + " x " + std::to_string(r.columns) + " " + type_text(r.type, bits);
}

std::string summary_text(const reconstruct_report& r) {
    const answer_summary& f = r.summary;
    const double share = f.pixels > 0 ? static_cast<double>(f.changed) / static_cast<double>(f.pixels) : 0;
    const char* what = r.answer == answer_kind::values      ? " changed, by "
                       : r.answer == answer_kind::residue   ? " stand out, by "
                       : r.answer == answer_kind::selection ? " selected"
                       : r.answer == answer_kind::labels    ? " labelled"
                                                            : " set";
    std::string text = std::to_string(f.changed) + " pixels (" + percent_text(share) + ")" + what;
    if (r.answer == answer_kind::values || r.answer == answer_kind::residue)
        text += number_text(f.difference) + " in all";
    return text;
}

}  // namespace

answer_summary summary_of(answer_kind kind, const const_image_view& before, const const_image_view& after) {
    return visit_pixels(after.type, [&]<class T>() {
        return kind == answer_kind::values ? differences<T>(before, after) : sums<T>(after);
    });
}

std::string line_of(const reconstruct_report& r) {
    const report& run = r.outcome.run;
    std::string text = "wale: " + r.operation + ", " + shape_text(r.shape, r.bits) + ": " + summary_text(r) +
                       "; " + time_text(run.compute_seconds);
    if (run.compute_seconds > 0)
        text += ", " + rate_text(static_cast<double>(r.summary.pixels) / run.compute_seconds, "pixel");
    text += transfers_text(r.to_device_seconds, r.from_device_seconds, run.transfer_seconds);
    text += ran_text(run);
    if (run.iterations > 0) text += ", " + std::to_string(run.iterations) + " iterations";
    if (r.outcome.tile_visits > 0) text += ", " + std::to_string(r.outcome.tile_visits) + " tile visits";
    if (r.outcome.guarded) text += ", finished by the guard";
    if (r.verified) text += ", verified";
    return text + ")\n";
}

}  // namespace wale::cli
