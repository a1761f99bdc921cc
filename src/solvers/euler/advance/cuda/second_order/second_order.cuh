// second_order - the sessions of tiles at second order, alone and as parts of several devices.
#pragma once

#include <span>
#include <string>

#include "solvers/euler/advance/shared/parts/flow_part.cuh"

namespace wale::euler::second_order {

/// Why tiles cannot do a job; empty if they can.
[[nodiscard]] std::string why_not(const advance_job& job);

/// Compiled in a file for each Real.
template <class Real>
[[nodiscard]] std::unique_ptr<flow_session> create_session(const advance_job& job);
template <>
std::unique_ptr<flow_session> create_session<float>(const advance_job& job);
template <>
std::unique_ptr<flow_session> create_session<double>(const advance_job& job);

/// A part for each device and stream. Compiled like create_session().
template <class Real>
[[nodiscard]] flow_parts<Real> parts_of(const advance_job& job, std::span<const on_cuda> devices);
template <>
flow_parts<float> parts_of<float>(const advance_job& job, std::span<const on_cuda> devices);
template <>
flow_parts<double> parts_of<double>(const advance_job& job, std::span<const on_cuda> devices);

}  // namespace wale::euler::second_order
