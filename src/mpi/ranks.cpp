// ranks - the public handle; finds and opens libwale_mpi beside libwale when the world is first asked for.
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <wale/error.hpp>
#include <wale/ranks.hpp>
#include <wale/variants.hpp>

#include "mpi/transport.hpp"

namespace wale {
namespace mpi {
namespace {

struct plugin {
    const mpi_api* api = nullptr;
    std::string reason;
};

std::filesystem::path own_directory() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&run_ranks), &info) == 0 || info.dli_fname == nullptr) return {};
    return std::filesystem::path(info.dli_fname).parent_path();
}

plugin load() {
    const std::filesystem::path file = own_directory() / "libwale_mpi.so";
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        return {nullptr, "this build of Wale has no MPI (libwale_mpi.so is not beside libwale)"};
    // Global: Open MPI opens parts of itself at run time, which look for its symbols there.
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) return {nullptr, std::string("libwale_mpi does not load: ") + dlerror()};
    const auto entry = reinterpret_cast<entry_function>(dlsym(library, entry_symbol));
    if (entry == nullptr) return {nullptr, "libwale_mpi has no entry point"};
    const mpi_api* table = entry();
    if (std::string(table->version) != version())
        return {nullptr,
                std::string("libwale_mpi is of version ") + table->version + ", libwale of " + version()};
    return {table, {}};
}

const plugin& the_plugin() {
    static const plugin p = load();
    return p;
}

}  // namespace
}  // namespace mpi

ranks ranks::world() {
    static const std::shared_ptr<mpi::transport> all = [] {
        const mpi::plugin& p = mpi::the_plugin();
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

}  // namespace wale
