// list - what exists, and what of it runs here; info - facts about this build and machine.
#include <wale/output_file.hpp>
#include <wale/variants.hpp>

#include "failure.hpp"
#include "json.hpp"
#include "options.hpp"
#include "text.hpp"

namespace wale::cli {

int list(const list_options& options) {
    const std::vector<variant_info> all = variants(options.solver);
    if (all.empty()) {
        std::vector<std::string> solvers;
        for (const variant_info& v : variants())
            if (solvers.empty() || solvers.back() != v.solver) solvers.push_back(v.solver);
        throw usage_error(unknown_text(options.solver, "solver", solvers));
    }
    output_file out(options.output);
    if (options.json) {
        out.write(to_json(all) + "\n");
    } else {
        std::vector<std::vector<std::string>> rows{
            {"solver", "operation", "variant", "here", "what it does"}};
        for (const variant_info& v : all)
            rows.push_back({v.solver, v.operation, v.name, is_available(v.where) ? "yes" : "no", v.summary});
        out.write(table_text(rows, rows.front().size()));
        for (const backend b : {backend::reference, backend::cpu, backend::cuda})
            if (const std::string why = why_unavailable(b); !why.empty())
                out.write(std::string(name_of(b)) + " is not available: " + why + "\n");
    }
    out.commit();
    return exit_good;
}

int info(const info_options& options) {
    output_file out(options.output);
    if (options.json) {
        out.write(to_json(configuration()) + "\n");
    } else {
        for (const config_line& line : configuration()) out.write(line.name + ": " + line.value + "\n");
    }
    out.commit();
    return exit_good;
}

}  // namespace wale::cli
