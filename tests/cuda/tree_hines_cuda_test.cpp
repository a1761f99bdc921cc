// tree_hines_cuda_test - the CUDA rows of trees: every kind of tree and layout, forests of a thousand, odd
// pivots, gaps that must stay, the same bits again.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <wale/wale.hpp>

#include "unit/random_trees.hpp"

namespace wale {
namespace {

/// Vectors of one shape on the device; padding and what no row has written is -7.
template <class T>
class system_on_device {
public:
    system_on_device(const trees::parents& parent, const vector_shape& shape, bool forest = false)
        : plan(parent, {.forest = forest}), shape_(shape) {
        shape_.type = sizeof(T) == 8 ? scalar::f64 : scalar::f32;
        std::vector<T> host[4];
        for (auto& h : host) h.assign(static_cast<std::size_t>(shape_.span_elements() + 1), T(-7));
        for (index_t v = 0; v < shape_.count; ++v) {
            const trees::system a(parent, static_cast<std::uint64_t>(v) + 11);
            const std::vector<double>* from[4] = {&a.diagonal, &a.upper, &a.lower, &a.rhs};
            for (int k = 0; k < 4; ++k)
                for (index_t i = 0; i < shape_.size; ++i)
                    host[k][static_cast<std::size_t>(shape_.at(v, i))] =
                        static_cast<T>((*from[k])[static_cast<std::size_t>(i)]);
        }
        for (int k = 0; k < 4; ++k) arrays_[k] = to_device(on_cuda{}, std::span<const T>(host[k]));
        clear();
    }
    void clear() {
        const std::vector<T> blank(static_cast<std::size_t>(shape_.span_elements() + 1), T(-7));
        solution_ = to_device(on_cuda{}, std::span<const T>(blank));
    }
    [[nodiscard]] const_vectors array(int k) const { return {arrays_[k].data(), shape_}; }
    [[nodiscard]] vectors solution() const { return {solution_.data(), shape_}; }
    hines_result solve(hines_options options, bool in_place = false) {
        if (in_place)
            copy_bytes(on_cuda{}, solution_.data(), arrays_[3].data(),
                       shape_.span_elements() * index_t{sizeof(T)});
        return hines_solve(on_cuda{}, plan, array(0), array(1), array(2),
                           in_place ? const_vectors(solution()) : array(3), solution(), options);
    }
    [[nodiscard]] double residual() const {
        return hines_residual(on_cuda{}, plan, array(0), array(1), array(2), array(3), solution());
    }
    [[nodiscard]] std::vector<T> answer() const { return host_of(solution_); }
    [[nodiscard]] static std::vector<T> host_of(const buffer<T>& b) {
        std::vector<T> h(static_cast<std::size_t>(b.size()));
        copy_bytes(on_cuda{}, h.data(), b.data(), b.size() * index_t{sizeof(T)});
        return h;
    }
    void set(int array, index_t vector, index_t node, T value) {
        copy_bytes(on_cuda{}, arrays_[array].data() + shape_.at(vector, node), &value, sizeof value);
    }
    /// Words of the answer that belong to no vector and have changed.
    [[nodiscard]] index_t changed_gaps() const {
        std::vector<T> h = answer();
        for (index_t v = 0; v < shape_.count; ++v)
            for (index_t i = 0; i < shape_.size; ++i) h[static_cast<std::size_t>(shape_.at(v, i))] = T(-7);
        return std::ssize(h) - std::count(h.begin(), h.end(), T(-7));
    }
    hines_plan plan;

private:
    vector_shape shape_;
    buffer<T> arrays_[4], solution_;
};

template <class T>
constexpr double bound = 24 * std::numeric_limits<T>::epsilon();

const char* const every_row[] = {"cuda/register_partition", "cuda/levels", "cuda/register_sweep",
                                 "cuda/one_thread_per_tree"};

class TreeHinesCuda : public testing::Test {
protected:
    void SetUp() override {
        if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    }
    /// False where the row refuses.
    template <class T>
    static bool expect_solved(system_on_device<T>& s, const char* row, const std::string& what) {
        SCOPED_TRACE(std::string(row) + " " + what);
        s.clear();
        hines_result r;
        try {
            r = s.solve({.variant = row});
        } catch (const unsupported_variant&) {
            return false;
        }
        EXPECT_EQ(r.first_bad_system, -1);
        EXPECT_LE(s.residual(), bound<T>);
        EXPECT_EQ(s.changed_gaps(), 0);
        const std::vector<T> once = s.answer();
        s.solve({.variant = row}, true);
        const std::vector<T> again = s.answer();
        EXPECT_EQ(std::memcmp(once.data(), again.data(), (once.size() - 1) * sizeof(T)), 0) << "in place";
        return true;
    }
    template <class T>
    static index_t expect_all(const trees::parents& p, const vector_shape& shape, const std::string& what,
                              bool forest = false) {
        system_on_device<T> s(p, shape, forest);
        index_t solved = 0;
        for (const char* row : every_row) solved += expect_solved(s, row, what) ? 1 : 0;
        return solved;
    }
};

TEST_F(TreeHinesCuda, EveryKindOfTreeInEveryLayout) {
    for (const index_t n : {1, 2, 3, 33, 100, 340, 699})
        for (const auto& [name, parent] : trees::every_kind(static_cast<std::int32_t>(n)))
            for (const index_t count : {1, 5, 34}) {
                const std::string what = name + " " + std::to_string(n) + " x " + std::to_string(count);
                vector_shape gap = vector_shape::flat(scalar::f64, n, count);
                gap.stride = n + 3;
                EXPECT_GE(expect_all<double>(parent, vector_shape::flat(scalar::f64, n, count), what), 3);
                EXPECT_GE(expect_all<float>(parent, gap, what + " with gaps"), 3);
                EXPECT_EQ(expect_all<double>(parent, vector_shape::interleaved(scalar::f64, n, count), what),
                          3);
                EXPECT_EQ(expect_all<float>(parent,
                                            vector_shape::block_interleaved(scalar::f32, n, count, 32), what),
                          3);
                EXPECT_EQ(expect_all<double>(parent, vector_shape::unified(scalar::f64, n, count), what), 3);
            }
}

TEST_F(TreeHinesCuda, TeamsTakeNeuronsOfAllTheirSizes) {
    for (const index_t n : {20, 150, 300, 690, 1000, 2000}) {
        system_on_device<double> s(trees::neuron(static_cast<std::int32_t>(n), 0.05, 3),
                                   vector_shape::flat(scalar::f64, n, 7));
        EXPECT_TRUE(expect_solved(s, "cuda/register_partition", std::to_string(n)));
    }
}

TEST_F(TreeHinesCuda, ForestsOfAThousandTrees) {
    trees::parents small, few;
    for (int k = 0; k < 1000; ++k) {
        trees::append(small, trees::any(1 + k % 97, static_cast<std::uint64_t>(k)));
        trees::append(few, trees::neuron(50 + k % 7 * 90, 0.07, static_cast<std::uint64_t>(k % 7)));
    }
    for (const auto& [name, forest] : {std::pair<std::string, trees::parents>{"small", small},
                                       {"few forms", few},
                                       {"shuffled", trees::shuffled(small, 3)}}) {
        const auto n = static_cast<index_t>(forest.size());
        EXPECT_GE(expect_all<double>(forest, vector_shape::flat(scalar::f64, n, 2), name, true), 3);
        EXPECT_GE(expect_all<float>(forest, vector_shape::interleaved(scalar::f32, n, 3), name, true), 3);
    }
}

TEST_F(TreeHinesCuda, BigTreesAndManyShares) {
    for (const std::int32_t n : {10617, 30000})
        for (const auto& parent : {trees::neuron(n, 0.01, 4), trees::binary(n), trees::star(n / 10)})
            EXPECT_GE(expect_all<double>(
                          parent, vector_shape::flat(scalar::f64, static_cast<index_t>(parent.size()), 3),
                          std::to_string(parent.size())),
                      3);
}

TEST_F(TreeHinesCuda, BadPivotsAreNamedAndStayInTheirVector) {
    constexpr index_t n = 699, count = 9;
    const trees::parents parent = trees::neuron(n, 0.07, 5);
    for (const char* row : every_row) {
        SCOPED_TRACE(row);
        system_on_device<double> s(parent, vector_shape::flat(scalar::f64, n, count));
        s.set(0, 2, n - 1, 0.0);  // the last node is a leaf
        s.set(0, 5, n - 1, std::numeric_limits<double>::infinity());
        s.set(0, 7, 0, std::numeric_limits<double>::quiet_NaN());
        buffer<std::int64_t> status(count, memory_space::device);
        const hines_result r = s.solve({.variant = row, .status = status.data()});
        std::vector<std::int64_t> found(count);
        copy_bytes(on_cuda{}, found.data(), status.data(), count * index_t{sizeof(std::int64_t)});
        EXPECT_EQ(r.first_bad_system, 2);
        for (index_t v = 0; v < count; ++v)
            EXPECT_EQ(found[static_cast<std::size_t>(v)], v == 2 || v == 5 ? n - 1 : v == 7 ? 0 : -1) << v;
        EXPECT_EQ(r.first_bad_row, n - 1);
        const std::vector<double> x = s.answer();
        for (const index_t v : {0, 1, 3, 4, 6, 8})
            for (index_t i = 0; i < n; ++i)
                ASSERT_TRUE(std::isfinite(x[static_cast<std::size_t>(v * n + i)]));
    }
}

TEST_F(TreeHinesCuda, APivotBeyondReciprocalsIsDividedBy) {
    const trees::parents parent = trees::path(40);
    for (const char* row : every_row) {
        SCOPED_TRACE(row);
        system_on_device<double> s(parent, vector_shape::flat(scalar::f64, 40, 3));
        s.set(0, 1, 20, 0x1p1023);
        const hines_result r = s.solve({.variant = row});
        EXPECT_EQ(r.first_bad_system, -1);
        const std::vector<double> x = s.answer();
        for (const double value : x) ASSERT_TRUE(std::isfinite(value));
    }
}

TEST_F(TreeHinesCuda, TheEliminatedDiagonalIsTheReferences) {
    constexpr std::int32_t n = 500;
    const trees::parents parent = trees::shuffled(trees::neuron(n, 0.1, 8), 9);
    const trees::system a(parent, 11);  // as vector 0 has it
    const hines_plan plan(parent);
    const vector_shape shape = vector_shape::flat(scalar::f64, n);
    std::vector<double> x(n), expected(n);
    (void)hines_solve(on_reference{}, plan, {a.diagonal.data(), shape}, {a.upper.data(), shape},
                      {a.lower.data(), shape}, {a.rhs.data(), shape}, vectors(x.data(), shape),
                      {.eliminated = {expected.data(), shape}});
    for (const char* row : {"cuda/levels", "cuda/register_sweep", "cuda/one_thread_per_tree"}) {
        system_on_device<double> s(parent, shape);
        const buffer<double> d(n, memory_space::device);
        (void)s.solve({.variant = row, .eliminated = {d.data(), shape}});
        const std::vector<double> found = system_on_device<double>::host_of(d);
        for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(found[i], expected[i], 1e-14 * expected[i]) << row;
    }
}

TEST_F(TreeHinesCuda, ScalingTheRightSideScalesTheAnswerBitForBit) {
    constexpr index_t n = 500;
    const trees::parents parent = trees::neuron(n, 0.05, 6);
    const trees::system a(parent, 11);
    for (const char* row : every_row) {
        system_on_device<double> s(parent, vector_shape::flat(scalar::f64, n));
        s.solve({.variant = row});
        const std::vector<double> once = s.answer();
        for (index_t i = 0; i < n; ++i) s.set(3, 0, i, 0x1p40 * a.rhs[static_cast<std::size_t>(i)]);
        s.solve({.variant = row});
        const std::vector<double> scaled = s.answer();
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(scaled[i], 0x1p40 * once[i]) << row;
    }
}

TEST_F(TreeHinesCuda, NoVectorsAreNoWork) {
    for (const char* row : every_row) {
        system_on_device<double> s(trees::path(5), vector_shape::flat(scalar::f64, 5, 0));
        EXPECT_EQ(s.solve({.variant = row}).first_bad_system, -1) << row;
    }
}

}  // namespace
}  // namespace wale
