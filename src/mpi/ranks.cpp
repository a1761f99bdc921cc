// ranks - the public handle, which opens libwale_mpi when the world is first asked for, and what all
// transports do alike.
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <wale/error.hpp>
#include <wale/execution.hpp>
#include <wale/rank_messages.hpp>
#include <wale/ranks.hpp>

#include "base/plugin.hpp"
#include "mpi/transport.hpp"

namespace wale {
namespace mpi {
namespace {

const base::plugin<mpi_api>& the_plugin() {
    // Global: Open MPI opens parts of itself at run time, which look for its symbols there.
    static const auto p = base::open_plugin<mpi_api>("libwale_mpi", "MPI", entry_symbol, RTLD_GLOBAL);
    return p;
}

}  // namespace

transport::~transport() = default;

void transport::gather(const void* own, std::span<const index_t> counts, void* all) {
    const auto parts = static_cast<std::size_t>(size());
    const auto me = static_cast<std::size_t>(rank());
    // Blocks lie turned, the own one first, until all are there.
    std::vector<index_t> at(parts + 1, 0);
    for (std::size_t b = 0; b < parts; ++b) at[b + 1] = at[b] + counts[(me + b) % parts];
    std::vector<char> turned(static_cast<std::size_t>(at[parts]));
    if (counts[me] > 0) std::memcpy(turned.data(), own, static_cast<std::size_t>(counts[me]));
    for (std::size_t have = 1; have < parts; have *= 2) {
        const std::size_t more = std::min(have, parts - have);
        receive(static_cast<int>((me + have) % parts), turned.data() + at[have], at[have + more] - at[have]);
        send(static_cast<int>((me + parts - have) % parts), turned.data(), at[more]);
        finish();
    }
    const index_t before =
        std::accumulate(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(me), index_t{0});
    std::rotate_copy(turned.begin(), turned.end() - before, turned.end(), static_cast<char*>(all));
}

}  // namespace mpi

ranks ranks::world() {
    static const std::shared_ptr<mpi::transport> all = [] {
        const auto& p = mpi::the_plugin();
        if (p.api == nullptr) throw backend_unavailable("MPI is not available: " + p.reason);
        return std::shared_ptr<mpi::transport>(p.api->world());
    }();
    return ranks(all);
}

std::string ranks::why_unavailable() {
    return mpi::the_plugin().reason;
}

bool ranks::launched() noexcept {
    const char* const said[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
    return std::ranges::any_of(said, [](const char* name) { return std::getenv(name) != nullptr; });
}

int ranks::rank() const noexcept {
    return own_ ? own_->rank() : 0;
}
int ranks::size() const noexcept {
    return own_ ? own_->size() : 1;
}
int ranks::rank_on_host() const noexcept {
    return own_ ? own_->rank_on_host() : 0;
}
bool ranks::any(bool mine) const {
    if (!own_) return mine;
    const std::vector<char> all = mpi::gathered(*own_, static_cast<char>(mine));
    return std::ranges::any_of(all, [](char said) { return said != 0; });
}
void ranks::abandon() const noexcept {
    if (own_) own_->abandon();
}

std::vector<std::string> gather(const ranks& group, const std::string& own) {
    if (group.empty()) return {own};
    const std::vector<index_t> sizes = mpi::gathered(*group.transport(), std::ssize(own));
    std::string all(static_cast<std::size_t>(std::accumulate(sizes.begin(), sizes.end(), index_t{0})), ' ');
    group.transport()->gather(own.data(), sizes, all.data());
    std::vector<std::string> parts;
    std::size_t at = 0;
    for (const index_t size : sizes) {
        parts.push_back(all.substr(at, static_cast<std::size_t>(size)));
        at += static_cast<std::size_t>(size);
    }
    return parts;
}

std::vector<std::string> gather_first(const ranks& group, const std::string& own) {
    if (group.empty()) return {own};
    const std::vector<index_t> sizes = mpi::gathered(*group.transport(), std::ssize(own));
    std::vector<std::string> parts;
    if (group.rank() != 0) {
        group.transport()->send(0, own.data(), std::ssize(own));
    } else {
        parts.resize(sizes.size());
        parts[0] = own;
        for (int r = 1; r < group.size(); ++r) {
            std::string& part = parts[static_cast<std::size_t>(r)];
            part.resize(static_cast<std::size_t>(sizes[static_cast<std::size_t>(r)]));
            group.transport()->receive(r, part.data(), std::ssize(part));
        }
    }
    group.transport()->finish();
    return parts;
}

std::string scatter(const ranks& group, const std::function<std::string(int rank)>& part) {
    if (group.empty()) return part(0);
    mpi::transport& t = *group.transport();
    if (group.rank() == 0) {
        for (int r = 1; r < group.size(); ++r) {
            const std::string bytes = part(r);
            const index_t count = std::ssize(bytes);
            t.send(r, &count, sizeof count);
            t.send(r, bytes.data(), count);
            t.finish();
        }
        return part(0);
    }
    index_t count = 0;
    t.receive(0, &count, sizeof count);
    t.finish();
    std::string own(static_cast<std::size_t>(count), ' ');
    t.receive(0, own.data(), count);
    t.finish();
    return own;
}

int threads_for(const ranks& group) {
    if (group.empty()) return available_threads();
    struct place {
        char host[256]{};
        cpu_set_t processors{};
    } here;
    (void)gethostname(here.host, sizeof here.host - 1);
    (void)sched_getaffinity(0, sizeof here.processors, &here.processors);
    const auto sharing = std::ranges::count_if(
        mpi::gathered(*group.transport(), here),
        [&](const place& there) { return std::memcmp(&there, &here, sizeof here) == 0; });
    return std::max(1, available_threads() / static_cast<int>(sharing));
}

}  // namespace wale
