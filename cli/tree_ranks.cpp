// tree_ranks - see tree_ranks.hpp.
#include "tree_ranks.hpp"

#include <cstring>
#include <string>

#include "group.hpp"

namespace wale::cli {
namespace {

/// visit(bytes at, count) over the elements of some vectors, system after system.
template <class Visit>
void each_piece(const vector_shape& s, char* at, const Visit& visit) {
    const index_t item = bytes_of(s.type);
    if (s.step() == 1 && (s.count <= 1 || s.stride == s.size)) return visit(at, s.elements() * item);
    for (index_t v = 0; v < s.count; ++v)
        for (index_t i = 0; i < s.size; ++i) visit(at + s.at(v, i) * item, item);
}

}  // namespace

shared_systems::shared_systems(const vector_shape& all, bool rows)
    : all_(all), rows_(rows), share_(share_of(group().rank())), own_(shape_of(share_)) {
    expect_same("input",
                std::to_string(all.count) + " x " + std::to_string(all.size) + " " + name_of(all.type));
}

row_range shared_systems::share_of(int rank) const {
    const int size = group().size();
    if (rows_) return tridiagonal_share(all_.size, all_.type, rank, size);
    return {all_.count * rank / size, all_.count * (rank + 1) / size};
}

vector_shape shared_systems::shape_of(row_range share) const {
    vector_shape own = all_;
    (rows_ ? own.size : own.count) = share.last - share.first;
    return own;
}

void* shared_systems::place(const memory& all, row_range share) const {
    const bool none = share.last == share.first;
    const index_t first = none ? 0 : rows_ ? share.first : all_.begin_of(share.first);
    return static_cast<char*>(all.data()) + first * bytes_of(all_.type);
}

void shared_systems::gather(const memory& all) const {
    std::string sent;
    if (group().rank() > 0)
        each_piece(own_, static_cast<char*>(place(all)),
                   [&](const char* at, index_t bytes) { sent.append(at, static_cast<std::size_t>(bytes)); });
    const std::vector<std::string> parts = gather_first(group(), sent);
    for (std::size_t r = 1; r < parts.size(); ++r) {
        const row_range share = share_of(static_cast<int>(r));
        const char* from = parts[r].data();
        each_piece(shape_of(share), static_cast<char*>(place(all, share)), [&](char* at, index_t bytes) {
            if (bytes > 0) std::memcpy(at, from, static_cast<std::size_t>(bytes));
            from += bytes;
        });
    }
}

std::pair<index_t, index_t> shared_systems::first_bad(index_t system, index_t row) const {
    const index_t own = system < 0 || rows_ ? system : system + share_.first;
    for (const std::string& text : wale::gather(group(), std::to_string(own) + " " + std::to_string(row)))
        if (!text.starts_with('-')) return {std::stoll(text), std::stoll(text.substr(text.find(' ') + 1))};
    return {-1, -1};
}

}  // namespace wale::cli
