// lanes - cpu/lanes: many systems, one in each lane of the vectors. A job is cut into groups whose
// intermediate results stay in a core's cache; threads take runs of groups.
#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>

#include "solvers/tree/chains/cpu/lanes/group.hpp"
#include "solvers/tree/chains/shared/solve_one.hpp"
#include "solvers/tree/elimination/lanes/stored_factors.hpp"
#include "solvers/tree/elimination/shares.hpp"
#include "solvers/tree/jobs.hpp"

namespace wale::tree {
namespace {

/// How the systems of a job are cut. Which systems share a group depends on the number of threads and on
/// tuning; a system's bits do not depend on its group.
class cut {
public:
    cut(const chain_job& job, int threads) : count_(job.a.systems()), vector_(vector_lanes(job.a.type())) {
        const lanes_policy& policy = chain_lanes;
        const lane_layout one{form_of(job), largest_size(job.a.shape()), 1, vector_};
        const index_t of_one = one.elements() * bytes_of(job.a.type());
        const index_t run = side_by_side(job.a.shape());
        run_ = run > 1 ? std::min(run, std::max<index_t>(count_, 1)) : std::max<index_t>(count_, 1);
        width_ = std::clamp(policy.scratch_bytes / of_one / vector_, policy.least,
                            run > 1 ? policy.most : policy.most_fetched) *
                 vector_;
        const index_t share = (count_ + threads - 1) / threads;  // a thread should not go without
        width_ = std::min(width_, std::max(vector_, (share + vector_ - 1) / vector_ * vector_));
        runs_ = count_ == 0 ? 0 : (count_ + run_ - 1) / run_;
        a_run_ = (run_ + width_ - 1) / width_;
    }
    [[nodiscard]] static factor_form form_of(const chain_job& job) {
        return {job.pivoting == pivoting::partial, job.a.periodic};
    }
    [[nodiscard]] index_t width() const { return width_; }
    [[nodiscard]] index_t pieces() const { return runs_ * a_run_; }
    /// take(begin, end) for the whole vectors of a piece, then for the rest of it.
    template <class Take>
    void groups(index_t piece, const Take& take) const {
        const index_t from = piece / a_run_ * run_, begin = from + piece % a_run_ * width_;
        const index_t end = std::min({begin + width_, from + run_, count_});
        if (begin >= end) return;
        const index_t whole = begin + (end - begin) / vector_ * vector_;
        if (whole > begin) take(begin, whole);
        if (end > whole) take(whole, end);
    }

private:
    index_t count_, vector_, run_ = 1, width_ = 1, runs_ = 0, a_run_ = 1;
};

double bytes_of_job(const chain_job& job) {
    return static_cast<double>(3 * job.a.shape().elements() + 2 * job.rhs.elements()) *
           static_cast<double>(bytes_of(job.rhs.type));
}

/// One thread's memory and groups.
template <class T>
class worker {
public:
    worker(const chain_job& job, index_t width, const std::vector<index_t>& order)
        : job_(job),
          order_(order),
          stream_(may_stream(job.solution, bytes_of_job(job))),
          matrix_at_(static_cast<std::size_t>(width)),
          rhs_at_(matrix_at_.size()),
          sizes_(matrix_at_.size()),
          poor_(std::make_unique<bool[]>(matrix_at_.size())) {
        const lane_layout all{cut::form_of(job), largest_size(job.a.shape()), width,
                              vector_lanes(job.a.type())};
        scratch_ = buffer<T>(all.elements());
    }
    static index_t bytes(const chain_job& job, index_t width) {
        const lane_layout all{cut::form_of(job), largest_size(job.a.shape()), width,
                              vector_lanes(job.a.type())};
        return all.elements() * index_t{sizeof(T)} + width * index_t{3 * sizeof(index_t) + 1};
    }

    void solve(index_t begin, index_t end, verdict& bad) {
        const chain_group g = group(begin, end);
        if (g.rows == 0) return;
        lanes_down(job_.a.type(), g);
        struct replaced {
            index_t system;
            std::vector<T> x;
        };
        std::vector<replaced> others;
        for (index_t w = 0; w < g.lanes; ++w)
            if (poor_[static_cast<std::size_t>(w)])
                others.push_back({system(begin + w), alone(system(begin + w), bad)});
        lanes_up(job_.a.type(), g);
        for (const replaced& r : others) {
            const line<T> x = line_of<T>(job_.solution, r.system);
            for (index_t i = 0; i < std::ssize(r.x); ++i) x[i] = r.x[static_cast<std::size_t>(i)];
        }
    }
    [[nodiscard]] index_t system(index_t number) const {
        return order_.empty() ? number : order_[static_cast<std::size_t>(number)];
    }

private:
    chain_group group(index_t begin, index_t end) {
        const vector_shape &m = job_.a.shape(), &b = job_.rhs;
        chain_group g;
        g.lanes = end - begin;
        const index_t vector = vector_lanes(m.type);
        g.pitch = (g.lanes + vector - 1) / vector * vector;
        index_t least = m.ragged() ? m.size_of(system(begin)) : m.size;
        g.rows = least;
        for (index_t w = 0; w < g.lanes; ++w) {
            const auto k = static_cast<std::size_t>(w);
            const index_t s = system(begin + w);
            matrix_at_[k] = m.begin_of(s);
            rhs_at_[k] = b.begin_of(s);
            sizes_[k] = m.size_of(s);
            g.rows = std::max(g.rows, sizes_[k]);
            least = std::min(least, sizes_[k]);
        }
        for (index_t w = g.lanes; w < g.pitch; ++w) {
            matrix_at_[static_cast<std::size_t>(w)] = matrix_at_[static_cast<std::size_t>(g.lanes - 1)];
            rhs_at_[static_cast<std::size_t>(w)] = rhs_at_[static_cast<std::size_t>(g.lanes - 1)];
        }
        g.ragged = least != g.rows;
        if (!m.ragged() && m.layout == vector_layout::flat) g.next_group = g.lanes * m.stride;
        g.sizes = sizes_.data();
        g.diagonal = array_of(job_.a.diagonal, matrix_at_.data(), g.lanes);
        g.lower = array_of(job_.a.lower, matrix_at_.data(), g.lanes);
        g.upper = array_of(job_.a.upper, matrix_at_.data(), g.lanes);
        g.rhs = array_of(job_.rhs, rhs_at_.data(), g.lanes);
        g.solution = array_of(job_.solution, rhs_at_.data(), g.lanes);
        g.to = job_.solution.data;
        weave(g);
        g.transposed = job_.a.transposed;
        g.stream = stream_;
        g.form = cut::form_of(job_);
        g.ahead = chain_lanes.ahead;
        g.scratch = scratch_.data();
        g.poor = poor_.get();
        return g;
    }
    /// Unified vectors whose four arrays are one array: the words of a row are consecutive.
    void weave(chain_group& g) const {
        if (job_.a.shape().layout != vector_layout::unified || !job_.uniform() || job_.a.transposed) return;
        const T* words[] = {static_cast<const T*>(job_.a.diagonal.data), static_cast<const T*>(job_.rhs.data),
                            static_cast<const T*>(job_.a.lower.data),
                            static_cast<const T*>(job_.a.upper.data)};
        const T* first = *std::min_element(words, words + 4, std::less<const T*>());
        bool seen[4] = {};
        for (int k = 0; k < 4; ++k) {
            const auto apart =
                reinterpret_cast<std::uintptr_t>(words[k]) - reinterpret_cast<std::uintptr_t>(first);
            if (apart % sizeof(T) != 0 || apart / sizeof(T) > 3) return;
            g.word_of[k] = static_cast<int>(apart / sizeof(T));
            seen[g.word_of[k]] = true;
        }
        if (!(seen[0] && seen[1] && seen[2] && seen[3])) return;
        g.woven = true;
        g.weave = {first, 1, false, matrix_at_.data()};
        g.next_group = g.lanes * job_.a.shape().stride;
    }
    /// A system with a pivot that has no proper reciprocal, or a ring that bordering would spoil: with
    /// divisions, folded. In the order of the lanes.
    std::vector<T> alone(index_t s, verdict& bad) const {
        const index_t size = job_.a.shape().size_of(s);
        std::vector<T> scratch(static_cast<std::size_t>(one_side_words(cut::form_of(job_)) * size));
        std::vector<T> x(static_cast<std::size_t>(size));
        const outcome seen = solve_one(job_, s, line<T>{x.data(), 1}, scratch.data());
        if (seen.bad_row >= 0) bad.note(s, seen.bad_row);
        return x;
    }

    const chain_job& job_;
    const std::vector<index_t>& order_;
    const bool stream_;
    std::vector<index_t> matrix_at_, rhs_at_, sizes_;
    std::unique_ptr<bool[]> poor_;
    buffer<T> scratch_;
};

/// Systems of like size beside each other, where sizes differ.
std::vector<index_t> by_size(const vector_shape& m) {
    std::vector<index_t> order;
    if (!m.ragged()) return order;
    order.resize(static_cast<std::size_t>(m.count));
    std::iota(order.begin(), order.end(), index_t{0});
    std::ranges::stable_sort(order, {}, [&](index_t s) { return m.size_of(s); });
    return order;
}

/// Each system has several right sides: factored once, right sides in lanes.
void solve_many_sides(chain_job& job) {
    const thread_shares shares(job.where, job.rhs.count, static_cast<double>(job.rhs.elements()));
    with_type(job.a.type(), [&](auto zero) {
        using T = decltype(zero);
        const factor_form form{job.pivoting == pivoting::partial, job.a.periodic};
        if (job.workspace) {
            *job.workspace = job.a.shape().elements() * form.words() * index_t{sizeof(T)};
            return;
        }
        stored_factors<T> factors(job.a, form, 1);
        factors.factor(job.a, shares, job.status, *job.result);
        factors.solve(job.rhs, job.solution, false, shares, *job.result);
        job.result->run.policy = "right sides in lanes";
    });
}

std::string refuses_lanes(const chain_job& job) {
    if (job.right_sides() == 1 && job.a.periodic && job.a.shape().ragged())
        return "takes periodic systems of one size only";
    return {};
}

/// Of several right sides: measured, docs/performance/tree.md. cpu/thomas has vectors of sides that lie side
/// by side, so that lanes pay only where vectors are full or threads share the sides.
bool suits_sides(const chain_job& job, const lanes_policy& policy) {
    const index_t sides = job.right_sides(), systems = job.a.systems();
    if (sides < policy.systems || systems == 0) return false;
    const index_t elements = job.rhs.elements() / systems;
    const bool folded = job.pivoting == pivoting::partial && job.a.periodic;
    if (folded || job.a.shape().ragged() || !are_beside(job, 0)) return elements >= 80;
    return elements >= (sides >= 16 ? 3840 : 200000);
}

bool suits_lanes(const chain_job& job) {
    const lanes_policy& policy = chain_lanes;
    const vector_shape& m = job.a.shape();
    if (job.right_sides() != 1) return suits_sides(job, policy);
    const bool apart = m.layout == vector_layout::interleaved || m.layout == vector_layout::block_interleaved;
    // A periodic system is solved for two right sides.
    const index_t more = apart && m.type == scalar::f32 && m.size >= 4096 ? 3 : 0;  // of 16 lanes
    const index_t few = (apart ? policy.systems_apart : policy.systems) + more - (job.a.periodic ? 1 : 0);
    // Blocks narrower than a vector are gathered element by element.
    const bool gathered = m.layout == vector_layout::block_interleaved && m.width < vector_lanes(m.type);
    if (gathered && 4 * m.width <= vector_lanes(m.type)) return false;
    // A group of lanes is set up for its systems, which pays with their rows: measured,
    // docs/performance/atlas.md.
    const double paid_up = gathered ? 40000 : 400;
    const auto rows = static_cast<double>(job.a.shape().size), systems = static_cast<double>(job.a.systems());
    const bool side_by_side = m.layout == vector_layout::interleaved && systems >= 32;
    return job.a.systems() >= few && (m.ragged() || side_by_side || rows * rows * systems >= paid_up);
}

void solve_chains_lanes(chain_job& job) {
    if (job.right_sides() != 1) return solve_many_sides(job);
    const thread_shares shares(
        job.where, (job.a.systems() + vector_lanes(job.a.type()) - 1) / vector_lanes(job.a.type()),
        static_cast<double>(job.rhs.elements()));
    const cut pieces(job, shares.threads());
    with_type(job.a.type(), [&](auto zero) {
        using T = decltype(zero);
        if (job.workspace) {
            *job.workspace = shares.threads() * worker<T>::bytes(job, pieces.width());
            return;
        }
        const std::vector<index_t> order = by_size(job.a.shape());
        shares.run(pieces.pieces(), job.status, *job.result, [&](index_t begin, index_t end, verdict& bad) {
            worker<T> work(job, pieces.width(), order);
            for (index_t piece = begin; piece < end; ++piece)
                pieces.groups(piece, [&](index_t from, index_t to) {
                    for (index_t s = from; s < to; ++s) bad.begin(work.system(s));
                    work.solve(from, to, bad);
                });
        });
    });
    if (!job.workspace) job.result->run.policy = "lanes=" + std::to_string(pieces.width());
}

}  // namespace

extern constinit const catalogue::row<chain_job> chains_cpu_lanes{
    "cpu/lanes", "many systems, one in each lane of the vectors, groups in a core's cache",
    solve_chains_lanes, refuses_lanes, suits_lanes};

}  // namespace wale::tree
