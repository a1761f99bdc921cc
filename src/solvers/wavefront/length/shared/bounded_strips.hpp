// bounded_strips - edit distance within a bound: strips of rows from the top down, each with those columns
// alone that a path within the bound can touch after what the strip above has found (Ukkonen 1985).
#pragma once

#include "solvers/wavefront/length/shared/live_diagonals.hpp"
#include "solvers/wavefront/length/shared/strips.hpp"

namespace wale::wavefront {

class bounded_strips {
public:
    explicit bounded_strips(const coded_pair& pair);

    /// The distance, or bound + 1 where it is more. `bound` is not negative.
    [[nodiscard]] index_t distance(index_t bound);

    /// Rows that the last call needed to see that the distance is above the bound, of all.
    [[nodiscard]] index_t rows_done() const { return row_; }

private:
    [[nodiscard]] int vectors_for(index_t width) const;
    void make_room(index_t columns);
    void move_to(index_t first_column, index_t last_column);
    void run_strip(int vectors, index_t rows);
    void look(live_diagonals& live);
    strip_recurrence recurrence_;
    code_span rows_, columns_;
    int planes_;
    index_t vector_rows_;
    index_t row_ = 0;                // above it all strips are done
    index_t begin_ = 0, end_ = 0;    // columns of the strip above
    index_t left_ = 0, right_ = 0;   // values of the lowest done row, before column begin_ and after end_ - 1
    index_t origin_ = 0, room_ = 0;  // the lines hold columns from origin_ on, backwards, room_ of them
    index_t pitch_ = 0, active_count_ = -1;
    base::aligned_vector<std::uint64_t> column_planes_, carries_, active_, row_planes_, state_;
    std::vector<index_t> values_;  // below the strip, every eighth
};

}  // namespace wale::wavefront
