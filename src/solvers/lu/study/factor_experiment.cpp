// factor_experiment - random matrices, with a heavy diagonal where nothing is pivoted, factored in place and
// judged by LAPACK's residual ratio.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>
#include <wale/buffer.hpp>
#include <wale/error.hpp>
#include <wale/lu.hpp>

#include "solvers/lu/problem.hpp"
#include "solvers/lu/study/experiments.hpp"

namespace wale::lu {
namespace {

constexpr double good_ratio = 30;  // LAPACK's threshold

struct recipe {
    const char* name;
    scalar type;
    wale::pivoting pivoting;
    index_t rows = 0;  // of each matrix of a batch; 0: one matrix
};

constexpr recipe recipes[] = {
    {"unpivoted", scalar::f32, pivoting::none},
    {"unpivoted_f64", scalar::f64, pivoting::none},
    {"pivoted", scalar::f32, pivoting::partial},
    {"pivoted_f64", scalar::f64, pivoting::partial},
    {"tournament_f64", scalar::f64, pivoting::tournament},
    {"batch_8", scalar::f32, pivoting::partial, 8},
    {"batch_32", scalar::f32, pivoting::partial, 32},
    {"batch_64", scalar::f32, pivoting::partial, 64},
    {"batch_128", scalar::f32, pivoting::partial, 128},
    {"batch_256", scalar::f32, pivoting::partial, 256},
    {"batch_32_f64", scalar::f64, pivoting::partial, 32},
};

/// Numbers in [-1, 1) that differ for every element: a multiplicative hash (Steele et al. 2014, SplitMix64).
double hashed(std::uint64_t i) {
    std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

template <class T>
std::vector<unsigned char> random_matrices(const matrix_shape& s, bool heavy_diagonal) {
    std::vector<unsigned char> memory(static_cast<std::size_t>(s.span_elements()) * sizeof(T));
    auto* a = reinterpret_cast<T*>(memory.data());
    for (index_t i = 0; i < s.span_elements(); ++i)
        a[i] = static_cast<T>(hashed(static_cast<std::uint64_t>(i)));
    if (heavy_diagonal)
        for (index_t k = 0; k < s.count; ++k)
            for (index_t i = 0; i < s.rows; ++i)
                a[k * s.stride + i * (s.leading + 1)] += static_cast<T>(s.rows);
    return memory;
}

/// Input, factors and pivots in the memory of one backend.
struct place {
    execution where;
    buffer<unsigned char> a, factors;
    buffer<std::int32_t> pivots;
};

class factor_experiment final : public experiment {
public:
    factor_experiment(const recipe& what, index_t size);
    double cells() const override {
        const auto n = static_cast<double>(shape_.rows);
        return static_cast<double>(shape_.count) * 2 / 3 * n * n * n;
    }
    double reference_rate() const override { return 1e9; }
    bool certified() const override { return true; }
    report run(const execution& where, const std::string& variant) override;
    std::string flaw() override;
    ceiling bound(const execution& where, const report& run) override;

private:
    void move_to(const execution& where);

    recipe what_;
    matrix_shape shape_;
    std::vector<unsigned char> a_;
    std::optional<place> at_;
    double device_copy_rate_ = 0;  // [bytes/s]
};

factor_experiment::factor_experiment(const recipe& what, index_t size) : what_(what) {
    shape_.type = what.type;
    shape_.order = storage_order::column_major;
    shape_.rows = shape_.columns = shape_.leading = what.rows > 0 ? what.rows : size;
    shape_.stride = shape_.rows * shape_.columns;
    shape_.count = what.rows > 0 ? size : 1;
    a_ = with_type(what.type, [&](auto zero) {
        return random_matrices<decltype(zero)>(shape_, what.pivoting == pivoting::none);
    });
}

void factor_experiment::move_to(const execution& where) {
    const bool device = backend_of(where) == backend::cuda;
    if (at_ && (backend_of(at_->where) == backend::cuda) == device) return;
    at_.reset();
    const memory_space space = device ? memory_space::device : memory_space::host;
    place p{where, to_device(where, std::span<const unsigned char>(a_)), {}, {}};
    p.factors = buffer<unsigned char>(std::ssize(a_), space);
    p.pivots = buffer<std::int32_t>(shape_.count * shape_.rows, space);
    at_ = std::move(p);
}

report factor_experiment::run(const execution& where, const std::string& variant) {
    move_to(where);
    copy_bytes(where, at_->factors.data(), at_->a.data(), at_->a.size());
    return lu_factor(where, matrices(at_->factors.data(), shape_), at_->pivots.data(),
                     {.variant = variant, .pivoting = what_.pivoting})
        .run;
}

std::string factor_experiment::flaw() {
    const double ratio = lu_residual_ratio(at_->where, {at_->a.data(), shape_}, {at_->factors.data(), shape_},
                                           at_->pivots.data());
    if (ratio < good_ratio) return {};
    std::ostringstream text;
    text << "residual ratio " << ratio << ", expected below " << good_ratio;
    return text.str();
}

experiments::ceiling factor_experiment::bound(const execution& where, const report& run) {
    const auto* device = std::get_if<on_cuda>(&where);
    if (!device || what_.rows == 0 || run.bytes == 0) return {};  // what binds one matrix is not memory
    if (device_copy_rate_ == 0) device_copy_rate_ = experiments::device_copy_rate(*device);
    return {device_copy_rate_ * cells() / run.bytes, "device memory (copy)"};
}

}  // namespace

const std::vector<std::string>& experiment_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const recipe& r : recipes) all.emplace_back(r.name);
        return all;
    }();
    return names;
}

std::unique_ptr<experiment> make_experiment(const std::string& name, index_t size) {
    const auto* found =
        std::find_if(std::begin(recipes), std::end(recipes), [&](const recipe& r) { return name == r.name; });
    return std::make_unique<factor_experiment>(*found, size);
}

}  // namespace wale::lu
