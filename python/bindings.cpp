// bindings - the module, its exceptions, where to run, and facts about the build.
#include "bindings.hpp"
#include "plain_warping.hpp"
#include "short_calls.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <unistd.h>

#include <cstring>
#include <exception>
#include <utility>

namespace wale::python {
namespace {

/// A subclass of Error that is also what Python programs catch already: ValueError, MemoryError, OSError.
template <class T>
nb::object derived(nb::module_& m, const char* name, nb::handle base, PyObject* builtin, const char* doc) {
    // OSError comes first: its constructor sets errno, that of Error's base does not.
    nb::object bases = nb::borrow(base);
    if (builtin == PyExc_OSError)
        bases = nb::make_tuple(nb::handle(builtin), base);
    else if (builtin != nullptr)
        bases = nb::make_tuple(base, nb::handle(builtin));
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

/// Makes errors of the system what Python calls them, too: FileNotFoundError, PermissionError and their like
/// are bases of their classes, errno and filename are set. These classes have names in the module for pickle.
template <class T>
void carry_code(nb::module_& m, const nb::object& type) {
    const std::string name = nb::cast<std::string>(type.attr("__name__"));
    for (PyObject* builtin : {PyExc_FileNotFoundError, PyExc_PermissionError, PyExc_IsADirectoryError,
                              PyExc_NotADirectoryError, PyExc_FileExistsError}) {
        const std::string own =
            "_" + name + "_" + nb::cast<std::string>(nb::handle(builtin).attr("__name__"));
        const std::string full = nb::cast<std::string>(m.attr("__name__")) + "." + own;
        const nb::object bases = nb::make_tuple(nb::handle(builtin), type);
        m.attr(own.c_str()) = nb::steal(PyErr_NewException(full.c_str(), bases.ptr(), nullptr));
    }
    const auto translate = [](const std::exception_ptr& thrown, void* payload) {
        try {
            std::rethrow_exception(thrown);
        } catch (const T& e) {
            const nb::tuple known = nb::borrow<nb::tuple>(static_cast<PyObject*>(payload));
            nb::object kind = known[0], one;
            if (e.code() == 0) {
                one = kind(e.what());
            } else {
                const std::string words = std::strerror(e.code()), what = e.what();
                const std::size_t end = what.rfind(": " + words);
                const nb::object file =
                    end == std::string::npos ? nb::none() : nb::object(nb::str(what.substr(0, end).c_str()));
                const nb::object plain = nb::handle(PyExc_OSError)(e.code(), words);
                const std::string own = "_" + nb::cast<std::string>(kind.attr("__name__")) + "_" +
                                        nb::cast<std::string>(plain.type().attr("__name__"));
                if (nb::hasattr(known[1], own.c_str())) kind = known[1].attr(own.c_str());
                one = kind(e.code(), words, file);
            }
            PyErr_SetObject(one.type().ptr(), one.ptr());
        }
    };
    nb::register_exception_translator(translate, nb::make_tuple(type, m).release().ptr());
}

/// Ctrl-C that a call noticed: the exception that Python's handler raised, as it was.
void carry_interruption() {
    nb::register_exception_translator(
        [](const std::exception_ptr& thrown, void*) {
            try {
                std::rethrow_exception(thrown);
            } catch (const interrupted&) {
                try {
                    std::rethrow_exception(released_gil::taken());
                } catch (nb::python_error& e) {
                    e.restore();
                }
            }
        },
        nullptr);
}

std::string representation(const place& p) {
    if (const auto* cuda = std::get_if<on_cuda>(&p.where)) {
        const std::string timed = cuda->time_on_device ? ", time_on_device=True)" : ")";
        if (cuda->devices.empty()) return "wale.cuda(device=" + std::to_string(cuda->device) + timed;
        std::string list;
        for (const int d : cuda->devices) list += (list.empty() ? "" : ", ") + std::to_string(d);
        return "wale.cuda([" + list + "]" + timed;
    }
    if (const auto* cpu = std::get_if<on_cpu>(&p.where))
        return "wale.cpu(threads=" + std::to_string(cpu->threads) + ")";
    return "wale.reference()";
}

std::vector<std::pair<std::string, std::string>> configuration_lines() {
    std::vector<std::pair<std::string, std::string>> lines;
    for (const config_line& line : configuration()) lines.emplace_back(line.name, line.value);
    return lines;
}

std::string unavailable(const std::string& name) {
    return why_unavailable(named<backend>("backend", name));
}

thread_local std::optional<report> last;
/// Of a short call after `last`: its row, or null.
struct brief_run {
    const char* variant = nullptr;
    double work = 0;
};
constinit thread_local brief_run brief;

std::optional<report> last_report() {
    if (const char* const variant = std::exchange(brief.variant, nullptr))
        last = report{.variant = variant, .work = brief.work};
    return last;
}

thread_local std::exception_ptr noticed;  // by released_gil::ask() of this thread

/// (backend, threads or device, stream, devices, time_on_device): what an Execution is made of.
using place_parts = std::tuple<std::string, int, std::uintptr_t, std::vector<int>, bool>;

place_parts parts_of(const place& p) {
    const std::string kind = name_of(backend_of(p.where));
    if (const auto* cpu = std::get_if<on_cpu>(&p.where)) return {kind, cpu->threads, 0, {}, false};
    const auto* cuda = std::get_if<on_cuda>(&p.where);
    if (cuda == nullptr) return {kind, 0, 0, {}, false};
    return {kind, cuda->device, reinterpret_cast<std::uintptr_t>(cuda->stream), cuda->devices,
            cuda->time_on_device};
}

place place_of(const place_parts& parts) {
    const auto& [kind, number, stream, devices, time_on_device] = parts;
    switch (named<backend>("backend", kind)) {
        case backend::reference:
            return {on_reference{}};
        case backend::cpu:
            return {on_cpu{number}};
        default:
            return {on_cuda{number, reinterpret_cast<void*>(stream), devices, time_on_device}};
    }
}

}  // namespace

void remember(report run) {
    last = std::move(run);
    brief.variant = nullptr;
}

void remember(const brief_result& run, double work) {
    brief = {run.variant, work};
}

bool released_gil::ask() {
    if (getpid() != gettid()) return false;  // Python serves signals in its first thread
    const nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() == 0) return false;
    try {
        throw nb::python_error();
    } catch (...) {
        noticed = std::current_exception();
    }
    return true;
}

std::exception_ptr released_gil::taken() {
    return std::exchange(noticed, nullptr);
}

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
    carry_code<cannot_open>(m, derived<cannot_open>(m, "CannotOpen", base, PyExc_OSError,
                                                    "A file cannot be opened for reading. errno says why; "
                                                    "a missing file is a FileNotFoundError, too."));
    carry_code<cannot_write>(m,
                             derived<cannot_write>(m, "CannotWrite", base, PyExc_OSError,
                                                   "A file cannot be created or written; errno says why."));
    carry_interruption();
}

void bind_execution(nb::module_& m) {
    nb::class_<place>(m, "Execution",
                      "Where a solver runs: made by wale.reference(), wale.cpu(), wale.cuda().")
        .def_prop_ro("backend", [](const place& p) { return std::string(name_of(backend_of(p.where))); })
        .def_prop_ro("threads",
                     [](const place& p) {
                         const auto* cpu = std::get_if<on_cpu>(&p.where);
                         return cpu != nullptr ? cpu->threads : 0;
                     })
        .def_prop_ro("device",
                     [](const place& p) {
                         const auto* cuda = std::get_if<on_cuda>(&p.where);
                         return cuda != nullptr ? cuda->device : 0;
                     })
        .def_prop_ro("stream", [](const place& p) { return std::get<2>(parts_of(p)); })
        .def("__repr__", [](const place& p) { return representation(p); })
        .def(
            "__eq__",
            [](const place& p, const nb::object& other) {
                return nb::isinstance<place>(other) && parts_of(p) == parts_of(nb::cast<const place&>(other));
            },
            nb::arg("other").none())
        .def("__hash__", [](const place& p) { return nb::hash(nb::cast(representation(p))); })
        .def_prop_ro("devices",
                     [](const place& p) {
                         const auto* cuda = std::get_if<on_cuda>(&p.where);
                         return nb::tuple(nb::cast(cuda != nullptr ? cuda->devices : std::vector<int>{}));
                     })
        .def("__copy__", [](const place& p) { return p; })
        .def(
            "__deepcopy__", [](const place& p, const nb::dict&) { return p; }, nb::arg("memo"))
        .def("__getstate__",
             [](const place& p) {
                 const auto parts = parts_of(p);
                 if (std::get<2>(parts) != 0)
                     throw bad_argument("where: has a stream, which belongs to this process, expected none");
                 return parts;
             })
        .def("__setstate__", [](place& p, const place_parts& parts) { new (&p) place(place_of(parts)); });
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
        [](int device, std::uintptr_t stream, bool time_on_device) {
            if (device < 0)
                throw bad_argument("device: is " + std::to_string(device) + ", expected 0 or more");
            return place{on_cuda{device, reinterpret_cast<void*>(stream), {}, time_on_device}};
        },
        nb::arg("device") = 0, nb::arg("stream") = 0, nb::arg("time_on_device") = false);
    m.def(
        "cuda_devices",
        [](const std::vector<int>& devices, bool time_on_device) {
            return place{on_cuda{0, nullptr, devices, time_on_device}};
        },
        nb::arg("devices"), nb::arg("time_on_device") = false);
    bind_result<variant_info>(m, "VariantInfo",
                              "A schedule on a backend: a row in the table of its operation.");
    m.def(
        "variants", [](const std::string& solver) { return variants(solver); }, nb::arg("solver"));
    m.def("configuration", &configuration_lines);
    m.def("why_unavailable", &unavailable, nb::arg("backend"));
    m.def("version", [] { return std::string(version()); });
    bind_result<report>(m, "Report", "What really ran: variant, tuned numbers, device and times.");
    m.def(
        "remember", [](const report& run) { remember(run); }, nb::arg("report"));
    m.def("last_report", &last_report);
}

}  // namespace wale::python

NB_MODULE(_wale, m) {
    m.doc() = "The compiled part of the package wale.";
    nanobind::set_leak_warnings(false);  // a program may end with objects alive, by an exception for one
    wale::python::bind_errors(m);
    wale::python::bind_html(m);
    wale::python::bind_execution(m);
    wale::python::bind_memory(m);
    wale::python::bind_wavefront(m);
    wale::python::bind_pair_alignments(m);
    wale::python::bind_plain_calls(m);
    wale::python::bind_plain_warping(m);
    wale::python::bind_short_calls(m);
    wale::python::bind_search(m);
    wale::python::bind_verification(m);
    wale::python::bind_profile(m);
    wale::python::bind_texts(m);
    wale::python::bind_warping(m);
    wale::python::bind_reconstruction(m);
    wale::python::bind_lu(m);
    wale::python::bind_tree(m);
    wale::python::bind_cable(m);
    wale::python::bind_euler(m);
    wale::python::bind_study(m);
}
