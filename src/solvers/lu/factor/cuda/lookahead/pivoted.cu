// pivoted - the order of the work: panel s + 1 is factored while what lies right of it is brought up to date
// with panel s. One stream of high priority has the panels and the columns of the next panel; the caller's
// has the rest. All is queued at once; nothing waits for the host. Where panels are joined, s and s + 1 stand
// for all that are: within them each updates those after it and exchanges the rows of those before it.
#include "solvers/lu/factor/cuda/lookahead/lookahead.hpp"

#include <optional>

#include "cuda/blas.cuh"
#include "cuda/event.cuh"
#include "solvers/lu/factor/cuda/lookahead/order_launch.cuh"
#include "solvers/lu/factor/cuda/lookahead/panel_job.cuh"
#include "solvers/lu/factor/cuda/lookahead/trailing.cuh"
#include "tuning/override.hpp"

namespace wale::lu {
namespace {

using cuda::check;

static_assert(all_fit(lookahead_policies) && tuning::well_formed(lookahead_policies));

/// Matrices of one job, one after the other, with the memory for the largest.
template <class T>
class factorization {
public:
    factorization(const cuda::context& c, const factor_job& job, outcome* report, trailing_products as)
        : context_(c),
          job_(job),
          policy_(
              lookahead_policies[tuning::choose("lu/factor/lookahead", lookahead_policies, c.sm(), sizeof(T))]
                  .policy),
          report_(report),
          blas_next_(c, panels_.get()),
          blas_rest_(c),
          next_(c, as, job.a.largest_rows(), deepest(), deepest()),
          rest_(c, as, job.a.largest_rows(), job.a.largest_columns(), deepest()),
          order_(c, 2 * places() * largest_block),
          inverse_(c, places() * largest_block * inverse_size),
          solved_(c, largest_block * inverse_size),
          sources_(c,
                   job.a.largest([&](const matrices& m) { return grid_of(m).count(diagonal(m)) * m.rows; })),
          later_(c, sources_.size()),
          columns_(c, job.a.largest(
                          [](const matrices& m) { return m.row_major() ? m.columns * padded(m.rows) : 0; })),
          spare_(c, reorder_spare<T>(c, job.a.largest_rows())) {}

    void queue(const matrices& m, std::int32_t* pivots, std::int32_t* permutation) {
        m_ = m;
        pivots_ = pivots;
        grid_ = grid_of(m);
        a_ = static_cast<T*>(m.data);
        leading_ = m.leading;
        if (m.row_major()) transpose(true);
        if (m.diagonal() > 0) {
            turn_.order(context_.stream(), panels_.get());
            eliminate();
            turn_.order(panels_.get(), context_.stream());
        }
        if (m.rows > 0) reorder(permutation);
        if (m.row_major()) transpose(false);
    }
    [[nodiscard]] index_t launched_panels() const { return panels_launched_; }
    [[nodiscard]] std::string policy() const {
        return "block=" + std::to_string(policy_.block) + " wide=" + std::to_string(policy_.wide_block) +
               " from=" + std::to_string(policy_.wide_from) + " joined=" + std::to_string(policy_.joined) +
               " from=" + std::to_string(policy_.joined_from);
    }

private:
    static index_t padded(index_t rows) { return (rows + 15) / 16 * 16; }
    [[nodiscard]] panel_grid grid_of(const matrices& m) const {
        return grid_of_panels(policy_, m.rows, diagonal(m));
    }
    [[nodiscard]] index_t deepest() const {
        return std::max(policy_.block, policy_.wide_block) * index_t{policy_.joined};
    }
    /// Panels whose order and inverses are in use at once: those being factored, and those before them.
    [[nodiscard]] index_t places() const { return 2 * index_t{policy_.joined}; }
    [[nodiscard]] static int diagonal(const matrices& m) { return static_cast<int>(m.diagonal()); }
    [[nodiscard]] T* at(index_t row, index_t column) const { return a_ + row + column * leading_; }
    [[nodiscard]] index_t first(int s) const { return grid_.first(s); }
    [[nodiscard]] index_t end(int s) const { return std::min(first(s + 1), m_.diagonal()); }

    void eliminate() {
        const int count = grid_.count(diagonal(m_));
        queue_panels(0);
        bool rest_before = false;
        for (int s = 0, last = 0; s < count; s = last + 1) {
            last = grid_.last(s);
            const index_t begin = end(last);
            if (begin == m_.columns) break;
            const index_t next = last + 1 < count ? end(grid_.last(last + 1)) - begin : 0;
            if (next > 0) {
                if (rest_before) rest_ready_.wait(panels_.get());
                update(s, last, {begin, next}, true);
            }
            // The next panel gets its multiprocessors first: the rest waits for the same moment by way of
            // an event.
            next_ready_.record(panels_.get());
            if (next > 0) queue_panels(last + 1);
            next_ready_.wait(context_.stream());
            rest_before = m_.columns > begin + next;
            if (!rest_before) continue;
            update(s, last, {begin + next, m_.columns - begin - next}, false);
            rest_ready_.record(context_.stream());
        }
    }
    /// Panel s, and those it is joined with.
    void queue_panels(int s) {
        const int last = grid_.last(s);
        for (int t = s; t <= last; ++t) {
            queue_panel(t);
            if (t < last) update(t, t, {end(t), end(last) - end(t)}, true);
            if (t > s) exchange_left(s, t);
        }
    }
    void queue_panel(int s) {
        panel_job<T> p{};
        p.a = at(first(s), first(s));
        p.leading = leading_;
        p.rows = static_cast<int>(m_.rows - first(s));
        p.columns = static_cast<int>(end(s) - first(s));
        p.first = static_cast<std::int32_t>(first(s));
        p.from = from(s);
        p.to = to(s);
        p.source = sources_.data() + index_t{s} * m_.rows + first(s);
        p.pivots = pivots_ + first(s);
        p.inverse = inverse(s);
        p.solved = solved_.data();
        p.report = report_;
        launch_panel(p, policy_.first_shape, panels_.get());
        ++panels_launched_;
    }
    struct range {
        index_t first, count;
    };
    /// Some columns after panels s to last.
    void update(int s, int last, const range& columns, bool next) {
        for (int t = s; t <= last; ++t)
            launch_exchange(exchange(s, t, columns), next ? panels_.get() : context_.stream(), next);
        const index_t after = end(last), from = first(s);
        const trailing_job<T> p{m_.rows - after, columns.count,           after - from,
                                at(after, from), at(from, columns.first), at(after, columns.first),
                                leading_};
        next ? next_.queue(blas_next_, p) : rest_.queue(blas_rest_, p);
    }
    /// Columns right of panel t, which is joined with those from s on.
    [[nodiscard]] exchange_job<T> exchange(int s, int t, const range& columns) const {
        exchange_job<T> e{};
        e.right = at(first(t), columns.first);
        e.lower = at(first(t), first(s));
        e.leading = leading_;
        e.above = static_cast<int>(first(t) - first(s));
        e.block = static_cast<int>(end(t) - first(t));
        e.count = columns.count;
        e.from = from(t);
        e.to = to(t);
        e.inverse = inverse(t);
        return e;
    }
    /// The rows that panel t exchanged, in the panels from s on that it is joined with.
    void exchange_left(int s, int t) {
        exchange_job<T> e = exchange(t, t, {first(s), first(t) - first(s)});
        e.inverse = nullptr;
        launch_exchange(e, panels_.get(), true);
    }
    // What a panel leaves for its exchange; a later one takes the place.
    [[nodiscard]] index_t place(int s) const { return s % places() * largest_block; }
    [[nodiscard]] std::int32_t* from(int s) const { return order_.data() + 2 * place(s); }
    [[nodiscard]] std::int32_t* to(int s) const { return from(s) + largest_block; }
    [[nodiscard]] T* inverse(int s) const { return inverse_.data() + place(s) * inverse_size; }

    void reorder(std::int32_t* permutation) {
        const int count = grid_.count(diagonal(m_));
        if (count > 1 || permutation)
            launch_compose(
                {sources_.data(), later_.data(), permutation, static_cast<int>(m_.rows), count, grid_},
                context_.stream());
        if (count < 2) return;
        reorder_job<T> r{};
        r.a = a_;
        r.leading = leading_;
        r.later = later_.data();
        r.rows = static_cast<int>(m_.rows);
        r.grid = grid_;
        r.columns = static_cast<int>(first(first_joined(count - 1)));
        if (r.columns == 0) return;
        r.spare = spare_.data();
        launch_reorder(context_, r);
    }
    /// The first of the panels that s is joined with.
    [[nodiscard]] int first_joined(int s) const {
        return s < grid_.joined_count ? s / grid_.joined * grid_.joined : s;
    }
    void transpose(bool to_columns) {
        const index_t there = padded(m_.rows);
        transpose_job<T> t{};
        if (to_columns) {
            t = {a_, m_.leading, columns_.data(), there, m_.rows, m_.columns};
            a_ = columns_.data();
            leading_ = there;
        } else {
            t = {columns_.data(), there, static_cast<T*>(m_.data), m_.leading, m_.columns, m_.rows};
        }
        launch_transpose(context_, t);
    }

    const cuda::context& context_;
    const factor_job& job_;
    lookahead_policy policy_;
    outcome* report_;
    cuda::priority_stream panels_;
    cuda::event turn_, next_ready_, rest_ready_;
    cuda::blas blas_next_, blas_rest_;
    trailing<T> next_, rest_;
    cuda::scratch<std::int32_t> order_;
    cuda::scratch<T> inverse_, solved_;
    cuda::scratch<std::int32_t> sources_, later_;
    cuda::scratch<T> columns_;  // a row-major matrix by columns
    cuda::scratch<T> spare_;    // columns that are too long for shared memory
    matrices m_;
    std::int32_t* pivots_ = nullptr;
    panel_grid grid_{};
    T* a_ = nullptr;
    index_t leading_ = 0;
    index_t panels_launched_ = 0;
};

template <class T>
void factor_all(const cuda::context& context, factor_job& job, const outcome_on_device& result,
                trailing_products as) {
    factorization<T> f(context, job, result.data(), as);
    index_t rows_before = 0;
    for (index_t i = 0; i < job.a.count(); ++i) {
        const matrices m = job.a[i];
        f.queue(m, job.out.pivots + job.a.pivot_start(i),
                job.out.permutation ? job.out.permutation + rows_before : nullptr);
        rows_before += m.rows;
    }
    job.result->run.policy = f.policy();
    if (!job.asynchronous) job.result->run.iterations = f.launched_panels();
}

}  // namespace

index_t most_pivoted_rows(scalar type) {
    return with_type(type,
                     [](auto zero) { return rows_held(*(std::end(panel_shapes<decltype(zero)>()) - 1)); });
}

void factor_pivoted(factor_job& job, trailing_products as) {
    const cuda::context context(job.where);
    std::optional<cuda::timer> timer;
    if (!job.asynchronous) timer.emplace(context);
    const outcome_on_device result(context, job);
    with_type(job.a.type(), [&](auto zero) { factor_all<decltype(zero)>(context, job, result, as); });
    factor_job rest = job;
    rest.out.permutation = nullptr;  // reorder() wrote it
    queue_finish(context, rest, result);
    if (timer) job.result->run.compute_seconds = timer->stop(result.words());
    result.report(job, "cuda/lookahead");
}

}  // namespace wale::lu
