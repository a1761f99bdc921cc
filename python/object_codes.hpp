// object_codes - hashable objects of Python as symbols: equal ones get equal codes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "bindings.hpp"
#include "few_or_many.hpp"

namespace wale::python {

/// A table of what was seen, as a dict has it: same objects are equal, others if they have one hash and say
/// so. Of Python's own numbers and texts no code of the caller is run; once there are other objects, whose
/// comparison may run such code, all objects are kept alive.
class object_codes {
public:
    object_codes() = default;
    object_codes(const object_codes&) = delete;
    object_codes& operator=(const object_codes&) = delete;
    ~object_codes() {
        if (kept_)
            for (const entry& one : entries_) Py_DECREF(one.object);
    }
    /// Whether it is a list or a tuple, whose objects code() takes.
    [[nodiscard]] static bool takes(PyObject* value) {
        return PyList_CheckExact(value) || PyTuple_CheckExact(value);
    }
    /// Appends the codes of a list or a tuple; false where an object has no hash, and Python's error is
    /// cleared.
    template <class Codes>
    [[nodiscard]] bool append(PyObject* value, Codes& to) {
        const auto size = static_cast<std::size_t>(size_of(value));
        if (to.empty()) to.reserve(size);
        make_room(entries_.size() + std::min<std::size_t>(size, 512));
        for (Py_ssize_t k = 0; k < size_of(value); ++k) {  // a comparison may change a list
            const std::int64_t found = code(item(value, k));
            if (found < 0) {
                PyErr_Clear();
                return false;
            }
            to.push_back(static_cast<std::uint32_t>(found));
        }
        return true;
    }

private:
#ifndef Py_LIMITED_API
    static Py_ssize_t size_of(PyObject* list) {
        return Py_SIZE(list);
    }
    static PyObject* item(PyObject* list, Py_ssize_t k) {
        return PySequence_Fast_GET_ITEM(list, k);
    }
#else
    static Py_ssize_t size_of(PyObject* list) {
        return PyTuple_CheckExact(list) ? PyTuple_Size(list) : PyList_Size(list);
    }
    static PyObject* item(PyObject* list, Py_ssize_t k) {
        return PyTuple_CheckExact(list) ? PyTuple_GetItem(list, k) : PyList_GetItem(list, k);
    }
#endif
    struct entry {
        Py_hash_t hash;
        PyObject* object;
        bool number;  // an int that is its own hash
    };
    static constexpr long long own_hash = 1LL << 30;  // numbers nearer to 0 are their own hashes, but -1

    std::int64_t code(PyObject* object) {
        bool number = false;
        Py_hash_t hash = 0;
        if (PyLong_CheckExact(object)) {
            int beyond = 0;
            const long long value = PyLong_AsLongLongAndOverflow(object, &beyond);
            number = beyond == 0 && value > -own_hash && value < own_hash && value != -1;
            if (number) hash = static_cast<Py_hash_t>(value);
        }
        if (kept_ || !(number || is_plain(object))) return foreign(object);
        return found(object, number ? hash : PyObject_Hash(object), number);
    }
    [[nodiscard]] static bool is_plain(PyObject* object) {
        return PyUnicode_CheckExact(object) || PyLong_CheckExact(object) || PyBytes_CheckExact(object) ||
               PyFloat_CheckExact(object);
    }
    /// Of an object whose hash and comparison may run code of the caller.
    std::int64_t foreign(PyObject* object) {
        const nb::object held = nb::borrow(object);
        if (!kept_)
            for (const entry& one : entries_) Py_INCREF(one.object);
        kept_ = true;
        const Py_hash_t hash = PyObject_Hash(object);
        return hash == -1 ? -1 : found(object, hash, false);
    }
    std::int64_t found(PyObject* object, Py_hash_t hash, bool number) {
        make_room(entries_.size());
        for (std::size_t at = place(hash);; at = (at + 1) & (slot_count() - 1)) {
            const std::uint32_t slot = slots_[at];
            if (slot == 0) {
                if (kept_) Py_INCREF(object);
                entries_.push_back({hash, object, number});
                slots_[at] = static_cast<std::uint32_t>(entries_.size());
                return static_cast<std::int64_t>(entries_.size()) - 1;
            }
            const entry& one = entries_[slot - 1];  // stays where it is: a comparison adds none
            if (one.hash != hash) continue;
            if (one.object == object || (one.number && number)) return std::int64_t{slot} - 1;
            const int equal = compared(one.object, object);
            if (equal != 0) return equal < 0 ? -1 : std::int64_t{slot} - 1;
        }
    }
    /// 1: equal; -1: the comparison failed.
    [[nodiscard]] static int compared(PyObject* a, PyObject* b) {
#ifndef Py_LIMITED_API
        if (PyUnicode_CheckExact(a) && PyUnicode_CheckExact(b)) {
            const Py_ssize_t size = PyUnicode_GET_LENGTH(a);
            return size == PyUnicode_GET_LENGTH(b) && PyUnicode_KIND(a) == PyUnicode_KIND(b) &&
                   std::memcmp(PyUnicode_DATA(a), PyUnicode_DATA(b),
                               static_cast<std::size_t>(size) * PyUnicode_KIND(a)) == 0;
        }
#endif
        return PyObject_RichCompareBool(a, b, Py_EQ);
    }
    [[nodiscard]] std::size_t slot_count() const {
        return slots_.size();
    }
    /// Hashes of small integers are the integers: the product spreads what they differ in.
    [[nodiscard]] std::size_t place(Py_hash_t hash) const {
        const auto mixed = static_cast<std::uint64_t>(hash) * 0x9e3779b97f4a7c15u;
        return static_cast<std::size_t>(mixed >> shift_);
    }
    /// So that half of the slots are free.
    void make_room(std::size_t entries) {
        if (entries * 2 < slot_count()) return;
        const std::size_t count = std::max<std::size_t>(64, std::bit_ceil(entries * 2 + 1));
        slots_.resize(count);
        std::fill(slots_.begin(), slots_.end(), 0);
        shift_ = 64 - std::countr_zero(count);
        for (std::size_t k = 0; k < entries_.size(); ++k) {
            std::size_t at = place(entries_[k].hash);
            while (slots_[at] != 0) at = (at + 1) & (count - 1);
            slots_[at] = static_cast<std::uint32_t>(k + 1);
        }
    }

    few_or_many<entry, 32> entries_;        // of code k
    few_or_many<std::uint32_t, 64> slots_;  // 0: none; else one more than a code
    int shift_ = 64;
    bool kept_ = false;  // whether the table holds references
};

}  // namespace wale::python
