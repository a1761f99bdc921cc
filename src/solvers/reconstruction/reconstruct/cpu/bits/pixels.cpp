// pixels - pixels to words of 64 bits and back.
#include "solvers/reconstruction/reconstruct/cpu/bits/bits.hpp"

#include <bit>
#include <cstring>

namespace wale::reconstruction {
namespace {

static_assert(std::endian::native == std::endian::little, "bytes of a word in the order of its bits");

index_t line_offset(const raster& r, index_t image, index_t unit, index_t line) {
    return r.rank == 2 ? r.offset(image, 0, unit) : r.offset(image, unit, line);
}

/// Ones where columns are, in the last word of a line.
std::uint64_t last_columns(index_t columns) {
    return ~std::uint64_t{0} >> (64 - ((columns - 1) % 64 + 1));
}

/// `to` has whole vectors of words.
void read_line(const const_image_view& from, index_t offset, bool mirror, std::uint64_t* to) {
    const index_t count = (from.columns + 63) / 64;
    if (from.type == pixel::bit) {
        to[count - 1] = 0;  // an odd number of 32-bit words leaves half of it
        std::memcpy(to, static_cast<const std::uint32_t*>(from.data) + offset,
                    static_cast<std::size_t>((from.columns + 31) / 32) * sizeof(std::uint32_t));
    } else {
        pack_line(static_cast<const std::uint8_t*>(from.data) + offset, from.columns, to);
    }
    for (index_t w = 0; mirror && w < count; ++w) to[w] = ~to[w];
    to[count - 1] &= last_columns(from.columns);
}

void write_line(const image_view& to, index_t offset, const std::uint64_t* from) {
    if (to.type != pixel::bit)
        return unpack_line(from, to.columns, static_cast<std::uint8_t*>(to.data) + offset);
    auto* words = static_cast<std::uint32_t*>(to.data) + offset;
    const index_t full = to.columns / 32, rest = to.columns % 32;
    std::memcpy(words, from, static_cast<std::size_t>(full) * sizeof *words);
    if (rest == 0) return;
    const std::uint32_t kept = ~std::uint32_t{0} << rest;
    const auto value = static_cast<std::uint32_t>(from[full / 2] >> full % 2 * 32);
    words[full] = (words[full] & kept) | (value & ~kept);
}

}  // namespace

void load_line(const reconstruct_job& job, index_t image, index_t unit, index_t line, const bits_shape& shape,
               std::uint64_t* mask, std::uint64_t* rising) {
    const bool mirror = job.method == reconstruction_method::erosion;
    read_line(job.mask, line_offset(job.mask, image, unit, line), mirror, mask);
    switch (job.start) {
        case start_rule::given:
            read_line(job.marker, line_offset(job.marker, image, unit, line), mirror, rising);
            for (index_t w = 0; w < shape.words; ++w) rising[w] &= mask[w];
            break;
        case start_rule::border:
            if (shape.at_border(unit, line)) {
                std::copy(mask, mask + shape.words, rising);
            } else {
                const index_t last = shape.columns - 1;
                std::fill(rising, rising + shape.words, 0);
                rising[0] |= mask[0] & 1;
                rising[last / 64] |= mask[last / 64] & std::uint64_t{1} << last % 64;
            }
            break;
        case start_rule::lowered:
        case start_rule::predecessor:  // of 1 is 0, and nothing is below that
            std::fill(rising, rising + shape.words, 0);
            break;
    }
}

void store_line(const reconstruct_job& job, index_t image, index_t unit, index_t line,
                const bits_shape& shape, const std::uint64_t* mask, std::uint64_t* rising) {
    if (job.finish != finish_rule::value)
        for (index_t w = 0; w < shape.words; ++w) rising[w] ^= mask[w];
    else if (job.method == reconstruction_method::erosion)
        for (index_t w = 0; w < shape.words; ++w) rising[w] = ~rising[w];
    write_line(job.out, line_offset(job.out, image, unit, line), rising);
}

void load_unit(const reconstruct_job& job, index_t image, index_t unit, const bits_field& field) {
    const bits_shape& shape = field.shape();
    for (index_t line = 0; line < shape.lines; ++line) {
        std::uint64_t *const mask = field.mask(unit, line), *const rising = field.rising(unit, line);
        for (std::uint64_t* words : {mask, rising}) {
            std::fill(words - bits_margin, words, 0);
            std::fill(words + shape.words, words + shape.pitch - bits_margin, 0);
        }
        load_line(job, image, unit, line, shape, mask, rising);
    }
    for (std::uint64_t* words : {field.mask_unit(unit), field.rising_unit(unit)}) {
        std::fill(words, words + shape.margin * shape.pitch, 0);
        std::fill(words + shape.unit_words() - shape.margin * shape.pitch, words + shape.unit_words(), 0);
    }
}

void store_unit(const reconstruct_job& job, index_t image, index_t unit, const bits_field& field) {
    const bits_shape& shape = field.shape();
    for (index_t line = 0; line < shape.lines; ++line)
        store_line(job, image, unit, line, shape, field.mask(unit, line), field.rising(unit, line));
}

}  // namespace wale::reconstruction
