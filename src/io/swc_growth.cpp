// swc_growth - neurons made up from a seed, for demonstrations, tests and benchmarks.
#include <wale/error.hpp>
#include <wale/host_memory.hpp>
#include <wale/swc_file.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "base/argument.hpp"
#include "base/decimal_text.hpp"

namespace wale {
namespace {

using direction = std::array<double, 3>;

class growth {
public:
    explicit growth(const neuron_options& options) : o_(options), engine_(options.seed) {}

    swc_tree grow() {
        tree_.name = "grown neuron";
        add(swc_point::soma, {0, 0, 0}, soma_radius, -1);
        for (int s = 0; s < o_.stems; ++s) {
            const int type = s == 0 ? swc_point::apical_dendrite : swc_point::basal_dendrite;
            const direction d = s == 0 ? direction{0, 1, 0} : unit({wobble(), -0.3 + wobble(), wobble()});
            branch({0, type, o_.levels, o_.radius * (s == 0 ? 1.5 : 1.0), d});
        }
        branch({0, swc_point::axon, 0, o_.radius / 2, {0, -1, 0}});
        return std::move(tree_);
    }

private:
    static constexpr double soma_radius = 9;  // [um]

    struct sprout {
        std::int32_t from;
        int type, levels;  // forks to come
        double radius;     // [um]
        direction heading;
    };

    double uniform() { return std::ldexp(static_cast<double>(engine_() >> 11), -53); }
    double wobble() { return 2 * uniform() - 1; }
    static direction unit(const direction& d) {
        const double size = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) + 1e-9;
        return {d[0] / size, d[1] / size, d[2] / size};
    }
    /// As the tables of tracers have them: a thousandth of a micrometre.
    static double rounded(double v) { return std::round(v * 1000) / 1000; }

    std::int32_t add(int type, const direction& at, double radius, std::int32_t parent) {
        swc_point p;
        p.number = std::ssize(tree_.points) + 1;
        p.type = type;
        p.x = rounded(at[0]);
        p.y = rounded(at[1]);
        p.z = rounded(at[2]);
        p.radius = std::max(rounded(radius), 0.05);
        p.parent = parent;
        tree_.points.push_back(p);
        return static_cast<std::int32_t>(tree_.points.size()) - 1;
    }

    void branch(const sprout& first) {
        std::vector<sprout> waiting{first};
        while (!waiting.empty()) {
            sprout s = waiting.back();
            waiting.pop_back();
            const double length = o_.length * (s.type == swc_point::axon ? 6 : 0.6 + 0.8 * uniform());
            const int steps = std::max(1, static_cast<int>(length / o_.step));
            for (int k = 0; k < steps; ++k) s = extended(s, k);
            if (s.levels == 0) continue;
            for (const double part : {0.5, 0.5}) {
                const direction d = unit({s.heading[0] + 0.7 * wobble(), s.heading[1] + 0.7 * wobble(),
                                          s.heading[2] + 0.7 * wobble()});
                waiting.push_back({s.from, s.type, s.levels - 1, s.radius * std::pow(part, 2.0 / 3), d});
            }
        }
    }

    /// One point further, the radius a little less.
    sprout extended(sprout s, int k) {
        const swc_point& p = tree_.points[static_cast<std::size_t>(s.from)];
        const double far = s.from == 0 && k == 0 ? soma_radius : o_.step;
        const direction at{p.x + far * s.heading[0], p.y + far * s.heading[1], p.z + far * s.heading[2]};
        s.radius *= 0.99;
        s.from = add(s.type, at, s.radius, s.from);
        s.heading = unit(
            {s.heading[0] + 0.15 * wobble(), s.heading[1] + 0.15 * wobble(), s.heading[2] + 0.15 * wobble()});
        return s;
    }

    const neuron_options& o_;
    std::mt19937_64 engine_;
    swc_tree tree_;
};

}  // namespace

swc_tree grow_neuron(const neuron_options& options) {
    const auto demand = [](bool holds, const char* name, double value, const char* expected) {
        if (!holds) base::refuse(std::string("options.") + name, "is " + base::decimal_text(value), expected);
    };
    const auto extent = [&](const char* name, double value, double most, const char* expected) {
        demand(value > 0 && value <= most, name, value, expected);
    };
    demand(options.stems >= 0 && options.stems <= 1000, "stems", options.stems, "0 to 1000");
    demand(options.levels >= 0 && options.levels <= 20, "levels", options.levels, "0 to 20");
    extent("step", options.step, 1e4, "more than 0, up to 1e4 um");
    extent("length", options.length, 1e5, "more than 0, up to 1e5 um");
    extent("radius", options.radius, 1e3, "more than 0, up to 1e3 um");
    // From fork to fork 0.6 to 1.4 lengths, the axon six; a branch has one point at least.
    const double steps = options.length / options.step;
    const double branches = options.stems * (std::exp2(options.levels + 1) - 1);
    const double points = 2 + branches * std::max(1.0, 1.4 * steps) + std::max(1.0, 6 * steps);
    if (!(points < 2147483648.0))
        base::refuse("options", "make 2^31 points or more", "fewer stems, levels or steps");
    demand_host_memory("a neuron of about " + std::to_string(static_cast<index_t>(points)) + " points",
                       points / 1.4 * sizeof(swc_point));
    return growth(options).grow();
}

}  // namespace wale
