// pivoting - which row an elimination takes next. Shared by the solvers that eliminate.
#pragma once

namespace wale {

enum class pivoting {
    none,       // rows in order: for matrices known to need no exchange
    partial,    // the element of largest magnitude in its column, the lowest row of equals
    tournament  // dense LU only: the pivots of a block of columns chosen at once by a tree of small
                // factorisations (Grigori, Demmel, Xiang 2011): fewer exchanges, growth a little above
                // partial pivoting's. A block that would need multipliers above 10 in magnitude, as blocks
                // of a singular matrix may, is pivoted partially instead
};

}  // namespace wale
