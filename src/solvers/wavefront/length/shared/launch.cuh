// launch - from two sequences to a running strip kernel: the alphabet decides the masks, length and
// architecture the policy, memory and residency the ring of hand-over rows.
#pragma once

#include <algorithm>
#include <string>

#include "base/checked.hpp"
#include "cuda/withheld.cuh"
#include "solvers/wavefront/length/shared/alphabet.cuh"
#include "solvers/wavefront/length/shared/strips.cuh"

namespace wale::wavefront {

/// scratch that says what it was for when there is too little.
template <class T>
[[nodiscard]] cuda::scratch<T> allocate(const cuda::context& c, const char* what, index_t count) {
    return cuda::scratch<T>(c, count, what);
}

struct strips_input {
    const cuda::context& context;
    const alphabet& letters;
    symbols rows, columns;
    bool both_ways;  // also the reversed sequences, as a second pair; then every hand-over row is kept
    const std::uint64_t* above = nullptr;  // where words cross: those of the part above; null: no part
    std::uint64_t* below = nullptr;        // and for the part below
};

struct strips_state {
    unsigned long long answer[2];
    std::uint32_t ticket, failed;
};

// Without a name, a class of its own in each object file: nvcc gives each one an own handle of a kernel
// template, and a permission for shared memory holds for the handle that was given to the driver.
namespace {

template <class P, class Rows, class Masks, class HandOver>
class strips_launch {
public:
    using shape = strip_shape<P>;
    using code = typename Masks::code;

    explicit strips_launch(const strips_input& in)
        : context_(in.context),
          job_(describe(in)),
          blocks_(resident(in.both_ways)),
          state_(in.context, 1),
          rows_(allocate<code>(in.context, "coded rows", pairs(in) * coded_rows())),
          columns_(allocate<code>(in.context, "coded columns", pairs(in) * coded_columns())),
          hand_(allocate<std::uint64_t>(in.context, "the hand-over between strips",
                                        (pairs(in) * job_.ring + 1) * job_.pitch)) {
        state_.fill_bytes(0);
        hand_.fill_bytes(0);
        job_.ticket = &state_.data()->ticket;
        cuda::withhold_tickets(context_, "wavefront/length", job_.ticket);
        job_.failed = &state_.data()->failed;
        if (in.above == nullptr) {
            fill_top<Rows><<<context_.multiprocessors(), 256, 0, context_.stream()>>>(job_, hand_.data());
            cuda::check_launch();
        }
        prepare(in, 0);
        if (in.both_ways) prepare(in, 1);
    }

    void start() const {
        kernel<<<blocks_, threads, shared_bytes_, context_.stream()>>>(job_);
        cuda::check_launch();
    }
    /// Waits; without the context, which may be gone. Throws when a wait on the device ran out.
    [[nodiscard]] strips_state finish() const {
        strips_state state{};
        state_.to_host(&state);
        if (state.failed != 0) throw device_error("strips: a wait for the strip above ran out");
        return state;
    }
    [[nodiscard]] const strips_job& job() const { return job_; }
    [[nodiscard]] int table_bytes() const { return P::value.warps * Masks::bytes(job_.codes); }

    [[nodiscard]] std::string policy() const {
        const strips_policy& p = P::value;
        return "rows=" + std::to_string(shape::rows) + " skew=" + std::to_string(shape::skew) +
               " warps=" + std::to_string(p.warps) + " blocks=" + std::to_string(blocks_);
    }

private:
    static constexpr auto kernel = strips_kernel<P, Rows, Masks, HandOver>;
    static constexpr int threads = 32 * P::value.warps;

    static index_t pairs(const strips_input& in) { return in.both_ways ? 2 : 1; }
    [[nodiscard]] index_t coded_rows() const { return index_t{1} * job_.strips * shape::rows; }
    [[nodiscard]] index_t coded_columns() const {
        return shape::lead + index_t{32} * job_.words + shape::tail;
    }

    static strips_job describe(const strips_input& in) {
        strips_job job;
        job.pair_count = static_cast<int>(pairs(in));
        job.strips = static_cast<int>(base::ceil_div(in.rows.size, shape::rows));
        job.words = static_cast<int>(base::ceil_div(in.columns.size, 32));
        job.pitch = index_t{Rows::lines} * (job.words + shape::lag + HandOver::words_ahead);
        job.column_begin = Rows::counts_at_end ? index_t{32} * job.words - in.columns.size : 0;
        job.column_end = job.column_begin + in.columns.size;
        job.codes = in.letters.common + 1;
        return job;
    }

    /// As many blocks as the policy puts on a multiprocessor and have work, and few enough for the ring to
    /// fit in free memory. Each asks for so much shared memory that no more fit: the hardware would otherwise
    /// put four blocks here and none there (8M a side: 1.01 s instead of 0.49).
    int resident(bool keep) {
        const int all = context_.facts().shared_per_multiprocessor;
        shared_bytes_ = std::max(table_bytes(), all / (P::value.blocks + 1));
        cuda::launch_limits::permit(context_, kernel, shared_bytes_);
        const index_t wanted = base::ceil_div(index_t{1} * job_.strips * job_.pair_count, P::value.warps);
        index_t blocks = std::min<index_t>(wanted, index_t{P::value.blocks} * context_.multiprocessors());
        constexpr std::size_t most = 1u << 20;
        blocks = std::min(
            blocks, static_cast<index_t>(tuning::overridden("wavefront/length/max_blocks", most, most - 1)));
        blocks = std::max<index_t>(blocks, 1);
        const auto row_bytes = static_cast<double>(job_.pitch) * 8;
        if (!keep && ring_for(blocks) * row_bytes > 1e9) {
            std::size_t free_bytes = 0;
            std::size_t total = 0;
            cuda::check(cudaMemGetInfo(&free_bytes, &total));
            while (blocks > 1 && ring_for(blocks) * row_bytes > 0.9 * static_cast<double>(free_bytes))
                --blocks;
        }
        job_.ring = keep ? job_.strips : static_cast<int>(ring_for(blocks));
        return static_cast<int>(blocks);
    }
    [[nodiscard]] index_t ring_for(index_t blocks) const {
        return std::min<index_t>(job_.strips, blocks * P::value.warps + 1);
    }

    /// The reversed pair's rows are padded in front, so that both pairs have their strip edges at the same
    /// rows.
    void prepare(const strips_input& in, int which) {
        strips_pair& pair = job_.pairs[which];
        const index_t row_padding = which == 1 ? coded_rows() - in.rows.size : 0;
        const index_t column_padding = shape::lead + job_.column_begin;
        code* rows = rows_.data() + which * coded_rows();
        code* columns = columns_.data() + which * coded_columns();
        put(in, in.rows, {row_padding, coded_rows(), which == 1}, rows);
        put(in, in.columns, {column_padding, coded_columns(), which == 1}, columns);
        pair.rows = rows;
        pair.columns = columns;
        pair.top = in.above != nullptr ? in.above : hand_.data();
        pair.below = in.below;
        pair.hand = hand_.data() + (1 + which * index_t{job_.ring}) * job_.pitch;
        pair.answer = state_.data()->answer + which;
        pair.row_begin = row_padding;
        pair.row_end = row_padding + in.rows.size;
    }
    static void put(const strips_input& in, const symbols& s, coded_place place, std::uint8_t* out) {
        encode(in.context, in.letters, s, place, P::value.words, out);
    }
    static void put(const strips_input& in, const symbols& s, coded_place place, std::uint32_t* out) {
        encode(in.context, in.letters, s, place, out);
    }

    const cuda::context& context_;
    strips_job job_;
    int shared_bytes_ = 0;
    int blocks_;
    cuda::scratch<strips_state> state_;
    cuda::scratch<code> rows_, columns_;
    cuda::scratch<std::uint64_t> hand_;
};

}  // namespace

/// f<Policy, Masks>() with the row asked for if its masks fit in shared memory, else the next narrower one
/// that fits, else bit planes.
template <template <int> class PolicyOf, std::size_t N, class F>
void with_masks(const cuda::context& c, const alphabet& letters, const tuning::row<strips_policy> (&rows)[N],
                std::size_t wanted, F&& f) {
    const int most = c.facts().shared_per_block;
    const auto fits = [&](const strips_policy& p) {
        return letters.fits_table(p.words) && (letters.common + 1) * p.words * 128 * p.warps <= most;
    };
    std::size_t best = N;
    for (std::size_t i = 0; i < N; ++i)
        if (fits(rows[i].policy) && rows[i].policy.words <= rows[wanted].policy.words &&
            (best == N || rows[i].policy.words > rows[best].policy.words))
            best = i;
    if (fits(rows[wanted].policy)) best = wanted;
    if (best < N)
        tuning::with_number<N>(
            best, [&]<int Row>() { f.template operator()<PolicyOf<Row>, table_masks<PolicyOf<Row>>>(); });
    else if (letters.bits <= 8)
        f.template operator()<plane_policy, plane_masks<plane_policy, 8>>();
    else if (letters.bits <= 16)
        f.template operator()<plane_policy, plane_masks<plane_policy, 16>>();
    else
        f.template operator()<plane_policy, plane_masks<plane_policy, 32>>();
}

/// The length of one pair.
inline void lcs_length_by_strips(lcs_length_job& job) {
    job.length = 0;
    if (job.a.size == 0 || job.b.size == 0) return;
    const cuda::context context(job.where);
    cuda::timer timer(context);
    const bool tall = job.a.size >= job.b.size;  // rows are done in parallel, columns one after the other
    const symbols& rows = tall ? job.a : job.b;
    const symbols& columns = tall ? job.b : job.a;
    const alphabet letters = find_alphabet(context, rows, columns);
    const std::size_t row =
        choose_strips("wavefront/length/lcs_strips", lcs_policies, context.sm(), rows.size);
    with_masks<lcs_policy>(context, letters, lcs_policies, row, [&]<class P, class Masks>() {
        using recurrence = lcs_rows<P::value.words, P::value.one_carry>;
        const strips_launch<P, recurrence, Masks, tagged_hand_over<1>> launch(
            {context, letters, rows, columns, false});
        launch.start();
        job.length = static_cast<index_t>(launch.finish().answer[0]);
        job.run->policy = launch.policy();
        job.run->bytes = 8.0 * static_cast<double>(launch.job().pitch) * launch.job().strips;
    });
    job.run->iterations = 1;
    job.run->compute_seconds = timer.stop();
}

/// Row and column numbers of a strip kernel, and of its words, are 32-bit.
template <class Job>
[[nodiscard]] std::string needs_31_bit_sizes(const Job& job) {
    constexpr index_t most = (index_t{1} << 31) - 1;
    return job.a.size > most || job.b.size > most ? "needs sequences of fewer than 2^31 symbols" : "";
}

}  // namespace wale::wavefront
