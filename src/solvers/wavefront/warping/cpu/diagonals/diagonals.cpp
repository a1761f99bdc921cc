// diagonals - each with each: a pair is swept antidiagonal by antidiagonal in strips of rows whose diagonals
// stay in the first cache; some pairs a thread at a time.
#include <atomic>

#include "cpu/instruction_set.hpp"
#include "cpu/team.hpp"
#include "solvers/wavefront/length/shared/codes.hpp"
#include "solvers/wavefront/warping/cpu/diagonals/pair.hpp"
#include "solvers/wavefront/warping/shared/backward.hpp"

namespace wale::wavefront {
namespace {

template <class T>
class pairs_of_thread {
public:
    explicit pairs_of_thread(const warping_job& job) : job_(job), strips_(job.measure) {}

    void answer(index_t q, index_t t) {
        if (job_.symmetric && q == t && !(job_.measure.gamma > 0)) {
            static_cast<T*>(job_.answers)[q * job_.pitch + t] = 0;  // of a series with itself
            return;
        }
        if (q != query_) {
            query_ = q;
            strips_.set_rows(data(job_.queries, q), size(job_.queries, q));
        }
        strips_.set_columns(data(job_.targets, t), size(job_.targets, t));
        strips_.begin();
        const index_t rows = size(job_.queries, q), columns = size(job_.targets, t);
        const index_t height = chosen_warping().strip_bytes / index_t{sizeof(T)};
        for (index_t i = 0; i < rows; i += height)
            strips_.compute(i, std::min(rows, i + height), columns, strip_keeps::nothing);
        T* const answers = static_cast<T*>(job_.answers);
        answers[q * job_.pitch + t] = strips_.cost();
        if (job_.symmetric) answers[t * job_.pitch + q] = strips_.cost();
    }

private:
    [[nodiscard]] const T* data(const series_side& side, index_t k) const {
        return static_cast<const T*>(side.data) + side.offsets[k] * job_.measure.dimensions;
    }
    [[nodiscard]] static index_t size(const series_side& side, index_t k) {
        return side.offsets[k + 1] - side.offsets[k];
    }

    const warping_job& job_;
    strips_of_pair<T> strips_;
    index_t query_ = -1;
};

void run(warping_job& job) {
    const index_t pairs = job.query_count * job.target_count, slice = chosen_warping().pairs;
    const auto worth =
        static_cast<index_t>(job.run->work / static_cast<double>(chosen_warping().thread_cells));
    std::atomic<index_t> next{0};
    job.run->threads = cpu::team_size(job.where, std::min(base::ceil_div(pairs, slice), worth + 1));
    job.run->device = cpu::instruction_set();
    with_series_type(job.measure, [&]<class T>(T) {
        cpu::run_team(job.run->threads, [&](int) {
            pairs_of_thread<T> own(job);
            for (index_t p = slice * next++; p < pairs; p = slice * next++)
                for (index_t k = p; k < std::min(pairs, p + slice); ++k) {
                    const index_t q = k / job.target_count, t = k % job.target_count;
                    if (!job.symmetric || q <= t) own.answer(q, t);
                }
        });
    });
}

}  // namespace

extern constinit const catalogue::row<warping_job> warping_cpu_diagonals{
    "cpu/diagonals", "a vector on an antidiagonal, strips of rows; some pairs a thread", run};

}  // namespace wale::wavefront
