// scalapack_api - what libwale_scalapack offers: LU of a matrix in ScaLAPACK's block-cyclic distribution over
// one row of all processes of MPI_COMM_WORLD.
#pragma once

#include <string>
#include <wale/matrix.hpp>

namespace wale::mpi {

/// Blocks of `block` columns are dealt to the processes in turn; this process has the columns at `own`.
struct scalapack_matrix {
    scalar type = scalar::f64;
    int rows = 0, columns = 0, block = 1;
    void* own = nullptr;
    int leading = 0;  // column-major
};

struct scalapack_api {
    const char* version;  // of Wale; must equal the library's
    /// Threads of the BLAS below, where that is OpenBLAS: as many as processors by itself, in each process.
    void (*use_threads)(int count);
    /// xGETRF. pivots: [rows + block], counted from 1. Returns LAPACK's info.
    int (*factor)(const scalapack_matrix& a, int* pivots);
    /// xGETRS. `how`: 'N', 'T' or 'C'. Of the right-hand sides, dealt in blocks of b.block columns likewise.
    int (*solve)(const scalapack_matrix& a, const int* pivots, char how, const scalapack_matrix& b);
};

inline constexpr const char* scalapack_entry_symbol = "wale_scalapack_entry";

/// The opened plugin; null, and then `why` says why.
[[nodiscard]] const scalapack_api* scalapack(std::string& why);

}  // namespace wale::mpi
