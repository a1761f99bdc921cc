// binned - each with each: series are sorted by length, short ones share warps, and the tables of longer ones
// are cut into strips of rows that warps take by ticket. The shorter side are the rows.
#include <algorithm>
#include <numeric>
#include <string>

#include "cuda/device_api.hpp"
#include "cuda/staged_copy.cuh"
#include "solvers/wavefront/warping/cuda/binned/packs.cuh"
#include "solvers/wavefront/warping/shared/backward.hpp"
#include "solvers/wavefront/warping/shared/measures.cuh"
#include "solvers/wavefront/warping/shared/sweeper.cuh"

namespace wale::wavefront {
namespace {

using namespace warping;

std::string refusal(const warping_job& job) {
    for (const auto& [side, count] :
         {std::pair{job.queries, job.query_count}, std::pair{job.targets, job.target_count}})
        for (index_t k = 0; k < count; ++k)
            if (side.offsets[k + 1] - side.offsets[k] > most_points)
                return "needs series of fewer than 2^30 points";
    return "";
}

/// The series of a side, the longest first.
template <class T>
std::vector<index_t> by_length(const device_side<T>& side) {
    std::vector<index_t> order(static_cast<std::size_t>(side.count()));
    std::iota(order.begin(), order.end(), index_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](index_t x, index_t y) { return side.size(x) > side.size(y); });
    return order;
}

/// Answers where kernels write them: the caller's, or a copy of the host's.
template <class T>
class answers_of {
public:
    answers_of(const cuda::context& c, const warping_job& job)
        : c_(c),
          job_(job),
          of_host_(cuda::require().kind(job.answers) == cuda::pointer_kind::host),
          copy_(c, of_host_ ? job.query_count * job.target_count : 0) {}
    [[nodiscard]] answer_table<T> table(bool swapped) const {
        return {of_host_ ? copy_.data() : static_cast<T*>(job_.answers),
                of_host_ ? job_.target_count : job_.pitch, swapped, job_.symmetric};
    }
    void fetch() const {
        if (!of_host_) return;
        const base::stopwatch watch;
        const index_t row = job_.target_count * index_t{sizeof(T)}, pitch = job_.pitch * index_t{sizeof(T)};
        cuda::queue_lines(c_, {job_.answers, pitch, copy_.data(), row, row, job_.query_count});
        c_.synchronize();
        job_.run->transfer_seconds += watch.seconds();
    }

private:
    const cuda::context& c_;
    const warping_job& job_;
    const bool of_host_;
    const cuda::scratch<T> copy_;
};

template <class Cell, bool One>
class call {
    using T = typename Cell::number;

public:
    call(const cuda::context& c, const warping_job& job, const Cell& cell, const device_side<T>& rows,
         const device_side<T>& columns, const answer_table<T>& to)
        : c_(c),
          job_(job),
          cell_(cell),
          rows_(rows),
          columns_(columns),
          to_(to),
          row_order_(by_length(rows)),
          column_order_(by_length(columns)),
          tickets_(c, 1) {
        const double row_count = static_cast<double>(rows.count()),
                     column_count = static_cast<double>(columns.count());
        work_ = {row_count * column_count / (job.symmetric ? 2 : 1),
                 static_cast<double>(rows.points()) / row_count,
                 static_cast<double>(columns.points()) / column_count,
                 static_cast<double>(rows.size(row_order_[0])),
                 static_cast<double>(columns.size(column_order_[0])),
                 job.measure.window,
                 sizeof(T),
                 c.multiprocessors()};
    }

    /// Rows of one way side by side are a launch.
    void run() {
        std::size_t begin = 0;
        while (begin < row_order_.size()) {
            const pack_choice way = way_of(begin);
            std::size_t end = begin + 1;
            while (end < row_order_.size() && (size_at(end) == size_at(end - 1) || same(way, way_of(end))))
                ++end;
            const std::vector<index_t> some(row_order_.begin() + static_cast<std::ptrdiff_t>(begin),
                                            row_order_.begin() + static_cast<std::ptrdiff_t>(end));
            if (way.cycles == 0)
                run_strips(some, begin);
            else if (way.along_diagonals)
                run_bands(some, begin, way);
            else
                run_packs(some, begin, way);
            begin = end;
        }
    }
    [[nodiscard]] const std::string& policy() const { return policy_; }
    [[nodiscard]] index_t launches() const { return launches_; }
    [[nodiscard]] double bytes() const { return bytes_; }

private:
    [[nodiscard]] index_t size_at(std::size_t place) const { return rows_.size(row_order_[place]); }
    [[nodiscard]] static bool same(const pack_choice& x, const pack_choice& y) {
        return (x.cycles == 0) == (y.cycles == 0) &&
               (x.cycles == 0 ||
                (x.shape == y.shape && x.lanes == y.lanes && x.along_diagonals == y.along_diagonals));
    }
    /// How the row series at a place of the order is done; cycles 0: by strips. Asked for by tests: 0 strips,
    /// 2 diagonals wherever lanes have room for them.
    [[nodiscard]] pack_choice way_of(std::size_t place) const {
        const index_t rows = size_at(place);
        const std::size_t asked = tuning::overridden("wavefront/warping/packs", 3, 1);
        if (asked == 0) return {};
        pack_choice best = One ? best_pack(packs, std::size(packs), rows, work_)
                               : best_pack(general_sweeps, std::size(general_sweeps), rows, work_);
        if (work_.window < 0) return best;
        if constexpr (One) {
            const pack_choice band = best_band(rows, columns_.size(column_order_.back()),
                                               columns_.size(column_order_.front()), work_);
            if (band.cycles > 0 && (asked == 2 || best.cycles == 0 || band.cycles < best.cycles)) best = band;
            if (asked == 2) return best;
        }
        if (best.cycles == 0) return {};
        sweep_work one = work_;
        one.rows = one.most_rows = static_cast<double>(rows);
        const sweep_policy& p = (One ? sweeps[shape_for<One>(one)] : general_sweeps[0]).policy;
        return cycles_of_pair(p, one) < best.cycles ? pack_choice{} : best;
    }
    void run_strips(const std::vector<index_t>& rows, std::size_t first) {
        sweep_work work = work_;
        work.rows = 0;
        for (const index_t k : rows) work.rows += static_cast<double>(rows_.size(k));
        work.rows /= static_cast<double>(rows.size());
        work.pairs *= static_cast<double>(rows.size()) / static_cast<double>(row_order_.size());
        sweeper<Cell, One> all(c_, cell_, rows_, columns_, rows, column_order_, job_.measure.window,
                               shape_for<One>(work));
        for (std::size_t x = 0; x < rows.size(); ++x) {
            const std::size_t end = to_.symmetric ? first + x + 1 : column_order_.size();
            for (std::size_t y = 0; y < end; ++y)
                all.add(x, y, to_.of(rows[x], column_order_[y]), to_.mirror_of(rows[x], column_order_[y]));
        }
        all.flush();
        launches_ += all.launches();
        bytes_ += all.bytes();
        note("strips", warp_size, all.policy().rows, all.policy().columns);
    }

    void run_packs(const std::vector<index_t>& rows, std::size_t first, const pack_choice& way) {
        const sweep_policy& p = (One ? packs[way.shape] : general_sweeps[way.shape]).policy;
        const packed_series<T> row_series(c_, rows_, rows, as_rows{way.lanes, p.rows});
        const packed_series<T> column_series(c_, columns_, column_order_, as_columns{p.columns});
        launch_packs<Cell, One>(
            c_,
            pairs_of(
                rows, first, way.lanes,
                {row_series.data(), row_series.begins(), row_series.which(), rows_.offsets()},
                {column_series.data(), column_series.begins(), column_series.which(), columns_.offsets()}),
            way.shape);
        note("packs", way.lanes, p.rows, p.columns);
    }
    void run_bands(const std::vector<index_t>& rows, std::size_t first, const pack_choice& way) {
        if constexpr (One) {
            const cuda::uploaded<index_t> which_rows(c_, rows), which_columns(c_, column_order_);
            launch_bands<Cell>(
                c_,
                pairs_of(rows, first, way.lanes, {rows_.data(), nullptr, which_rows.data(), rows_.offsets()},
                         {columns_.data(), nullptr, which_columns.data(), columns_.offsets()}),
                way.shape);
            note("bands", way.lanes, bands[way.shape].policy.diagonals, 1);
        }
    }
    /// Each of these row series with each column series.
    [[nodiscard]] packs_job<Cell> pairs_of(const std::vector<index_t>& rows, std::size_t first, int lanes,
                                           const packed_view<T>& row_series,
                                           const packed_view<T>& column_series) {
        packs_job<Cell> w{};
        w.cell = cell_;
        w.rows = row_series;
        w.columns = column_series;
        w.row_count = std::ssize(rows);
        w.column_count = std::ssize(column_order_);
        w.first_place = static_cast<index_t>(first);
        w.pairs = to_.symmetric ? w.row_count * w.first_place + w.row_count * (w.row_count + 1) / 2
                                : w.row_count * w.column_count;
        w.window = job_.measure.window;
        w.lanes = lanes;
        w.to = to_;
        w.ticket = tickets_.data();
        tickets_.fill_bytes(0);
        ++launches_;
        return w;
    }

    void note(const char* what, int lanes, int rows, int columns) {
        if (!policy_.empty()) policy_ += ' ';
        policy_.append(what).append("=").append(std::to_string(lanes));
        policy_.append("x").append(std::to_string(rows)).append("x").append(std::to_string(columns));
    }

    const cuda::context& c_;
    const warping_job& job_;
    const Cell cell_;
    const device_side<T>&rows_, &columns_;
    const answer_table<T> to_;
    const std::vector<index_t> row_order_, column_order_;
    const cuda::scratch<unsigned long long> tickets_;
    sweep_work work_{};
    std::string policy_;
    index_t launches_ = 0;
    double bytes_ = 0;
};

template <class T>
void run_typed(warping_job& job) {
    const cuda::context c(job.where);
    cuda::timer whole(c);
    const device_side<T> queries(c, "queries", job.queries, job.query_count, job.measure.dimensions);
    const device_side<T> targets(c, "targets", job.targets, job.target_count, job.measure.dimensions);
    const bool swapped =
        !job.symmetric && queries.points() / queries.count() > targets.points() / targets.count();
    const answers_of<T> answers(c, job);
    with_cell<T>(job.measure, [&]<class Cell, bool One>(const Cell& cell) {
        call<Cell, One> all(c, job, cell, swapped ? targets : queries, swapped ? queries : targets,
                            answers.table(swapped));
        all.run();
        job.run->policy = all.policy();
        job.run->iterations = all.launches();
        job.run->bytes = all.bytes();
    });
    job.run->transfer_seconds = queries.transfer_seconds() + targets.transfer_seconds();
    job.run->compute_seconds = whole.stop();
    answers.fetch();
}

void run(warping_job& job) {
    if (job.query_count == 0 || job.target_count == 0) return;
    with_series_type(job.measure, [&]<class T>(T) { run_typed<T>(job); });
}

}  // namespace

extern constinit const catalogue::row<warping_job> warping_cuda_binned{
    "cuda/binned",
    "short series share a warp, longer ones are cut into strips of rows by ticket; rows in registers", run,
    refusal};

}  // namespace wale::wavefront
