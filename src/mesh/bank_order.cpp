// bank_order - exchanges in a tile; cells are called by the places that they began with.
#include "mesh/bank_order.hpp"

#include <algorithm>
#include <numeric>

namespace wale::meshes {
namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

}  // namespace

void bank_order::begin(const deep_tile& t, const std::uint16_t* places) {
    const std::int32_t looked_up = tile_faces * t.two;
    first_reader_.assign(at(t.all) + 1, 0);
    for (std::int32_t i = 0; i < looked_up; ++i)
        if (places[i] != no_place) ++first_reader_[places[i] + std::size_t{1}];
    std::partial_sum(first_reader_.begin(), first_reader_.end(), first_reader_.begin());
    readers_.resize(at(first_reader_.back()));
    narrow_.assign(at(tile_faces * (t.two / group + 1)), {});
    wide_.assign(at(tile_faces * (t.two / (2 * group) + 1)), {});
    at_.assign(first_reader_.begin(), first_reader_.end() - 1);
    for (std::int32_t i = 0; i < looked_up; ++i) {
        if (places[i] == no_place) continue;
        readers_[at(at_[places[i]]++)] = i;
        const std::int32_t place = i / tile_faces, face = i % tile_faces;
        ++narrow_[at(tile_faces * (place / group) + face)][places[i] % group];
        ++wide_[at(tile_faces * (place / (2 * group)) + face)][places[i] % (2 * group)];
    }
    at_.resize(at(t.all));
    std::iota(at_.begin(), at_.end(), 0);
    place_ = at_;
}

int bank_order::move(int index, int from, int to) {
    const auto shift = [](counts& c, int less, int more) {
        const int a = c[at(less)]--, b = c[at(more)]++;
        return 2 * (b - a) + 2;
    };
    int sum = 0;
    for (std::int32_t r = first_reader_[at(index)]; r < first_reader_[at(index) + 1]; ++r) {
        const std::int32_t place = readers_[at(r)] / tile_faces, face = readers_[at(r)] % tile_faces;
        sum += shift(narrow_[at(tile_faces * (place / group) + face)], from % group, to % group);
        sum +=
            shift(wide_[at(tile_faces * (place / (2 * group)) + face)], from % (2 * group), to % (2 * group));
    }
    return sum;
}

bool bank_order::exchange(int a, int b) {
    const std::int32_t first = at_[at(a)], second = at_[at(b)];
    if (move(first, a, b) + move(second, b, a) >= 0) {
        move(first, b, a);
        move(second, a, b);
        return false;
    }
    std::swap(at_[at(a)], at_[at(b)]);
    place_[at(first)] = b;
    place_[at(second)] = a;
    return true;
}

void bank_order::improve(const deep_tile& t, std::uint16_t* places, std::vector<std::int32_t>& cells) {
    constexpr int sweeps = 2;
    begin(t, places);
    const auto layer = [&t](int place) {
        return place < t.own ? 0 : place < t.one ? 1 : place < t.two ? 2 : 3;
    };
    bool moved = true;
    for (int sweep = 0; sweep < sweeps && moved; ++sweep) {
        moved = false;
        for (int a = 0; a < t.all; ++a)
            for (int b = a + 1; b < std::min(t.all, a / group * group + group) && layer(b) == layer(a); ++b)
                moved |= exchange(a, b);
    }
    new_places_.resize(at(tile_faces * t.two));
    for (std::int32_t i = 0; i < tile_faces * t.two; ++i)
        new_places_[at(tile_faces * place_[at(i / tile_faces)] + i % tile_faces)] =
            places[i] == no_place ? no_place : static_cast<std::uint16_t>(place_[places[i]]);
    std::ranges::copy(new_places_, places);
    new_cells_.resize(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) new_cells_[at(place_[i])] = cells[i];
    cells.swap(new_cells_);
}

}  // namespace wale::meshes
