// host_memory - what /proc, the control group and setrlimit(2) allow this process.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <optional>
#include <wale/error.hpp>
#include <wale/host_memory.hpp>

namespace wale {
namespace {

constexpr index_t boundless = std::numeric_limits<index_t>::max();
constexpr double unchecked_below = 1 << 26;  // bytes

/// The first number of a file, or the number behind `key`.
std::optional<index_t> number_in(const std::string& path, const std::string& key = {}) {
    std::ifstream file(path);
    std::string word;
    while (file >> word) {
        if (!key.empty() && word != key) continue;
        if (!key.empty() && !(file >> word)) return std::nullopt;
        index_t value = 0;
        const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (code == std::errc()) return value;
        return std::nullopt;  // "max"
    }
    return std::nullopt;
}

index_t of_system() {
    constexpr const char* file = "/proc/meminfo";  // in KiB
    const auto free = number_in(file, "MemAvailable:");
    return free ? (*free + number_in(file, "SwapFree:").value_or(0)) * 1024 : boundless;
}

/// What a control group may still take: pages of files that it can drop count as free.
index_t of_group(const std::string& folder, const char* limit, const char* used, const char* droppable) {
    const auto most = number_in(folder + limit), now = number_in(folder + used);
    if (!most || !now) return boundless;
    const index_t files = number_in(folder + "memory.stat", droppable).value_or(0);
    return std::max<index_t>(*most - *now + files, 0);
}

/// The tightest of the process's own groups and those above them. Inside a container the group of the process
/// is the root of the file system of groups.
index_t of_groups() {
    index_t least = boundless;
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string kind = line.substr(first + 1, second - first - 1);
        if (!kind.empty() && kind != "memory") continue;
        for (std::string path = line.substr(second + 1);; path.resize(path.rfind('/'))) {
            if (path == "/") path.clear();
            least = std::min(
                least, kind.empty() ? of_group("/sys/fs/cgroup" + path + "/", "memory.max", "memory.current",
                                               "inactive_file")
                                    : of_group("/sys/fs/cgroup/memory" + path + "/", "memory.limit_in_bytes",
                                               "memory.usage_in_bytes", "total_inactive_file"));
            if (path.rfind('/') == std::string::npos) break;
        }
    }
    return least;
}

index_t of_address_space() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return boundless;
    const index_t used = number_in("/proc/self/statm").value_or(0) * sysconf(_SC_PAGE_SIZE);
    return std::max<index_t>(static_cast<index_t>(limit.rlim_cur) - used, 0);
}

}  // namespace

index_t available_host_memory() noexcept {
    try {
        return std::min({of_system(), of_groups(), of_address_space()});
    } catch (const std::exception&) {  // not even memory for the names of the files
        return 0;
    }
}

void demand_host_memory(const std::string& what, double bytes) {
    if (bytes < unchecked_below) return;
    const index_t available = available_host_memory();
    if (bytes <= static_cast<double>(available)) return;
    constexpr double most = 9223372036854774784.0;  // the largest double below 2^63
    throw out_of_memory(what, static_cast<index_t>(std::min(bytes, most)), available);
}

}  // namespace wale
