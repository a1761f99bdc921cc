// session_f32 - second order over tiles in float.
#include "solvers/euler/advance/cuda/second_order/session.cuh"

namespace wale::euler::second_order {

template <>
std::unique_ptr<flow_session> create_session<float>(const advance_job& job) {
    return std::make_unique<tiles_session<float>>(job);
}
template <>
flow_parts<float> parts_of<float>(const advance_job& job, std::span<const on_cuda> devices) {
    return parts_here<float>(job, devices);
}

}  // namespace wale::euler::second_order
