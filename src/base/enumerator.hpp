// enumerator - refuses numbers that a cast has made an enumerator: rows index tables with them.
#pragma once

#include <type_traits>

#include "base/argument.hpp"

namespace wale::base {

/// Throws bad_argument "ARGUMENT.MEMBER: is enumerator 7, ..." where `value` is none of those from 0 to
/// `last`.
template <class Enum>
void check_enumerator(const char* argument, const char* member, Enum value, std::type_identity_t<Enum> last) {
    const auto number = static_cast<index_t>(value), most = static_cast<index_t>(last);
    if (number < 0 || number > most)
        refuse(std::string(argument) + "." + member, "is enumerator " + text(number),
               "one from 0 to " + text(most));
}

}  // namespace wale::base
