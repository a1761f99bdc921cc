// plain_warping - short calls about series that NumPy keeps, of one number a point: the arrays are read
// where NumPy keeps them. Each gives None for what needs a closer look.
#include "plain_warping.hpp"

#include "bindings.hpp"
#include "owned_array.hpp"
#include "plain_text.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <memory>
#include <tuple>
#include <wale/warping.hpp>

namespace wale::python {
namespace {

/// An array of NumPy's.
class series_view : public array_view {
public:
    explicit series_view(nb::handle array) {
        if (!is_array(array.ptr()) || !look_at(array.ptr(), PyBUF_RECORDS_RO)) view = {};
    }
    /// Numbers side by side; null of another array.
    template <class T>
    [[nodiscard]] const T* numbers(int axes) const {
        if (view.ndim != axes || view.len == 0 || view.format == nullptr) return nullptr;
        if (std::string_view(view.format) != (sizeof(T) == 4 ? "f" : "d")) return nullptr;
        return packed(alignof(T)) ? static_cast<const T*>(view.buf) : nullptr;
    }
};

/// answer(T{}) for float64 or float32; None where a series has no finite number: its place is said in
/// Python's words.
template <class Answer>
auto of_either_type(const Answer& answer) -> decltype(answer(double{})) {
    try {
        auto wide = answer(double{});
        return wide ? std::move(wide) : answer(float{});
    } catch (const bad_argument&) {
        return std::nullopt;
    }
}

/// The warping cost of two arrays of one type.
std::optional<double> plain_warping(const nb::handle x, const nb::handle y, const warping_options& options,
                                    int threads) {
    const series_view a(x), b(y);
    return of_either_type([&]<class T>(T cost) -> std::optional<double> {
        const T *const p = a.numbers<T>(1), *const q = b.numbers<T>(1);
        if (p == nullptr || q == nullptr) return std::nullopt;
        const index_t m[] = {0, a.view.shape[0]}, n[] = {0, b.view.shape[0]};
        const released_gil release(static_cast<double>(m[1]) * static_cast<double>(n[1]) > short_work);
        const matrix_view<T> to(&cost, extents<2>{{1, 1}});
        remember(warping_costs<T>(host(threads), {p, m, 1, 1}, {q, n, 1, 1}, to, options).run);
        return static_cast<double>(cost);
    });
}

using plain_path = std::optional<std::tuple<double, index_pairs>>;

/// The same with the path.
plain_path plain_warping_path(const nb::handle x, const nb::handle y, const warping_options& options,
                              int threads) {
    const series_view a(x), b(y);
    return of_either_type([&]<class T>(T) -> plain_path {
        const T *const p = a.numbers<T>(1), *const q = b.numbers<T>(1);
        if (p == nullptr || q == nullptr) return std::nullopt;
        const auto m = static_cast<std::size_t>(a.view.shape[0]),
                   n = static_cast<std::size_t>(b.view.shape[0]);
        auto found = [&] {
            const released_gil release(static_cast<double>(m) * static_cast<double>(n) > short_work);
            return warping_path<T>(host(threads), {p, m}, {q, n}, 1, options);
        }();
        remember(std::move(found.run));
        return std::tuple{static_cast<double>(found.cost), owned(std::move(found.path))};
    });
}

/// Series end to end: those of an array of series as they lie, those of a list of arrays copied.
template <class T>
class plain_side {
public:
    /// False: neither of both, or of another type.
    bool take(nb::handle given) {
        if (PyList_CheckExact(given.ptr())) return take_list(given);
        held_ = std::make_unique<series_view>(given);
        numbers_ = held_->numbers<T>(2);
        if (numbers_ == nullptr) return false;
        for (index_t k = 0; k <= held_->view.shape[0]; ++k) offsets_.push_back(k * held_->view.shape[1]);
        return true;
    }
    [[nodiscard]] series_batch<T> batch() const { return {numbers_, offsets_.data(), count(), 1}; }
    [[nodiscard]] index_t count() const { return std::ssize(offsets_) - 1; }
    [[nodiscard]] index_t points() const { return offsets_.back(); }

private:
    bool take_list(nb::handle given) {
        const Py_ssize_t count = PyList_Size(given.ptr());
        if (count == 0) return false;
        offsets_.push_back(0);
        for (Py_ssize_t k = 0; k < count; ++k) {
            const series_view one(PyList_GetItem(given.ptr(), k));
            const T* const from = one.numbers<T>(1);
            if (from == nullptr) return false;
            copy_.insert(copy_.end(), from, from + one.view.shape[0]);
            offsets_.push_back(std::ssize(copy_));
        }
        numbers_ = copy_.data();
        return true;
    }

    std::unique_ptr<series_view> held_;
    const T* numbers_ = nullptr;
    std::vector<T> copy_;
    std::vector<index_t> offsets_;
};

/// The warping costs of each query and each target; targets None: of the queries with each other.
std::optional<nb::object> plain_warpings(const nb::handle queries, const nb::handle targets,
                                         const warping_options& options, int threads) {
    return of_either_type([&]<class T>(T) -> std::optional<nb::object> {
        plain_side<T> a, b;
        if (!a.take(queries) || (!targets.is_none() && !b.take(targets))) return std::nullopt;
        const index_t rows = a.count(), columns = targets.is_none() ? rows : b.count();
        auto costs = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(rows * columns));
        const matrix_view<T> to(costs.get(), extents<2>{{rows, columns}});
        {
            const index_t points = targets.is_none() ? a.points() : b.points();
            const released_gil release(static_cast<double>(a.points()) * static_cast<double>(points) >
                                       short_work);
            const execution where = host(threads);
            remember((targets.is_none() ? warping_costs<T>(where, a.batch(), to, options)
                                        : warping_costs<T>(where, a.batch(), b.batch(), to, options))
                         .run);
        }
        return owned(std::move(costs), static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
    });
}

}  // namespace

void bind_plain_warping(nb::module_& m) {
    m.def("plain_warping", &plain_warping, nb::arg("x"), nb::arg("y"), nb::arg("options"),
          nb::arg("threads"));
    m.def("plain_warping_path", &plain_warping_path, nb::arg("x"), nb::arg("y"), nb::arg("options"),
          nb::arg("threads"));
    m.def("plain_warpings", &plain_warpings, nb::arg("queries"), nb::arg("targets").none(),
          nb::arg("options"), nb::arg("threads"));
}

}  // namespace wale::python
