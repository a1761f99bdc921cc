// plugin - a library of Wale that is opened at run time, because what it needs (CUDA, MPI) is not on every
// machine. It lies beside libwale, or in a Python package of its own beside the package wale: lib<name>.so in
// <name>/.
#pragma once

#include <dlfcn.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <wale/variants.hpp>

namespace wale::base {

template <class Api>
struct plugin {
    const Api* api = nullptr;
    std::string reason;  // why there is no `api`; empty if there is
};

/// Opens `name`.so and calls `entry`, which returns the plugin's table of functions. `absent` is what a build
/// without the file lacks; `mode`: RTLD_LOCAL or RTLD_GLOBAL.
template <class Api>
[[nodiscard]] plugin<Api> open_plugin(const std::string& name, const char* absent, const char* entry,
                                      int mode) {
    Dl_info own{};
    std::filesystem::path file = name + ".so";
    std::error_code ignored;
    if (dladdr(reinterpret_cast<const void*>(&version), &own) != 0 && own.dli_fname != nullptr) {
        const std::filesystem::path folder = std::filesystem::path(own.dli_fname).parent_path();
        const std::filesystem::path package = folder / ".." / name.substr(std::string_view("lib").size());
        file = !std::filesystem::exists(folder / file, ignored) &&
                       std::filesystem::exists(package / file, ignored)
                   ? package / file
                   : folder / file;
    }
    if (!std::filesystem::exists(file, ignored))
        return {nullptr, std::string("this build of Wale has no ") + absent + " (" + name +
                             ".so is not beside libwale)"};
    void* library = dlopen(file.c_str(), RTLD_NOW | mode);
    if (library == nullptr) return {nullptr, name + " does not load: " + dlerror()};
    const auto table_of = reinterpret_cast<const Api* (*)()>(dlsym(library, entry));
    if (table_of == nullptr) return {nullptr, name + " has no entry point"};
    const Api* table = table_of();
    if (std::string(table->version) != version())
        return {nullptr, name + " is of version " + table->version + ", libwale of " + version()};
    return {table, {}};
}

}  // namespace wale::base
