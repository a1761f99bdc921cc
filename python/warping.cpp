// warping - series of numbers warped onto each other. The GIL is released around every computation.
#include "bindings.hpp"
#include "owned_array.hpp"

#include <nanobind/stl/tuple.h>

#include <tuple>
#include <wale/warping.hpp>

namespace wale::python {
namespace {

using packed_series = std::tuple<input, input>;  // points x dimensions, offsets

/// f(T{}) of the type of the points.
template <class F>
auto with_type(const input& points, const F& f) {
    if (holds<float>(points)) return f(float{});
    if (holds<double>(points)) return f(double{});
    throw bad_argument("series: is " + name_of(points.dtype()) + ", expected float32 or float64");
}

/// The elements of a contiguous array in host memory or, on CUDA, in that of the device.
template <class T, class Array>
auto* elements_anywhere(const execution& where, const char* name, const Array& array, index_t size) {
    const bool on_host = array.device_type() == nb::device::cpu::value;
    return elements<T>(on_host ? execution(on_cpu{}) : where, name, array, size);
}

template <class T>
series_batch<T> batch_of(const execution& where, const char* name, const packed_series& side) {
    const auto& [points, offsets] = side;
    if (points.ndim() != 2) throw bad_argument(std::string(name) + ": expected points x dimensions");
    const index_t* const at = elements<index_t>(on_cpu{}, name, offsets);
    const index_t count = static_cast<index_t>(offsets.size()) - 1;
    if (count < 0 || at[0] < 0 || at[count] > static_cast<index_t>(points.shape(0)))
        throw bad_argument(std::string(name) + ": offsets are not within the points");
    return {elements_anywhere<T>(where, name, points, static_cast<index_t>(points.size())), at, count,
            static_cast<index_t>(points.shape(1))};
}

report costs(const place& p, const packed_series& queries, const packed_series& targets,
             const output& answers, const warping_options& o) {
    return with_type(std::get<0>(queries), [&]<class T>(T) {
        const auto a = batch_of<T>(p.where, "queries", queries), b = batch_of<T>(p.where, "targets", targets);
        const matrix_view<T> to(elements_anywhere<T>(p.where, "answers", answers, a.count * b.count),
                                extents<2>{{a.count, b.count}});
        const released_gil release;
        const bool symmetric = a.data == b.data && a.offsets == b.offsets;  // one array given twice
        return (symmetric ? warping_costs(p.where, a, to, o) : warping_costs(p.where, a, b, to, o)).run;
    });
}

/// f(numbers of a, numbers of b, dimensions) with the GIL released.
template <class T, class F>
auto with_pair(const place& p, const input& a, const input& b, const F& f) {
    const auto numbers = [&](const char* name, const input& side) {
        return std::span<const T>(
            elements_anywhere<T>(p.where, name, side, static_cast<index_t>(side.size())), side.size());
    };
    const auto dimensions = static_cast<index_t>(a.shape(1));
    const auto x = numbers("x", a), y = numbers("y", b);
    const released_gil release;
    return f(x, y, dimensions);
}

std::tuple<double, index_pairs, report> path(const place& p, const input& a, const input& b,
                                             const warping_options& o) {
    return with_type(a, [&]<class T>(T) {
        auto r = with_pair<T>(p, a, b, [&](auto x, auto y, index_t dimensions) {
            return warping_path<T>(p.where, x, y, dimensions, o);
        });
        return std::tuple{static_cast<double>(r.cost), owned(std::move(r.path)), std::move(r.run)};
    });
}

std::tuple<double, report> gradient(const place& p, const input& a, const input& b, const output& to,
                                    const warping_options& o) {
    return with_type(a, [&]<class T>(T) {
        auto r = with_pair<T>(p, a, b, [&](auto x, auto y, index_t dimensions) {
            return warping_gradient<T>(p.where, x, y, dimensions, o);
        });
        std::copy(r.gradient.begin(), r.gradient.end(),
                  elements<T>(on_cpu{}, "gradient", to, std::ssize(r.gradient)));
        return std::tuple{static_cast<double>(r.cost), std::move(r.run)};
    });
}

}  // namespace

void bind_warping(nb::module_& m) {
    bind_options<warping_options>(m, "WarpingOptions");
    m.def("warping_costs", &costs, nb::arg("where"), nb::arg("queries"), nb::arg("targets"),
          nb::arg("answers"), nb::arg("options"));
    m.def("warping_path", &path, nb::arg("where"), nb::arg("x"), nb::arg("y"), nb::arg("options"));
    m.def("warping_gradient", &gradient, nb::arg("where"), nb::arg("x"), nb::arg("y"), nb::arg("gradient"),
          nb::arg("options"));
}

}  // namespace wale::python
