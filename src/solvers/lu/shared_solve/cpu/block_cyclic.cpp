// block_cyclic - parts of the right-hand sides travel round the ranks: the rank that has a block of columns
// takes the block's share from a part and hands the part to the owner of the next block. With as many parts
// as ranks each rank has one part at any time.
#include <string>
#include <vector>

#include "cpu/instruction_set.hpp"
#include "cpu/poll.hpp"
#include "mpi/transport.hpp"
#include "solvers/lu/cpu/rows.hpp"
#include "solvers/lu/cpu/scratch.hpp"
#include "solvers/lu/cpu/triangle.hpp"
#include "solvers/lu/problem.hpp"
#include "solvers/lu/shared_factor/shared/columns.hpp"

namespace wale::lu {
namespace {

/// What one rank does.
///
/// What it waits for: in every step the part that the rank before it had in the last step. Why it cannot
/// deadlock: all ranks queue the receipt and the sending of a step before they wait.
template <class T>
class travelling {
public:
    explicit travelling(const shared_solve_job& job)
        : job_(job),
          transport_(job.group->size() > 1 ? job.group->transport() : nullptr),
          dealt_(job.whole, job.group->rank(), job.group->size()),
          a_{static_cast<const T*>(job.own.data), job.own.leading, job.own.order},
          b_{static_cast<T*>(job.b.data), job.b.leading, job.b.order},
          n_(job.b.rows) {}

    void run() {
        if (n_ == 0 || job_.b.columns == 0) return;
        const std::vector<index_t> order = permutation_of(job_.pivots, n_, n_);
        if (job_.conjugated) conjugate(job_.b);  // conj(A) x = b: A conj(x) = conj(b)
        parts_.resize(static_cast<std::size_t>(dealt_.size));
        for (int g = 0; g < dealt_.size; ++g) {
            part& p = parts_[static_cast<std::size_t>(g)];
            p.first = job_.b.columns * g / dealt_.size;
            p.columns = job_.b.columns * (g + 1) / dealt_.size - p.first;
            if (p.columns == 0) continue;
            // The product of one column is summed in another order than that of several.
            p.solved = std::max<index_t>(2, p.columns);
            p.pitch = padded<T>(p.solved);
            p.memory.take(n_ * p.pitch);
            std::fill_n(p.memory.data(), n_ * p.pitch, T(0));
            if (job_.transposed)
                copy_block<T>(b_.from(0, p.first), p.all(), n_, p.columns);
            else
                take_rows<T>(order, b_.from(0, p.first), p.all(), p.columns);
        }
        pass(true, [&](index_t k, part& p) { job_.transposed ? upper_transposed(k, p) : lower(k, p); });
        pass(false, [&](index_t k, part& p) { job_.transposed ? lower_transposed(k, p) : upper(k, p); });
        share();
        for (part& p : parts_) {
            if (p.columns == 0) continue;
            if (job_.transposed)
                put_rows<T>(order, b_.from(0, p.first), p.all(), p.columns);
            else
                copy_block<T>(p.all(), b_.from(0, p.first), n_, p.columns);
        }
        if (job_.conjugated) conjugate(job_.b);
    }

private:
    struct part {
        index_t first = 0, columns = 0, solved = 0, pitch = 0;
        scratch<T> memory;  // all rows; those of another rank are stale
        [[nodiscard]] block<T> all() const { return {memory.data(), pitch, storage_order::row_major}; }
    };

    /// Calls work(block, part) for all blocks of this rank and all parts, each part from the first block to
    /// the last one, or backwards. In step t part g is at block t - g.
    template <class Work>
    void pass(bool forward, const Work& work) {
        const index_t blocks = dealt_.blocks(), steps = blocks + dealt_.size - 1;
        const auto block_at = [&](index_t place) { return forward ? place : blocks - 1 - place; };
        const auto here = [&](index_t step, int g) {
            const index_t place = step - g;
            return place >= 0 && place < blocks && dealt_.owns(block_at(place));
        };
        for (index_t t = 0; t < steps; ++t) {
            cpu::poll();
            part* coming = nullptr;
            for (int g = 0; g < dealt_.size; ++g) {
                part& p = parts_[static_cast<std::size_t>(g)];
                if (p.columns == 0) continue;
                if (here(t, g)) work(block_at(t - g), p);
                const index_t next = t - g + 1;  // the place of the part in the next step
                if (transport_ == nullptr || next < 1 || next >= blocks) continue;
                const int from = dealt_.owner(block_at(next - 1)), to = dealt_.owner(block_at(next));
                if (from == dealt_.rank) transport_->send(to, packed_part(p, sent_), bytes_of_part(p));
                if (to == dealt_.rank) {
                    coming = &p;
                    transport_->receive(from, came_.take(n_ * p.columns), bytes_of_part(p));
                }
            }
            if (transport_) transport_->finish();
            if (coming) unpack_part(*coming, came_);
        }
    }
    /// The first rank, which has the first block, has all parts.
    void share() {
        for (part& p : parts_) {
            if (transport_ == nullptr || p.columns == 0) continue;
            std::vector<index_t> counts(static_cast<std::size_t>(dealt_.size));
            counts[0] = bytes_of_part(p);
            transport_->gather(packed_part(p, sent_), counts, came_.take(n_ * p.columns));
            unpack_part(p, came_);
        }
    }

    /// The elements of a part without the padding of its lines: one column would have many times its size.
    [[nodiscard]] index_t bytes_of_part(const part& p) const { return n_ * p.columns * index_t{sizeof(T)}; }
    T* packed_part(const part& p, scratch<T>& to) const {
        T* const lines = to.take(n_ * p.columns);
        copy_block<T>(p.all(), block<T>{lines, p.columns, storage_order::row_major}, n_, p.columns);
        return lines;
    }
    void unpack_part(const part& p, const scratch<T>& from) const {
        const block<T> lines{from.data(), p.columns, storage_order::row_major};
        copy_block<T>(lines, p.all(), n_, p.columns);
    }

    [[nodiscard]] index_t start(index_t k) const { return dealt_.start(k); }
    [[nodiscard]] index_t width(index_t k) const { return dealt_.start(k + 1) - dealt_.start(k); }
    /// This rank's columns of block k from a row on.
    [[nodiscard]] block<const T> columns_of(index_t k, index_t row) const {
        return a_.from(row, dealt_.own_before(start(k)));
    }
    void subtract(const part& p, index_t row, index_t rows, block<const T> a, index_t from, index_t inner) {
        subtract_product<T>(p.all().from(row, 0), a, p.all().from(from, 0), {rows, p.solved, inner});
    }
    void solve(const part& p, index_t k, block<const T> diagonal, bool is_lower, bool unit) {
        solve_triangle(triangle<T>{diagonal, width(k), is_lower, unit}, p.all().from(start(k), 0), p.solved);
    }

    void lower(index_t k, part& p) {
        solve(p, k, columns_of(k, start(k)), true, true);
        subtract(p, start(k + 1), n_ - start(k + 1), columns_of(k, start(k + 1)), start(k), width(k));
    }
    void upper(index_t k, part& p) {
        solve(p, k, columns_of(k, start(k)), false, false);
        subtract(p, 0, start(k), columns_of(k, 0), start(k), width(k));
    }
    void upper_transposed(index_t k, part& p) {
        subtract(p, start(k), width(k), columns_of(k, 0).transposed(), 0, start(k));
        solve(p, k, columns_of(k, start(k)).transposed(), true, false);
    }
    void lower_transposed(index_t k, part& p) {
        const index_t next = start(k + 1);
        subtract(p, start(k), width(k), columns_of(k, next).transposed(), next, n_ - next);
        solve(p, k, columns_of(k, start(k)).transposed(), false, true);
    }

    const shared_solve_job& job_;
    mpi::transport* transport_;
    dealt_columns dealt_;
    block<const T> a_;
    block<T> b_;
    index_t n_;
    std::vector<part> parts_;
    scratch<T> sent_, came_;  // one part leaves and one comes in a step
};

void solve_block_cyclic(shared_solve_job& job) {
    with_any_type(job.whole.type, [&](auto zero) {
        cpu::blas::reserve();
        travelling<decltype(zero)>(job).run();
    });
    report& run = job.result->run;
    run.threads = 1;
    run.device = cpu::instruction_set();
    run.policy = "ranks=" + std::to_string(job.group->size());
}

}  // namespace

extern constinit const catalogue::row<shared_solve_job> shared_solve_cpu_block_cyclic{
    "cpu/block_cyclic",
    "parts of the right-hand sides travel round the ranks",
    solve_block_cyclic,
    nullptr,
    nullptr,
    true};

}  // namespace wale::lu
