// block_cyclic - the columns of one matrix on several devices: memory, the way there and back, and when the
// row suits.
#include "cuda/staged_copy.cuh"
#include "solvers/lu/factor/cuda/lookahead/lookahead.hpp"
#include "solvers/lu/parts/cuda/block_cyclic/steps.cuh"
#include "solvers/lu/parts/cuda/tuning.hpp"
#include "solvers/lu/parts/problem.hpp"
#include "tuning/override.hpp"

namespace wale::lu {
namespace {

static_assert(tuning::well_formed(cyclic_policies) && all_fit(cyclic_policies));

const cyclic_policy& policy_for(const divided_job& job) {
    const int item = static_cast<int>(bytes_of(job.a.type));
    return cyclic_policies[tuning::choose("lu/parts", cyclic_policies, job.sm, item)].policy;
}

template <class T>
class block_cyclic final : public divided_matrix {
public:
    explicit block_cyclic(const divided_job& job)
        : m_(job.a),
          pivots_(job.pivots),
          shape_(shape_of(job)),
          dealing_(shape_.grid, m_.diagonal(), m_.columns, job.devices.size()),
          devices_(job.devices.size()) {}

    [[nodiscard]] int panels() const { return dealing_.groups[dealing_.with_panels - 1].last_panel + 1; }

    void load(std::size_t k, cuda::carrier& carrier) override {
        columns_of_device<T>& own = devices_[k];
        own.where = carrier.where();
        const cuda::context here(own.where);
        const auto allocate = [&]<class U>(U*& to, index_t count) {
            if (count > 0) to = static_cast<U*>(carrier.allocate(count * index_t{sizeof(U)}));
        };
        allocate(own.a, dealing_.columns[k] * shape_.leading);
        for (T*& place : own.arrived) allocate(place, dealing_.widest * shape_.leading);
        allocate(own.notes, panels());
        allocate(own.sources, panels() * m_.rows);
        allocate(own.later, panels() * m_.rows);
        allocate(own.pivots, m_.diagonal());
        allocate(own.solved, largest_block * inverse_size);
        allocate(own.spare, reorder_spare<T>(here, m_.rows));
        copy(k, true);
    }
    void factor() override { cyclic_steps<T>(shape_, dealing_, devices_).run(); }
    void store(std::size_t k) override {
        copy(k, false);
        const cuda::context here(devices_[k].where);
        for (const column_group& g : dealing_.groups)
            if (g.owner == k && g.pivots())
                cuda::queue_bytes(here, pivots_ + g.begin, devices_[k].pivots + g.begin,
                                  (g.end - g.begin) * index_t{sizeof(std::int32_t)});
    }

private:
    static divided_shape<T> shape_of(const divided_job& job) {
        constexpr index_t apart = 16;
        const lookahead_policy& p = policy_for(job).panels;
        return {job.a.rows, job.a.diagonal(), (job.a.rows + apart - 1) / apart * apart,
                grid_of_panels(p, job.a.rows, static_cast<int>(job.a.diagonal())), p.first_shape};
    }
    /// The columns of device k, group by group. Rows go by way of the places of other devices' panels, in
    /// which nothing lies before and after the factorisation.
    void copy(std::size_t k, bool there) const {
        const columns_of_device<T>& own = devices_[k];
        const cuda::context here(own.where);
        constexpr index_t item = sizeof(T);
        int turn = 0;
        for (const column_group& g : dealing_.groups) {
            if (g.owner != k) continue;
            T* const a = own.a + g.local * shape_.leading;
            T* const host = static_cast<T*>(m_.data) + g.begin * m_.column_step();
            const index_t width = g.end - g.begin;
            const auto queue = [&](T* device, index_t pitch, index_t length, index_t lines) {
                const cuda::lines_copy way =
                    there ? cuda::lines_copy{device,        pitch * item, host, m_.leading * item,
                                             length * item, lines}
                          : cuda::lines_copy{host,         m_.leading * item, device,
                                             pitch * item, length * item,     lines};
                cuda::queue_lines(here, way);
            };
            if (!m_.row_major()) {
                queue(a, shape_.leading, m_.rows, width);
                continue;
            }
            T* const rows = own.arrived[static_cast<std::size_t>(turn ^= 1)];
            if (there) {
                queue(rows, width, width, m_.rows);
                launch_transpose<T>(here, {rows, width, a, shape_.leading, m_.rows, width});
            } else {
                launch_transpose<T>(here, {a, shape_.leading, rows, width, width, m_.rows});
                queue(rows, width, width, m_.rows);
            }
        }
    }

    matrices m_;
    std::int32_t* pivots_;
    divided_shape<T> shape_;
    column_dealing dealing_;
    std::vector<columns_of_device<T>> devices_;
};

std::string refuses(const divided_job& job) {
    constexpr int with_clusters = 90;
    if (job.devices.size() < 2) return "needs two devices at least";
    if (job.pivoting != pivoting::partial) return "pivots by columns; it needs pivoting partial";
    if (job.a.diagonal() == 0) return "needs a column and a row at least";
    const index_t most = most_pivoted_rows(job.a.type);
    if (job.a.rows > most) return "holds panels of at most " + std::to_string(most) + " rows in registers";
    if (job.sm < with_clusters) return "needs clusters of thread blocks";
    return job.reached ? "" : "needs devices that reach each other's memory";
}

bool suits(const divided_job& job) {
    return job.a.diagonal() >= policy_for(job).least;
}

void run(divided_job& job) {
    with_type(job.a.type, [&](auto zero) {
        auto there = std::make_unique<block_cyclic<decltype(zero)>>(job);
        job.panels = there->panels();
        job.there = std::move(there);
    });
    const lookahead_policy& p = policy_for(job).panels;
    job.policy = "block=" + std::to_string(p.block) + " wide=" + std::to_string(p.wide_block) +
                 " from=" + std::to_string(p.wide_from) + " joined=" + std::to_string(p.joined) +
                 " from=" + std::to_string(p.joined_from);
}

}  // namespace

extern constinit const catalogue::row<divided_job> divided_cuda_block_cyclic{
    "cuda/block_cyclic",
    "columns in blocks by devices in turn; panels travel to all others while the last ones are applied", run,
    refuses, suits};

}  // namespace wale::lu
