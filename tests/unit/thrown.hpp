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

/// Expects an Error whose message holds `part`.
template <class Error>
void expect_thrown(const std::string& part, const std::function<void()>& call) {
    const std::string said = thrown<Error>(call);
    EXPECT_NE(said.find(part), std::string::npos) << said << " lacks " << part;
}

}  // namespace wale
