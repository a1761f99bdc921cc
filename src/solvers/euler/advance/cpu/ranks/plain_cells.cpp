// plain_cells - a rank's part by plain loops, cell-major: bits are those of the reference.
#include <algorithm>
#include <array>
#include <limits>

#include "base/aligned.hpp"
#include "solvers/euler/advance/cpu/ranks/part_cells.hpp"
#include "solvers/euler/advance/shared/dispatch.hpp"

namespace wale::euler {
namespace {

template <class Real>
class plain final : public part_cells<Real> {
public:
    plain(const part_setup& setup, const std::vector<euler_state>& state)
        : own_(setup.own), arrays_(own_), k_(constants_of<Real>(setup.whole)), scheme_(own_.options.scheme) {
        const auto cells = static_cast<std::size_t>(own_.cells());
        for (auto& b : buffers_) b.resize(variables * cells);
        for (std::size_t i = 0; i < cells; ++i)
            for (std::size_t v = 0; v < variables; ++v)
                buffers_[0][variables * i + v] =
                    static_cast<Real>(state[static_cast<std::size_t>(setup.part.cells[i])][v]);
        kept_ = buffers_[0];
        steps_.resize(cells);
        rough_.resize(cells);
        if (scheme_.order == 2) slopes_.resize(cells);
        if (scheme_.smoothing > 0)
            for (auto& r : smooth_) r.resize(cells);
    }

    [[nodiscard]] const char* name() const noexcept override { return "plain"; }
    [[nodiscard]] index_t words() const noexcept override { return variables; }
    [[nodiscard]] Real* records(int buffer) noexcept override {
        return buffers_[static_cast<std::size_t>(buffer % stages)].data();
    }
    void keep() override { kept_ = buffers_[0]; }
    void go_back() override { buffers_[0] = kept_; }

    [[nodiscard]] double least_step(index_t first, index_t last) override {
        double least = std::numeric_limits<double>::infinity();
        for (index_t i = first; i < last; ++i)
            least = std::min(least, static_cast<double>(own_step(i)) * volume(i));
        return least;
    }
    void set_steps(index_t first, index_t last, double step) override {
        for (index_t i = first; i < last; ++i)
            steps_[static_cast<std::size_t>(i)] = static_cast<Real>(step / volume(i));
    }

    [[nodiscard]] bool is_prepared() const noexcept override { return !slopes_.empty(); }
    void prepare(int stage, index_t first, index_t last) override {
        for (index_t i = first; i < last; ++i)
            slopes_[static_cast<std::size_t>(i)] = cell_gradient(arrays_.grid, states(stage), i, k_);
    }
    void stage(int stage, index_t first, index_t last) override {
        each_residual(stage, first, last, [&](index_t i, const flux_of<Real>& r) { step_on(stage, i, r); });
    }

    [[nodiscard]] Real* residuals(int sweep) noexcept override { return smoothed_in(sweep).data()->at; }
    void rough(int stage, index_t first, index_t last) override {
        each_residual(stage, first, last, [&](index_t i, const flux_of<Real>& r) {
            rough_[static_cast<std::size_t>(i)] = smoothed_in(0)[static_cast<std::size_t>(i)] = r;
        });
    }
    void sweep(int sweep, index_t first, index_t last) override {
        for (index_t i = first; i < last; ++i)
            smoothed_in(sweep + 1)[static_cast<std::size_t>(i)] =
                smoothed(arrays_.grid, rough_.data(), smoothed_in(sweep).data(), i, k_);
    }
    void take(int stage, index_t first, index_t last) override {
        for (index_t i = first; i < last; ++i)
            step_on(stage, i, smoothed_in(scheme_.smoothing)[static_cast<std::size_t>(i)]);
    }

    void find_residuals(index_t first, index_t last) override {
        each_residual(0, first, last,
                      [&](index_t i, const flux_of<Real>& r) { rough_[static_cast<std::size_t>(i)] = r; });
    }
    [[nodiscard]] cell_measure measure(index_t i) const override {
        const auto point = states(0).point(i, k_);
        cell_measure m = measure_cell(arrays_.grid, point, rough_[static_cast<std::size_t>(i)], i);
        std::array<double, 3> arm{};
        measure_walls(arrays_.grid, point, i, k_.far.p, arm_of(own_, i, arm), m,
                      slopes_.empty() ? nullptr : &slopes_[static_cast<std::size_t>(i)]);
        return m;
    }
    [[nodiscard]] bool is_bad_cell(index_t i) const override { return is_bad(states(0).point(i, k_)); }

private:
    [[nodiscard]] cell_major_states<Real> states(int stage) const {
        return {buffers_[static_cast<std::size_t>(stage % stages)].data()};
    }
    [[nodiscard]] double volume(index_t i) const { return own_.grid.volume[static_cast<std::size_t>(i)]; }
    [[nodiscard]] std::vector<flux_of<Real>>& smoothed_in(int sweep) {
        return smooth_[static_cast<std::size_t>(sweep % 2)];
    }
    [[nodiscard]] Real own_step(index_t i) const {
        return step_over_volume(scheme_.step, arrays_.grid, states(0).point(i, k_), i, k_);
    }

    template <class F>
    void each_residual(int stage, index_t first, index_t last, F&& f) const {
        const plain_gradients<Real> slopes{slopes_.data()};
        with_scheme(scheme_, [&]<euler_flux Flux, int Order>() {
            for (index_t i = first; i < last; ++i)
                f(i, cell_residual<Flux, Order>(arrays_.grid, states(stage), slopes, i, k_));
        });
    }
    void step_on(int stage, index_t i, const flux_of<Real>& residual) {
        Real& step = steps_[static_cast<std::size_t>(i)];
        if (stage == 0 && scheme_.step != euler_step::global && !(k_.fixed_step > 0)) step = own_step(i);
        const Real *const old = records(0) + variables * i, *const now = records(stage) + variables * i;
        Real* const next = records(stage + 1) + variables * i;
        for (int v = 0; v < variables; ++v)
            next[v] = k_.from_old[stage] * old[v] + k_.from_now[stage] * now[v] +
                      k_.from_flux[stage] * step * residual.at[v];
    }

    const flow_system& own_;
    host_arrays<Real> arrays_;
    constants<Real> k_;
    const euler_scheme& scheme_;
    std::array<base::aligned_vector<Real>, stages> buffers_;  // [cells][5]; the state is in the first
    base::aligned_vector<Real> kept_;
    std::vector<Real> steps_;  // over the volume
    std::vector<gradient_of<Real>> slopes_;
    std::vector<flux_of<Real>> rough_;
    std::array<std::vector<flux_of<Real>>, 2> smooth_;  // of even and odd sweeps
};

}  // namespace

template <class Real>
std::unique_ptr<part_cells<Real>> plain_cells(const part_setup& setup,
                                              const std::vector<euler_state>& state) {
    return std::make_unique<plain<Real>>(setup, state);
}
template std::unique_ptr<part_cells<float>> plain_cells(const part_setup&, const std::vector<euler_state>&);
template std::unique_ptr<part_cells<double>> plain_cells(const part_setup&, const std::vector<euler_state>&);

}  // namespace wale::euler
