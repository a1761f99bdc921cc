// backend - where the work runs: as asked, or by its size.
#pragma once

#include <iostream>
#include <string>
#include <wale/error.hpp>
#include <wale/execution.hpp>

#include "options.hpp"

namespace wale::cli {

struct chosen_backend {
    execution where;
    bool automatic = false;  // may fall back
};

/// `backend`: auto, reference, cpu or cuda; a variant's full name says it as well. `device_pays`: whether
/// the work is worth starting a device for. Throws backend_unavailable.
[[nodiscard]] chosen_backend choose_backend(const std::string& backend, const std::string& variant,
                                            int threads, bool device_pays);

/// The same where the verb may split a batch over o.devices.
[[nodiscard]] chosen_backend choose_backend(const run_options& o, int threads, bool device_pays);
/// Where arrays of a call lie: on a device, but for several, which take them from host memory.
[[nodiscard]] inline execution home_of(const execution& where) {
    const auto* cuda = std::get_if<on_cuda>(&where);
    return cuda != nullptr && !cuda->devices.empty() ? execution(on_cpu{}) : where;
}
/// Throws usage_error where devices are named to a verb whose work is one piece: `verb` says which, `piece`
/// what.
void expect_no_devices(const run_options& o, const std::string& verb, const std::string& piece);

/// Whether an operation has a row of this name, in full or by its schedule alone; of `automatic` always.
[[nodiscard]] bool has_variant(const std::string& solver, const std::string& operation,
                               const std::string& wanted);

/// f(where); where the backend was ours to choose and the device cannot do it, the CPU does, and a line says
/// so.
template <class F>
auto on_backend(chosen_backend& chosen, int threads, F&& f) {
    const bool may_fall_back = chosen.automatic && backend_of(chosen.where) == backend::cuda;
    try {
        return f(chosen.where);
    } catch (const out_of_memory& e) {
        if (!may_fall_back || !e.on_device()) throw;
        std::cerr << "wale: note: " << e.what() << "; going on with the CPU\n";
    } catch (const unsupported_variant& e) {
        if (!may_fall_back) throw;
        std::cerr << "wale: note: " << e.what() << "; going on with the CPU\n";
    }
    chosen.where = on_cpu{threads};
    return f(chosen.where);
}

}  // namespace wale::cli
