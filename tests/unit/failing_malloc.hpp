// failing_malloc - an allocation of the process fails, also inside C libraries.
#pragma once

namespace wale::testing_memory {

enum class failing { once, from_there_on };

/// The allocation after the next `after` ones fails, alone or with all later ones.
class failing_allocation {
public:
    failing_allocation(long after, failing how);
    failing_allocation(const failing_allocation&) = delete;
    failing_allocation& operator=(const failing_allocation&) = delete;
    ~failing_allocation() { (void)disarm(); }
    /// Whether an allocation has failed; from here on none does.
    bool disarm();
};

}  // namespace wale::testing_memory
