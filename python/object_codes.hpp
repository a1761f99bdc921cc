// object_codes - hashable objects of Python as symbols: equal ones get equal codes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "bindings.hpp"

namespace wale::python {

/// A table of what was seen, as a dict has it: same objects are equal, others if they have one hash and say
/// so. Objects are kept alive, since a comparison may run code of the caller.
class object_codes {
public:
    /// Whether it is a list or a tuple, whose objects code() takes.
    [[nodiscard]] static bool takes(PyObject* value) {
        return PyList_CheckExact(value) || PyTuple_CheckExact(value);
    }
    /// Appends the codes of a list or a tuple; false where an object has no hash, and Python's error is
    /// cleared.
    [[nodiscard]] bool append(PyObject* value, std::vector<std::uint32_t>& to) {
        const bool tuple = PyTuple_CheckExact(value);
        const auto size = static_cast<std::size_t>(tuple ? PyTuple_Size(value) : PyList_Size(value));
        if (to.empty()) to.reserve(size);
        while ((entries_.size() + std::min<std::size_t>(size, 512)) * 2 >= slots_.size()) grow();
        for (Py_ssize_t k = 0; k < (tuple ? PyTuple_Size(value) : PyList_Size(value)); ++k) {
            const std::int64_t found = code(tuple ? PyTuple_GetItem(value, k) : PyList_GetItem(value, k));
            if (found < 0) {
                PyErr_Clear();
                return false;
            }
            to.push_back(static_cast<std::uint32_t>(found));
        }
        return true;
    }

private:
    struct entry {
        Py_hash_t hash;
        nb::object object;
    };

    std::int64_t code(PyObject* object) {
        const nb::object held = nb::borrow(object);
        const Py_hash_t hash = PyObject_Hash(object);
        if (hash == -1) return -1;
        if (entries_.size() * 2 >= slots_.size()) grow();
        for (std::size_t at = place(hash);; at = (at + 1) & (slots_.size() - 1)) {
            const std::uint32_t slot = slots_[at];
            if (slot == 0) {
                entries_.push_back({hash, held});
                slots_[at] = static_cast<std::uint32_t>(entries_.size());
                return std::ssize(entries_) - 1;
            }
            const entry& one = entries_[slot - 1];
            if (one.hash != hash) continue;
            const int equal =
                one.object.ptr() == object ? 1 : PyObject_RichCompareBool(one.object.ptr(), object, Py_EQ);
            if (equal != 0) return equal < 0 ? -1 : std::int64_t{slot} - 1;
        }
    }
    /// Hashes of small integers are the integers: the product spreads what they differ in.
    [[nodiscard]] std::size_t place(Py_hash_t hash) const {
        const auto mixed = static_cast<std::uint64_t>(hash) * 0x9e3779b97f4a7c15u;
        return static_cast<std::size_t>(mixed >> (64 - std::countr_zero(slots_.size())));
    }
    void grow() {
        slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), 0);
        for (std::size_t k = 0; k < entries_.size(); ++k) {
            std::size_t at = place(entries_[k].hash);
            while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = static_cast<std::uint32_t>(k + 1);
        }
    }

    std::vector<entry> entries_;        // of code k
    std::vector<std::uint32_t> slots_;  // 0: none; else one more than a code
};

}  // namespace wale::python
