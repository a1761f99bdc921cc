// measure - from sums over cells to coefficients.
#include "solvers/euler/measure.hpp"

namespace wale::euler {

euler_sample sample_of(const flow_system& system, const std::array<double, cell_measure::sums>& sums) {
    euler_sample s;
    for (std::size_t v = 0; v < variables; ++v) {
        s.residual[v] = std::sqrt(sums[v] / (system.total_volume > 0 ? system.total_volume : 1));
        s.total[v] = sums[11 + v];
    }
    double* const coefficient[3] = {&s.drag, &s.lift, &s.side};
    const double unit = system.force_unit * system.normal_scale;
    for (std::size_t a = 0; a < 3; ++a) {
        double along = 0;
        for (std::size_t d = 0; d < 3; ++d) along += system.axes[a][d] * sums[5 + d];
        *coefficient[a] = along / unit;
        s.moment[a] = sums[8 + a] / (unit * system.options.reference_length);
    }
    return s;
}

}  // namespace wale::euler
