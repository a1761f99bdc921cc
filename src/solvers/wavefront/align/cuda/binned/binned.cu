// binned - a batch of alignment scores: as many lanes for each pair as its query needs, and cells of 16 bits
// where a bound proves that they suffice. The host looks twice: at the symbols that occur, and at the
// classes.
#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "cuda/uploaded.cuh"
#include "solvers/wavefront/align/cuda/binned/plan.cuh"
#include "solvers/wavefront/align/shared/codes.hpp"
#include "solvers/wavefront/batch/shared/plan.cuh"
#include "solvers/wavefront/batch/shared/sorted.cuh"
#include "solvers/wavefront/search_jobs.hpp"
#include "tuning/override.hpp"

namespace wale::wavefront {
namespace {

using namespace binned;

constexpr index_t most_carry_bytes = index_t{1} << 30;
constexpr int resident_warps = 32;  // blocks of a warp that a multiprocessor may have

/// The letters of a call and their scores.
struct alphabet {
    std::vector<std::uint8_t> code = std::vector<std::uint8_t>(256);  // of a byte
    std::vector<std::uint8_t> unknown = std::vector<std::uint8_t>(256);
    bool has_unknown = false;
    int letters = 0;                  // of bytes; 0: wider symbols
    std::vector<std::int32_t> table;  // letters x letters; empty: by equality
    std::int64_t highest = 0, lowest = 0;

    alphabet(const substitution_matrix& matrix, const batch::findings& found, int bytes) {
        if (matrix.by_equality()) {
            highest = std::max(matrix.match(), matrix.mismatch());
            lowest = std::min(matrix.match(), matrix.mismatch());
            if (bytes > 1) return;
            for (std::size_t b = 0; b < code.size(); ++b)
                if (found.seen[b] != 0) code[b] = static_cast<std::uint8_t>(letters++);
            return;
        }
        take_letters(letter_codes(matrix).all(), found, static_cast<int>(matrix.letters().size()),
                     matrix.scores());
    }

    [[nodiscard]] std::int32_t score(int a, int b, const substitution_matrix& matrix) const {
        if (table.empty()) return a == b ? matrix.match() : matrix.mismatch();
        return table[static_cast<std::size_t>(a * letters + b)];
    }

    /// Rows of bytes, what the packed kernel adds for a pair of symbols included. The last row is for those
    /// below the query: its cells gain nothing.
    [[nodiscard]] std::vector<word> packed(const substitution_matrix& matrix, int added, bool local) const {
        std::vector<word> words(static_cast<std::size_t>((letters + 1) * table_words));
        for (int a = 0; a <= letters; ++a)
            for (int b = 0; b < letters; ++b) {
                const int s = a < letters ? score(a, b, matrix) + added : local ? -128 : 0;
                words[static_cast<std::size_t>(a * table_words + b / 4)] |= (static_cast<word>(s) & 0xffu)
                                                                            << (8 * (b % 4));
            }
        return words;
    }

private:
    /// The letters that occur, as few as they are: the fewer, the more warps have room for their profiles.
    void take_letters(const std::array<std::int16_t, 256>& letter_of, const batch::findings& found, int all,
                      const std::vector<std::int32_t>& scores) {
        std::vector<int> occurring;
        for (int letter = 0; letter < all; ++letter)
            for (std::size_t b = 0; b < 256; ++b) {
                if (letter_of[b] != letter || found.seen[b] == 0) continue;
                if (occurring.empty() || occurring.back() != letter) occurring.push_back(letter);
                code[b] = static_cast<std::uint8_t>(occurring.size() - 1);
            }
        letters = static_cast<int>(occurring.size());
        for (const int a : occurring)
            for (const int b : occurring) table.push_back(scores[static_cast<std::size_t>(a * all + b)]);
        for (const std::int32_t s : table) {
            highest = std::max<std::int64_t>(highest, s);
            lowest = std::min<std::int64_t>(lowest, s);
        }
        for (std::size_t b = 0; b < 256; ++b) {
            unknown[b] = letter_of[b] < 0 && found.seen[b] != 0;
            has_unknown = has_unknown || unknown[b] != 0;
        }
    }
};

prices prices_of(const alignment_options& o) {
    const bool semi = o.mode == alignment_mode::semi_global;
    prices p{};
    p.local = o.mode == alignment_mode::local;
    p.query_begin = semi && o.ends.query_begin;
    p.query_end = semi && o.ends.query_end;
    p.target_begin = semi && o.ends.target_begin;
    p.target_end = semi && o.ends.target_end;
    p.open = static_cast<int>(o.open);
    p.extend = static_cast<int>(std::min(o.open, o.extend));
    return p;
}

/// Pairs on the device: of each side's sequences of the same number, or of each query with each target.
struct call_job : alignment_batch_job {
    index_t queries = 0, targets = 0;
    bool cross = false;
};

class batch_call {
public:
    explicit batch_call(const call_job& job)
        : job_(job),
          options_(*job.options),
          c_(job.where),
          price_(prices_of(options_)),
          found_(look()),
          letters_(options_.matrix, found_, job.query.bytes) {
        input_ = {job.query.data,     job.target.data, job.query.offsets,
                  job.target.offsets, job.count,       job.query.bytes};
        if (job.cross) input_.targets = job.targets;
    }

    void run() {
        cuda::timer whole(c_);
        const auto [first, last] = ranges();
        const cuda::scratch<std::uint8_t> query(c_, last[0] - first[0]), target(c_, last[1] - first[1]);
        if (job_.query.bytes == 1) {
            refuse_unknown(first, last);
            const cuda::uploaded<std::uint8_t> codes(c_, letters_.code);
            encode(c_, bytes_of(job_.query) + first[0], query.size(), codes.data(), query.data());
            encode(c_, bytes_of(job_.target) + first[1], target.size(), codes.data(), target.data());
            input_.query = query.data();
            input_.target = target.data();
            std::copy(first.begin(), first.end(), input_.first);
        }
        const limits limit = limits_of();
        const cuda::scratch<sizes> on_device(c_, 1);
        on_device.fill_bytes(0);
        const cuda::scratch<std::uint32_t> keys(c_, job_.count), numbers(c_, job_.count);
        classify(c_, input_, price_, limit, on_device.data(), keys.data(), numbers.data(), job_.scores);
        on_device.to_host(&sizes_);
        const batch::sorted order(c_, 32, keys, numbers);
        cuda::timer kernels(c_);
        launch(order.data(), limit.packed);
        const double seconds = kernels.stop();
        job_.run->compute_seconds = whole.stop();
        if (!job_.cross)
            job_.run->work =
                0x1p32 * static_cast<double>(found_.cells_high) + static_cast<double>(found_.cells_low);
        job_.run->policy = described(seconds);
    }

private:
    using range = std::array<index_t, 2>;

    static const std::uint8_t* bytes_of(const batch_side& side) {
        return static_cast<const std::uint8_t*>(side.data);
    }

    batch::findings look() const {
        if (job_.count > std::numeric_limits<std::int32_t>::max())
            throw bad_argument("query, target: " + std::to_string(job_.count) +
                               " pairs, expected fewer than 2^31");
        batch::pairs all{job_.query.data,     job_.target.data, job_.query.offsets,
                         job_.target.offsets, job_.count,       job_.query.bytes};
        if (job_.cross) all.queries = job_.queries, all.targets = job_.targets;
        const cuda::scratch<batch::findings> on_device(c_, 1);
        batch::look(c_, all, 1, on_device.data());
        batch::findings found;
        on_device.to_host(&found);
        if (found.first_bad != ~0ull) batch::refuse_offsets(c_, all, found.first_bad, {"query", "target"});
        return found;
    }
    [[nodiscard]] index_t count_of(std::size_t side) const { return side == 0 ? job_.queries : job_.targets; }

    /// Where the symbols of both sides begin and end.
    [[nodiscard]] std::pair<range, range> ranges() const {
        range first{}, last{};
        for (const std::size_t side : {0u, 1u}) {
            const index_t* offsets = (side == 0 ? job_.query : job_.target).offsets;
            for (const auto& [to, at] : {std::pair{&first[side], index_t{0}}, {&last[side], count_of(side)}})
                cuda::check(cudaMemcpyAsync(to, offsets + at, sizeof *to, cudaMemcpyDefault, c_.stream()));
        }
        c_.synchronize();
        return {first, last};
    }

    void refuse_unknown(const range& first, const range& last) const {
        if (!letters_.has_unknown) return;
        const cuda::uploaded<std::uint8_t> unknown(c_, letters_.unknown);
        for (const std::size_t side : {0u, 1u}) {
            const batch_side& of = side == 0 ? job_.query : job_.target;
            const cuda::scratch<unsigned long long> least(c_, 1);
            least.fill_bytes(0xff);
            find_first(c_, bytes_of(of) + first[side], last[side] - first[side], unknown.data(),
                       least.data());
            unsigned long long at = 0;
            least.to_host(&at);
            if (at != ~0ull) refuse_letter(side, static_cast<index_t>(at) + first[side]);
        }
    }
    [[noreturn]] void refuse_letter(std::size_t which, index_t at) const {
        const batch_side& side = which == 0 ? job_.query : job_.target;
        std::vector<index_t> offsets(static_cast<std::size_t>(count_of(which) + 1));
        std::uint8_t byte = 0;
        cuda::check(cudaMemcpyAsync(offsets.data(), side.offsets, offsets.size() * sizeof(index_t),
                                    cudaMemcpyDefault, c_.stream()));
        cuda::check(cudaMemcpyAsync(&byte, bytes_of(side) + at, 1, cudaMemcpyDefault, c_.stream()));
        c_.synchronize();
        const auto after = std::upper_bound(offsets.begin(), offsets.end(), at);
        letter_codes::refuse(which == 0 ? "query" : "target", byte, static_cast<std::size_t>(at - after[-1]));
    }

    [[nodiscard]] limits limits_of() const {
        const shape_policy& policy =
            shapes[tuning::choose("wavefront/align/shapes", shapes, c_.sm(), 0)].policy;
        limits limit{};
        const int added = price_.local ? 0 : 2 * price_.extend;
        const std::int64_t costs = std::int64_t{price_.open} + price_.extend;
        limit.packed = letters_.letters > 0 && letters_.letters <= most_letters && costs <= 16000 &&
                       letters_.lowest + added >= -128 && letters_.highest + added <= 127;
        limit.highest = static_cast<int>(std::max<std::int64_t>(letters_.highest, 0));
        limit.largest =
            static_cast<int>(std::max({std::abs(letters_.highest), std::abs(letters_.lowest), costs}));
        std::copy(policy.words, policy.words + most_shapes, limit.words);
        limit.of_a_word = policy.of_a_word;
        limit.beside = policy.beside;
        return limit;
    }

    /// As many warps as are of use, and as have room for the rows that they carry from strip to strip.
    [[nodiscard]] unsigned blocks_for(index_t tasks, index_t carried_bytes) const {
        const index_t room =
            carried_bytes == 0 ? tasks : std::max<index_t>(1, most_carry_bytes / carried_bytes);
        return static_cast<unsigned>(std::min({tasks, room, index_t{resident_warps} * c_.multiprocessors()}));
    }

    void launch(const std::uint32_t* order, bool packed) {
        const cuda::scratch<std::uint32_t> tickets(c_, class_count);
        tickets.fill_bytes(0);
        std::uint32_t first_pair = 0;
        if (packed) first_pair = launch_shapes(order, tickets.data());
        for (const bool of_64_bits : {false, true}) {
            const word count = sizes_.of_class[wide_class + (of_64_bits ? 1 : 0)];
            if (count > 0) launch_wide_pairs(order, first_pair, count, of_64_bits, tickets.data());
            first_pair += count;
        }
    }

    /// Returns how many pairs the packed kernel does.
    std::uint32_t launch_shapes(const std::uint32_t* order, std::uint32_t* tickets) {
        const cuda::uploaded<word> table(
            c_, letters_.packed(options_.matrix, price_.local ? 0 : 2 * price_.extend, price_.local));
        packed_work work{};
        work.input = input_;
        work.price = price_;
        work.order = order;
        work.table = table.data();
        work.letters = letters_.letters;
        work.carry_pitch = sizes_.longest_carried;
        work.scores = job_.scores;
        const cuda::scratch<word> carries(c_, carry_words());
        work.carries = carries.data();
        std::uint32_t pairs = 0;
        for (int shape = 0; shape < most_shapes; ++shape) {
            work.first_pair[0] = pairs;
            for (int k = 0; k < widths; ++k) {  // 1 << k pairs a warp
                const word count = sizes_.of_class[shape * widths + k];
                work.first_pair[k + 1] = work.first_pair[k] + count;
                work.first_task[k + 1] = work.first_task[k] + ((count + (1u << k) - 1) >> k);
            }
            pairs = work.first_pair[widths];
            const word tasks = work.first_task[widths];
            if (tasks == 0) continue;
            work.ticket = tickets + shape;
            const auto run = price_.local ? launch_local : price_.target_end ? launch_tailed : launch_global;
            run(work, shape, blocks_for(tasks, 4 * work.carry_pitch), c_.stream());
        }
        return pairs;
    }
    [[nodiscard]] index_t carry_words() const {
        const index_t pitch = sizes_.longest_carried;
        index_t pairs = 0;
        for (int i = 0; i < wide_class; ++i) pairs += sizes_.of_class[i];
        return pitch == 0 ? 0 : pitch * blocks_for(pairs, 4 * pitch);
    }

    void launch_wide_pairs(const std::uint32_t* order, std::uint32_t first, word count, bool of_64_bits,
                           std::uint32_t* tickets) {
        const cuda::uploaded<std::int32_t> table(c_, letters_.table);
        const index_t pitch = sizes_.longest_wide;
        const unsigned blocks = blocks_for(count, 16 * pitch);
        const cuda::scratch<std::int64_t> carries(c_, 2 * pitch * index_t{blocks});
        const substitution_matrix& matrix = options_.matrix;
        const wide_work work{input_,
                             price_,
                             order,
                             matrix.by_equality(),
                             matrix.match(),
                             matrix.mismatch(),
                             table.data(),
                             letters_.letters,
                             first,
                             first + count,
                             carries.data(),
                             pitch,
                             tickets + most_shapes + (of_64_bits ? 1 : 0),
                             job_.scores};
        launch_wide(work, of_64_bits, blocks, c_.stream());
    }

    [[nodiscard]] std::string described(double kernel_seconds) const {
        const word* of = sizes_.of_class;
        index_t packed = 0;
        for (int i = 0; i < wide_class; ++i) packed += of[i];
        return "of_16_bits=" + std::to_string(packed) + " of_32_bits=" + std::to_string(of[wide_class]) +
               " of_64_bits=" + std::to_string(of[wide_class + 1]) +
               " letters=" + std::to_string(letters_.letters) +
               " pairs=" + std::to_string(1e3 * kernel_seconds) + "ms";
    }

    const call_job& job_;
    const alignment_options& options_;
    cuda::context c_;
    const prices price_;
    const batch::findings found_;
    const alphabet letters_;
    pairs input_;
    sizes sizes_{};
};

void run(alignment_batch_job& job) {
    if (job.count > 0) batch_call(call_job{job, job.count, job.count, false}).run();
}

/// Sequences of the host on the device.
struct side_on_device {
    side_on_device(const cuda::context& c, const batch_side& from, index_t count)
        : letters(c, from.offsets[count] - from.offsets[0]), offsets(c, count + 1) {
        const auto* bytes = static_cast<const std::uint8_t*>(from.data);
        std::vector<index_t> from_zero(from.offsets, from.offsets + count + 1);
        for (index_t& offset : from_zero) offset -= from.offsets[0];
        cuda::check(cudaMemcpyAsync(offsets.data(), from_zero.data(), from_zero.size() * sizeof(index_t),
                                    cudaMemcpyHostToDevice, c.stream()));
        if (letters.size() > 0)
            cuda::check(cudaMemcpyAsync(letters.data(), bytes + from.offsets[0],
                                        static_cast<std::size_t>(letters.size()), cudaMemcpyHostToDevice,
                                        c.stream()));
        c.synchronize();
    }
    [[nodiscard]] batch_side side() const { return {letters.data(), offsets.data(), 1}; }
    cuda::scratch<std::uint8_t> letters;
    cuda::scratch<index_t> offsets;
};

void run_cross(align_cross_job& job) {
    if (job.query_count == 0 || job.target_count == 0) return;
    const cuda::context c(job.where);
    const side_on_device queries(c, job.queries, job.query_count), targets(c, job.targets, job.target_count);
    const index_t count = job.query_count * job.target_count;
    const cuda::scratch<std::int64_t> scores(c, count, "the scores of a block");
    const alignment_batch_job pairs{job.where,   queries.side(), targets.side(), count,
                                    job.options, scores.data(),  job.run};
    batch_call({pairs, job.query_count, job.target_count, true}).run();
    const std::size_t row = static_cast<std::size_t>(job.target_count) * sizeof(std::int64_t);
    cuda::check(cudaMemcpy2DAsync(job.scores, static_cast<std::size_t>(job.pitch) * sizeof(std::int64_t),
                                  scores.data(), row, row, static_cast<std::size_t>(job.query_count),
                                  cudaMemcpyDeviceToHost, c.stream()));
    c.synchronize();
}

}  // namespace

extern const catalogue::row<alignment_batch_job> align_batch_cuda_binned;
constinit const catalogue::row<alignment_batch_job> align_batch_cuda_binned{
    "cuda/binned",
    backend::cuda,
    "two cells of 16 bits in a word where they suffice, lanes by the length of the query",
    catalogue::never_refuses<alignment_batch_job>,
    nullptr,
    run};

extern const catalogue::row<align_cross_job> align_cross_cuda_binned;
constinit const catalogue::row<align_cross_job> align_cross_cuda_binned{
    "cuda/binned",
    backend::cuda,
    "the same of each query with each target, which are copied from the host",
    catalogue::never_refuses<align_cross_job>,
    nullptr,
    run_cross};

}  // namespace wale::wavefront
