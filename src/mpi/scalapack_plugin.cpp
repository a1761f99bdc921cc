// scalapack_plugin - opens libwale_scalapack when a row first asks for it.
#include "base/plugin.hpp"
#include "mpi/scalapack_api.hpp"

namespace wale::mpi {

const scalapack_api* scalapack(std::string& why) {
    static const auto p = base::open_plugin<scalapack_api>("libwale_scalapack", "ScaLAPACK",
                                                           scalapack_entry_symbol, RTLD_LOCAL);
    why = p.reason;
    return p.api;
}

}  // namespace wale::mpi
