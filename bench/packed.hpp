// packed - shapes of matrices that lie one behind the other without gaps.
#pragma once

#include <wale/matrix.hpp>

namespace wale::bench {

/// `count` column-major matrices.
constexpr matrix_shape packed_columns(scalar type, index_t rows, index_t columns, index_t count = 1) {
    return {.type = type,
            .order = storage_order::column_major,
            .rows = rows,
            .columns = columns,
            .leading = rows,
            .count = count,
            .stride = rows * columns};
}

}  // namespace wale::bench
