// experiments - what is studied of this solver.
#pragma once

#include <wale/wavefront.hpp>

#include "study/experiment.hpp"

namespace wale::wavefront {

using experiments::ceiling;
using experiments::device_copy_rate;
using experiments::experiment;
using experiments::host_write_rate;
using experiments::integer_ceiling;

/// A table that may be computed in tiles of the caller's choice.
class tiled_experiment : public experiment {
public:
    virtual report run_tiled(const execution& where, const std::string& variant, tile_shape tile) = 0;
};

[[nodiscard]] std::unique_ptr<tiled_experiment> make_fill(recurrence kind, index_t size);
[[nodiscard]] std::unique_ptr<experiment> make_pair(const std::string& operation, index_t size);
[[nodiscard]] std::unique_ptr<experiment> make_batch(bool edit, index_t count);

}  // namespace wale::wavefront
