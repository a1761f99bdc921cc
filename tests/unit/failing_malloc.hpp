// failing_malloc - the k-th allocation of the process fails once, also inside C libraries.
#pragma once

namespace wale::testing_memory {

/// The allocation after the next `after` ones fails, as often as the object lasts: once.
class failing_allocation {
public:
    explicit failing_allocation(long after);
    failing_allocation(const failing_allocation&) = delete;
    failing_allocation& operator=(const failing_allocation&) = delete;
    ~failing_allocation() { (void)disarm(); }
    /// Whether an allocation has failed; from here on none does.
    bool disarm();
};

}  // namespace wale::testing_memory
