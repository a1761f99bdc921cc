// lu_cuda - factorisations and refined solves on the device beside cuSOLVER and cuBLAS: one CSV line a case,
// ours and theirs in turn. Factors are verified after the timing, on the data that was timed.
//   lu_cuda OUT.csv [FILTER ...]      FILTER: only cases whose name contains one of them
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <span>
#include <thread>
#include <vector>
#include <wale/wale.hpp>

#include "cases.hpp"
#include "csv.hpp"
#include "cuda_peers.hpp"
#include "device_timing.hpp"
#include "packed.hpp"
#include "timing.hpp"

namespace {

using namespace wale;
using bench::device_seconds;
using bench::median;
using bench::now;

constexpr double good_ratio = 30;              // LAPACK's threshold
constexpr double good_backward_error = 1e-14;  // of a solution in float64

struct job {
    scalar type;
    index_t rows;
    index_t count;
    bool pivoted;
    std::string variant = "automatic";
    [[nodiscard]] std::string name() const {
        std::string text =
            std::string(pivoted ? "pivoted" : "unpivoted") + (type == scalar::f32 ? "_f32" : "_f64");
        return count == 1 ? text : "batch_" + text;
    }
};

/// Some threads make it, each a run of columns: one would spend longer on 32768 columns than the device does.
template <class T>
buffer<T> random_matrix(index_t elements, index_t rows, bool heavy_diagonal) {
    std::vector<T> a(static_cast<std::size_t>(elements));
    const index_t columns = elements / rows, parts = std::min<index_t>(16, columns);
    std::vector<std::thread> threads;
    for (index_t part = 0; part < parts; ++part)
        threads.emplace_back([&, part] {
            std::uint64_t state = 88172645463325252u + 2654435761u * static_cast<std::uint64_t>(part);
            for (index_t c = part * columns / parts; c < (part + 1) * columns / parts; ++c) {
                T* const column = a.data() + c * rows;
                for (index_t r = 0; r < rows; ++r) {  // xorshift (Marsaglia 2003)
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    column[r] = static_cast<T>(static_cast<double>(state >> 11) * 0x1p-52 - 1);
                }
                if (heavy_diagonal) column[c % rows] += static_cast<T>(rows);
            }
        });
    for (std::thread& t : threads) t.join();
    return to_device(on_cuda{}, std::span<const T>(a));
}

class table {
public:
    explicit table(const std::string& path)
        : file_(path,
                "operation,size,count,variant,median_s,rate_g_per_s,"
                "residual_ratio,peer,peer_median_s,ratio,policy") {}
    void add(const std::string& operation, index_t size, index_t count, const report& run, double seconds,
             double operations, double residual, const std::string& peer, double theirs) const {
        file_.add(operation, size, count, run.variant, seconds, 1e-9 * operations / seconds, residual, peer,
                  theirs, theirs / seconds, run.policy);
    }

private:
    bench::csv_lines file_;
};

template <class T>
bool compare(const table& out, const job& j) {
    const matrix_shape s = bench::packed_columns(j.type, j.rows, j.rows, j.count);
    const index_t elements = s.span_elements();
    const buffer<T> a = random_matrix<T>(elements, j.rows, !j.pivoted);
    const buffer<T> ours(elements, memory_space::device), theirs(elements, memory_space::device);
    const buffer<std::int32_t> pivots(j.count * j.rows, memory_space::device);
    const auto peer = bench::make_lu_peer(s, j.pivoted);
    lu_options options{.variant = j.variant, .pivoting = j.pivoted ? pivoting::partial : pivoting::none};
    const auto restore = [&](const buffer<T>& to) {
        (void)cudaMemcpyAsync(to.data(), a.data(), sizeof(T) * static_cast<std::size_t>(elements),
                              cudaMemcpyDeviceToDevice);
    };
    restore(ours);
    const report run =
        lu_factor(on_cuda{}, matrices(ours.data(), s), pivots.data(), options).run;  // and reports
    options.asynchronous = run.variant.find("row_column") == std::string::npos;
    std::vector<double> our_seconds, their_seconds;
    double spent = 0;
    for (int k = 0; k < 12 && (k < 4 || spent < 1); ++k) {
        const double mine = device_seconds(
            [&] { restore(ours); },
            [&] { (void)lu_factor(on_cuda{}, matrices(ours.data(), s), pivots.data(), options); });
        const double peers = device_seconds([&] { restore(theirs); }, [&] { peer->factor(theirs.data()); });
        spent += mine + peers;
        if (k == 0) continue;  // the first warms up
        our_seconds.push_back(mine);
        their_seconds.push_back(peers);
    }
    const double residual = lu_residual_ratio(on_cuda{}, {a.data(), s}, {ours.data(), s}, pivots.data());
    if (!(residual < good_ratio)) {
        std::printf("%s %lld: residual ratio %g\n", j.name().c_str(), static_cast<long long>(j.rows),
                    residual);
        return false;
    }
    const auto n = static_cast<double>(j.rows);
    out.add(j.name(), j.rows, j.count, run, median(our_seconds),
            static_cast<double>(j.count) * 2 / 3 * n * n * n, residual, peer->name(), median(their_seconds));
    return true;
}

/// Solves to f64 accuracy: refined from each lower precision, and plainly in f64, beside cuSOLVER's best.
bool compare_refined(const table& out, index_t n) {
    const buffer<double> a = random_matrix<double>(n * n, n, false), b = random_matrix<double>(n, 1, false);
    const buffer<double> x(n, memory_space::device), copy(n * n, memory_space::device);
    const buffer<std::int32_t> pivots(n, memory_space::device);
    const matrix_shape square = bench::packed_columns(scalar::f64, n, n),
                       tall = bench::packed_columns(scalar::f64, n, 1);
    const bench::refined_peer_result peer = bench::refined_peer(a.data(), b.data(), x.data(), n);
    const double operations =
        2.0 / 3 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
    const double error_of_peer = bench::backward_error(a.data(), b.data(), x.data(), n);
    bool good = error_of_peer < good_backward_error;
    if (!good)
        std::printf("  %s: backward error %.2g, expected below %.2g\n", peer.name.c_str(), error_of_peer,
                    good_backward_error);
    for (const factor_precision p : {factor_precision::automatic, factor_precision::f16,
                                     factor_precision::tf32, factor_precision::f32, factor_precision::f64}) {
        std::vector<double> seconds;
        lu_refined_result r;
        for (int k = 0; k < 4; ++k) {
            const double start = now();
            r = lu_solve_refined(on_cuda{}, {a.data(), square}, {b.data(), tall}, {x.data(), tall},
                                 {.precision = p});
            if (k > 0) seconds.push_back(now() - start);
        }
        const double error = bench::backward_error(a.data(), b.data(), x.data(), n);
        std::printf("  %s: %s, backward error %.2g, by itself %.2g\n", name_of(p), r.outcome.c_str(), error,
                    r.backward_error);
        if (error < good_backward_error)
            out.add(std::string("refined_") + name_of(p), n, 1, r.run, median(seconds), operations, error,
                    peer.name, peer.seconds);
        else
            good = false;
    }
    std::vector<double> seconds;
    report run;
    for (int k = 0; k < 4; ++k) {
        (void)cudaMemcpy(copy.data(), a.data(), sizeof(double) * static_cast<std::size_t>(n * n),
                         cudaMemcpyDefault);
        (void)cudaMemcpy(x.data(), b.data(), sizeof(double) * static_cast<std::size_t>(n), cudaMemcpyDefault);
        const double start = now();
        run = lu_factor(on_cuda{}, matrices(copy.data(), square), pivots.data()).run;
        (void)lu_solve(on_cuda{}, {copy.data(), square}, pivots.data(), {x.data(), tall});
        if (k > 0) seconds.push_back(now() - start);
    }
    const double error = bench::backward_error(a.data(), b.data(), x.data(), n);
    if (!(error < good_backward_error)) return false;
    out.add("factor_and_solve_f64", n, 1, run, median(seconds), operations, error, peer.name, peer.seconds);
    return good;
}

std::vector<job> all_jobs() {
    std::vector<job> all;
    for (const index_t n : {256, 512, 1024, 2048, 4096, 8192, 16384})
        for (const scalar t : {scalar::f32, scalar::f64})
            for (const bool pivoted : {false, true}) all.push_back({t, n, 1, pivoted});
    for (const bool pivoted : {false, true}) all.push_back({scalar::f64, 32768, 1, pivoted});
    struct batch {
        index_t rows, count;
    };
    for (const batch& b : {batch{8, 200000}, batch{32, 50000}, batch{64, 20000}, batch{100, 8000},
                           batch{128, 5000}, batch{256, 1000}, batch{512, 256}})
        for (const bool pivoted : {true, false}) all.push_back({scalar::f32, b.rows, b.count, pivoted});
    for (const batch& b : {batch{32, 50000}, batch{48, 30000}, batch{64, 20000}, batch{128, 5000}})
        for (const bool pivoted : {true, false}) all.push_back({scalar::f64, b.rows, b.count, pivoted});
    return all;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<bench::named_case<table>> all;
    for (const job& j : all_jobs())
        all.push_back({j.name() + "/" + std::to_string(j.rows), [j](const table& out) {
                           return j.type == scalar::f32 ? compare<float>(out, j) : compare<double>(out, j);
                       }});
    for (const index_t n : {index_t{4096}, index_t{16384}})
        all.push_back(
            {"refined/" + std::to_string(n), [n](const table& out) { return compare_refined(out, n); }});
    return bench::run_cases(argc, argv, all);
}
