// interrupt - how a caller ends a long call: Ctrl-C of a program that must go on.
#pragma once

namespace wale {

/// While an object of this class is there, long calls of its thread on the CPU ask `wanted` about ten times a
/// second, and end by `interrupted` once the answer is true: their threads have ended then, and nothing
/// partial stays on disk. The innermost object of a thread counts. Calls on CUDA ask before the device
/// starts.
class interruption_check {
public:
    using question = bool (*)();
    explicit interruption_check(question wanted) noexcept;
    interruption_check(const interruption_check&) = delete;
    interruption_check& operator=(const interruption_check&) = delete;
    ~interruption_check();

private:
    question before_;
};

}  // namespace wale
