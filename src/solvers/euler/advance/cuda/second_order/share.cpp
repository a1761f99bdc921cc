// share - see share.hpp.
#include "solvers/euler/advance/cuda/second_order/share.hpp"

#include <algorithm>

namespace wale::euler::second_order {
namespace {

std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from, index_t first, index_t count) {
    to.insert(to.end(), from.begin() + first, from.begin() + first + count);
}

template <class Real>
class sharer {
public:
    sharer(const plan<Real>& whole, const part_share& share)
        : whole_(whole), share_(share), number_(whole.records.size(), -1) {}

    [[nodiscard]] plan_share<Real> take() {
        number_records();
        plan<Real>& own = out_.own;
        own.most_places = whole_.most_places;
        own.most_near = whole_.most_near;
        own.most_faces = whole_.most_faces;
        append(own.order, whole_.order, share_.first, share_.last - share_.first);
        append(own.volumes, whole_.volumes, share_.first, share_.last - share_.first);
        for (const std::int32_t record : out_.records) own.records.push_back(whole_.records[at(record)]);
        for (const std::int32_t t : share_.tiles) add_tile(whole_.tiles[at(t)]);
        own.halo.push_back(0);  // a tile that borrows nothing reads there
        own.links = rows_of(whole_.links, 2);
        own.geometry = rows_of(whole_.geometry, geometry_chunks<Real>::count);
        return std::move(out_);
    }

private:
    void number_records() {
        const auto add = [&](std::int32_t record) {
            if (number_[at(record)] >= 0) return;
            number_[at(record)] = static_cast<std::int32_t>(out_.records.size());
            out_.records.push_back(record);
        };
        for (auto cell = static_cast<std::int32_t>(share_.first); cell < share_.last; ++cell) add(cell);
        const auto cells = static_cast<std::int32_t>(whole_.order.size());
        for (std::size_t g = 0; g < whole_.ghosts.size(); ++g)
            if (whole_.ghosts[g] >= share_.first && whole_.ghosts[g] < share_.last)
                add(cells + static_cast<std::int32_t>(g));
        for (const std::int32_t number : share_.tiles) {
            const tile& t = whole_.tiles[at(number)];
            for (index_t i = 0; i < t.all - t.own; ++i) add(whole_.halo[at(t.halo + i)]);
        }
    }
    void add_tile(tile t) {
        plan<Real>& own = out_.own;
        const tile from = t;
        t.first -= static_cast<std::int32_t>(share_.first);
        t.halo = std::ssize(own.halo);
        t.rows = own.rows;
        t.areas = std::ssize(own.areas);
        t.patches = std::ssize(own.patches);
        own.rows += t.one;
        own.tiles.push_back(t);
        for (index_t i = 0; i < t.all - t.own; ++i)
            own.halo.push_back(number_[at(whole_.halo[at(from.halo + i)])]);
        append(own.areas, whole_.areas, from.areas, t.faces);
        for (index_t i = 0; i < t.faces - t.inner; ++i) {
            patch_face face = whole_.patches[at(from.patches + i)];
            face.cell -= static_cast<std::int32_t>(share_.first);
            if (face.ghost >= 0) face.ghost = number_[at(face.ghost)];
            own.patches.push_back(face);
        }
    }
    /// The tiles' rows of `pieces` arrays that lie one behind the other.
    [[nodiscard]] std::vector<chunk> rows_of(const std::vector<chunk>& from, index_t pieces) const {
        std::vector<chunk> to;
        to.reserve(at(pieces * out_.own.rows));
        for (index_t piece = 0; piece < pieces; ++piece)
            for (const std::int32_t number : share_.tiles) {
                const tile& t = whole_.tiles[at(number)];
                append(to, from, piece * whole_.rows + t.rows, t.one);
            }
        return to;
    }

    const plan<Real>& whole_;
    const part_share& share_;
    std::vector<std::int32_t> number_;  // [records of the whole plan] the share's, or -1
    plan_share<Real> out_;
};

}  // namespace

template <class Real>
plan_share<Real> share_of(const plan<Real>& whole, const part_share& share) {
    return sharer<Real>(whole, share).take();
}
template plan_share<float> share_of<float>(const plan<float>&, const part_share&);
template plan_share<double> share_of<double>(const plan<double>&, const part_share&);

}  // namespace wale::euler::second_order
