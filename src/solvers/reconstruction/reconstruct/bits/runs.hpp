// runs - the method with a bound for binary images: runs of mask bits, joined where lines touch by
// union-find (Rosenfeld & Pfaltz 1966 on runs), and every run whose set holds a marker is filled. Time
// O(words + runs * a(runs)), memory one label a run.
#pragma once

#include "solvers/reconstruction/reconstruct/bits/field.hpp"

namespace wale::reconstruction {

/// Completes the reconstruction in `field` from any state between marker and answer.
void fill_by_runs(bits_field& field);

}  // namespace wale::reconstruction
