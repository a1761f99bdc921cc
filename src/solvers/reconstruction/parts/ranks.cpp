// ranks - an image whose lines several ranks hold: each reconstructs its own, then lines go to the neighbours
// until nothing rises.
#include <array>
#include <vector>
#include <wale/shared_images.hpp>

#include "base/argument.hpp"
#include "base/clock.hpp"
#include "mpi/transport.hpp"
#include "solvers/reconstruction/check.hpp"
#include "solvers/reconstruction/problem.hpp"

namespace wale {
namespace reconstruction {
namespace {

[[nodiscard]] index_t& lines_of(raster& r) {
    return r.images != 1 ? r.images : r.rank == 3 ? r.planes : r.rows;
}

/// The pixels that neighbours exchange: a row, or a plane.
class shared_lines {
public:
    shared_lines(const image_view& out, const const_image_view& mask, bool mirror, int reach)
        : out_(out), mask_(mask), mirror_(mirror), reach_(reach), rows_(out.rank == 3 ? out.rows : 1) {
        bytes_ = rows_ * out.columns * bytes_of(out.type);
    }
    [[nodiscard]] index_t bytes() const { return bytes_; }

    /// The first line (-1) or the last one (1).
    [[nodiscard]] std::vector<char> line(int side) const {
        std::vector<char> packed;
        for (index_t row = 0; row < rows_; ++row) {
            const char* from =
                static_cast<const char*>(out_.data) + at(out_, side, row) * bytes_of(out_.type);
            packed.insert(packed.end(), from, from + out_.columns * bytes_of(out_.type));
        }
        return packed;
    }
    /// Raises the line of that side under the mask by the neighbour's; whether a pixel rose.
    [[nodiscard]] bool raise(int side, const std::vector<char>& arrived) const {
        bool rose = false;
        visit(out_.type,
              [&]<class T>() { rose = raise_by(side, reinterpret_cast<const T*>(arrived.data())); });
        return rose;
    }

private:
    [[nodiscard]] index_t at(const raster& r, int side, index_t row) const {
        if (r.rank == 3) return r.offset(0, side < 0 ? 0 : r.planes - 1, row);
        return r.offset(0, 0, side < 0 ? 0 : r.rows - 1);
    }
    template <class T>
    [[nodiscard]] bool raise_by(int side, const T* arrived) const {
        const auto key = [this](T v) { return mirror_ ? mirrored(v) : v; };
        const bool volume = out_.rank == 3;
        bool rose = false;
        for_each_neighbour(out_.rank, reach_, [&](step s) {
            if ((volume ? s.plane : s.row) != side) return;
            const index_t across = volume ? s.row : 0;
            for (index_t row = std::max<index_t>(0, -across); row < std::min(rows_, rows_ - across); ++row) {
                T* const to = static_cast<T*>(out_.data) + at(out_, side, row);
                const T* const under = static_cast<const T*>(mask_.data) + at(mask_, side, row);
                const T* const from = arrived + (row + across) * out_.columns + s.column;
                for (index_t c = std::max(0, -s.column); c < out_.columns - std::max(0, s.column); ++c) {
                    const T most = smaller(key(from[c]), key(under[c]));
                    if (!(key(to[c]) < most)) continue;
                    to[c] = key(most);
                    rose = true;
                }
            }
        });
        return rose;
    }

    const image_view& out_;
    const const_image_view& mask_;
    bool mirror_;
    int reach_;
    index_t rows_, bytes_;
};

/// The nearest rank on that side which has lines; -1: none.
[[nodiscard]] int neighbour_of(const ranks& group, const raster& whole, int side) {
    for (int r = group.rank() + side; r >= 0 && r < group.size(); r += side) {
        const row_range lines = image_share(whole, r, group.size());
        if (lines.last > lines.first) return r;
    }
    return -1;
}

/// One round: lines there and back, and what they raise. Whether a pixel of this rank rose.
[[nodiscard]] bool exchange(const ranks& group, const std::array<int, 2>& neighbours,
                            const shared_lines& lines) {
    constexpr std::array<int, 2> sides{-1, 1};
    std::array<std::vector<char>, 2> sent, arrived;
    for (std::size_t k = 0; k < 2; ++k) {
        if (neighbours[k] < 0) continue;
        sent[k] = lines.line(sides[k]);
        arrived[k].resize(sent[k].size());
        group.transport()->send(neighbours[k], sent[k].data(), lines.bytes());
        group.transport()->receive(neighbours[k], arrived[k].data(), lines.bytes());
    }
    group.transport()->finish();
    bool rose = false;
    for (std::size_t k = 0; k < 2; ++k)
        if (neighbours[k] >= 0 && lines.raise(sides[k], arrived[k])) rose = true;
    return rose;
}

}  // namespace
}  // namespace reconstruction

row_range image_share(const raster& whole, int rank, int size) {
    if (size < 1 || rank < 0 || rank >= size)
        base::refuse("rank, size", "are " + std::to_string(rank) + ", " + std::to_string(size),
                     "a rank below size");
    raster r = whole;
    const index_t lines = reconstruction::lines_of(r);
    return {lines * rank / size, lines * (rank + 1) / size};
}

raster image_part(const raster& whole, row_range lines) {
    raster r = whole;
    reconstruction::lines_of(r) = lines.last - lines.first;
    r.pack();
    return r;
}

reconstruction_result reconstruct(const ranks& group, const on_cpu& where, const raster& whole,
                                  const const_image_view& marker, const const_image_view& mask,
                                  const image_view& out, const reconstruction_options& options) {
    using namespace reconstruction;
    if (mask.type == pixel::bit) base::refuse("mask", "is bit-packed", "a byte or more for each pixel");
    const raster own = image_part(whole, image_share(whole, group.rank(), group.size()));
    check_alike("mask", mask, "this rank's part of whole", own);
    const base::stopwatch watch;
    reconstruction_result result = reconstruct(where, marker, mask, out, options);
    if (group.size() > 1 && whole.images == 1) {
        const int reach = checked_reach(options.connectivity, mask.rank);
        const shared_lines lines(out, mask, options.method == reconstruction_method::erosion, reach);
        std::array<int, 2> neighbours{neighbour_of(group, whole, -1), neighbour_of(group, whole, 1)};
        if (mask.pixels() == 0) neighbours = {-1, -1};
        index_t rounds = 0;
        for (bool rose = true; group.any(rose); ++rounds) {
            rose = exchange(group, neighbours, lines);
            if (rose) (void)reconstruct_onward(where, out, mask, options);
        }
        result.run.policy += (result.run.policy.empty() ? "ranks=" : " ranks=") +
                             std::to_string(group.size()) + " rounds=" + std::to_string(rounds);
    }
    result.run.compute_seconds = watch.seconds();
    return result;
}

}  // namespace wale
