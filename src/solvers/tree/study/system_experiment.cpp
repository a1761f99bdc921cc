// system_experiment - random dominant systems in one layout, solved apart from their right sides and judged
// by the backward error.
#include <algorithm>
#include <numeric>
#include <optional>
#include <sstream>
#include <wale/buffer.hpp>
#include <wale/error.hpp>

#include "solvers/tree/problem.hpp"
#include "solvers/tree/study/experiments.hpp"

namespace wale::tree {
namespace {

constexpr double good_roundings = 30;

/// Numbers in [-1, 1) that differ for every element: a multiplicative hash (Steele et al. 2014, SplitMix64).
double hashed(std::uint64_t i) {
    std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

/// Depth first, mostly unbranched, as neurons are: a branch point every 14 nodes or so.
std::vector<std::int32_t> neuron(index_t nodes) {
    std::vector<std::int32_t> parent(static_cast<std::size_t>(nodes), -1), open;
    for (std::int32_t i = 1; i < nodes; ++i) {
        const auto k = static_cast<std::uint64_t>(i);
        const bool ends = hashed(2 * k) < -0.857 && !open.empty();
        parent[static_cast<std::size_t>(i)] = ends ? open.back() : i - 1;
        if (ends) open.pop_back();
        if (hashed(2 * k + 1) < -0.857) open.push_back(i);
    }
    return parent;
}

std::vector<std::int32_t> path(index_t nodes) {
    std::vector<std::int32_t> parent(static_cast<std::size_t>(nodes));
    std::iota(parent.begin(), parent.end(), -1);
    return parent;
}

/// Each node at a random one before it: depth about 2 ln n, with many leaves.
std::vector<std::int32_t> random_tree(index_t nodes) {
    std::vector<std::int32_t> parent(static_cast<std::size_t>(nodes), -1);
    for (index_t i = 1; i < nodes; ++i)
        parent[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(
            (hashed(static_cast<std::uint64_t>(i)) + 1) / 2 * static_cast<double>(i));
    return parent;
}

/// All nodes at the root.
std::vector<std::int32_t> star(index_t nodes) {
    std::vector<std::int32_t> parent(static_cast<std::size_t>(nodes), 0);
    if (nodes > 0) parent[0] = -1;
    return parent;
}

/// The arrays of all systems in the memory of one backend. Unified: `rows` has all four, woven.
struct place {
    execution where;
    buffer<unsigned char> lower, diagonal, upper, rhs, rows, solution;
};

class system_experiment final : public experiment {
public:
    system_experiment(const recipe& what, index_t size, index_t count, index_t width);
    double cells() const override { return static_cast<double>(shape_.elements()); }
    double reference_rate() const override { return 2e7; }
    bool certified() const override { return true; }
    void prepare(const execution& where) override;
    report run(const execution& where, const std::string& variant) override;
    std::string flaw() override;
    ceiling bound(const execution& where, const report& run) override;

private:
    [[nodiscard]] buffer<unsigned char> filled(const execution& where, index_t elements, double plus,
                                               std::uint64_t seed) const;
    /// Member k of the rows: lower, diagonal, upper, right side.
    [[nodiscard]] const_vectors member(int k) const;
    [[nodiscard]] vectors solution() const { return {at_->solution.data(), shape_}; }
    [[nodiscard]] tridiagonal_options options(const std::string& variant) const {
        return {.variant = variant,
                .pivoting = what_.what == recipe::form::pivoted_chains ? pivoting::partial : pivoting::none,
                .periodic = what_.periodic,
                .transposed = what_.transposed};
    }

    recipe what_;
    vector_shape shape_;
    std::optional<hines_plan> plan_;
    std::optional<place> at_;
    double device_copy_rate_ = 0;  // [bytes/s]
};

vector_shape shape_of(const recipe& what, index_t size, index_t count, index_t width) {
    switch (what.layout) {
        case vector_layout::interleaved:
            return vector_shape::interleaved(what.type, size, count);
        case vector_layout::block_interleaved:
            return vector_shape::block_interleaved(what.type, size, count, width);
        case vector_layout::unified:
            return vector_shape::unified(what.type, size, count);
        default:
            return vector_shape::flat(what.type, size, count);
    }
}

std::vector<std::int32_t> parents_of(recipe::form what, index_t size) {
    if (what == recipe::form::one_path) return path(size);
    if (what == recipe::form::random_trees) return random_tree(size);
    if (what == recipe::form::star) return star(size);
    return neuron(size);
}

system_experiment::system_experiment(const recipe& what, index_t size, index_t count, index_t width)
    : what_(what) {
    shape_ = shape_of(what, size, count, width);
    if (!what.is_chain()) plan_.emplace(std::span<const std::int32_t>(parents_of(what.what, size)));
}

/// A million numbers repeat, which no schedule can see. Every fourth, the diagonals of woven rows, and all of
/// a vector are moved by `plus`.
buffer<unsigned char> system_experiment::filled(const execution& where, index_t elements, double plus,
                                                std::uint64_t seed) const {
    const index_t period = std::min<index_t>(elements, index_t{1} << 20);
    const bool woven = elements > shape_.span_elements();  // by the three words behind the last

    return with_any_type(what_.type, [&](auto zero) {
        using T = decltype(zero);
        using real = base::real_of<T>;
        std::vector<unsigned char> image(static_cast<std::size_t>(elements) * sizeof(T));
        T* values = reinterpret_cast<T*>(image.data());
        for (index_t i = 0; i < period; ++i) {
            const std::uint64_t k = seed * 0x100000007u + static_cast<std::uint64_t>(i);
            const auto first = static_cast<real>((woven && i % 4 != 1 ? 0 : plus) + hashed(k));
            if constexpr (base::is_complex_type<T>)
                values[i] = T(first, static_cast<real>(hashed(~k)));
            else
                values[i] = first;
        }
        for (index_t i = period; i < elements; ++i) values[i] = values[i - period];
        return to_device(where, std::span<const unsigned char>(image));
    });
}

void system_experiment::prepare(const execution& where) {
    const bool device = backend_of(where) == backend::cuda;
    if (at_ && (backend_of(at_->where) == backend::cuda) == device) return;
    at_.reset();
    const double heavy = what_.is_chain() ? 4 : 9;  // dominant: a node has few children
    const index_t size = shape_.span_elements();
    place p{where, {}, {}, {}, {}, {}, filled(where, size, 0, 5)};
    if (what_.layout == vector_layout::unified) {
        p.rows = filled(where, vector_shape::unified_step * shape_.elements(), heavy, 1);
    } else {
        p.lower = filled(where, size, 0, 1);
        p.diagonal = filled(where, size, heavy, 2);
        p.upper = filled(where, size, 0, 3);
        p.rhs = filled(where, size, 0, 4);
    }
    at_ = std::move(p);
}

const_vectors system_experiment::member(int k) const {
    if (what_.layout == vector_layout::unified) return {at_->rows.data() + k * bytes_of(what_.type), shape_};
    const buffer<unsigned char>* all[] = {&at_->lower, &at_->diagonal, &at_->upper, &at_->rhs};
    return {all[k]->data(), shape_};
}

report system_experiment::run(const execution& where, const std::string& variant) {
    prepare(where);
    if (what_.is_chain())
        return tridiagonal_solve(where, member(0), member(1), member(2), member(3), solution(),
                                 options(variant))
            .run;
    return hines_solve(where, *plan_, member(1), member(2), member(0), member(3), solution(),
                       {.variant = variant, .transposed = what_.transposed})
        .run;
}

std::string system_experiment::flaw() {
    const double error = what_.is_chain()
                             ? tridiagonal_residual(at_->where, member(0), member(1), member(2), member(3),
                                                    solution(), options(""))
                             : hines_residual(at_->where, *plan_, member(1), member(2), member(0), member(3),
                                              solution(), what_.transposed);
    const double roundings = error / (is_single(what_.type) ? 0x1p-24 : 0x1p-53);
    if (roundings < good_roundings) return {};
    std::ostringstream text;
    text << "backward error of " << roundings << " roundings, expected below " << good_roundings;
    return text.str();
}

experiments::ceiling system_experiment::bound(const execution& where, const report& run) {
    const auto* device = std::get_if<on_cuda>(&where);
    if (!device || run.bytes == 0) return {};
    if (device_copy_rate_ == 0) device_copy_rate_ = experiments::device_copy_rate(*device);
    return {device_copy_rate_ * cells() / run.bytes, "device memory (copy), 5 words an unknown"};
}

}  // namespace

const std::vector<recipe>& recipes() {
    using enum vector_layout;
    using form = recipe::form;
    static const std::vector<recipe> all{
        {"chains_flat", scalar::f64, flat, form::chains},
        {"chains_interleaved", scalar::f64, interleaved, form::chains},
        {"chains_block_interleaved", scalar::f64, block_interleaved, form::chains},
        {"chains_unified", scalar::f64, unified, form::chains},
        {"chains_flat_f32", scalar::f32, flat, form::chains},
        {"chains_interleaved_f32", scalar::f32, interleaved, form::chains},
        {"chains_flat_c64", scalar::c64, flat, form::chains},
        {"chains_flat_c128", scalar::c128, flat, form::chains},
        {"pivoted_flat_c128", scalar::c128, flat, form::pivoted_chains},
        {"pivoted_flat", scalar::f64, flat, form::pivoted_chains},
        {"pivoted_interleaved", scalar::f64, interleaved, form::pivoted_chains},
        {"trees_flat", scalar::f64, flat, form::neurons},
        {"trees_interleaved", scalar::f64, interleaved, form::neurons},
        {"trees_block_interleaved", scalar::f64, block_interleaved, form::neurons},
        {"trees_unified", scalar::f64, unified, form::neurons},
        {"one_tree", scalar::f64, flat, form::one_neuron},
        {"one_path", scalar::f64, flat, form::one_path},
    };
    return all;
}

std::unique_ptr<experiment> make_experiment(const recipe& what, index_t size, index_t unknowns) {
    const bool one = what.what == recipe::form::one_neuron || what.what == recipe::form::one_path;
    return make_systems(what, size, one ? 1 : std::max<index_t>(1, unknowns / size), 32);
}

std::unique_ptr<experiment> make_systems(const recipe& what, index_t size, index_t count, index_t width) {
    return std::make_unique<system_experiment>(what, size, count, width);
}

}  // namespace wale::tree
