// simd - the fast table on the CPU: bands of rows by ticket, a counter a band, explicit vectors in the tiles.
// lcs and edit from bit vectors, global and dtw with a vector on an antidiagonal, summed_area by row sums.
#include <algorithm>
#include <bit>
#include <limits>

#include "base/aligned.hpp"
#include "base/checked.hpp"
#include "cpu/instruction_set.hpp"
#include "cpu/poll.hpp"
#include "cpu/row_team.hpp"
#include "schedule/skewed_tiles.hpp"
#include "solvers/wavefront/fill/cpu/simd/tile.hpp"
#include "solvers/wavefront/fill/shared/tiling.hpp"

namespace wale::wavefront {
namespace {

/// Whether the table should go past the caches: it would only push out what is read again.
bool streams(const fill_job& job) {
    return job.rows * job.columns * size_of(job.type) >= chosen_cpu_fill().stream_bytes;
}

int threads_for(const fill_job& job, index_t side_by_side) {
    const int asked = std::get<on_cpu>(job.where).threads;
    const index_t worth = job.rows * job.columns / chosen_cpu_fill().thread_cells;
    return cpu::team_size(asked, asked > 0 ? side_by_side : std::min(side_by_side, worth));
}

/// Goes through the tiles of all bands: make() gives each thread a start(band) and a tile(band, t).
template <class Make>
void run_bands(fill_job& job, const schedule::skewed_tiles& tiles, const Make& make) {
    const index_t bands = base::ceil_div(job.rows, tiles.height);
    const int threads = threads_for(job, std::min(bands, tiles.tiles()));
    job.run->threads = threads;
    job.run->policy = policy_text({tiles.height, tiles.width});
    job.run->device = cpu::instruction_set();
    cpu::run_bands(threads, static_cast<int>(bands), [&] {
        return [&, worker = make()](const cpu::band& band) mutable {
            worker.start(band.number());
            for (index_t t = 0; t < tiles.tiles(); ++t) {
                if (!band.wait_above(tiles.needed_above(t))) return;
                cpu::poll();
                worker.tile(band.number(), t);
                band.done(t + 1);
            }
        };
    });
}

/// A band is at least a tile behind the band above: two tiles of a band for each thread keep all at work.
index_t width_for(const fill_job& job, index_t multiple) {
    if (job.tile.columns > 0) return base::round_up(job.tile.columns, multiple);
    const cpu_fill_policy& p = chosen_cpu_fill();
    const int threads = threads_for(job, job.columns);
    const index_t fair = threads == 1 ? p.band_columns : job.columns / (2 * threads);
    return base::round_up(std::clamp(fair, std::min(p.narrowest_columns, p.band_columns), p.band_columns),
                          multiple);
}

/// lcs and edit.
struct bit_worker {
    const fill_job& job;
    schedule::skewed_tiles tiles;
    bit_differences above;
    bool stream;
    std::vector<bit_row> rows;

    void start(int band) {
        const bool edit = job.kind == recurrence::edit;
        rows.resize(static_cast<std::size_t>(tiles.height));
        for (index_t k = 0; k < tiles.height; ++k)
            rows[static_cast<std::size_t>(k)] = {
                edit ? static_cast<std::int32_t>(band * tiles.height + k + 1) : 0, edit ? 1u : 0u, 0};
    }
    void tile(int band, index_t t) {
        const index_t first = band * tiles.height;
        const schedule::column_range columns = tiles.range(t, 0);
        fill_bit_tile({&job,
                       {first, std::min(first + tiles.height, job.rows), columns.begin, columns.end},
                       above,
                       rows.data(),
                       stream});
    }
};

void fill_bits(fill_job& job) {
    const index_t height = job.tile.rows > 0 ? job.tile.rows : chosen_cpu_fill().band_rows;
    const schedule::skewed_tiles tiles{job.columns, width_for(job, 64), std::min(height, job.rows), 0};
    const auto words = static_cast<std::size_t>(base::ceil_div(job.columns, 64));
    // The row above the table: edit steps up everywhere, lcs nowhere.
    base::aligned_vector<std::uint64_t> plus(words, job.kind == recurrence::edit ? ~std::uint64_t{0} : 0);
    base::aligned_vector<std::uint64_t> minus(words, 0);
    const bool stream = streams(job);
    run_bands(job, tiles, [&] { return bit_worker{job, tiles, {plus.data(), minus.data()}, stream, {}}; });
}

/// global and dtw: symbols, series and cells as words of 32 bits, float64 series as words of 64.
template <class R>
struct strip_worker {
    using T = typename R::value_type;
    R r;
    const fill_job& job;
    schedule::skewed_tiles tiles;
    using word = strip_word<T>;
    const word* backwards;
    const T* border;  // the row above the table
    bool stream;
    strip_state<word> state{};

    template <class V>
    static word bits(V value) {
        if constexpr (std::is_floating_point_v<V>)
            return std::bit_cast<word>(value);
        else
            return static_cast<word>(value);
    }
    void start(int band) {
        const index_t first = band * tiles.height;
        for (index_t k = 0; k < tiles.height; ++k) {
            const index_t i = std::min(first + k, job.rows - 1);
            state.left[k] = state.cell[k] = bits(r.left(i));
            state.symbol[k] = bits(r.a[i]);
            state.diagonal[k] = 0;
        }
        state.diagonal[0] = bits(first > 0 ? r.left(first - 1) : r.corner());
    }
    void tile(int band, index_t t) {
        const index_t first = band * tiles.height;
        const T* above = static_cast<const T*>(job.table) + (first - 1) * job.pitch;
        const auto rows = static_cast<int>(std::min(tiles.height, job.rows - first));
        fill_strip_tile({&job, first, rows, t * tiles.width, (t + 1) * tiles.width, band > 0 ? above : border,
                         backwards, &state, stream});
    }
};

template <class R>
void fill_strips(const R& r, fill_job& job) {
    using T = typename R::value_type;
    using word = strip_word<T>;
    const int rows = strip_rows(sizeof(word));
    const index_t lag = rows - 1;
    const index_t width = std::min(width_for(job, 4), base::round_up(job.columns + lag, 4));
    const schedule::skewed_tiles tiles{job.columns, width, rows, 1};
    // b backwards between paddings, so that one load gives each lane its symbol; b[j] is at last[-j].
    const index_t steps = tiles.tiles() * tiles.width;
    std::vector<word> backwards(static_cast<std::size_t>(steps + most_strip_rows));
    word* last = backwards.data() + steps - 1;
    std::vector<T> border(static_cast<std::size_t>(job.columns));
    for (index_t j = 0; j < job.columns; ++j) {
        last[-j] = strip_worker<R>::bits(r.b[j]);
        border[static_cast<std::size_t>(j)] = r.top(j);
    }
    const bool stream = streams(job);
    run_bands(job, tiles, [&] { return strip_worker<R>{r, job, tiles, last, border.data(), stream}; });
}

/// summed_area: the row's sum so far plus the cell above.
template <class T>
struct sum_worker {
    const fill_job& job;
    schedule::skewed_tiles tiles;
    std::vector<T> sums;

    void start(int) { sums.assign(static_cast<std::size_t>(tiles.height), 0); }
    void tile(int band, index_t t) {
        const index_t first = band * tiles.height;
        const schedule::column_range columns = tiles.range(t, 0);
        for (index_t i = first; i < std::min(first + tiles.height, job.rows); ++i) {
            const std::uint8_t* pixels = job.image + i * job.image_pitch;
            T* row = static_cast<T*>(job.table) + i * job.pitch;
            T sum = sums[static_cast<std::size_t>(i - first)];
            for (index_t j = columns.begin; j < columns.end; ++j) {
                sum = static_cast<T>(sum + pixels[j]);
                row[j] = i > 0 ? static_cast<T>(sum + row[j - job.pitch]) : sum;
            }
            sums[static_cast<std::size_t>(i - first)] = sum;
        }
    }
};

template <class T>
void fill_sums(fill_job& job) {
    const index_t height = job.tile.rows > 0 ? job.tile.rows : chosen_cpu_fill().band_rows;
    const schedule::skewed_tiles tiles{job.columns, width_for(job, 1), std::min(height, job.rows), 0};
    run_bands(job, tiles, [&] { return sum_worker<T>{job, tiles, {}}; });
}

struct strips_only {
    fill_job& job;
    template <class T, class S>
    void operator()(const global_recurrence<T, S>& r) const {
        fill_strips(r, job);
    }
    template <class T, bool Squared>
    void operator()(const dtw_recurrence<T, Squared>& r) const {
        fill_strips(r, job);
    }
    template <class Other>
    void operator()(const Other&) const {}  // has a kernel of its own above
};

std::string refusal(const fill_job& job) {
    if (job.rows / 2 > std::numeric_limits<int>::max() || job.columns / 64 > std::numeric_limits<int>::max())
        return "takes at most 2^32 rows and 2^37 columns";
    if ((job.kind == recurrence::global || job.kind == recurrence::dtw) && strip_rows(4) < 4)
        return "needs a CPU with vectors of 128 bits";
    return {};
}

void run(fill_job& job) {
    if (job.rows == 0 || job.columns == 0) return;
    if (job.kind == recurrence::lcs || job.kind == recurrence::edit) return fill_bits(job);
    if (job.kind == recurrence::summed_area)
        return job.type == element::i64 ? fill_sums<std::int64_t>(job) : fill_sums<std::int32_t>(job);
    visit(job, strips_only{job});
}

/// Bands of rows need columns to fill their vectors.
bool suits(const fill_job& job) {
    const bool bits = job.kind == recurrence::lcs || job.kind == recurrence::edit;  // vectors of words
    const index_t narrow = bits ? 32 : 16;
    return job.columns >= narrow && not_small(job);
}

}  // namespace

extern constinit const catalogue::row<fill_job> fill_cpu_simd{
    "cpu/simd", "bands of rows by ticket, bit vectors or vectors on antidiagonals", run, refusal, suits};

}  // namespace wale::wavefront
