// call - the passes over symbols and pairs that come before the kernels of alignments.
#include "solvers/wavefront/align/cuda/binned/call.cuh"

#include <algorithm>
#include <limits>
#include <string>

#include "cuda/uploaded.cuh"
#include "solvers/wavefront/align/shared/codes.hpp"
#include "solvers/wavefront/search_jobs.hpp"
#include "tuning/override.hpp"

namespace wale::wavefront::binned {
namespace {

const std::uint8_t* bytes_of(const batch_side& side) {
    return static_cast<const std::uint8_t*>(side.data);
}

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

}  // namespace

alphabet::alphabet(const substitution_matrix& matrix, const batch::findings& found, int bytes, bool swapped) {
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
    for (int a = 0; swapped && a < letters; ++a)
        for (int b = 0; b < a; ++b)
            std::swap(table[static_cast<std::size_t>(a * letters + b)],
                      table[static_cast<std::size_t>(b * letters + a)]);
}

std::vector<word> alphabet::packed(const substitution_matrix& matrix, int added, bool local) const {
    std::vector<word> words(static_cast<std::size_t>((letters + 1) * table_words));
    for (int a = 0; a <= letters; ++a)
        for (int b = 0; b < letters; ++b) {
            const int s = a < letters ? score(a, b, matrix) + added : local ? -128 : 0;
            words[static_cast<std::size_t>(a * table_words + b / 4)] |= (static_cast<word>(s) & 0xffu)
                                                                        << (8 * (b % 4));
        }
    return words;
}

/// The letters that occur, as few as they are: the fewer, the more warps have room for their profiles.
void alphabet::take_letters(const std::array<std::int16_t, 256>& letter_of, const batch::findings& found,
                            int all, const std::vector<std::int32_t>& scores) {
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

batch_call::batch_call(const call_job& job)
    : job_(job),
      options_(*job.options),
      c_(job.where),
      price_(prices_of(options_)),
      found_(look()),
      letters_(options_.matrix, found_, job.query.bytes, job.swapped),
      scores_(job.scores) {
    input_ = {job.query.data,     job.target.data, job.query.offsets,
              job.target.offsets, job.count,       job.query.bytes};
    if (job.cross) input_.targets = job.targets;
    find_ranges();
}

void batch_call::prepare(const trace_work* trace) {
    if (job_.query.bytes == 1) {
        refuse_unknown();
        const cuda::uploaded<std::uint8_t> codes(c_, letters_.code);
        for (const std::size_t side : {0u, 1u}) {
            const batch_side& from = side == 0 ? job_.query : job_.target;
            const auto& to = codes_[side].emplace(c_, last_[side] - first_[side]);
            encode(c_, bytes_of(from) + first_[side], to.size(), codes.data(), to.data());
            (side == 0 ? input_.query : input_.target) = to.data();
        }
        std::copy(first_.begin(), first_.end(), input_.first);
    }
    const limits limit = limits_of(trace != nullptr);
    packed_ = limit.packed;
    const cuda::scratch<sizes> on_device(c_, 1);
    on_device.fill_bytes(0);
    const cuda::scratch<std::uint32_t> keys(c_, job_.count), numbers(c_, job_.count);
    const classified to{on_device.data(), keys.data(), numbers.data(), scores_};
    if (trace == nullptr)
        classify(c_, input_, price_, limit, to);
    else
        classify_traced(c_, input_, price_, limit, *trace, to);
    on_device.to_host(&sizes_);
    order_.emplace(c_, 32, keys, numbers);
    tickets_.emplace(c_, class_count);
    tickets_->fill_bytes(0);
}

batch::findings batch_call::look() const {
    if (job_.count > std::numeric_limits<std::int32_t>::max())
        throw bad_argument("query, target: " + std::to_string(job_.count) +
                           " pairs, expected fewer than 2^31");
    batch::pairs all{job_.query.data,     job_.target.data, job_.query.offsets,
                     job_.target.offsets, job_.count,       job_.query.bytes};
    if (job_.cross) all.queries = job_.queries, all.targets = job_.targets;
    const cuda::scratch<batch::findings> on_device(c_, 1);
    batch::look(c_, all, on_device.data());
    batch::findings found;
    on_device.to_host(&found);
    if (found.first_bad != ~0ull) batch::refuse_offsets(c_, all, found.first_bad, {name_of(0), name_of(1)});
    return found;
}

void batch_call::find_ranges() {
    for (const std::size_t side : {0u, 1u}) {
        const index_t* offsets = (side == 0 ? job_.query : job_.target).offsets;
        for (const auto& [to, at] : {std::pair{&first_[side], index_t{0}}, {&last_[side], count_of(side)}})
            cuda::check(cudaMemcpyAsync(to, offsets + at, sizeof *to, cudaMemcpyDefault, c_.stream()));
    }
    c_.synchronize();
}

void batch_call::refuse_unknown() const {
    if (!letters_.has_unknown) return;
    const cuda::uploaded<std::uint8_t> unknown(c_, letters_.unknown);
    for (const std::size_t side : {0u, 1u}) {
        const batch_side& of = side == 0 ? job_.query : job_.target;
        const cuda::scratch<unsigned long long> least(c_, 1);
        least.fill_bytes(0xff);
        find_first(c_, bytes_of(of) + first_[side], last_[side] - first_[side], unknown.data(), least.data());
        unsigned long long at = 0;
        least.to_host(&at);
        if (at != ~0ull) refuse_letter(side, static_cast<index_t>(at) + first_[side]);
    }
}

void batch_call::refuse_letter(std::size_t which, index_t at) const {
    const batch_side& side = which == 0 ? job_.query : job_.target;
    std::vector<index_t> offsets(static_cast<std::size_t>(count_of(which) + 1));
    std::uint8_t byte = 0;
    cuda::check(cudaMemcpyAsync(offsets.data(), side.offsets, offsets.size() * sizeof(index_t),
                                cudaMemcpyDefault, c_.stream()));
    cuda::check(cudaMemcpyAsync(&byte, bytes_of(side) + at, 1, cudaMemcpyDefault, c_.stream()));
    c_.synchronize();
    const auto after = std::upper_bound(offsets.begin(), offsets.end(), at);
    letter_codes::refuse(name_of(which), byte, static_cast<std::size_t>(at - after[-1]));
}

limits batch_call::limits_of(bool traces) const {
    const shape_policy& policy =
        traces ? traced_shapes[0].policy
               : shapes[tuning::choose("wavefront/align/shapes", shapes, c_.sm(), 0)].policy;
    limits limit{};
    const int added = price_.local ? 0 : 2 * price_.extend;
    const std::int64_t costs = std::int64_t{price_.open} + price_.extend;
    limit.packed = letters_.letters > 0 && letters_.letters <= most_letters && costs <= 16000 &&
                   letters_.lowest + added >= -128 && letters_.highest + added <= 127;
    limit.highest = static_cast<int>(std::max<std::int64_t>(letters_.highest, 0));
    limit.largest =
        static_cast<int>(std::max({std::abs(letters_.highest), std::abs(letters_.lowest), costs}));
    std::copy(policy.words, policy.words + most_shapes, limit.words);
    for (int& words : limit.words)
        if (traces && !may_trace_with(words)) words = 0;
    limit.of_a_word = policy.of_a_word;
    limit.beside = policy.beside;
    return limit;
}

unsigned batch_call::blocks_for(index_t tasks, index_t bytes, index_t room, int resident) const {
    const index_t fit = bytes == 0 ? tasks : std::max<index_t>(1, room / bytes);
    return static_cast<unsigned>(std::min({tasks, fit, index_t{resident} * c_.multiprocessors()}));
}

packed_work batch_call::packed_part(const word* table) const {
    packed_work work{};
    work.input = input_;
    work.price = price_;
    work.order = order_->data();
    work.table = table;
    work.letters = letters_.letters;
    work.scores = scores_;
    return work;
}

std::uint32_t batch_call::take_shape(packed_work& work, int shape, std::uint32_t first) const {
    work.first_pair[0] = first;
    work.first_task[0] = 0;
    for (int k = 0; k < widths; ++k) {  // 1 << k pairs a warp
        const word count = sizes_.of_class[shape * widths + k];
        work.first_pair[k + 1] = work.first_pair[k] + count;
        work.first_task[k + 1] = work.first_task[k] + ((count + (1u << k) - 1) >> k);
    }
    work.ticket = tickets_->data() + shape;
    return work.first_pair[widths];
}

wide_work batch_call::wide_part(const std::int32_t* table, word first, word count) const {
    wide_work work{};
    work.input = input_;
    work.price = price_;
    work.order = order_->data();
    work.by_equality = options_.matrix.by_equality();
    work.match = options_.matrix.match();
    work.mismatch = options_.matrix.mismatch();
    work.table = table;
    work.letters = letters_.letters;
    work.first_pair = first;
    work.last_pair = first + count;
    work.carry_pitch = sizes_.longest_wide;
    work.scores = scores_;
    return work;
}

std::string batch_call::described(double kernel_seconds) const {
    const word* of = sizes_.of_class;
    index_t packed = 0;
    for (int i = 0; i < wide_class; ++i) packed += of[i];
    return "of_16_bits=" + std::to_string(packed) + " of_32_bits=" + std::to_string(of[wide_class]) +
           " of_64_bits=" + std::to_string(of[wide_class + 1]) +
           " letters=" + std::to_string(letters_.letters) + " pairs=" + std::to_string(1e3 * kernel_seconds) +
           "ms";
}

}  // namespace wale::wavefront::binned
