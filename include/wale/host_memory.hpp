// host_memory - how much host memory a process may still take, and the refusal of work that needs more.
#pragma once

#include <string>
#include <wale/layout.hpp>

namespace wale {

/// Bytes of host memory that this process may still allocate: free and reclaimable memory with swap, no more
/// than the limits of its control group and of its address space allow. Reads a few files of /proc: 0.1 ms.
/// The largest index_t where the system does not report the number.
[[nodiscard]] index_t available_host_memory() noexcept;

/// Refuses work before it starts: throws out_of_memory "WHAT: needs BYTES bytes, N are available" where
/// `bytes`, an estimate, are more than available_host_memory(). Requests below 64 MiB pass unchecked.
void demand_host_memory(const std::string& what, double bytes);

}  // namespace wale
