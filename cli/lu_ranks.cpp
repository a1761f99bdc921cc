// lu_ranks - a matrix that the first rank has read goes to all ranks, column by column, and comes back.
#include <cstring>

#include "group.hpp"
#include "lu.hpp"

namespace wale::cli {
namespace {

/// visit(place in the whole matrix, place in the part) over the elements of a rank's columns, column by
/// column.
template <class Visit>
void each_element(const matrix_shape& whole, int rank, const Visit& visit) {
    index_t at = 0;
    for (const column_range& r : lu_share(whole, rank, group().size()))
        for (index_t j = r.first; j < r.last; ++j)
            for (index_t i = 0; i < whole.rows; ++i)
                visit(i * whole.row_step() + j * whole.column_step(), at++);
}

template <index_t Bytes>
void copy_part(const matrix_shape& whole, int rank, char* all, char* part, bool back) {
    each_element(whole, rank, [&](index_t in_whole, index_t in_part) {
        char *const a = all + in_whole * Bytes, *const p = part + in_part * Bytes;
        std::memcpy(back ? a : p, back ? p : a, Bytes);
    });
}
void copy_part(const matrix_shape& whole, int rank, char* all, char* part, bool back) {
    const index_t bytes = bytes_of(whole.type);
    if (bytes == 4) return copy_part<4>(whole, rank, all, part, back);
    bytes == 8 ? copy_part<8>(whole, rank, all, part, back) : copy_part<16>(whole, rank, all, part, back);
}

std::size_t bytes_of_part(const matrix_shape& part) {
    return static_cast<std::size_t>(part.rows * part.columns * bytes_of(part.type));
}

}  // namespace

std::string of_first(const std::string& own) {
    return gather(group(), group().rank() == 0 ? own : std::string())[0];
}

matrix_file_data of_first(matrix_file_data&& m) {
    const std::string said = of_first(std::string(reinterpret_cast<const char*>(&m.shape), sizeof m.shape));
    std::memcpy(&m.shape, said.data(), sizeof m.shape);
    const auto bytes = static_cast<std::size_t>(m.shape.rows * m.shape.columns * bytes_of(m.shape.type));
    const bool first = group().rank() == 0;
    const std::string all =
        of_first(first ? std::string(static_cast<const char*>(m.elements.data()), bytes) : std::string());
    if (!first) m.elements = memory(static_cast<index_t>(bytes), memory_space::host);
    if (!first && bytes > 0) std::memcpy(m.elements.data(), all.data(), bytes);
    return std::move(m);
}

shared_matrix::shared_matrix(const matrix_file_data& first) : whole_(first.shape) {
    const std::string said = of_first(std::string(reinterpret_cast<const char*>(&whole_), sizeof whole_));
    std::memcpy(&whole_, said.data(), sizeof whole_);
    part_ = lu_part(whole_, group().rank(), group().size());
    const std::string own = scatter(group(), [&](int rank) {
        std::string part(bytes_of_part(lu_part(whole_, rank, group().size())), ' ');
        copy_part(whole_, rank, static_cast<char*>(first.elements.data()), part.data(), false);
        return part;
    });
    elements_ = memory(static_cast<index_t>(own.size()), memory_space::host);
    if (!own.empty()) std::memcpy(elements_.data(), own.data(), own.size());
}

void shared_matrix::gather_to(const matrix_file_data& first) const {
    const std::string own(static_cast<const char*>(elements_.data()), bytes_of_part(part_));
    std::vector<std::string> parts = gather_first(group(), own);
    for (std::size_t r = 0; r < parts.size(); ++r)
        copy_part(whole_, static_cast<int>(r), static_cast<char*>(first.elements.data()), parts[r].data(),
                  true);
}

}  // namespace wale::cli
