// questions - what device_test and trouble_test ask.
#include "cuda/questions.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>

namespace wale::agreement {
namespace {

template <class T>
std::vector<T> numbers(index_t count, double least, double most) {
    std::mt19937_64 draw(static_cast<std::uint64_t>(count));
    std::uniform_real_distribution<double> uniform(least, most);
    std::vector<T> all(static_cast<std::size_t>(count));
    for (T& v : all) v = static_cast<T>(uniform(draw));
    return all;
}

/// An array where a call computes, and its copy on the host.
template <class T>
class placed {
public:
    placed(const execution& where, const std::vector<T>& from)
        : where_(where), from_(from), there_(to_device(where, std::span<const T>(from))) {}
    [[nodiscard]] T* data() const { return there_.data(); }
    void restore() const { copy_bytes(where_, data(), from_.data(), std::ssize(from_) * index_t{sizeof(T)}); }
    [[nodiscard]] bytes fetch() const {
        bytes all(from_.size() * sizeof(T));
        copy_bytes(where_, all.data(), data(), std::ssize(all));
        return all;
    }

private:
    execution where_;
    std::vector<T> from_;
    buffer<T> there_;
};

template <class T>
std::shared_ptr<placed<T>> place(const execution& where, const std::vector<T>& from) {
    return std::make_shared<placed<T>>(where, from);
}

bytes bytes_of_number(index_t n) {
    bytes all(sizeof n);
    std::memcpy(all.data(), &n, sizeof n);
    return all;
}

}  // namespace

int runs(int wanted) {
    const char* const most = std::getenv("WALE_DEVICE_RUNS");
    return most ? std::min(wanted, std::atoi(most)) : wanted;
}

question lcs(const execution& where, index_t n, index_t other) {
    const auto a = place(where, numbers<std::uint8_t>(n, 0, 4)),
               b = place(where, numbers<std::uint8_t>(other, 0, 4));
    return [=](const std::string& variant) {
        const std::span<const std::uint8_t> x(a->data(), static_cast<std::size_t>(n)),
            y(b->data(), static_cast<std::size_t>(other));
        return bytes_of_number(lcs_length(where, x, y, {.variant = variant}).length);
    };
}

question edit(const execution& where, index_t n, index_t other) {
    const auto a = place(where, numbers<std::uint8_t>(n, 0, 4)),
               b = place(where, numbers<std::uint8_t>(other, 0, 4));
    return [=](const std::string& variant) {
        const std::span<const std::uint8_t> x(a->data(), static_cast<std::size_t>(n)),
            y(b->data(), static_cast<std::size_t>(other));
        return bytes_of_number(edit_distance(where, x, y, {.variant = variant}).distance);
    };
}

namespace {

question table_of(const execution& where, index_t n, index_t other, recurrence kind) {
    const auto a = place(where, numbers<std::uint8_t>(n, 0, 4)),
               b = place(where, numbers<std::uint8_t>(other, 0, 4));
    const auto out = place(where, std::vector<std::int32_t>(static_cast<std::size_t>(n * other), -1));
    return [=](const std::string& variant) {
        const std::span<const std::uint8_t> x(a->data(), static_cast<std::size_t>(n)),
            y(b->data(), static_cast<std::size_t>(other));
        wavefront_fill(where, x, y, matrix_view<std::int32_t>(out->data(), {n, other}),
                       {.variant = variant, .kind = kind});
        return out->fetch();
    };
}

}  // namespace

question table(const execution& where, index_t n, index_t other) {
    return table_of(where, n, other, recurrence::edit);
}

question lcs_table(const execution& where, index_t n, index_t other) {
    return table_of(where, n, other, recurrence::lcs);
}

question holes(const execution& where, index_t n, index_t other) {
    const auto image = place(where, numbers<std::uint8_t>(n * other, 0, 255));
    const auto out = place(where, std::vector<std::uint8_t>(static_cast<std::size_t>(n * other)));
    return [=](const std::string& variant) {
        fill_holes(where, view<const std::uint8_t, 2>(image->data(), {n, other}),
                   view<std::uint8_t, 2>(out->data(), {n, other}), {.variant = variant});
        return out->fetch();
    };
}

namespace {

question factors_with(const execution& where, index_t n, pivoting how) {
    std::vector<double> elements = numbers<double>(n * n, -1, 1);
    for (index_t i = 0; i < n; ++i) elements[static_cast<std::size_t>(i * n + i)] += static_cast<double>(n);
    const auto a = place(where, elements);
    const auto pivots = place(where, std::vector<std::int32_t>(static_cast<std::size_t>(n)));
    return [=](const std::string& variant) {
        a->restore();
        lu_options options;
        options.variant = variant;
        options.pivoting = how;
        lu_factor(where, matrix_view<double>(a->data(), {n, n}), pivots->data(), options);
        return a->fetch();
    };
}

}  // namespace

question factors(const execution& where, index_t n) {
    return factors_with(where, n, pivoting::partial);
}

question unpivoted_factors(const execution& where, index_t n) {
    return factors_with(where, n, pivoting::none);
}

question score(const execution& where, index_t n, index_t other) {
    const auto a = place(where, numbers<std::uint8_t>(n, 0, 4)),
               b = place(where, numbers<std::uint8_t>(other, 0, 4));
    return [=](const std::string& variant) {
        return bytes_of_number(align(where, sequence_view(a->data(), n, 1),
                                     sequence_view(b->data(), other, 1),
                                     {.variant = variant, .matrix = {2, -3}, .open = 5, .extend = 2})
                                   .score);
    };
}

question chains(const execution& where, index_t n, index_t count) {
    const auto off = place(where, numbers<double>(n * count, -1, 1)),
               on = place(where, numbers<double>(n * count, 3, 4));
    const auto x = place(where, std::vector<double>(static_cast<std::size_t>(n * count)));
    return [=](const std::string& variant) {
        const vector_shape shape = vector_shape::flat(scalar::f64, n, count);
        tridiagonal_solve(where, {off->data(), shape}, {on->data(), shape}, {off->data(), shape},
                          {on->data(), shape}, {x->data(), shape},
                          {.variant = variant, .pivoting = pivoting::none});
        return x->fetch();
    };
}

question trees(const execution& where, index_t n) {
    const index_t count = 33;
    std::vector<std::int32_t> parent(static_cast<std::size_t>(n), -1);
    for (index_t i = 1; i < n; ++i)
        parent[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i - 1 - (i % 7) * (i - 1) / 9);
    const hines_plan plan(parent);
    const auto off = place(where, numbers<double>(n * count, -0.1, 0.1));
    const auto on = place(where, numbers<double>(n * count, 60, 70));
    const auto x = place(where, std::vector<double>(static_cast<std::size_t>(n * count)));
    return [=](const std::string& variant) {
        const vector_shape shape = vector_shape::flat(scalar::f64, n, count);
        hines_solve(where, plan, {on->data(), shape}, {off->data(), shape}, {off->data(), shape},
                    {on->data(), shape}, {x->data(), shape}, {.variant = variant});
        return x->fetch();
    };
}

question flow(const execution& where, index_t n) {
    mesh_recipe recipe;
    recipe.size = 8 * n;
    const mesh grid = generate_mesh(recipe);
    return [=](const std::string& variant) {
        euler_options options;
        options.scheme = euler_scheme::rodinia();
        options.precision = scalar::f32;
        options.check_every = 0;
        euler_case flow(grid, options);
        (void)flow.run(where, 3, variant);
        bytes all(flow.state().size() * sizeof(euler_state));
        std::memcpy(all.data(), flow.state().data(), all.size());
        return all;
    };
}

const std::vector<operation>& operations() {
    static const std::vector<operation> all{
        {"wavefront", "lcs_length", [](const execution& w, index_t n) { return lcs(w, n, n + 7); }, true},
        {"wavefront", "edit_distance", [](const execution& w, index_t n) { return edit(w, n, n + 7); }, true},
        {"wavefront", "fill", [](const execution& w, index_t n) { return table(w, n, n + 7); }, true},
        {"wavefront", "align", [](const execution& w, index_t n) { return score(w, n, n + 7); }, true},
        {"reconstruction", "reconstruct", [](const execution& w, index_t n) { return holes(w, n, n + 7); },
         true},
        {"lu", "factor", factors, false},
        {"tree", "tridiagonal", [](const execution& w, index_t n) { return chains(w, n, 33); }, false},
        {"tree", "hines", trees, false},
        {"euler", "advance", flow, false},
    };
    return all;
}

std::vector<std::string> rows_of(const operation& o) {
    std::vector<std::string> all{"automatic"};
    for (const variant_info& v : variants(o.solver))
        if (v.operation == o.name && v.where == backend::cuda) all.push_back(v.name);
    return all;
}

std::optional<bytes> answer(const question& ask, const std::string& variant) {
    try {
        return ask(variant);
    } catch (const unsupported_variant&) {
        return std::nullopt;
    } catch (const bad_argument&) {
        return std::nullopt;
    }
}

}  // namespace wale::agreement
