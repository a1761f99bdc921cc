// answers - the arrays of NumPy that short calls fill.
#pragma once

#include <span>
#include <string>

#include "numpy_arrays.hpp"

namespace wale::python {

/// A contiguous array of NumPy by its memory, as long as the object is there.
class answer_array {
public:
    explicit answer_array(nb::handle array) : array_(array.ptr(), PyBUF_CONTIG | PyBUF_FORMAT) {
        if (!array_.held()) throw bad_argument("answers: expected an array that can be written");
    }

    template <class T = std::int32_t>
    [[nodiscard]] T* data(index_t count) const {
        if (array_.view.len != count * index_t{sizeof(T)})
            throw bad_argument("answers: have " + std::to_string(array_.view.len) + " bytes, expected " +
                               std::to_string(count * index_t{sizeof(T)}));
        return static_cast<T*>(array_.view.buf);
    }
    template <class T = std::int32_t>
    [[nodiscard]] std::span<T> all() const {
        return {static_cast<T*>(array_.view.buf), static_cast<std::size_t>(array_.view.len) / sizeof(T)};
    }

private:
    array_view array_;
};

}  // namespace wale::python
