// fields - the fields of results and options by name: one list a structure, from which the command line makes
// JSON and text, and Python its attributes.
#pragma once

#include <tuple>

namespace wale {

template <class T, class M>
struct field {
    const char* name;
    M T::*member;
    const char* text = "";       // what it is, in a sentence
    bool may_be_absent = false;  // numbers below 0 and empty texts say that there is none
};

// What g++ deduces for an aggregate, for compilers that do not (clang before 17). Sphinx cannot name guides.
/// @cond
template <class T, class M>
field(const char*, M T::*) -> field<T, M>;
template <class T, class M>
field(const char*, M T::*, const char*) -> field<T, M>;
template <class T, class M>
field(const char*, M T::*, const char*, bool) -> field<T, M>;
/// @endcond

/// Specialised for each structure: `static constexpr auto all`, a tuple of its fields.
template <class T>
struct fields;

template <class T>
concept has_fields = requires {
    fields<T>::all;
};

/// Calls f(field) for all fields of T, in their order.
template <class T, class F>
constexpr void for_each_field(F&& f) {
    std::apply([&](const auto&... one) { (f(one), ...); }, fields<T>::all);
}

}  // namespace wale
