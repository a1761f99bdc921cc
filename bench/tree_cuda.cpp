// tree_cuda - chains beside cuSPARSE, trees beside one CPU core and beside the plainest CUDA row: one CSV
// line a case and row. Solutions are verified after the timing, on the data that was timed.
//   tree_cuda OUT.csv [FILTER]      FILTER: only cases whose name contains it
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <span>
#include <vector>
#include <wale/wale.hpp>

#include "cases.hpp"
#include "csv.hpp"
#include "cuda_peers.hpp"
#include "device_timing.hpp"
#include "timing.hpp"
#include "tree_forms.hpp"

namespace {

using namespace wale;
using bench::device_seconds;
using bench::median;

constexpr double good_ratio = 30;  // backward error in roundings

double eps_of(scalar s) {
    return is_single(s) ? 0x1p-24 : 0x1p-53;
}

const char* name_of(vector_layout l) {
    constexpr const char* names[] = {"flat", "interleaved", "block_interleaved", "unified"};
    return names[static_cast<int>(l)];
}

/// One line of the result.
struct line {
    std::string operation, type, layout;
    index_t size = 0, count = 0;
    std::string variant, policy;
    double seconds = 0, bytes = 0, ratio = 0;  // ratio: backward error in roundings
    std::string peer;
    double peer_seconds = 0;
};

class table {
public:
    explicit table(const std::string& path)
        : file_(path,
                "operation,type,layout,size,count,variant,median_s,tb_per_s,"
                "error_in_roundings,peer,peer_median_s,ratio,policy") {}
    void add(const line& l) const {
        file_.add(l.operation, l.type, l.layout, l.size, l.count, l.variant, l.seconds,
                  1e-12 * l.bytes / l.seconds, l.ratio, l.peer, l.peer_seconds, l.peer_seconds / l.seconds,
                  l.policy);
    }

private:
    bench::csv_lines file_;
};

/// Device memory full of numbers in [-1, 1) plus `plus`; a million of them repeat, which no kernel can see.
class filled {
public:
    /// woven: `plus` is for the diagonals of rows of four.
    filled(scalar type, index_t size, double plus, bool woven = false)
        : bytes_(size * bytes_of(type)), memory_(bytes_, memory_space::device) {
        const index_t parts = is_complex(type) ? 2 : 1, step = woven ? vector_shape::unified_step : parts;
        if (is_single(type))
            fill<float>(parts * size, plus, woven, step);
        else
            fill<double>(parts * size, plus, woven, step);
    }
    [[nodiscard]] void* data() const { return memory_.data(); }
    [[nodiscard]] index_t bytes() const { return bytes_; }

private:
    template <class T>
    void fill(index_t size, double plus, bool woven, index_t step) {
        const index_t period = std::min<index_t>(size, (index_t{1} << 20) + 4);
        std::vector<T> some = bench::random_numbers<T>(period);
        for (index_t i = woven ? 1 : 0; i < period; i += step)
            some[static_cast<std::size_t>(i)] += static_cast<T>(plus);
        auto* to = static_cast<T*>(memory_.data());
        (void)cudaMemcpy(to, some.data(), sizeof(T) * some.size(), cudaMemcpyDefault);
        for (index_t have = period; have < size; have *= 2)
            (void)cudaMemcpy(to + have, to, sizeof(T) * static_cast<std::size_t>(std::min(have, size - have)),
                             cudaMemcpyDefault);
    }
    index_t bytes_;
    memory memory_;
};

void copy(const filled& to, const filled& from) {
    (void)cudaMemcpyAsync(to.data(), from.data(), static_cast<std::size_t>(from.bytes()),
                          cudaMemcpyDeviceToDevice);
}

double timed(const std::function<void()>& prepare, const std::function<void()>& queue) {
    std::vector<double> seconds;
    double spent = 0;
    for (int k = 0; k < 12 && (k < 4 || spent < 0.25); ++k) {
        const double one = device_seconds(prepare, queue);
        spent += one;
        if (k > 0) seconds.push_back(one);  // the first warms up
    }
    return median(seconds);
}

/// The unified layout weaves all four vectors into one array, and the solution takes the right side's place.
class woven_rows {
public:
    woven_rows(scalar type, const vector_shape& s, double plus)
        : shape_(s),
          used_(s.layout == vector_layout::unified),
          given_(type, used_ ? vector_shape::unified_step * s.elements() : 1, plus, used_),
          rows_(type, used_ ? vector_shape::unified_step * s.elements() : 1, plus, used_) {}
    [[nodiscard]] bool used() const { return used_; }
    [[nodiscard]] vectors member(int k) const { return at(rows_, k); }
    [[nodiscard]] const_vectors given_rhs() const { return at(given_, 3); }
    void restore() const {
        if (used_) copy(rows_, given_);
    }

private:
    [[nodiscard]] vectors at(const filled& from, int k) const {
        return {static_cast<char*>(from.data()) + k * bytes_of(shape_.type), shape_};
    }
    vector_shape shape_;
    bool used_;
    filled given_, rows_;
};

struct chain_case {
    scalar type;
    vector_shape shape;
    bool pivoted;
    std::vector<std::string> variants;
    [[nodiscard]] std::string name() const {
        return std::string(pivoted ? "pivoted" : "unpivoted") + "/" + wale::name_of(type) + "/" +
               ::name_of(shape.layout) + "/" + std::to_string(shape.size);
    }
};

struct peer_time {
    std::string name;  // empty: there is none
    double seconds = 0;
};

peer_time fastest_peer(const chain_case& c, const filled& l, const filled& d, const filled& u,
                       const filled& b, const filled& x) {
    const index_t size = c.shape.span_elements();
    const filled l2(c.type, size, 0), d2(c.type, size, 0), u2(c.type, size, 0);
    peer_time best;
    for (const auto& peer : bench::make_chain_peers(c.shape)) {
        // cuSPARSE has no batch of flat systems with pivots: there the peer does less.
        const bool only_peer = c.shape.layout == vector_layout::flat && c.shape.count > 1;
        if (c.pivoted != peer->pivots() && !only_peer) continue;
        const auto restore = [&] {
            copy(l2, l);
            copy(d2, d);
            copy(u2, u);
            copy(x, b);
        };
        const double seconds =
            timed(restore, [&] { peer->solve(l2.data(), d2.data(), u2.data(), x.data()); });
        std::printf("  %s: %.4f ms\n", peer->name().c_str(), 1e3 * seconds);
        if (best.name.empty() || seconds < best.seconds) best = {peer->name(), seconds};
    }
    return best;
}

/// Adds the line where the error, in roundings, is good, else says that it is not; returns whether it is.
bool add_verified(const table& out, const std::string& name, const std::string& operation,
                  const vector_shape& s, const report& run, double seconds, double error,
                  const peer_time& peer) {
    if (!(error < good_ratio)) {
        std::printf("%s %s: backward error of %g roundings\n", name.c_str(), run.variant.c_str(), error);
        return false;
    }
    out.add({.operation = operation,
             .type = wale::name_of(s.type),
             .layout = ::name_of(s.layout),
             .size = s.size,
             .count = s.count,
             .variant = run.variant,
             .policy = run.policy,
             .seconds = seconds,
             .bytes = 5.0 * static_cast<double>(s.elements() * bytes_of(s.type)),
             .ratio = error,
             .peer = peer.name,
             .peer_seconds = peer.seconds});
    return true;
}

bool compare_chains(const table& out, const chain_case& c) {
    const vector_shape& s = c.shape;
    const double plus = c.pivoted ? 0.5 : 4;
    const woven_rows woven(c.type, s, plus);
    const index_t size = woven.used() ? 1 : s.span_elements();
    const filled l(c.type, size, 0), d(c.type, size, plus), u(c.type, size, 0), b(c.type, size, 0);
    const filled x(c.type, size, 0);
    const peer_time peer = woven.used() ? peer_time{} : fastest_peer(c, l, d, u, b, x);
    const auto member = [&](const filled& apart, int k) {
        return woven.used() ? woven.member(k) : vectors(apart.data(), s);
    };
    const vectors solution = woven.used() ? woven.member(3) : vectors(x.data(), s);
    bool good = true;
    for (const std::string& variant : c.variants) {
        tridiagonal_options o{.variant = variant, .pivoting = c.pivoted ? pivoting::partial : pivoting::none};
        report run;
        try {
            run = tridiagonal_solve(on_cuda{}, member(l, 0), member(d, 1), member(u, 2), member(b, 3),
                                    solution, o)
                      .run;
        } catch (const error& e) {
            std::printf("%s %s: %s\n", c.name().c_str(), variant.c_str(), e.what());
            continue;
        }
        o.asynchronous = true;
        const double seconds = timed([&] { woven.restore(); },
                                     [&] {
                                         (void)tridiagonal_solve(on_cuda{}, member(l, 0), member(d, 1),
                                                                 member(u, 2), member(b, 3), solution, o);
                                     });
        const double error =
            tridiagonal_residual(on_cuda{}, member(l, 0), member(d, 1), member(u, 2),
                                 woven.used() ? woven.given_rhs() : const_vectors(b.data(), s), solution, o) /
            eps_of(c.type);
        good =
            add_verified(out, c.name(), c.pivoted ? "pivoted" : "unpivoted", s, run, seconds, error, peer) &&
            good;
    }
    return good;
}

struct tree_case {
    const char* name;
    std::vector<std::int32_t> (*make)(index_t);
    vector_shape shape;
    std::vector<std::string> variants;  // the first is the peer of the others where there are many cells
};

/// Seconds of the plain sweeps on one core of the host.
double host_seconds(const hines_plan& plan, const vector_shape& s, const filled& d, const filled& u,
                    const filled& l, const filled& b) {
    const auto fetch = [&](const filled& from) {
        std::vector<double> all(static_cast<std::size_t>(from.bytes()) / sizeof(double));
        (void)cudaMemcpy(all.data(), from.data(), static_cast<std::size_t>(from.bytes()), cudaMemcpyDefault);
        return all;
    };
    const std::vector<double> hd = fetch(d), hu = fetch(u), hl = fetch(l), hb = fetch(b);
    std::vector<double> x(hb.size()), seconds;
    for (int k = 0; k < 4; ++k) {
        const double start = bench::now();
        (void)hines_solve(on_cpu{.threads = 1}, plan, {hd.data(), s}, {hu.data(), s}, {hl.data(), s},
                          {hb.data(), s}, {x.data(), s}, {.variant = "cpu/sweep"});
        if (k > 0) seconds.push_back(bench::now() - start);
    }
    return median(seconds);
}

bool compare_trees(const table& out, const tree_case& c) {
    const vector_shape& s = c.shape;
    const std::vector<std::int32_t> parent = c.make(s.size);
    const hines_plan plan{std::span<const std::int32_t>(parent)};
    const index_t size = s.span_elements();
    const filled d(s.type, size, 9), u(s.type, size, 0), l(s.type, size, 0), b(s.type, size, 0),
        x(s.type, size, 0);
    peer_time peer;
    if (s.count == 1) peer = {"cpu/sweep on one core of the host", host_seconds(plan, s, d, u, l, b)};
    bool good = true;
    for (const std::string& variant : c.variants) {
        hines_options o{.variant = variant};
        report run;
        const auto solve = [&] {
            return hines_solve(on_cuda{}, plan, {d.data(), s}, {u.data(), s}, {l.data(), s}, {b.data(), s},
                               {x.data(), s}, o)
                .run;
        };
        try {
            run = solve();
        } catch (const error& e) {
            std::printf("%s %s: %s\n", c.name, variant.c_str(), e.what());
            continue;
        }
        o.asynchronous = true;
        const double seconds = timed([] {}, [&] { (void)solve(); });
        const double error = hines_residual(on_cuda{}, plan, {d.data(), s}, {u.data(), s}, {l.data(), s},
                                            {b.data(), s}, {x.data(), s}) /
                             eps_of(s.type);
        const bool right =
            add_verified(out, c.name, std::string("hines_") + c.name, s, run, seconds, error, peer);
        if (right && s.count > 1 && peer.name.empty()) peer = {run.variant, seconds};
        good = good && right;
    }
    return good;
}

std::vector<chain_case> chain_cases() {
    constexpr index_t unknowns = index_t{1} << 26;
    std::vector<chain_case> all;
    for (const index_t n : {128, 512, 1024, 7, 33, 64, 100, 333, 4096})
        for (const scalar t : {scalar::f64, scalar::f32})
            for (const bool pivoted : {false, true})
                all.push_back({t, vector_shape::interleaved(t, n, unknowns / n), pivoted,
                               n == 128 ? std::vector<std::string>{"automatic", "thomas"}
                                        : std::vector<std::string>{"automatic"}});
    for (const index_t n : {128, 512, 1024, 7, 33, 64, 100, 333, 4096, 65536})
        for (const scalar t : {scalar::f64, scalar::f32})
            for (const bool pivoted : {false, true})
                all.push_back({t, vector_shape::flat(t, n, unknowns / n), pivoted,
                               n == 128 ? std::vector<std::string>{"automatic", "thomas"}
                                        : std::vector<std::string>{"automatic"}});
    for (const index_t n : {index_t{1} << 25, index_t{1} << 20})
        for (const scalar t : {scalar::f32, scalar::f64})
            for (const bool pivoted : {false, true})
                all.push_back(
                    {t, vector_shape::flat(t, n), pivoted, {"automatic", "recursive_partition", "spike"}});
    for (const scalar t : {scalar::c128, scalar::c64})
        for (const bool pivoted : {false, true}) {
            for (const index_t n : {128, 1024}) {
                all.push_back({t, vector_shape::interleaved(t, n, unknowns / 2 / n), pivoted, {"automatic"}});
                all.push_back({t, vector_shape::flat(t, n, unknowns / 2 / n), pivoted, {"automatic"}});
            }
            for (const index_t n : {index_t{1} << 24, index_t{1} << 20})
                all.push_back({t, vector_shape::flat(t, n), pivoted, {"automatic"}});
        }
    for (const index_t n : {128, 1024})
        for (const scalar t : {scalar::f64, scalar::f32}) {
            all.push_back({t, vector_shape::block_interleaved(t, n, unknowns / n, 32), false, {"automatic"}});
            all.push_back({t, vector_shape::unified(t, n, unknowns / n), false, {"automatic"}});
        }
    return all;
}

std::vector<tree_case> tree_cases() {
    constexpr index_t giant = 5728200;
    const std::vector<std::string> many{"one_thread_per_tree", "automatic", "register_sweep", "levels"};
    using namespace bench::forms;
    std::vector<tree_case> all{
        {"neurons", neuron, vector_shape::interleaved(scalar::f64, 699, 100000), many},
        {"neurons", neuron, vector_shape::flat(scalar::f64, 699, 100000), many},
        {"neurons", neuron, vector_shape::flat(scalar::f32, 699, 100000), many},
        {"big_neurons", neuron, vector_shape::flat(scalar::f64, 10617, 132), many},
        {"random_tree", random_tree, vector_shape::flat(scalar::f64, giant), {"automatic", "contraction"}},
        {"path", path, vector_shape::flat(scalar::f64, giant), {"automatic", "contraction"}},
        {"star", star, vector_shape::flat(scalar::f64, giant), {"contraction"}},
        {"binary", binary, vector_shape::flat(scalar::f64, giant), {"contraction"}},
    };
    return all;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<bench::named_case<table>> all;
    for (const auto& c : tree_cases())
        all.push_back(
            {std::string("hines/") + c.name, [c](const table& out) { return compare_trees(out, c); }});
    for (const auto& c : chain_cases())
        all.push_back({"chains/" + c.name(), [c](const table& out) { return compare_chains(out, c); }});
    return bench::run_cases(argc, argv, all);
}
