// bindings - the module, its exceptions, where to run, and facts about the build.
#include "bindings.hpp"

#include <nanobind/stl/pair.h>

namespace wale::python {
namespace {

/// A subclass of Error that is also what Python programs catch already: ValueError, MemoryError, OSError.
template <class T>
nb::object derived(nb::module_& m, const char* name, nb::handle base, PyObject* builtin, const char* doc) {
    const nb::object bases =
        builtin != nullptr ? nb::object(nb::make_tuple(base, nb::handle(builtin))) : nb::borrow(base);
    nb::exception<T> type(m, name, bases);
    type.attr("__doc__") = doc;
    return type;
}

/// Gives an out_of_memory its numbers as attributes. Later translators are tried first.
void carry_numbers(const nb::object& type) {
    const auto translate = [](const std::exception_ptr& thrown, void* payload) {
        try {
            std::rethrow_exception(thrown);
        } catch (const out_of_memory& e) {
            const nb::handle kind(static_cast<PyObject*>(payload));
            const auto number = [](std::int64_t n) {
                return n == out_of_memory::unknown ? nb::none() : nb::object(nb::int_(n));
            };
            nb::object one = kind(e.what());
            one.attr("needed") = number(e.needed());
            one.attr("available") = number(e.available());
            one.attr("on_device") = e.on_device();
            PyErr_SetObject(kind.ptr(), one.ptr());
        }
    };
    nb::register_exception_translator(translate, type.ptr());
}

std::string representation(const place& p) {
    if (const auto* cuda = std::get_if<on_cuda>(&p.where))
        return "wale.cuda(device=" + std::to_string(cuda->device) + ")";
    if (const auto* cpu = std::get_if<on_cpu>(&p.where))
        return "wale.cpu(threads=" + std::to_string(cpu->threads) + ")";
    return "wale.reference()";
}

std::string representation(const report& r) {
    return "Report(variant='" + r.variant + "', policy='" + r.policy + "', device='" + r.device +
           "', threads=" + std::to_string(r.threads) +
           ", compute_seconds=" + std::to_string(r.compute_seconds) +
           ", transfer_seconds=" + std::to_string(r.transfer_seconds) + ")";
}

std::vector<std::pair<std::string, std::string>> configuration_lines() {
    std::vector<std::pair<std::string, std::string>> lines;
    for (const config_line& line : configuration()) lines.emplace_back(line.name, line.value);
    return lines;
}

std::string unavailable(const std::string& name) {
    return why_unavailable(named<backend>("backend", name));
}

}  // namespace

void bind_errors(nb::module_& m) {
    nb::exception<error> base(m, "Error", PyExc_RuntimeError);
    base.attr("__doc__") = "Base of everything that Wale raises.";
    derived<bad_argument>(m, "BadArgument", base, PyExc_ValueError,
                          "An argument is out of range or of the wrong shape; the message says which.");
    derived<unsupported_variant>(
        m, "UnsupportedVariant", base, PyExc_ValueError,
        "No such variant, or it cannot do this job; the message lists those that can.");
    derived<backend_unavailable>(m, "BackendUnavailable", base, nullptr,
                                 "The backend is not there: built without it, no driver, no device.");
    carry_numbers(derived<out_of_memory>(m, "OutOfMemory", base, PyExc_MemoryError,
                                         "Memory of the host or the device does not suffice, or the system "
                                         "refuses a thread. `needed` and `available`\n"
                                         "are bytes, None where they are not known; `on_device` says whose "
                                         "memory it was."));
    derived<device_error>(m, "DeviceError", base, nullptr,
                          "A call to the device failed, or a bounded wait on the device ran out.");
    derived<bad_input>(m, "BadInput", base, PyExc_ValueError, "A file is not what its format allows.");
    derived<cannot_open>(m, "CannotOpen", base, PyExc_OSError, "A file cannot be opened for reading.");
    derived<cannot_write>(m, "CannotWrite", base, PyExc_OSError, "A file cannot be created or written.");
}

void bind_execution(nb::module_& m) {
    nb::class_<place>(m, "Execution",
                      "Where a solver runs: made by wale.reference(), wale.cpu(), wale.cuda().")
        .def_prop_ro("backend", [](const place& p) { return std::string(name_of(backend_of(p.where))); })
        .def_prop_ro("device",
                     [](const place& p) {
                         const auto* cuda = std::get_if<on_cuda>(&p.where);
                         return cuda != nullptr ? cuda->device : 0;
                     })
        .def("__repr__", [](const place& p) { return representation(p); });
    m.def("reference", [] { return place{on_reference{}}; });
    m.def(
        "cpu",
        [](int threads) {
            if (threads < 0)
                throw bad_argument("threads: is " + std::to_string(threads) + ", expected 0 or more");
            return place{on_cpu{threads}};
        },
        nb::arg("threads") = 0);
    m.def(
        "cuda",
        [](int device, std::uintptr_t stream) {
            if (device < 0)
                throw bad_argument("device: is " + std::to_string(device) + ", expected 0 or more");
            return place{on_cuda{device, reinterpret_cast<void*>(stream)}};
        },
        nb::arg("device") = 0, nb::arg("stream") = 0);
    bind_result<variant_info>(m, "VariantInfo",
                              "A schedule on a backend: a row in the table of its operation.");
    m.def(
        "variants", [](const std::string& solver) { return variants(solver); }, nb::arg("solver"));
    m.def("configuration", &configuration_lines);
    m.def("why_unavailable", &unavailable, nb::arg("backend"));
    m.def("version", [] { return std::string(version()); });
    bind_result<report>(m, "Report", "What really ran: variant, tuned numbers, device and times.")
        .def("__repr__", [](const report& r) { return representation(r); });
}

}  // namespace wale::python

NB_MODULE(_wale, m) {
    m.doc() = "The compiled part of the package wale.";
    wale::python::bind_errors(m);
    wale::python::bind_execution(m);
    wale::python::bind_memory(m);
    wale::python::bind_wavefront(m);
    wale::python::bind_search(m);
    wale::python::bind_reconstruction(m);
    wale::python::bind_lu(m);
    wale::python::bind_tree(m);
    wale::python::bind_cable(m);
    wale::python::bind_euler(m);
    wale::python::bind_study(m);
}
