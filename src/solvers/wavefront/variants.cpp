// variants - the tables of this solver's operations, enlisted for `wale list` and wale::variants().
#include "solvers/wavefront/jobs.hpp"
#include "variants/catalogue.hpp"

namespace wale::wavefront {

[[maybe_unused]] static const bool enlisted =
    catalogue::enlist(fill_rows, lcs_length_rows, edit_distance_rows, lcs_string_rows, lcs_batch_rows,
                      edit_batch_rows, align_rows, align_batch_rows, align_pairs_rows);

}  // namespace wale::wavefront
