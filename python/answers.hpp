// answers - the arrays of NumPy that short calls fill.
#pragma once

#include <span>
#include <string>

#include "bindings.hpp"

namespace wale::python {

/// A contiguous array of NumPy by its memory, as long as the object is there.
class answer_array {
public:
    explicit answer_array(nb::handle array) {
        held_ = PyObject_GetBuffer(array.ptr(), &view_, PyBUF_CONTIG) == 0;
        if (!held_) throw nb::python_error();
    }
    ~answer_array() {
        if (held_) PyBuffer_Release(&view_);
    }
    answer_array(const answer_array&) = delete;
    answer_array& operator=(const answer_array&) = delete;

    template <class T = std::int32_t>
    [[nodiscard]] T* data(index_t count) const {
        if (view_.len != count * index_t{sizeof(T)})
            throw bad_argument("answers: have " + std::to_string(view_.len) + " bytes, expected " +
                               std::to_string(count * index_t{sizeof(T)}));
        return static_cast<T*>(view_.buf);
    }
    template <class T = std::int32_t>
    [[nodiscard]] std::span<T> all() const {
        return {static_cast<T*>(view_.buf), static_cast<std::size_t>(view_.len) / sizeof(T)};
    }

private:
    Py_buffer view_;  // unset unless held
    bool held_ = false;
};

/// numpy.empty() of a type; `columns` below 0: of one axis.
enum class answer_type { int32, int64 };
[[nodiscard]] nb::object empty_answers(answer_type type, Py_ssize_t rows, Py_ssize_t columns = -1);

}  // namespace wale::python
