// named_rows - which row, or node, of a singular system is named. Variants eliminate in different orders, and
// a bad pivot spoils those after it: the plain elimination finds the row where it began, as LAPACK's INFO
// does. Read only where a pivot was bad.
#pragma once

#include "solvers/tree/jobs.hpp"

namespace wale::tree {

/// Corrects the rows in job.status and job.result. job.a must still hold the matrix.
void name_rows(const chain_job& job);
/// The same for nodes: of those whose pivot is bad while all pivots below them are good, the lowest.
void name_nodes(const hines_job& job);

}  // namespace wale::tree
