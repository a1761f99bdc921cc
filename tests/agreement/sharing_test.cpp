// sharing_test - host threads that share what a caller keeps: plans, factors, inputs. All begin at once, so
// that what is made at first use is made under contention; each answer has the bits of a lone call. Then a
// forked child asks.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <barrier>
#include <cstring>
#include <functional>
#include <thread>
#include <wale/wale.hpp>

#include "agreement/flow_meshes.hpp"

namespace wale::agreement {
namespace {

constexpr int callers = 6;
constexpr index_t n = 400, count = 24;

using bytes = std::vector<char>;
/// Makes what is shared, and returns the call that uses it with an answer of its own.
using sharing = std::function<std::function<bytes()>()>;

template <class T>
bytes bytes_of(const std::vector<T>& v) {
    bytes all(v.size() * sizeof(T));
    if (!v.empty()) std::memcpy(all.data(), v.data(), all.size());
    return all;
}

std::vector<double> ramp(index_t size, double first, double step) {
    std::vector<double> v(static_cast<std::size_t>(size));
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = first + step * static_cast<double>(i % 17);
    return v;
}

std::function<bytes()> plan_of_trees(const std::string& variant) {
    std::vector<std::int32_t> parent(n, -1);
    for (index_t i = 1; i < n; ++i)
        parent[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i % 5 == 0 ? i / 2 : i - 1);
    return [=, plan = hines_plan(parent)] {
        const std::vector<double> on = ramp(n * count, 4, 0.1), off = ramp(n * count, -0.5, 0.01);
        std::vector<double> x = ramp(n * count, 1, 1);
        const vector_shape shape = vector_shape::interleaved(scalar::f64, n, count);
        hines_solve(on_cpu{2}, plan, {on.data(), shape}, {off.data(), shape}, {off.data(), shape},
                    vectors(x.data(), shape), {.variant = variant});
        return bytes_of(x);
    };
}

std::function<bytes()> factors_of_chains(const std::string& variant) {
    const std::vector<double> on = ramp(n * count, 4, 0.1), off = ramp(n * count, -0.5, 0.01);
    const vector_shape shape = vector_shape::flat(scalar::f64, n, count);
    const const_vectors beside(off.data(), shape);
    return [=, f = tridiagonal_factors(on_cpu{2}, beside, {on.data(), shape}, beside, {.variant = variant})] {
        std::vector<double> x = ramp(n * count, 1, 1);
        f.solve({x.data(), shape});
        return bytes_of(x);
    };
}

std::function<bytes()> factors_of_a_matrix() {
    auto a = std::make_shared<std::vector<double>>(ramp(n * n, -0.5, 0.07));
    auto pivots = std::make_shared<std::vector<std::int32_t>>(n);
    for (index_t i = 0; i < n; ++i) (*a)[static_cast<std::size_t>(i * n + i)] += static_cast<double>(i % 3);
    (void)lu_factor(on_cpu{2}, matrix_view<double>(a->data(), {n, n}), pivots->data());
    return [=] {
        std::vector<double> x = ramp(n * 3, 1, 1);
        lu_solve(on_cpu{2}, const_matrices(matrix_view<const double>(a->data(), {n, n})), pivots->data(),
                 matrix_view<double>(x.data(), {n, 3}));
        return bytes_of(x);
    };
}

std::function<bytes()> sequences() {
    std::vector<std::uint8_t> a, b;
    for (int k = 0; k < 3000; ++k) {
        a.push_back(static_cast<std::uint8_t>(k * k % 7 % 4));
        b.push_back(static_cast<std::uint8_t>(k * k % 11 % 4));
    }
    return [=] {
        const std::span<const std::uint8_t> x(a), y(b);
        return bytes_of(
            std::vector<index_t>{lcs_length(on_cpu{2}, x, y).length, edit_distance(on_cpu{2}, x, y).distance,
                                 align(on_cpu{2}, x, y).score, std::ssize(lcs_string(on_cpu{2}, x, y).in_a)});
    };
}

std::function<bytes()> an_image() {
    std::vector<std::uint8_t> image(n * n);
    for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<std::uint8_t>(i * i % 251);
    return [=] {
        std::vector<std::uint8_t> out(image.size());
        h_domes(on_cpu{2}, view<const std::uint8_t, 2>(image.data(), {n, n}), 30,
                view<std::uint8_t, 2>(out.data(), {n, n}));
        return bytes_of(out);
    };
}

std::function<bytes()> a_mesh() {
    return [grid = std::make_shared<const mesh>(shell(2000))] {
        euler_case flow(*grid);
        (void)flow.run(on_cpu{2}, 5);
        return bytes_of(flow.state());
    };
}

std::function<bytes()> a_form() {
    return [form = cable_model(grow_neuron({}))] {
        cable cell(form, {});
        (void)cell.run(on_cpu{2}, 20);
        return bytes_of(cell.voltages());
    };
}

struct shared_thing {
    std::string name;
    sharing make;
};

std::vector<shared_thing> shared_things() {
    std::vector<shared_thing> all{{"factors_of_a_matrix", factors_of_a_matrix},
                                  {"sequences", sequences},
                                  {"an_image", an_image},
                                  {"a_mesh", a_mesh},
                                  {"a_form", a_form}};
    for (const variant_info& v : variants("tree")) {
        if (v.where != backend::cpu) continue;
        if (v.operation == "hines") all.push_back({"plan_" + v.name, [v] { return plan_of_trees(v.name); }});
        if (v.operation == "tridiagonal_factor")
            all.push_back({"chains_" + v.name, [v] { return factors_of_chains(v.name); }});
    }
    for (shared_thing& thing : all) std::replace(thing.name.begin(), thing.name.end(), '/', '_');
    return all;
}

class Sharing : public testing::TestWithParam<shared_thing> {};

TEST_P(Sharing, ThreadsAtOnce) {
    const bytes alone = GetParam().make()();
    const std::function<bytes()> call = GetParam().make();  // not used before the threads
    std::vector<int> wrong(callers, 0);
    std::barrier begin(callers);
    {
        std::vector<std::jthread> threads;
        for (int k = 0; k < callers; ++k)
            threads.emplace_back([&, k] {
                begin.arrive_and_wait();
                for (int round = 0; round < 3; ++round) wrong[static_cast<std::size_t>(k)] += call() != alone;
            });
    }
    EXPECT_EQ(wrong, std::vector<int>(callers, 0));
#ifndef __SANITIZE_THREAD__  // which ends a forked child that starts threads
    const pid_t child = fork();
    if (child == 0) _exit(call() == alone ? 0 : 1);
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(call(), alone);
#endif
}

INSTANTIATE_TEST_SUITE_P(Things, Sharing, testing::ValuesIn(shared_things()),
                         [](const testing::TestParamInfo<shared_thing>& p) { return p.param.name; });

/// A cable serves one thread at a time: the second is refused, and the first goes on.
TEST(SharedCable, TheSecondThreadIsRefused) {
    const cable_model form(grow_neuron({}));
    cable alone(form, {}), cell(form, {});
    (void)alone.run(on_cpu{1}, 20000);
    std::atomic<bool> done = false;
    std::jthread first([&] {
        while (!done) try {  // the other thread may be inside just now
                (void)cell.run(on_cpu{1}, 20000);
                done = true;
            } catch (const bad_argument&) {
            }
    });
    int refused = 0;
    while (!done && refused == 0) try {
            (void)cell.run(on_cpu{1}, 0);
        } catch (const bad_argument&) {
            ++refused;
        }
    first.join();
    EXPECT_EQ(refused, 1);
    EXPECT_EQ(cell.voltages(), alone.voltages());
}

}  // namespace
}  // namespace wale::agreement
