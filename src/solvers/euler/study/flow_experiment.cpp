// flow_experiment - a shell of tetrahedra at Mach 1.2.
#include "solvers/euler/study/flow_experiment.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <wale/error.hpp>

#include "solvers/euler/advance/shared/measure.hpp"

namespace wale::euler {
namespace {

constexpr double steps_asked = 5e6;  // cells times iterations: seconds of the reference

euler_options options_of(const recipe& what, const arrangement& how) {
    euler_options o;
    o.precision = what.precision;
    o.check_every = 0;
    o.layout = how.layout;
    o.constants = how.constants;
    if (what.order != cell_order::natural) o.order = what.order;
    if (what.what == recipe::form::published) o.scheme = euler_scheme::rodinia();
    if (what.what == recipe::form::first_order) o.scheme.order = 1;
    return o;
}

class flow_experiment final : public experiments::experiment {
public:
    flow_experiment(mesh grid, const euler_options& options, double many_steps)
        : options_(options),
          grid_(std::move(grid)),
          flow_(grid_, options),
          start_(flow_.state()),
          iterations_(std::clamp(static_cast<index_t>(many_steps) / std::max<index_t>(1, grid_.cells()),
                                 index_t{3}, index_t{200})) {}

    double cells() const override { return static_cast<double>(grid_.cells() * iterations_); }
    double reference_rate() const override { return 2e6; }
    bool certified() const override { return true; }

    bool outlives_the_call() const override { return true; }

    void prepare(const execution&) override {
        flow_.set_state(start_);
        flow_.set_history({});
    }

    report run(const execution& where, const std::string& variant) override {
        prepare(where);
        return flow_.run(where, iterations_, variant).run;
    }

    std::string flaw() override {
        if (truth_.empty()) truth_ = by_reference(scalar::f64);
        const double worst = off_the_truth(flow_.state());
        double most = options_.precision == scalar::f32 ? 5e-5 : 1e-11;
        if (!(worst <= most)) most = std::fmax(most, rounding_shown());
        if (worst <= most) return {};
        std::ostringstream text;
        text << "differs from the reference in double by " << worst << ", expected at most " << most;
        return text.str();
    }

    experiments::ceiling bound(const execution& where, const report& run) override {
        const auto* device = std::get_if<on_cuda>(&where);
        if (!device || run.bytes == 0) return {};
        if (device_copy_rate_ == 0) device_copy_rate_ = experiments::device_copy_rate(*device);
        return {device_copy_rate_ * cells() / run.bytes, "device memory (copy), what the schedule moves"};
    }

private:
    [[nodiscard]] std::vector<euler_state> by_reference(scalar precision) const {
        euler_options o = options_;
        o.precision = precision;
        o.layout = euler_layout::automatic;
        o.constants = euler_constants::automatic;
        euler_case flow(grid_, o);
        (void)flow.run(on_reference{}, iterations_);
        return flow.state();
    }

    [[nodiscard]] double off_the_truth(const std::vector<euler_state>& state) const {
        double worst = 0;
        for (std::size_t i = 0; i < state.size(); ++i)
            for (std::size_t v = 0; v < state[i].size(); ++v)
                worst = larger(worst, std::fabs(state[i][v] - truth_[i][v]));
        return worst;
    }

    /// What rounding may do to this flow: a few times what it does to the plain loops in float. An error in
    /// double is enlarged by the same steps, from roundings that are 2^29 times smaller.
    [[nodiscard]] double rounding_shown() const {
        const double in_float = 8 * off_the_truth(by_reference(scalar::f32));
        return options_.precision == scalar::f32 ? in_float : in_float * 0x1p-29;
    }

    euler_options options_;
    mesh grid_;
    euler_case flow_;
    std::vector<euler_state> start_, truth_;
    index_t iterations_;
    double device_copy_rate_ = 0;  // [bytes/s]
};

}  // namespace

const std::vector<recipe>& recipes() {
    using enum recipe::form;
    static const std::vector<recipe> all{
        {"rodinia_f32", scalar::f32, published},
        {"rodinia_f64", scalar::f64, published},
        {"rodinia_f32_random", scalar::f32, published, cell_order::natural, true},
        {"rodinia_f32_random_renumbered", scalar::f32, published, cell_order::reverse_cuthill_mckee, true},
        {"rodinia_f32_random_hilbert", scalar::f32, published, cell_order::hilbert, true},
        {"hllc_first_order", scalar::f64, first_order},
        {"hllc_second_order", scalar::f64, second_order},
    };
    return all;
}

std::unique_ptr<experiments::experiment> make_experiment(const recipe& what, index_t size,
                                                         const arrangement& how) {
    return make_flow(generate_mesh({.kind = mesh_kind::shell, .size = size, .shuffled = what.shuffled}),
                     options_of(what, how), steps_asked);
}

std::unique_ptr<experiments::experiment> make_flow(mesh grid, const euler_options& options,
                                                   double many_steps) {
    return std::make_unique<flow_experiment>(std::move(grid), options, many_steps);
}

}  // namespace wale::euler
