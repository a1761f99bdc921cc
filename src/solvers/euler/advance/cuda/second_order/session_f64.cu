// session_f64 - second order over tiles in double.
#include "solvers/euler/advance/cuda/second_order/session.cuh"

namespace wale::euler::second_order {

template <>
std::unique_ptr<flow_session> create_session<double>(const advance_job& job) {
    return std::make_unique<tiles_session<double>>(job);
}
template <>
flow_parts<double> parts_of<double>(const advance_job& job, std::span<const on_cuda> devices) {
    return parts_here<double>(job, devices);
}

}  // namespace wale::euler::second_order
