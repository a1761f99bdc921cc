// shared_work - one tridiagonal system, one search and one matrix by the ranks of this mpirun, one thread
// each, beside the same by rank 0 alone, in turn: one CSV line a case. Unknowns and factors are compared bit
// for bit (those of ScaLAPACK, where that is, within 1e-6), hits by score and record.
//   mpirun -np N shared_work OUT.csv [ROWS] [RECORDS] [MATRIX]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <wale/search.hpp>
#include <wale/shared_matrices.hpp>
#include <wale/shared_systems.hpp>

#include "csv.hpp"
#include "packed.hpp"
#include "timing.hpp"

namespace wale::bench {
namespace {

double number(index_t k) {
    return static_cast<double>(static_cast<std::uint32_t>(k) * 2654435761U) * 0x1p-31 - 1;
}

/// Rows of one system.
struct chain {
    std::vector<double> lower, middle, upper, right, x;
    explicit chain(row_range rows) : x(static_cast<std::size_t>(rows.last - rows.first)) {
        for (index_t i = rows.first; i < rows.last; ++i) {
            lower.push_back(number(4 * i));
            middle.push_back(4 + number(4 * i + 1));
            upper.push_back(number(4 * i + 2));
            right.push_back(number(4 * i + 3));
        }
    }
    void solve(const ranks& group, const char* variant) {
        const vector_shape s = vector_shape::flat(scalar::f64, std::ssize(x));
        const auto seen = [&](const std::vector<double>& v) { return const_vectors(v.data(), s); };
        (void)tridiagonal_solve(group, on_cpu{1}, seen(lower), seen(middle), seen(upper), seen(right),
                                vectors(x.data(), s), {.variant = variant});
    }
};

class bench {
public:
    explicit bench(const char* path) : world_(ranks::world()) {
        if (world_.rank() == 0) out_.emplace(path, "case,size,ranks,seconds,alone_seconds,speedup");
    }

    void chains(index_t rows) {
        chain mine(tridiagonal_share(rows, scalar::f64, world_.rank(), world_.size()));
        chain all(world_.rank() == 0 ? row_range{0, rows} : row_range{0, 0});
        run(
            "tridiagonal", rows, [&] { mine.solve(world_, "automatic"); },
            [&] { all.solve({}, "cpu/partition"); });
        const auto first = static_cast<std::ptrdiff_t>(mine.x.size());
        if (world_.rank() == 0 && !std::equal(mine.x.begin(), mine.x.begin() + first, all.x.begin()))
            throw std::runtime_error("ranks and one process differ");
    }

    void searches(index_t records) {
        constexpr index_t letters = 400;
        std::string text(static_cast<std::size_t>(records * letters), ' ');
        for (std::size_t k = 0; k < text.size(); ++k)
            text[k] =
                "ARNDCQEGHILKMFPSTWYV"[static_cast<std::size_t>(10 * (number(static_cast<index_t>(k)) + 1))];
        std::vector<index_t> offsets;
        for (index_t k = 0; k <= records; ++k) offsets.push_back(k * letters);
        const sequence_batch database{text.data(), offsets.data(), records, 1},
            queries{text.data(), offsets.data(), 4, 1};
        search_options o{.evalue = 1e9};
        search_result alone, together;
        const auto with = [&](const ranks& group, search_result& found) {
            o.group = group;
            found = search(on_cpu{1}, queries, database, o);
        };
        run(
            "search", records * letters, [&] { with(world_, together); }, [&] { with({}, alone); });
        if (world_.rank() > 0) return;
        for (std::size_t q = 0; q < alone.hits.size(); ++q)
            for (std::size_t k = 0; k < alone.hits[q].size(); ++k)
                if (together.hits[q].at(k).target != alone.hits[q][k].target)
                    throw std::runtime_error("hits differ");
    }

    /// A matrix with a heavy diagonal, so that both pivot alike. The memory that is factored is filled anew.
    void matrices_of(index_t n, const char* variant) {
        const matrix_shape whole = packed_columns(scalar::f64, n, n);
        const bool first = world_.rank() == 0;
        const auto element = [&](index_t i, index_t j) {
            return number(i + n * j) + (i == j ? static_cast<double>(n) : 0);
        };
        const auto columns = [&](const std::vector<column_range>& ranges) {
            std::vector<double> all;
            for (const column_range& r : ranges)
                for (index_t j = r.first; j < r.last; ++j)
                    for (index_t i = 0; i < n; ++i) all.push_back(element(i, j));
            return all;
        };
        const auto share = lu_share(whole, world_.rank(), world_.size());
        const std::vector<double> own = columns(share),
                                  all = columns(first ? lu_share(whole, 0, 1) : decltype(share){});
        std::vector<double> mine, alone;
        std::vector<std::int32_t> pivots(static_cast<std::size_t>(n));
        const matrix_shape part = lu_part(whole, world_.rank(), world_.size());
        run(
            variant, n,
            [&] {
                mine = own;
                (void)lu_factor(world_, on_cpu{1}, whole, matrices(mine.data(), part),
                                {.pivots = pivots.data()}, {.variant = variant});
            },
            [&] {
                alone = all;
                (void)lu_factor(on_cpu{1}, matrices(alone.data(), whole), pivots.data(),
                                {.variant = "cpu/recursive"});
            });
        std::size_t at = 0;
        for (const column_range& r : share)
            for (index_t k = r.first * n; first && k < r.last * n; ++k, ++at) {
                const double wanted = alone[static_cast<std::size_t>(k)];
                const double bound =
                    std::string_view(variant) == "cpu/scalapack" ? 1e-6 * std::fabs(wanted) + 1e-12 : 0;
                if (!(std::fabs(mine[at] - wanted) <= bound))
                    throw std::runtime_error("ranks and one process have other factors");
            }
    }

private:
    template <class Together, class Alone>
    void run(const char* name, index_t size, const Together& together, const Alone& alone) {
        std::vector<double> by_all, by_one;
        for (int turn = 0; turn < 6; ++turn) {
            double start = now();
            if (world_.rank() == 0) alone();
            if (turn > 0) by_one.push_back(now() - start);
            (void)world_.any(false);  // the others wait until it is their turn
            start = now();
            together();
            (void)world_.any(false);
            if (turn > 0) by_all.push_back(now() - start);
        }
        if (!out_) return;
        const double all = *std::ranges::min_element(by_all), one = *std::ranges::min_element(by_one);
        out_->add(name, size, world_.size(), all, one, one / all);
    }

    ranks world_;
    std::optional<csv_lines> out_;
};

}  // namespace
}  // namespace wale::bench

int main(int count, char** words) {
    if (count < 2 || count > 5) {
        std::fprintf(stderr, "usage: mpirun -np N shared_work OUT.csv [ROWS] [RECORDS] [MATRIX]\n");
        return 2;
    }
    try {
        wale::bench::bench b(words[1]);
        b.chains(count > 2 ? std::atoll(words[2]) : 10'000'000);
        b.searches(count > 3 ? std::atoll(words[3]) : 20'000);
        for (const char* variant : {"cpu/block_cyclic", "cpu/scalapack"}) try {
                b.matrices_of(count > 4 ? std::atoll(words[4]) : 4096, variant);
            } catch (const wale::unsupported_variant& e) {
                std::fprintf(stderr, "shared_work: left out: %s\n", e.what());
            }
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "shared_work: %s\n", e.what());
        return 1;
    }
}
