// npy_header - the header of an NPY file: a literal of Python.
#pragma once

#include <string>
#include <vector>

#include "io/image_format.hpp"

namespace wale::io {

struct npy_header {
    std::string element;  // "<f4"
    bool fortran = false;
    std::vector<index_t> shape;
    index_t data = 0;  // byte at which the elements start
};

[[nodiscard]] npy_header read_npy_header(const image_input& in);

/// Everything before the elements of a file of version 1.
[[nodiscard]] std::string npy_preamble(std::string_view element, bool fortran,
                                       const std::vector<index_t>& shape);

}  // namespace wale::io
