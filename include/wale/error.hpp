// error - what the library throws. Numerical outcomes are fields of results, never exceptions.
#pragma once

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

/// Memory of host or device, or the threads of the system, do not suffice. The message says what was needed.
class out_of_memory : public error {
public:
    out_of_memory(const std::string& message, bool on_device) : error(message), on_device_(on_device) {}
    [[nodiscard]] bool on_device() const noexcept { return on_device_; }

private:
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

/// A file cannot be opened for reading.
class cannot_open : public error {
public:
    using error::error;
};

/// A file cannot be created or written; nothing partial is left behind.
class cannot_write : public error {
public:
    cannot_write(const std::string& message, bool at_creation) : error(message), at_creation_(at_creation) {}
    [[nodiscard]] bool at_creation() const noexcept { return at_creation_; }

private:
    bool at_creation_;
};

}  // namespace wale
