// error - what the library throws. Numerical outcomes are fields of results, never exceptions.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace wale {

/// Base of everything that Wale throws.
class error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// An argument is out of range, of the wrong shape or in the wrong memory space.
/// The message names the argument, the value found and the range expected.
class bad_argument : public error {
public:
    using error::error;
};

/// No variant of this name, or it cannot do what the other arguments ask. The message lists those that can.
class unsupported_variant : public error {
public:
    using error::error;
};

/// The backend is not there: built without it, no driver, no device. The message says which.
class backend_unavailable : public error {
public:
    using error::error;
};

/// Memory of host or device, or the threads of the system, do not suffice. For memory the message ends in the
/// bytes needed and the bytes available.
class out_of_memory : public error {
public:
    static constexpr std::int64_t unknown = -1;  // a library below did not report the number

    /// "WHAT: needs NEEDED bytes, AVAILABLE are available"; a number may be `unknown`.
    out_of_memory(const std::string& what, std::int64_t needed, std::int64_t available,
                  bool on_device = false)
        : error(what + ": needs " + numbers(needed, available)),
          needed_(needed),
          available_(available),
          on_device_(on_device) {}
    out_of_memory(const std::string& message, bool on_device) : error(message), on_device_(on_device) {}

    [[nodiscard]] std::int64_t needed() const noexcept { return needed_; }        // [bytes]
    [[nodiscard]] std::int64_t available() const noexcept { return available_; }  // [bytes] at the time
    [[nodiscard]] bool on_device() const noexcept { return on_device_; }

private:
    static std::string numbers(std::int64_t needed, std::int64_t available) {
        if (needed == unknown)
            return available == unknown ? "more memory than is available"
                                        : "more than the " + std::to_string(available) + " bytes available";
        return std::to_string(needed) + " bytes" +
               (available == unknown ? "" : ", " + std::to_string(available) + " are available");
    }
    std::int64_t needed_ = unknown, available_ = unknown;
    bool on_device_;
};

/// A call to the device runtime failed, or a bounded wait on the device ran out.
class device_error : public error {
public:
    using error::error;
};

/// A file's content is not what its format allows. The message is `file:line: value, expected range`.
class bad_input : public error {
public:
    using error::error;
};

/// A file cannot be opened for reading, or the system fails to read it.
class cannot_open : public error {
public:
    explicit cannot_open(const std::string& message, int code = 0) : error(message), code_(code) {}
    [[nodiscard]] int code() const noexcept { return code_; }  // errno; 0: the system was not at fault

private:
    int code_;
};

/// A file cannot be created or written; nothing partial is left behind.
class cannot_write : public error {
public:
    cannot_write(const std::string& message, bool at_creation, int code = 0)
        : error(message), at_creation_(at_creation), code_(code) {}
    [[nodiscard]] bool at_creation() const noexcept { return at_creation_; }
    [[nodiscard]] int code() const noexcept { return code_; }  // as cannot_open::code()

private:
    bool at_creation_;
    int code_;
};

/// The caller asked for the end of a call: see interruption_check. What the call was to write is unspecified.
class interrupted : public error {
public:
    using error::error;
};

}  // namespace wale
