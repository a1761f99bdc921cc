// rodinia_transcription - the published method (Corrigan, Camelli, Loehner, Wallin 2011, as the Rodinia suite
// has it) written down once more in plain loops over plain arrays, to compare with. Normals point inward, as
// the published reader turns them; neighbour -1 is the wing, -2 the far field.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>
#include <wale/euler.hpp>

namespace wale {

class rodinia_transcription {
public:
    static constexpr double gamma = 1.4;
    using five = std::array<double, 5>;

    rodinia_transcription(const mesh& m, double mach)
        : areas_(m.volume), neighbours_(areas_.size()), normals_(areas_.size()) {
        for (std::size_t i = 0; i < areas_.size(); ++i)
            for (std::size_t j = 0; j < 4; ++j) {
                const std::int32_t other = m.neighbour[4 * i + j];
                const bool wing =
                    is_patch(other) && m.patches[static_cast<std::size_t>(patch_of(other))] == "wall";
                neighbours_[i][j] = !is_patch(other) ? other : wing ? -1 : -2;
                for (std::size_t d = 0; d < 3; ++d)
                    normals_[i][j][d] = -m.normal_scale * m.normal[3 * (4 * i + j) + d];
            }
        const double density = 1.4, speed = mach * std::sqrt(gamma * 1.0 / density);
        far_ = {density, density * speed, 0, 0, density * (0.5 * speed * speed) + 1.0 / (gamma - 1)};
        variables.assign(areas_.size(), far_);
    }

    void run(int iterations) {
        for (int i = 0; i < iterations; ++i) {
            const std::vector<five> old = variables;
            const std::vector<double> factors = step_factors();
            for (int j = 0; j < 3; ++j) {
                const std::vector<five> f = fluxes();
                for (std::size_t c = 0; c < old.size(); ++c)
                    for (std::size_t v = 0; v < 5; ++v)
                        variables[c][v] = old[c][v] + factors[c] / (3 + 1 - j) * f[c][v];
            }
        }
    }

    std::vector<five> variables;  // [cells] density, momentum, density energy

private:
    struct velocity_of {
        double x, y, z, squared, pressure, sound;
        explicit velocity_of(const five& u)
            : x(u[1] / u[0]),
              y(u[2] / u[0]),
              z(u[3] / u[0]),
              squared(x * x + y * y + z * z),
              pressure((gamma - 1) * (u[4] - 0.5 * u[0] * squared)),
              sound(std::sqrt(gamma * pressure / u[0])) {}
        [[nodiscard]] double speed() const { return std::sqrt(squared); }
    };

    [[nodiscard]] std::vector<double> step_factors() const {
        std::vector<double> factors;
        for (std::size_t i = 0; i < areas_.size(); ++i) {
            const velocity_of v(variables[i]);
            factors.push_back(0.5 / (std::sqrt(areas_[i]) * (v.speed() + v.sound)));
        }
        return factors;
    }

    /// half of n . F(u), added
    static void add_half(five& sum, const std::array<double, 3>& n, const five& u) {
        const velocity_of v(u);
        const double m[3] = {u[1], u[2], u[3]}, w[3] = {v.x, v.y, v.z};
        for (std::size_t d = 0; d < 3; ++d) {
            sum[0] += 0.5 * n[d] * m[d];
            for (std::size_t e = 0; e < 3; ++e)
                sum[1 + e] += 0.5 * n[d] * (w[d] * m[e] + (d == e ? v.pressure : 0));
            sum[4] += 0.5 * n[d] * w[d] * (u[4] + v.pressure);
        }
    }

    [[nodiscard]] std::vector<five> fluxes() const {
        std::vector<five> all(areas_.size(), five{});
        for (std::size_t i = 0; i < areas_.size(); ++i)
            for (std::size_t j = 0; j < 4; ++j) {
                const auto& n = normals_[i][j];
                const int other = neighbours_[i][j];
                const velocity_of own(variables[i]);
                if (other >= 0) {
                    const five& there = variables[static_cast<std::size_t>(other)];
                    const velocity_of v(there);
                    const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
                    const double factor =
                        -length * 0.2 * 0.5 * (own.speed() + v.speed() + own.sound + v.sound);
                    for (std::size_t k = 0; k < 5; ++k) all[i][k] += factor * (variables[i][k] - there[k]);
                    add_half(all[i], n, there);
                    add_half(all[i], n, variables[i]);
                } else if (other == -1) {
                    for (std::size_t d = 0; d < 3; ++d) all[i][1 + d] += n[d] * own.pressure;
                } else {
                    add_half(all[i], n, far_);
                    add_half(all[i], n, variables[i]);
                }
            }
        return all;
    }

    std::vector<double> areas_;  // what the published code calls so: volumes
    std::vector<std::array<int, 4>> neighbours_;
    std::vector<std::array<std::array<double, 3>, 4>> normals_;
    five far_{};
};

}  // namespace wale
