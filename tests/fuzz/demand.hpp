// demand - what every fuzz target says of a reader: it takes an input, or refuses it with one clean line.
#pragma once

#include <cstdlib>
#include <iostream>
#include <string_view>
#include <wale/error.hpp>

#include "fuzz/option_bytes.hpp"

namespace wale::fuzz {

inline void demand(bool holds, const char* what) {
    if (holds) return;
    std::cerr << "does not hold: " << what << '\n';
    std::abort();
}

/// Whether parse() takes its input; only bad_input may be thrown, and its message has no control bytes.
template <class Parse>
bool takes(Parse&& parse) {
    try {
        parse();
        return true;
    } catch (const bad_input& e) {
        for (const char* c = e.what(); *c != '\0'; ++c)
            demand(static_cast<unsigned char>(*c) >= 0x20, "messages have no control bytes");
        return false;
    }
}

}  // namespace wale::fuzz
