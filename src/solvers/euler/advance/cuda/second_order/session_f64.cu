// session_f64 - second order over tiles in double.
#include "solvers/euler/advance/cuda/second_order/session.cuh"

namespace wale::euler::second_order {

template <>
std::unique_ptr<flow_session> create_session<double>(const advance_job& job) {
    return std::make_unique<tiles_session<double>>(job);
}

}  // namespace wale::euler::second_order
