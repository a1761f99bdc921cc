// thrown - what a call says when it throws, for the tests of contracts.
#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <functional>
#include <string>

namespace wale {

/// The message of the Error that `call` throws; anything else fails the test.
template <class Error>
std::string thrown(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& e) {
        return e.what();
    } catch (const std::exception& e) {
        ADD_FAILURE() << "another exception: " << e.what();
        return {};
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

}  // namespace wale
