// factor_experiment - random matrices, with a heavy diagonal where nothing is pivoted, factored in place and
// judged by LAPACK's residual ratio.
#include <algorithm>
#include <optional>
#include <sstream>
#include <wale/buffer.hpp>
#include <wale/error.hpp>
#include <wale/lu.hpp>

#include "solvers/lu/problem.hpp"
#include "solvers/lu/study/experiments.hpp"
#include "solvers/lu/study/inputs.hpp"

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
    {"pivoted_c64", scalar::c64, pivoting::partial},
    {"pivoted_c128", scalar::c128, pivoting::partial},
    {"batch_8", scalar::f32, pivoting::partial, 8},
    {"batch_32", scalar::f32, pivoting::partial, 32},
    {"batch_64", scalar::f32, pivoting::partial, 64},
    {"batch_128", scalar::f32, pivoting::partial, 128},
    {"batch_256", scalar::f32, pivoting::partial, 256},
    {"batch_32_f64", scalar::f64, pivoting::partial, 32},
};

/// Input, factors and pivots in the memory of one backend.
struct place {
    execution where;
    buffer<unsigned char> a, factors;
    buffer<std::int32_t> pivots;
};

class factor_experiment final : public experiment {
public:
    factor_experiment(const matrix_shape& shape, wale::pivoting how, bool memory_binds);
    double cells() const override {
        return static_cast<double>(shape_.count) * factor_operations(shape_.rows, shape_.columns);
    }
    double reference_rate() const override { return 1e9; }
    bool certified() const override { return true; }
    void prepare(const execution& where) override;
    report run(const execution& where, const std::string& variant) override;
    std::string flaw() override;
    ceiling bound(const execution& where, const report& run) override;

private:
    matrix_shape shape_;
    wale::pivoting pivoting_;
    bool memory_binds_;
    std::vector<unsigned char> a_;
    std::optional<place> at_;
    double device_copy_rate_ = 0;  // [bytes/s]
};

factor_experiment::factor_experiment(const matrix_shape& shape, wale::pivoting how, bool memory_binds)
    : shape_(shape), pivoting_(how), memory_binds_(memory_binds) {
    a_ = with_any_type(shape.type, [&](auto zero) {
        return random_matrices<decltype(zero)>(shape_, how == pivoting::none);
    });
}

void factor_experiment::prepare(const execution& where) {
    const bool device = backend_of(where) == backend::cuda;
    if (!at_ || (backend_of(at_->where) == backend::cuda) != device) {
        at_.reset();
        const memory_space space = device ? memory_space::device : memory_space::host;
        place p{where, to_device(where, std::span<const unsigned char>(a_)), {}, {}};
        p.factors = buffer<unsigned char>(std::ssize(a_), space);
        p.pivots = buffer<std::int32_t>(shape_.count * shape_.diagonal(), space);
        at_ = std::move(p);
    }
    copy_bytes(where, at_->factors.data(), at_->a.data(), at_->a.size());
}

report factor_experiment::run(const execution& where, const std::string& variant) {
    return lu_factor(where, matrices(at_->factors.data(), shape_), at_->pivots.data(),
                     {.variant = variant, .pivoting = pivoting_})
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
    if (!device || !memory_binds_ || run.bytes == 0) return {};  // what binds one matrix is not memory
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
    matrix_shape shape;
    shape.type = found->type;
    shape.order = storage_order::column_major;
    shape.rows = shape.columns = shape.leading = found->rows > 0 ? found->rows : size;
    shape.stride = shape.rows * shape.columns;
    shape.count = found->rows > 0 ? size : 1;
    return make_factor(shape, found->pivoting, found->rows > 0);
}

std::unique_ptr<experiment> make_factor(const matrix_shape& shape, wale::pivoting how, bool memory_binds) {
    return std::make_unique<factor_experiment>(shape, how, memory_binds);
}

}  // namespace wale::lu
