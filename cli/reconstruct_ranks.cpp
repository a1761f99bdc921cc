// reconstruct_ranks - which lines of an image a rank has, and how the lines of all ranks come together.
#include <cstring>

#include "failure.hpp"
#include "group.hpp"
#include "reconstruct.hpp"

namespace wale::cli {
namespace {

/// Pixels before the lines of a rank.
index_t pixels_before(const raster& whole, int rank) {
    return image_part(whole, {0, lines_of_rank(whole, rank).first}).pixels();
}

std::string digest(const const_image_view& p) {
    const auto bytes = static_cast<std::size_t>(p.pixels() * bytes_of(p.type));
    return std::string(" ") + name_of(p.type) + " " +
           std::to_string(std::hash<std::string_view>{}({static_cast<const char*>(p.data), bytes}));
}

}  // namespace

row_range lines_of_rank(const raster& whole, int rank) {
    return image_share(whole, rank, group().size());
}

const_image_view lines_of_rank(const const_image_view& p, const raster& whole, int rank) {
    raster part = image_part(whole, lines_of_rank(whole, rank));
    part.type = p.type;
    return {static_cast<const char*>(p.data) + pixels_before(whole, rank) * bytes_of(p.type), part};
}

void expect_same_lines(const raster& whole, std::span<const const_image_view> views) {
    const bool first = group().rank() == 0;
    const auto said = [&](int rank) {
        std::string text;
        for (const index_t extent : {whole.images, whole.planes, whole.rows, whole.columns})
            text += std::to_string(extent) + " ";
        for (const const_image_view& p : views) text += digest(first ? lines_of_rank(p, whole, rank) : p);
        return text;
    };
    const std::vector<std::string> all = gather(group(), said(group().rank()));
    int other = 0;
    for (int r = 1; first && r < group().size() && other == 0; ++r)
        if (all[static_cast<std::size_t>(r)] != said(r)) other = r;
    if (const std::string found = gather(group(), std::to_string(other))[0]; found != "0")
        throw usage_error("input: rank " + found + " has another than rank 0",
                          "processes that work by themselves are started without mpirun");
}

void gather_lines(const raster& whole, const const_image_view& own, void* all) {
    const index_t item = bytes_of(own.type);
    std::string sent;
    if (group().rank() > 0)
        sent.assign(static_cast<const char*>(own.data), static_cast<std::size_t>(own.pixels() * item));
    const std::vector<std::string> parts = gather_first(group(), sent);
    for (std::size_t r = 1; r < parts.size(); ++r)
        if (!parts[r].empty())
            std::memcpy(static_cast<char*>(all) + pixels_before(whole, static_cast<int>(r)) * item,
                        parts[r].data(), parts[r].size());
}

}  // namespace wale::cli
