// load - finds and opens libwale_cuda beside libwale, once, on the first question about CUDA.
#include <dlfcn.h>

#include <cstring>
#include <filesystem>
#include <wale/error.hpp>
#include <wale/variants.hpp>

#include "cuda/device_api.hpp"

namespace wale::cuda {
namespace {

struct plugin {
    const device_api* api = nullptr;
    std::string reason;
};

std::filesystem::path own_directory() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&api), &info) == 0 || info.dli_fname == nullptr) return {};
    return std::filesystem::path(info.dli_fname).parent_path();
}

plugin load() {
    const std::filesystem::path file = own_directory() / "libwale_cuda.so";
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        return {nullptr, "this build of Wale has no CUDA backend (libwale_cuda.so is not beside libwale)"};
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return {nullptr, std::string("libwale_cuda does not load: ") + dlerror()};
    const auto entry = reinterpret_cast<entry_function>(dlsym(library, entry_symbol));
    if (entry == nullptr) return {nullptr, "libwale_cuda has no entry point"};
    const device_api* table = entry();
    if (std::strcmp(table->version, version()) != 0)
        return {nullptr,
                std::string("libwale_cuda is of version ") + table->version + ", libwale of " + version()};
    return {table, {}};
}

const plugin& the_plugin() {
    static const plugin p = load();
    return p;
}

}  // namespace

const device_api* api() noexcept {
    return the_plugin().api;
}

std::string why_unavailable() {
    const plugin& p = the_plugin();
    return p.api != nullptr ? p.api->why_unavailable() : p.reason;
}

const device_api& require() {
    const std::string reason = why_unavailable();
    if (!reason.empty()) throw backend_unavailable("CUDA is not available: " + reason);
    return *api();
}

}  // namespace wale::cuda
