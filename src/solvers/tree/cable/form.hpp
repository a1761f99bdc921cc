// form - a tree of points as cables see it: which of them are a spherical soma.
#pragma once

#include <vector>
#include <wale/cable.hpp>

namespace wale::tree {

struct soma_form {
    bool sphere = false;                     // else the soma is drawn by its points, as all else
    double x = 0, y = 0, z = 0, radius = 0;  // [um]
    std::vector<char> merged;                // [points] those that the sphere stands for
};

[[nodiscard]] soma_form find_soma(const swc_tree& form);

[[nodiscard]] cable_region region_of(int type);

}  // namespace wale::tree
