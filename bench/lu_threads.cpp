// lu_threads - factors, solutions and inverses by several threads beside an OpenBLAS that is opened by its
// file's name, such as that of NumPy's wheel: in quiet, and ours right after the peer's call, whose threads
// look for work for 0.1 s. One CSV line a case: the least of several calls, and the median of those right
// after the peer's.
//   lu_threads OUT.csv LIBRARY THREADS [FILTER...]      FILTER: only cases whose name contains one of them
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
#include <wale/lu.hpp>

#include "cases.hpp"
#include "csv.hpp"
#include "packed.hpp"
#include "timing.hpp"

namespace wale::bench {
namespace {

using integer = std::int64_t;  // OpenBLAS reads 32 or 64 bits of it: the numbers are small and positive

/// The functions of LAPACK for one type; SciPy's builds put a word before the names and 64 behind them.
class openblas {
public:
    explicit openblas(const char* path) : library_(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
        if (!library_) throw std::runtime_error(dlerror());
        for (const char* prefix : {"scipy_", ""})
            for (const char* suffix : {"64_", ""})
                if (dlsym(library_, (prefix + std::string("openblas_set_num_threads") + suffix).c_str()))
                    prefix_ = prefix, suffix_ = suffix;
        if (!dlsym(library_, (prefix_ + "openblas_set_num_threads" + suffix_).c_str()))
            throw std::runtime_error(std::string(path) + " is no OpenBLAS");
    }
    void set_threads(int threads) const {
        reinterpret_cast<void (*)(int)>(found(prefix_ + "openblas_set_num_threads" + suffix_))(threads);
    }
    [[nodiscard]] void* lapack(char type, const std::string& name) const {
        return found(prefix_ + type + name + "_" + suffix_);
    }

private:
    [[nodiscard]] void* found(const std::string& name) const {
        void* const f = dlsym(library_, name.c_str());
        if (!f) throw std::runtime_error(name + " is not there");
        return f;
    }
    void* library_;
    std::string prefix_, suffix_;
};

template <class T>
constexpr char letter() {
    return scalar_of<T>::value == scalar::f32   ? 's'
           : scalar_of<T>::value == scalar::f64 ? 'd'
           : scalar_of<T>::value == scalar::c64 ? 'c'
                                                : 'z';
}

struct cell {
    const char* operation;  // factor, solve, transposed, inverse
    char type;
    index_t rows, sides;
    [[nodiscard]] std::string name() const {
        return std::string(operation) + "_" + type + "/" + std::to_string(rows) + "/" + std::to_string(sides);
    }
};

/// Both sides of one case on memory of their own, made anew before each call.
template <class T>
class contest {
public:
    contest(const openblas& peer, const cell& c, int threads)
        : c_(c), threads_(threads), a_(numbers(c.rows * c.rows)), b_(numbers(c.rows * c.sides)) {
        for (index_t i = 0; i < c.rows; ++i)
            a_[at(i * (c.rows + 1))] +=
                static_cast<decltype(std::abs(T()))>(2 * std::sqrt(static_cast<double>(c.rows)));
        getrf_ = reinterpret_cast<decltype(getrf_)>(peer.lapack(letter<T>(), "getrf"));
        getrs_ = reinterpret_cast<decltype(getrs_)>(peer.lapack(letter<T>(), "getrs"));
        if (std::string(c.operation) == "inverse") {
            b_.assign(a_.size(), T(0));
            for (index_t i = 0; i < c.rows; ++i) b_[at(i * (c.rows + 1))] = T(1);
        }
        solves_ = c.operation[0] == 's' || c.operation[0] == 't';
        prepare();
        if (solves_) factor_both();
    }
    void prepare() {
        if (!solves_ || ours_.empty()) ours_ = theirs_ = a_;
        our_side_ = their_side_ = b_;
        pivots_.resize(at(c_.rows));
        their_pivots_.resize(at(2 * c_.rows));
    }
    double ours() {
        const double start = now();
        const matrix_shape square = packed_columns(scalar_of<T>::value, c_.rows, c_.rows),
                           right = packed_columns(scalar_of<T>::value, c_.rows, c_.sides);
        if (!solves_) (void)lu_factor(on_cpu{threads_}, matrices(ours_.data(), square), pivots_.data());
        if (solves_)
            (void)lu_solve(on_cpu{threads_}, {ours_.data(), square}, pivots_.data(),
                           matrices(our_side_.data(), right), {.transposed = c_.operation[0] == 't'});
        if (c_.operation[0] == 'i')
            (void)lu_inverse(on_cpu{threads_}, matrices(ours_.data(), square), pivots_.data());
        return now() - start;
    }
    double theirs() {
        const double start = now();
        const integer n = c_.rows, sides = c_.operation[0] == 'i' ? n : c_.sides;
        if (!solves_) their_factor();
        if (c_.operation[0] != 'f') {
            integer info = 0;
            getrs_(c_.operation[0] == 't' ? "T" : "N", &n, &sides, theirs_.data(), &n, their_pivots_.data(),
                   their_side_.data(), &n, &info, 1);
        }
        return now() - start;
    }
    /// The largest difference over the largest element.
    double difference() {
        prepare();
        ours();
        theirs();
        const std::vector<T>& x = solves_ ? our_side_ : ours_;
        const std::vector<T>& y = c_.operation[0] == 'f' ? theirs_ : their_side_;
        double most = 0, size = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            most = std::max(most, static_cast<double>(std::abs(x[i] - y[i])));
            size = std::max(size, static_cast<double>(std::abs(y[i])));
        }
        return most / size;
    }

private:
    static std::size_t at(index_t i) { return static_cast<std::size_t>(i); }
    static std::vector<T> numbers(index_t count) {
        const std::vector<double> parts = random_numbers<double>(2 * count);
        std::vector<T> all(at(count));
        for (std::size_t i = 0; i < all.size(); ++i) {
            if constexpr (is_complex(scalar_of<T>::value))
                all[i] = T(static_cast<typename T::value_type>(parts[2 * i]),
                           static_cast<typename T::value_type>(parts[2 * i + 1]));
            else
                all[i] = static_cast<T>(parts[i]);
        }
        return all;
    }
    void their_factor() {
        const integer n = c_.rows;
        integer info = 0;
        getrf_(&n, &n, theirs_.data(), &n, their_pivots_.data(), &info);
    }
    void factor_both() {
        const matrix_shape square = packed_columns(scalar_of<T>::value, c_.rows, c_.rows);
        (void)lu_factor(on_cpu{threads_}, matrices(ours_.data(), square), pivots_.data());
        their_factor();
    }

    cell c_;
    int threads_;
    bool solves_ = false;
    std::vector<T> a_, b_, ours_, theirs_, our_side_, their_side_;
    std::vector<std::int32_t> pivots_, their_pivots_;  // theirs of 32 or 64 bits
    void (*getrf_)(const integer*, const integer*, T*, const integer*, std::int32_t*, integer*) = nullptr;
    void (*getrs_)(const char*, const integer*, const integer*, const T*, const integer*, const std::int32_t*,
                   T*, const integer*, integer*, std::size_t) = nullptr;
};

class table {
public:
    explicit table(const std::string& path)
        : file_(path,
                "case,threads,seconds,peer_seconds,ratio,after_seconds,after_median,after_ratio,difference") {
    }
    template <class T>
    bool add(const openblas& peer, const cell& c, int threads) const {
        contest<T> both(peer, c, threads);
        const double wrong = both.difference();
        const auto least = [&](bool ours) {
            double best = 1e9, spent = 0;
            for (int k = 0; k < 6 && spent < 0.5; ++k, spent += best) {
                both.prepare();
                best = std::min(best, ours ? both.ours() : both.theirs());
            }
            return best;
        };
        std::this_thread::sleep_for(std::chrono::milliseconds(130));  // until the peer's threads sleep
        const double ours = least(true), theirs = least(false);
        std::vector<double> after;
        for (double spent = 0; after.size() < 9 && (after.size() < 3 || spent < 0.3);) {
            both.prepare();
            spent += both.theirs();
            after.push_back(both.ours());
        }
        const double soon = *std::ranges::min_element(after), middle = median(after);
        file_.add(c.name(), threads, ours, theirs, theirs / ours, soon, middle, theirs / middle, wrong);
        const bool narrow = c.type == 's' || c.type == 'c';
        return wrong < (narrow ? 1e-3 : 1e-10);
    }

private:
    csv_lines file_;
};

std::vector<cell> all_cells() {
    std::vector<cell> all;
    for (const char type : {'d', 'z', 's', 'c'}) {
        for (const index_t n : {204, 492, 1000}) all.push_back({"factor", type, n, 0});
        for (const index_t n : {204, 400}) all.push_back({"inverse", type, n, 0});
        for (const auto& [n, k] : {std::pair<index_t, index_t>{128, 144},
                                   {400, 12},
                                   {419, 18},
                                   {424, 58},
                                   {654, 27},
                                   {792, 165},
                                   {1500, 16}})
            all.push_back({"solve", type, n, k});
        all.push_back({"transposed", type, 654, 27});
    }
    for (const index_t n : {2000, 4096}) all.push_back({"factor", 'd', n, 0});
    all.push_back({"inverse", 'd', 1000, 0});
    all.push_back({"solve", 'd', 1500, 400});
    return all;
}

}  // namespace
}  // namespace wale::bench

int main(int argc, char** argv) {
    using namespace wale::bench;
    if (argc < 4) {
        std::fprintf(stderr, "usage: lu_threads OUT.csv LIBRARY THREADS [FILTER...]\n");
        return 2;
    }
    try {
        const openblas peer(argv[2]);
        const int threads = std::atoi(argv[3]);
        peer.set_threads(threads);
        std::vector<named_case<table>> all;
        for (const cell& c : all_cells())
            all.push_back({c.name(), [&peer, c, threads](const table& out) {
                               return c.type == 'd'   ? out.add<double>(peer, c, threads)
                                      : c.type == 'z' ? out.add<std::complex<double>>(peer, c, threads)
                                      : c.type == 's' ? out.add<float>(peer, c, threads)
                                                      : out.add<std::complex<float>>(peer, c, threads);
                           }});
        argv[3] = argv[1];  // as run_cases reads them: OUT.csv [FILTER...]
        argv[2] = argv[0];
        return run_cases(argc - 2, argv + 2, all);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "lu_threads: %s\n", e.what());
        return 1;
    }
}
