// vector_cells - a rank's part in groups of cells, one in each lane of a vector: the stages of cpu/vectors.
// What a lane computes does not depend on its neighbours in the vector, so neither on how a mesh is cut.
#include <algorithm>
#include <array>
#include <numeric>

#include "solvers/euler/advance/cpu/ranks/part_cells.hpp"
#include "solvers/euler/advance/shared/lanes/lanes.hpp"

namespace wale::euler {
namespace {

template <class Real>
class vectors final : public part_cells<Real> {
public:
    vectors(const part_setup& setup, const std::vector<euler_state>& state)
        : own_(setup.own),
          arrays_(own_),
          mesh_(arranged(own_, arrays_.grid, in_place(own_.cells()))),
          lanes_(lanes_of<Real>()) {
        const auto places = static_cast<std::size_t>(mesh_.groups * lanes_);
        buffers_[0].resize(record * (places + static_cast<std::size_t>(lanes_)));
        for (std::size_t at = 0; at < places + static_cast<std::size_t>(lanes_); ++at) {
            const std::size_t cell = std::min(at, setup.part.cells.size() - 1);
            const euler_state s = at >= places ? own_.options.stream.state()
                                               : state[static_cast<std::size_t>(setup.part.cells[cell])];
            for (std::size_t v = 0; v < variables; ++v)
                buffers_[0][record * at + v] = static_cast<Real>(s[v]);
        }
        stage_task<Real> all = task(completion_pass, 0, mesh_.groups + 1);
        all.now = all.next = buffers_[0].data();
        run_stage(all);
        buffers_[1] = buffers_[2] = kept_ = buffers_[0];
        steps_.resize(places);
    }

    [[nodiscard]] const char* name() const noexcept override { return "vectors"; }
    [[nodiscard]] index_t words() const noexcept override { return record; }
    [[nodiscard]] Real* records(int buffer) noexcept override {
        return buffers_[static_cast<std::size_t>(buffer % stages)].data();
    }
    void keep() override { kept_ = buffers_[0]; }
    void go_back() override { buffers_[0] = kept_; }

    /// Steps are local or fixed.
    [[nodiscard]] double least_step(index_t, index_t) override { return 0; }
    void set_steps(index_t first, index_t last, double step) override {
        for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i)
            steps_[i] = static_cast<Real>(step / own_.grid.volume[i]);
    }
    void stage(int stage, index_t first, index_t last) override {
        stage_task<Real> t = task(stage, group_from(first), group_from(last));
        t.now = records(stage);
        t.next = records(stage + 1);
        run_stage(t);
    }

    void find_residuals(index_t first, index_t last) override {
        stage_task<Real> t = task(residual_pass, group_from(first), group_from(last));
        t.next = buffers_[1].data();
        run_stage(t);
    }
    [[nodiscard]] cell_measure measure(index_t i) const override {
        flux_of<Real> r;
        for (int v = 0; v < variables; ++v) r.at[v] = buffers_[1][static_cast<std::size_t>(record * i + v)];
        cell_measure m = measure_cell(arrays_.grid, point(i), r, i);
        std::array<double, 3> arm{};
        measure_walls(arrays_.grid, point(i), i, mesh_.k.far.p, arm_of(own_, i, arm), m);
        return m;
    }
    [[nodiscard]] bool is_bad_cell(index_t i) const override { return is_bad(point(i)); }

private:
    [[nodiscard]] static std::vector<std::int32_t> in_place(index_t cells) {
        std::vector<std::int32_t> order(static_cast<std::size_t>(cells));
        std::iota(order.begin(), order.end(), 0);
        return order;
    }
    [[nodiscard]] gas_point<Real> point(index_t i) const {
        return point_of(buffers_[0].data() + record * i, mesh_.k);
    }
    /// A group is its first cell's.
    [[nodiscard]] index_t group_from(index_t cell) const { return (cell + lanes_ - 1) / lanes_; }
    [[nodiscard]] stage_task<Real> task(int stage, index_t first, index_t last) {
        return {
            &mesh_, buffers_[0].data(), buffers_[0].data(), buffers_[0].data(), steps_.data(), stage, first,
            last};
    }

    const flow_system& own_;
    host_arrays<Real> arrays_;
    lane_mesh<Real> mesh_;
    index_t lanes_;
    std::array<base::aligned_vector<Real>, stages>
        buffers_;  // [places + lanes][8]; the state is in the first
    base::aligned_vector<Real> kept_, steps_;
};

}  // namespace

template <class Real>
std::unique_ptr<part_cells<Real>> vector_cells(const part_setup& setup,
                                               const std::vector<euler_state>& state) {
    return std::make_unique<vectors<Real>>(setup, state);
}
template std::unique_ptr<part_cells<float>> vector_cells(const part_setup&, const std::vector<euler_state>&);
template std::unique_ptr<part_cells<double>> vector_cells(const part_setup&, const std::vector<euler_state>&);

}  // namespace wale::euler
