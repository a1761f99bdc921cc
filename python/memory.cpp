// memory - arrays of other libraries seen as views; arrays on a device; the spelled copies.
#include <complex>
#include <memory>
#include <utility>

#include "bindings.hpp"

namespace wale::python {
namespace {

using device_array = nb::ndarray<nb::array_api>;

constexpr int on_host = nb::device::cpu::value;
constexpr int on_cuda_device = nb::device::cuda::value;

struct element_name {
    const char* name;
    nb::dlpack::dtype type;
};

const element_name element_names[] = {
    {"uint8", nb::dtype<std::uint8_t>()},
    {"uint16", nb::dtype<std::uint16_t>()},
    {"uint32", nb::dtype<std::uint32_t>()},
    {"int16", nb::dtype<std::int16_t>()},
    {"int32", nb::dtype<std::int32_t>()},
    {"int64", nb::dtype<std::int64_t>()},
    {"float32", nb::dtype<float>()},
    {"float64", nb::dtype<double>()},
    {"complex64", nb::dtype<std::complex<float>>()},
    {"complex128", nb::dtype<std::complex<double>>()},
    {"bool", nb::dtype<bool>()},
};

/// What the Python side asks of a device array, whose library it does not know.
struct array_info {
    std::vector<index_t> shape;
    std::string dtype;
    int device_type, device_id;
    bool is_contiguous;
};

array_info inspect(const input& array) {
    array_info info{{}, name_of(array.dtype()), array.device_type(), array.device_id(), contiguous(array)};
    for (std::size_t d = 0; d < array.ndim(); ++d) info.shape.push_back(static_cast<index_t>(array.shape(d)));
    return info;
}

device_array empty(int device, const std::vector<index_t>& shape, const std::string& dtype) {
    index_t count = 1;
    for (const index_t n : shape) count = checked_bytes(n, count);
    for (const element_name& e : element_names) {
        if (dtype != e.name) continue;
        auto block =
            std::make_unique<memory>(checked_bytes(count, e.type.bits / 8), memory_space::device, device);
        void* data = block->data();
        const nb::capsule owner(block.release(), [](void* p) noexcept { delete static_cast<memory*>(p); });
        const std::vector<std::size_t> sizes(shape.begin(), shape.end());
        return device_array(data, sizes.size(), sizes.data(), owner, nullptr, e.type, on_cuda_device, device);
    }
    throw bad_argument("dtype: is '" + dtype + "', expected an element type that Wale takes");
}

/// The same memory with other axes; the array it came from stays alive.
device_array reshaped(const nb::object& array, const std::vector<index_t>& shape) {
    const auto from = nb::cast<output>(array);
    index_t count = 1;
    for (const index_t n : shape) count = checked_bytes(n, count);
    if (!contiguous(input(from)) || count != static_cast<index_t>(from.size()))
        throw bad_argument("reshaped: expected a contiguous array of " + std::to_string(count) + " elements");
    const std::vector<std::size_t> sizes(shape.begin(), shape.end());
    return device_array(from.data(), sizes.size(), sizes.data(), array, nullptr, from.dtype(),
                        from.device_type(), from.device_id());
}

void copy(const place& p, const output& to, const input& from) {
    if (to.nbytes() != from.nbytes() || !contiguous(input(to)) || !contiguous(from))
        throw bad_argument("copy: expected two contiguous arrays of the same number of bytes");
    const auto bytes = static_cast<index_t>(from.nbytes());
    void* target = to.data();
    const void* source = from.data();
    const released_gil release;
    copy_bytes(p.where, target, source, bytes);
}

}  // namespace

bool contiguous(const input& array) {
    if (array.size() == 0) return true;  // strides of nothing mean nothing
    std::int64_t expected = 1;
    for (std::size_t d = array.ndim(); d-- > 0;) {
        if (array.shape(d) > 1 && array.stride(d) != expected) return false;
        expected *= static_cast<std::int64_t>(array.shape(d));
    }
    return true;
}

std::string name_of(nb::dlpack::dtype type) {
    for (const element_name& e : element_names)
        if (e.type == type) return e.name;
    using code = nb::dlpack::dtype_code;
    const char* kind = "an unknown element type";
    for (const auto& [of, word] :
         {std::pair{code::Int, "int"}, std::pair{code::UInt, "uint"}, std::pair{code::Float, "float"},
          std::pair{code::Bfloat, "bfloat"}, std::pair{code::Complex, "complex"}})
        if (type.code == static_cast<std::uint8_t>(of)) kind = word;
    return kind + std::to_string(type.bits) +
           (type.lanes == 1 ? "" : " in vectors of " + std::to_string(type.lanes));
}

void check_place(const execution& where, const char* name, int device_type, int device_id) {
    const on_cuda* cuda = std::get_if<on_cuda>(&where);
    if (cuda == nullptr && device_type == on_cuda_device)
        throw bad_argument(std::string(name) + ": is in device memory, expected host memory (wale.to_host)");
    if (cuda != nullptr && !cuda->devices.empty()) {
        if (device_type == on_cuda_device)
            throw bad_argument(std::string(name) +
                               ": is in device memory, expected host memory, which is split over devices");
        return;
    }
    if (cuda != nullptr && device_type == on_host)
        throw bad_argument(std::string(name) +
                           ": is in host memory, expected device memory (wale.to_device)");
    if (cuda != nullptr && device_type == on_cuda_device && device_id != cuda->device)
        throw bad_argument(std::string(name) + ": is on device " + std::to_string(device_id) +
                           ", expected device " + std::to_string(cuda->device));
}

sequence_view sequence(const execution& where, const char* name, const input& array) {
    check_place(where, name, array.device_type(), array.device_id());
    const bool symbols =
        holds<std::uint8_t>(array) || holds<std::uint16_t>(array) || holds<std::uint32_t>(array);
    if (array.ndim() != 1 || !contiguous(array) || !symbols)
        throw bad_argument(std::string(name) + ": is " + std::to_string(array.ndim()) + "-dimensional of " +
                           name_of(array.dtype()) +
                           ", expected one contiguous dimension of uint8, uint16 or uint32");
    return {array.data(), static_cast<index_t>(array.size()), static_cast<int>(array.itemsize())};
}

void bind_memory(nb::module_& m) {
    nb::class_<array_info>(m, "ArrayInfo")
        .def_ro("shape", &array_info::shape)
        .def_ro("dtype", &array_info::dtype)
        .def_ro("device_type", &array_info::device_type)
        .def_ro("device_id", &array_info::device_id)
        .def_ro("contiguous", &array_info::is_contiguous);
    m.def("inspect", &inspect, nb::arg("array"));
    m.def("empty", &empty, nb::arg("device"), nb::arg("shape"), nb::arg("dtype"));
    m.def("reshaped", &reshaped, nb::arg("array"), nb::arg("shape"));
    m.def("copy", &copy, nb::arg("where"), nb::arg("to"), nb::arg("from_"));
}

}  // namespace wale::python
