// info - facts about this build and machine.
#include <wale/output_file.hpp>
#include <wale/variants.hpp>

#include "failure.hpp"
#include "json.hpp"
#include "options.hpp"

namespace wale::cli {

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
