// lu_cpu - LU on the CPU beside OpenBLAS and Eigen (linked here): one CSV line a case, ours and theirs in
// turn, and the rows of the ladder beside each other. Factors are verified after the timing.
//   lu_cpu OUT.csv [FILTER]      FILTER: only cases whose name contains it
#include <algorithm>
#include <cstdio>
#include <vector>
#include <wale/wale.hpp>

#include "cases.hpp"
#include "cpu_peers.hpp"
#include "csv.hpp"
#include "packed.hpp"
#include "timing.hpp"

namespace {

using namespace wale;
using bench::median;
using bench::now;
using bench::random_numbers;

constexpr double good_ratio = 30;  // LAPACK's threshold

struct job {
    const char* name;
    index_t rows;
    index_t count;  // matrices in one call
    int threads;
    bool f32;
};

class table {
public:
    explicit table(const std::string& path)
        : file_(path,
                "operation,size,count,variant,threads,median_s,rate_g_per_s,"
                "residual_ratio,peer,peer_median_s,ratio") {}
    void add(const job& j, const report& run, double ours, double residual, const std::string& peer,
             double theirs) const {
        const auto n = static_cast<double>(j.rows);
        const double operations = static_cast<double>(j.count) * 2 / 3 * n * n * n;
        const std::string operation = std::string(j.name) + (j.f32 ? "_f32" : "_f64");
        file_.add(operation, j.rows, j.count, run.variant, j.threads, ours, 1e-9 * operations / ours,
                  residual, peer, theirs, theirs / ours);
    }

private:
    bench::csv_lines file_;
};

/// Ours and a peer in turn. Small matrices: `sets` copies are factored one after the other in a timed round.
template <class T>
bool compare(const table& out, const job& j, const bench::lu_cpu_peer<T>& peer) {
    const index_t one = j.rows * j.rows;
    const index_t sets = j.count > 1 ? 1
                                     : std::clamp<index_t>(4'000'000 / (one * j.rows), 1,
                                                           2000);  // rounds of a few milliseconds
    const std::vector<T> a = random_numbers<T>(one * j.count);
    std::vector<T> ours(a.size() * static_cast<std::size_t>(sets)), theirs(ours.size());
    std::vector<std::int32_t> pivots(static_cast<std::size_t>(j.count * j.rows));
    const matrix_shape s = bench::packed_columns(scalar_of<T>::value, j.rows, j.rows, j.count);
    report run;
    std::vector<double> our_seconds, their_seconds;
    double spent = 0;
    for (int k = 0; k < 25 && (k < 6 || spent < 3); ++k) {
        for (index_t i = 0; i < sets; ++i) {
            std::copy(a.begin(), a.end(), ours.begin() + i * std::ssize(a));
            std::copy(a.begin(), a.end(), theirs.begin() + i * std::ssize(a));
        }
        double start = now();
        for (index_t i = 0; i < sets; ++i)
            run =
                lu_factor(on_cpu{j.threads}, matrices(ours.data() + i * std::ssize(a), s), pivots.data()).run;
        const double mine = now() - start;
        start = now();
        for (index_t i = 0; i < sets * j.count; ++i)
            peer.factor(theirs.data() + i * one, static_cast<int>(j.rows), j.threads);
        const double peers = now() - start;
        spent += mine + peers;
        if (k == 0) continue;  // the first warms up
        our_seconds.push_back(mine / static_cast<double>(sets));
        their_seconds.push_back(peers / static_cast<double>(sets));
    }
    const double residual = lu_residual_ratio(on_cpu{}, {a.data(), s}, {ours.data(), s}, pivots.data());
    if (!(residual < good_ratio)) {
        std::printf("%s %lld: residual ratio %g\n", j.name, static_cast<long long>(j.rows), residual);
        return false;
    }
    out.add(j, run, median(our_seconds), residual, peer.name, median(their_seconds));
    return true;
}

std::vector<job> all_jobs() {
    std::vector<job> all;
    for (const bool f32 : {false, true}) {
        for (const index_t n : {8, 16, 32, 64, 100, 128, 256}) all.push_back({"single", n, 1, 1, f32});
        for (const index_t n : {4, 8, 32, 64, 128, 256})
            all.push_back({"batch", n, std::max<index_t>(4, 4'000'000 / (n * n * n)), 1, f32});
        for (const int threads : {1, 2})
            for (const index_t n : {512, 1024, 2048, 4096}) all.push_back({"single", n, 1, threads, f32});
    }
    return all;
}

template <class T>
bool compare_all(const table& out, const job& j) {
    bool good = true;
    for (const bench::lu_cpu_peer<T>& peer : bench::lu_cpu_peers<T>()) {
        if (peer.name == "eigen" && (j.threads > 1 || j.rows > 1024))
            continue;  // it has no threads of its own here
        good = compare<T>(out, j, peer) && good;
    }
    return good;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<bench::named_case<table>> all;
    for (const job& j : all_jobs())
        all.push_back({std::string(j.name) + (j.f32 ? "_f32/" : "_f64/") + std::to_string(j.rows) + "/" +
                           std::to_string(j.threads),
                       [j](const table& out) {
                           return j.f32 ? compare_all<float>(out, j) : compare_all<double>(out, j);
                       }});
    return bench::run_cases(argc, argv, all);
}
