// colours - Newton's method for steady flows on the device: a cycle linearises the balance of all cells,
// solves by GMRES and takes the change, as shared/newton/team_newton.cpp does on the host. The preconditioner
// is block Gauss and Seidel's sweeps by colours: a launch takes all cells of a colour, no two of which are
// neighbours. What a direction needs is recorded in a graph, and its scalars stay on the device: the host
// reads some words where it guesses that the directions are enough, and once a change.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "cuda/recorded_graph.cuh"
#include "solvers/euler/advance/cuda/colours/krylov.cuh"
#include "solvers/euler/advance/cuda/colours/linear.cuh"
#include "solvers/euler/advance/cuda/colours/residual.cuh"
#include "solvers/euler/advance/shared/device/launch.cuh"
#include "solvers/euler/advance/shared/device/session.cuh"
#include "solvers/euler/advance/shared/newton/sweep_levels.hpp"

namespace wale::euler {
namespace {

/// What the host reads of krylov_words.
struct read_words {
    double norm;
    int taken, done;
};

class colours_session final : public device_session<double> {
public:
    explicit colours_session(const advance_job& job) : colours_session(job, cuda::context(job.where)) {}

    void follow_lift() override {
        bend_far_field(cuda::context(where()), system().lift);
        is_known_ = false;
    }

protected:
    void iterate(const cuda::context& on, index_t count) override {
        if (!is_known_) norm_ = find_balance(on);
        is_known_ = true;
        for (index_t i = 0; i < count; ++i) cycle(on);
    }
    void store(const cuda::context& on, double* states) override { copy_states(on, states, state_.data()); }
    void load(const cuda::context& on, const double* states) override {
        copy_states(on, state_.data(), states);
        is_known_ = false;
    }
    void prepare(const cuda::context& on) override {
        if (system().cells() == 0) return;
        for (const bool second : {false, true})
            direction_[second] = cuda::recorded_graph(
                on, [&](const cuda::context& recorder) { queue_direction(recorder, second); });
        change_ = cuda::recorded_graph(on, [&](const cuda::context& recorder) { queue_change(recorder); });
    }
    [[nodiscard]] std::string policy() const override {
        return "colours=" + std::to_string(colours_.size() - 1) +
               " sweeps=" + std::to_string(coloured_sweeps) + " block=" + std::to_string(colours_block);
    }

private:
    colours_session(const advance_job& job, const cuda::context& on) : device_session<double>(job) {
        const index_t cells = system().cells();
        if (cells == 0) return;
        make_order(on);
        make_links(on);
        std::vector<double> root(static_cast<std::size_t>(cells));
        for (std::size_t i = 0; i < root.size(); ++i)
            root[i] = std::sqrt(system().grid.volume[i] / system().total_volume);
        root_ = cuda::device_array<double>(on, root);
        make_room(on);
        std::vector<double> stream;
        for (index_t i = 0; i < cells; ++i)
            for (const double v : system().options.stream.state()) stream.push_back(v);
        const cuda::device_array<double> free_stream(on, stream);
        copy_states(on, state_.data(), free_stream.data());
        bend_far_field(on, 0);
        free_stream_ = find_balance(on);
        bend_far_field(on, system().lift);
    }

    void make_order(const cuda::context& on) {
        const wale::mesh& m = system().grid;
        const sweep_levels order = sweep_colours_of(system());
        colours_ = order.first;
        std::vector<swept_cell> sweep;
        std::vector<std::int32_t> cell_of_row(m.neighbour.size());
        for (const std::int32_t cell : order.cells) {
            const auto c = static_cast<std::size_t>(cell);
            sweep.push_back(
                {m.first_face[c], cell, static_cast<std::int32_t>(m.first_face[c + 1] - m.first_face[c])});
            std::fill(cell_of_row.begin() + m.first_face[c], cell_of_row.begin() + m.first_face[c + 1], cell);
        }
        sweep_ = cuda::device_array<swept_cell>(on, sweep);
        cell_of_row_ = cuda::device_array<std::int32_t>(on, cell_of_row);
        std::vector<listed_face> faces;
        for (std::size_t r = 0; r < cell_of_row.size(); ++r) {
            const std::int32_t other = m.neighbour[r];
            const std::int32_t turned =
                is_patch(other) ? -1
                                : static_cast<std::int32_t>(m.first_face[static_cast<std::size_t>(other)] +
                                                            m.opposite[r]);
            const auto row = static_cast<std::int32_t>(r);
            if (turned < 0 || row < turned) faces.push_back({row, turned, cell_of_row[r]});
        }
        face_ = cuda::device_array<listed_face>(on, faces);
    }

    void make_links(const cuda::context& on) {
        if (scheme().order == 1 || numbers().limiter != euler_limiter::none) return;
        const host_arrays<double> host(system());
        const gradient_links links = gradient_links_of(host.grid, numbers());
        first_link_ = cuda::device_array<index_t>(on, links.first);
        link_ = cuda::device_array<gradient_links::link>(on, links.links);
        ghosts_ = cuda::device_array<std::int32_t>(on, links.ghosts);
    }

    void make_room(const cuda::context& on) {
        const index_t cells = system().cells(), entries = variables * cells;
        const auto room = [&](auto& array, index_t size) {
            array = std::remove_reference_t<decltype(array)>(size, on.device());
        };
        for (auto* a : {&state_, &moved_, &balance_, &next_balance_, &swept_}) room(*a, entries);
        room(points_, cells + ghosts_.size());
        room(flux_, variables * system().grid.rows());
        if (scheme().order == 2) room(gradients_, cells);
        if (blends_shocks(system().options)) room(shocks_, cells);
        room(waves_, cells);
        room(beside_, block_entries * system().grid.rows());
        room(diagonal_, block_entries * cells);
        room(inverse_, block_entries * cells);
        room(basis_, (newton_rule::most_directions + 2) * entries);
        index_t of_sweep = 0;
        for (std::size_t c = 0; c + 1 < colours_.size(); ++c)
            of_sweep += blocks_by_fives(colours_[c + 1] - colours_[c]);
        room(parts_, std::max({of_sweep, index_t{blocks_of(entries, colours_block)},
                               index_t{newton_rule::most_directions} * colours_most_blocks}));
        room(words_, 1);
        words_.zero(on);
    }

    [[nodiscard]] colours_task task() const {
        colours_task t{};
        t.grid = mesh().grid();
        t.k = numbers();
        const balance units = units_of(t.k);
        std::copy(units.begin(), units.end(), t.units);
        t.total_volume = system().total_volume;
        t.faces = face_.size();
        t.ghosts = ghosts_.size();
        t.cell_of_row = cell_of_row_.data();
        t.sweep = sweep_.data();
        t.face = face_.data();
        t.first_link = first_link_.data();
        t.link = link_.data();
        t.row_of_ghost = ghosts_.data();
        t.root = root_.data();
        t.state = state_.data();
        t.moved = moved_.data();
        t.balance = balance_.data();
        t.next_balance = next_balance_.data();
        t.points = points_.data();
        t.gradients = gradients_.data();
        t.shocks = shocks_.data();
        t.flux = flux_.data();
        t.waves = waves_.data();
        t.beside = beside_.data();
        t.diagonal = diagonal_.data();
        t.inverse = inverse_.data();
        t.basis = basis_.data();
        t.swept = swept_.data();
        t.parts = parts_.data();
        t.words = words_.data();
        return t;
    }
    [[nodiscard]] const euler_scheme& scheme() const { return system().options.scheme; }

    [[nodiscard]] read_words read(const cuda::context& on) const {
        read_words w{};
        static_assert(offsetof(krylov_words, most) == sizeof w);
        cuda::read_back(on, &w, words_.data(), sizeof w);
        return w;
    }

    /// Of the state; its norm.
    double find_balance(const cuda::context& on) {
        copy_states(on, moved_.data(), state_.data());
        queue_points(on, task());
        queue_residual(on, scheme(), task(), residual_use::norm);
        const double norm = read(on).norm;
        copy_states(on, balance_.data(), next_balance_.data());
        return norm;
    }

    /// Sweeps from 0 on. `differs`: the last finds the step of a difference.
    void queue_sweeps(const cuda::context& on, int from, bool differs) const {
        const auto count = colours_.size() - 1;
        for (int sweep = 0; sweep < coloured_sweeps; ++sweep) {
            const bool sums = differs && sweep + 1 == coloured_sweeps;
            index_t part = 0;
            for (std::size_t c = 0; c < count; ++c) {
                queue_colour(on, task(),
                             {colours_[c], colours_[c + 1], from, sums ? part : -1, sums && c + 1 == count});
                part += blocks_by_fives(colours_[c + 1] - colours_[c]);
            }
        }
    }
    /// A direction of the system of first order, or of the scheme's own.
    void queue_direction(const cuda::context& on, bool second) const {
        queue_sweeps(on, latest_direction, second);
        if (second) {
            queue_difference(on, task());
            queue_residual(on, scheme(), task(), residual_use::product);
        } else {
            queue_product(on, task());
        }
        queue_next_direction(on, task());
    }
    void queue_change(const cuda::context& on) const {
        queue_sum_of_directions(on, task());
        queue_sweeps(on, sum_of_directions, false);
        queue_move(on, task(), 1);
        queue_residual(on, scheme(), task(), residual_use::norm);
    }

    void cycle(const cuda::context& on) {
        const newton_rule rule(norm_, free_stream_, coloured_bounds);
        queue_rule(on, task(), rule);
        queue_assembly(on, task(), system().grid.rows(), rule.linear_flux(scheme().flux));
        queue_first_direction(on, task());
        // As many as the cycle before, and then by twos: what is too much does nothing, what is too little
        // costs the host's reading.
        read_words w{};
        for (int next = std::clamp(guess_[rule.second], 1, rule.directions); w.done == 0; next = 2) {
            for (int d = 0; d < next; ++d) direction_[rule.second].launch(on);
            w = read(on);
        }
        guess_[rule.second] = w.taken;
        change_.launch(on);
        double after = read(on).norm;
        constexpr double least = 0.0625;
        for (double part = 0.5; part >= least && !(after < rule.growth * norm_); part /= 2) {
            queue_move(on, task(), part);
            queue_residual(on, scheme(), task(), residual_use::norm);
            after = read(on).norm;
        }
        copy_states(on, state_.data(), moved_.data());
        copy_states(on, balance_.data(), next_balance_.data());
        norm_ = after;
    }

    std::vector<index_t> colours_{0};  // [colours + 1] places in the order
    cuda::device_array<swept_cell> sweep_;
    cuda::device_array<std::int32_t> cell_of_row_, ghosts_;
    cuda::device_array<listed_face> face_;
    cuda::device_array<index_t> first_link_;
    cuda::device_array<gradient_links::link> link_;
    cuda::device_array<double> root_, state_, moved_, balance_, next_balance_, shocks_, flux_, swept_, waves_,
        basis_, parts_;
    cuda::device_array<gas_point<double>> points_;
    cuda::device_array<gradient_of<double>> gradients_;
    cuda::device_array<float> beside_, diagonal_, inverse_;
    cuda::device_array<krylov_words> words_;
    cuda::recorded_graph direction_[2], change_;  // of first order, of the scheme's; the change of a cycle
    int guess_[2] = {1, 1};                       // directions of the cycle before
    double norm_ = 0, free_stream_ = 0;           // of the residual now, and of the free stream's
    bool is_known_ = false;                       // whether balance_ and norm_ are the state's
};

std::string refusal(const advance_job& job) {
    const euler_options& o = job.system->options;
    if (o.scheme.time != euler_time::newton) return "takes time newton only";
    if (!o.group.empty()) return "computes in one process";
    if (o.layout == euler_layout::variable_major || o.layout == euler_layout::packed)
        return "keeps states cell-major";
    if (o.constants != euler_constants::automatic && o.constants != euler_constants::parameters)
        return "takes constants as parameters only";
    if (job.system->grid.rows() > std::numeric_limits<std::int32_t>::max() - job.system->cells())
        return "numbers faces in 32 bits";
    return {};
}

std::unique_ptr<flow_session> create(advance_job& job) {
    return std::make_unique<colours_session>(job);
}

}  // namespace

extern constinit const flow_row advance_cuda_colours{
    "cuda/colours",
    "Newton's method for steady flows, by GMRES; the preconditioner is Gauss and Seidel's sweeps by colours "
    "of cells",
    create, refusal};

}  // namespace wale::euler
