// atlas_cuda - random cells of factorisations, solves and tridiagonal systems on the device beside cuSOLVER,
// cuBLAS and cuSPARSE, ours and theirs in turn: plain calls as the caller sees them. A CSV line a cell, then
// the ratios. Solutions are compared with the peer's, factors with the matrix. A cell follows from the seed
// and its number. Or the cells of a file; each word of a line may be a list, "64,96", and each combination is
// a cell:
//   matrices factor|solve|transposed|inverse TYPE ROWS COUNT plain|pivoted SIDES VARIANT
//   chains flat|interleaved TYPE ROWS COUNT plain|pivoted 1 VARIANT
// TYPE: float32, float64, complex64 or complex128.
//   atlas_cuda OUT.csv SECONDS [SEED [FIRST]]
//   atlas_cuda OUT.csv FILE
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>
#include <vector>
#include <wale/wale.hpp>

#include "atlas_cells.hpp"
#include "csv.hpp"
#include "cuda_peers.hpp"
#include "packed.hpp"

namespace {

using namespace wale;
using namespace wale::bench;

template <class T>
void weigh_diagonals(const buffer<T>& a, index_t n, index_t count) {
    std::vector<T> host(static_cast<std::size_t>(a.size()));
    copy_bytes(on_cuda{}, host.data(), a.data(), a.size() * index_t{sizeof(T)});
    for (index_t i = 0; i < n * count; ++i)
        host[static_cast<std::size_t>(i / n * n * n + i % n * (n + 1))] += static_cast<real_of<T>>(n);
    copy_bytes(on_cuda{}, a.data(), host.data(), a.size() * index_t{sizeof(T)});
}

struct matrices_case {
    index_t n, count;
    bool pivoted;
    std::string what;  // factor, solve, transposed or inverse
    index_t sides;
    std::string variant = "automatic";
};

struct chains_case {
    bool flat, pivoted;
    index_t rows, count;
    std::string variant = "automatic";
};

template <class T>
buffer<T> unit_matrices(index_t n, index_t count) {
    std::vector<T> host(static_cast<std::size_t>(n * n * count));
    for (index_t i = 0; i < n * count; ++i)
        host[static_cast<std::size_t>(i / n * n * n + i % n * (n + 1))] = T(1);
    return to_device<T>(on_cuda{}, host);
}

/// Matrices with their factors, ours and the peer's, which one round of calls after the other overwrites.
template <class T>
struct factored {
    const matrices_case& of;
    matrix_shape shape;
    buffer<T> a, ours, theirs;
    buffer<std::int32_t> exchanges;
    std::unique_ptr<bench::lu_peer> peer;
    report run;

    factored(dice& draw, const matrices_case& c)
        : of(c),
          shape(bench::packed_columns(scalar_of<T>::value, c.n, c.n, c.count)),
          a(numbers<T>(draw, c.n * c.n * c.count)),
          ours(a.size(), memory_space::device),
          theirs(a.size(), memory_space::device),
          exchanges(c.n * c.count, memory_space::device),
          peer(bench::make_lu_peer(shape, c.pivoted)) {
        if (c.what != "factor" || !c.pivoted) weigh_diagonals(a, c.n, c.count);
    }
    [[nodiscard]] const std::int32_t* pivots() const { return of.pivoted ? exchanges.data() : nullptr; }
    void restore() const {
        copy(a, ours);
        copy(a, theirs);
    }
    void factor() {
        const lu_options options{.variant = of.what == "factor" ? of.variant : "automatic",
                                 .pivoting = of.pivoted ? pivoting::partial : pivoting::none};
        run = lu_factor(on_cuda{}, matrices(ours.data(), shape), exchanges.data(), options).run;
    }
    void factor_both() {
        restore();
        factor();
        peer->factor(theirs.data());
    }
};

template <class T>
void time_factors(factored<T>& m, line& out) {
    const std::vector<double> times =
        in_turn([&] { m.restore(); }, {[&] { m.factor(); }, [&] { m.peer->factor(m.theirs.data()); }});
    m.restore();  // which every call of the other has done to these factors
    m.factor();
    out.right = lu_residual_ratio(on_cuda{}, {m.a.data(), m.shape}, {m.ours.data(), m.shape},
                                  m.exchanges.data()) < 30;
    out.peer = m.peer->name();
    out.seconds = times[0];
    out.theirs = times[1];
}

/// Two calls from two places, each of which `restore` fills; out.right: whether they leave the same.
template <class T>
void time_answers(const buffer<T>& x, const buffer<T>& y, const std::function<void()>& restore,
                  const std::function<void()>& ask, const std::function<void()>& ask_peer, line& out) {
    const std::vector<double> times = in_turn(restore, {ask, ask_peer});
    restore();
    ask();
    ask_peer();
    wait();
    out.right = agree(x, y);
    out.seconds = times[0];
    out.theirs = times[1];
}

template <class T>
void time_solves(factored<T>& m, dice& draw, line& out) {
    const matrices_case& c = m.of;
    const bool transposed = c.what == "transposed";
    const buffer<T> b = numbers<T>(draw, c.n * c.sides * c.count), x(b.size(), memory_space::device),
                    y(b.size(), memory_space::device);
    const matrices right(x.data(), bench::packed_columns(scalar_of<T>::value, c.n, c.sides, c.count));
    m.factor_both();
    time_answers<T>(
        x, y,
        [&] {
            copy(b, x);
            copy(b, y);
        },
        [&] {
            m.run = lu_solve(on_cuda{}, {m.ours.data(), m.shape}, m.pivots(), right,
                             {.variant = c.variant, .transposed = transposed})
                        .run;
        },
        [&] { m.peer->solve(m.theirs.data(), y.data(), c.sides, transposed); }, out);
    out.shape += " sides " + std::to_string(c.sides);
    out.peer = c.count == 1 ? "cusolverDnXgetrs" : "cublasGetrsBatched";
}

template <class T>
void time_inverses(factored<T>& m, line& out) {
    const matrices_case& c = m.of;
    m.factor_both();
    const buffer<T> unit = unit_matrices<T>(c.n, c.count), x(unit.size(), memory_space::device),
                    y(unit.size(), memory_space::device);
    time_answers<T>(
        x, y,
        [&] {
            copy(m.ours, x);
            copy(unit, y);
        },
        [&] {
            m.run =
                lu_inverse(on_cuda{}, matrices(x.data(), m.shape), m.pivots(), {.variant = c.variant}).run;
        },
        [&] { m.peer->invert(m.theirs.data(), y.data()); }, out);
    out.peer = c.count == 1 ? "cusolverDnXgetrs" : "cublasGetriBatched";
}

template <class T>
line time_matrices(dice& draw, const matrices_case& c) {
    factored<T> m(draw, c);
    line out{};
    out.operation = c.what;
    out.type = name_of(scalar_of<T>::value);
    out.shape = std::to_string(c.n) + " x " + std::to_string(c.n) + " x" + std::to_string(c.count) +
                (c.pivoted ? " pivoted" : "");
    if (c.what == "factor")
        time_factors(m, out);
    else if (c.what == "inverse")
        time_inverses(m, out);
    else
        time_solves(m, draw, out);
    out.variant = m.run.variant;
    return out;
}

template <class T>
line matrices_cell(dice& draw) {
    constexpr double most_bytes = 2.5e8, most_operations = 1e11;
    const index_t n = draw.size(1, 3000);
    const auto size = static_cast<double>(n);
    const double most =
        std::min(most_bytes / (size * size * sizeof(T)), most_operations / (size * size * size));
    const index_t count = draw.coin() ? 1 : draw.size(1, std::max<index_t>(1, static_cast<index_t>(most)));
    const bool pivoted = draw.coin(), factors = draw.coin();
    const index_t sides = draw.coin() ? 1 : draw.size(1, 32);
    const char* const others[] = {"solve", "solve", "transposed", "inverse"};
    const char* const what = factors ? "factor" : others[draw.random() % 4];
    return time_matrices<T>(draw, {n, count, pivoted, what, sides});
}

template <class T>
line time_chains(dice& draw, const chains_case& c) {
    const auto [flat, pivoted, rows, count, variant] = c;
    const vector_shape s = flat ? vector_shape::flat(scalar_of<T>::value, rows, count)
                                : vector_shape::interleaved(scalar_of<T>::value, rows, count);
    const index_t size = s.elements();
    const buffer<T> lower = numbers<T>(draw, size), upper = numbers<T>(draw, size),
                    right = numbers<T>(draw, size),
                    diagonal = to_device<T>(on_cuda{}, std::vector<T>(static_cast<std::size_t>(size), T(4)));
    const auto space = [&] { return buffer<T>(size, memory_space::device); };
    const buffer<T> l = space(), d = space(), u = space(), x = space(), y = space();
    // The first subdiagonal and the last superdiagonal are no elements; cuSPARSE wants zeros.
    for (const auto& [of, row] : {std::pair{&lower, index_t{0}}, {&upper, rows - 1}})
        (void)cudaMemset2D(of->data() + (flat ? row : row * count), (flat ? rows : 1) * sizeof(T), 0,
                           sizeof(T), static_cast<std::size_t>(count));
    auto peers = bench::make_chain_peers(s);
    std::erase_if(peers, [&](const auto& p) { return pivoted && !p->pivots(); });
    const bool any = !peers.empty();
    if (!any) peers = bench::make_chain_peers(s);  // cuSPARSE pivots in no batch of flat systems
    report run;
    const auto restore = [&] {
        copy(lower, l);
        copy(diagonal, d);
        copy(upper, u);
        copy(right, x);
        copy(right, y);
    };
    std::vector<std::function<void()>> calls{[&] {
        run = tridiagonal_solve(
                  on_cuda{}, {lower.data(), s}, {diagonal.data(), s}, {upper.data(), s}, vectors(x.data(), s),
                  {.variant = variant, .pivoting = pivoted && any ? pivoting::partial : pivoting::none})
                  .run;
    }};
    for (const auto& p : peers) calls.push_back([&] { p->solve(l.data(), d.data(), u.data(), y.data()); });
    const std::vector<double> times = in_turn(restore, calls);
    restore();
    calls[0]();
    calls[1]();
    wait();
    const auto best = std::min_element(times.begin() + 1, times.end());
    return {"tridiagonal",
            name_of(scalar_of<T>::value),
            std::to_string(rows) + " rows x" + std::to_string(count) + (flat ? " flat" : " interleaved") +
                (pivoted && any ? " pivoted" : ""),
            run.variant,
            peers[static_cast<std::size_t>(best - times.begin() - 1)]->name(),
            times[0],
            *best,
            agree(x, y)};
}

template <class T>
line chains_cell(dice& draw) {
    constexpr index_t most = 1 << 23;
    const bool flat = draw.coin(), pivoted = draw.coin();
    const index_t rows = draw.size(4, flat ? most : 8192), count = draw.size(1, most / rows);
    return time_chains<T>(draw, {flat, pivoted, rows, count});
}

line cell(std::uint64_t seed, index_t number) {
    dice draw{std::mt19937_64(seed * 1'000'003 + static_cast<std::uint64_t>(number))};
    const bool chains = draw.random() % 3 == 0, wide = draw.coin(), complex = draw.random() % 3 == 0;
    const auto ask = [&](auto zero) {
        return chains ? chains_cell<decltype(zero)>(draw) : matrices_cell<decltype(zero)>(draw);
    };
    if (complex) return wide ? ask(std::complex<double>{}) : ask(std::complex<float>{});
    return wide ? ask(0.0) : ask(0.0F);
}

template <class T>
line named_cell(dice& draw, bool chains, const std::string& kind, index_t n, index_t count, bool pivoted,
                index_t sides, const std::string& variant) {
    if (chains) return time_chains<T>(draw, {kind == "flat", pivoted, n, count, variant});
    return time_matrices<T>(draw, {n, count, pivoted, kind, sides, variant});
}

using words = std::vector<std::string>;

words split(const std::string& text, char at) {
    words all;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, at);) all.push_back(part);
    return all;
}

/// The cells of a file.
std::vector<words> cells_of(std::istream& from) {
    std::vector<words> all;
    for (std::string text; std::getline(from, text);) {
        std::vector<words> cells{{}};
        for (const std::string& word : split(text, ' ')) {
            std::vector<words> longer;
            for (const words& cell : cells)
                for (const std::string& choice : split(word, ',')) {
                    longer.push_back(cell);
                    longer.back().push_back(choice);
                }
            cells = std::move(longer);
        }
        for (const words& cell : cells)
            if (cell.size() == 8)
                all.push_back(cell);
            else if (!cell.empty())
                throw error("a line has " + std::to_string(cell.size()) + " words, expected 8: " + text);
    }
    return all;
}

line cell(const words& w) {
    dice draw{std::mt19937_64(1)};
    const auto ask = [&](auto zero) {
        return named_cell<decltype(zero)>(draw, w[0] == "chains", w[1], std::stoll(w[3]), std::stoll(w[4]),
                                          w[5] == "pivoted", std::stoll(w[6]), w[7]);
    };
    if (w[2] == "float32") return ask(0.0F);
    if (w[2] == "float64") return ask(0.0);
    if (w[2] == "complex64") return ask(std::complex<float>{});
    return ask(std::complex<double>{});
}

void print(const char* operation, std::vector<line> all) {
    std::erase_if(all, [&](const line& l) { return l.operation != operation; });
    if (all.empty()) return;
    std::sort(all.begin(), all.end(), [](const line& x, const line& y) { return x.ratio() < y.ratio(); });
    std::printf("%s: %zu cells, peer over ours: median %.2f, 95%% from %.2f, worst %.2f\n", operation,
                all.size(), all[all.size() / 2].ratio(), all[all.size() / 20].ratio(), all[0].ratio());
    for (std::size_t i = 0; i < std::min<std::size_t>(5, all.size()); ++i)
        std::printf("  %.2f  %s %s  %s %.1f us  %s %.1f us\n", all[i].ratio(), all[i].type.c_str(),
                    all[i].shape.c_str(), all[i].variant.c_str(), 1e6 * all[i].seconds, all[i].peer.c_str(),
                    1e6 * all[i].theirs);
}

}  // namespace

int main(int count, char** arguments) try {
    if (count < 3) {
        std::fprintf(stderr, "usage: atlas_cuda OUT.csv SECONDS|FILE [SEED [FIRST]]\n");
        return 2;
    }
    const bench::csv_lines out(arguments[1],
                               "seed,cell,operation,type,shape,variant,seconds,peer,peer_seconds,ratio");
    const double end = now() + std::atof(arguments[2]);
    const auto seed = static_cast<std::uint64_t>(count > 3 ? std::atoll(arguments[3]) : 1);
    bool good = true;
    std::vector<line> all;
    std::ifstream file(arguments[2]);
    const std::vector<words> named = cells_of(file);
    const auto more = [&](index_t number) {
        return file.is_open() ? number < std::ssize(named) : now() < end;
    };
    for (index_t number = count > 4 ? std::atoll(arguments[4]) : 0; more(number); ++number) {
        const line l = file.is_open() ? cell(named[static_cast<std::size_t>(number)]) : cell(seed, number);
        if (!l.right) {
            std::printf("cell %lld: %s %s %s by %s: the answer is wrong\n", static_cast<long long>(number),
                        l.operation.c_str(), l.type.c_str(), l.shape.c_str(), l.variant.c_str());
            good = false;
            continue;
        }
        out.add(static_cast<index_t>(seed), number, l.operation, l.type, l.shape, l.variant, l.seconds,
                l.peer, l.theirs, l.ratio());
        all.push_back(l);
    }
    for (const char* operation : {"factor", "solve", "transposed", "inverse", "tridiagonal"})
        print(operation, all);
    return good ? 0 : 1;
} catch (const std::exception& e) {
    std::fprintf(stderr, "atlas_cuda: %s\n", e.what());
    return 1;
}
