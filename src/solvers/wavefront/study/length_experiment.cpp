// length_experiment - lengths, strings, alignments and batches: few numbers come out, compared with another
// variant's.
#include <optional>
#include <wale/alignment.hpp>
#include <wale/buffer.hpp>
#include <wale/error.hpp>
#include <wale/pair_alignments.hpp>

#include "solvers/wavefront/study/study.hpp"

namespace wale::wavefront {
namespace {

constexpr double reference_table = 2.5e8;  // cells of four bytes that the plain lcs_string may keep

std::span<const char> bytes(const std::string& text) {
    return text;
}

/// Sequences in the memory of one backend, and one after the other as a batch.
struct side {
    side(const execution& where, const tape& t, int symbol_bytes)
        : symbols(to_device(where, bytes(widened(t.symbols, symbol_bytes)))),
          offsets(to_device(where, std::span<const index_t>(t.offsets))),
          width(symbol_bytes) {}
    [[nodiscard]] sequence_view one() const { return {symbols.data(), symbols.size() / width, width}; }
    [[nodiscard]] sequence_batch all() const {
        return {symbols.data(), offsets.data(), offsets.size() - 1, width};
    }
    buffer<char> symbols;
    buffer<index_t> offsets;
    int width;
};

struct sides {
    execution where;
    side a, b;
    buffer<std::int32_t> answers;
};

/// What pairs and batches share: the sequences, and where they are.
class sequence_experiment : public experiment {
public:
    explicit sequence_experiment(sequence_recipe what) : what_(std::move(what)) {}
    double cells() const override { return what_.pairs.cells; }
    bool certified() const override { return false; }
    void prepare(const execution& where) override {
        const bool device = backend_of(where) == backend::cuda;
        if (at_ && (backend_of(at_->where) == backend::cuda) == device) return;
        at_.reset();
        const index_t count = std::ssize(what_.pairs.a.offsets) - 1;
        at_.emplace(sides{where,
                          {where, what_.pairs.a, what_.symbol_bytes},
                          {where, what_.pairs.b, what_.symbol_bytes},
                          buffer<std::int32_t>(count, device ? memory_space::device : memory_space::host)});
    }

protected:
    sequence_recipe what_;
    std::optional<sides> at_;
};

class pair_experiment final : public sequence_experiment {
public:
    using sequence_experiment::sequence_experiment;
    std::string hindrance(const std::string& variant) const override {
        const bool table = variant == "reference/plain" && is_string();
        return table && cells() > reference_table ? "its table would take too much memory" : "";
    }
    std::vector<index_t> outcome() const override { return {length_}; }
    std::vector<index_t> reference_outcome() override {
        prepare(on_reference{});
        if (what_.operation == "edit_distance")
            return {
                edit_distance(on_reference{}, at_->a.one(), at_->b.one(), {.bound = what_.bound}).distance};
        // Of a string too: one row of the table, not all.
        return {lcs_length(on_reference{}, at_->a.one(), at_->b.one()).length};
    }
    std::optional<std::pair<std::string, std::vector<index_t>>> second_opinion() override {
        if (!is_string()) return {};
        prepare(on_cpu{});
        const auto r = lcs_length(on_cpu{}, at_->a.one(), at_->b.one());
        return {{"lcs_length by " + r.run.variant, {r.length}}};
    }
    std::string flaw() override {
        return is_string() ? wrong_subsequence(what_.pairs.a.symbols, what_.pairs.b.symbols, in_a_, in_b_)
                           : std::string();
    }
    ceiling bound(const execution& where, const report& run) override {
        // A string needs its length and then a way back: no one count of instructions binds it.
        return is_string() ? ceiling{} : integer_ceiling(where, run, what_.operation == "edit_distance");
    }
    report run(const execution& where, const std::string& variant) override {
        const sequence_view x = at_->a.one(), y = at_->b.one();
        if (what_.operation == "lcs_length") {
            const auto r = lcs_length(where, x, y, {variant});
            length_ = r.length;
            return r.run;
        }
        if (what_.operation == "edit_distance") {
            const auto r = edit_distance(where, x, y, {.variant = variant, .bound = what_.bound});
            length_ = r.distance;
            return r.run;
        }
        auto r = lcs_string(where, x, y, {variant});
        length_ = std::ssize(r.in_a);
        in_a_ = std::move(r.in_a);
        in_b_ = std::move(r.in_b);
        return r.run;
    }

private:
    [[nodiscard]] bool is_string() const { return what_.operation == "lcs_string"; }

    index_t length_ = -1;
    std::vector<index_t> in_a_, in_b_;
};

class batch_experiment final : public sequence_experiment {
public:
    using sequence_experiment::sequence_experiment;
    std::vector<index_t> outcome() const override {
        std::vector<std::int32_t> answers(static_cast<std::size_t>(at_->answers.size()));
        copy_bytes(at_->where, answers.data(), at_->answers.data(),
                   std::ssize(answers) * index_t{sizeof answers[0]});
        return {answers.begin(), answers.end()};
    }
    std::vector<index_t> reference_outcome() override {
        prepare(on_reference{});
        (void)run(on_reference{}, "automatic");
        return outcome();
    }
    std::string flaw() override { return {}; }
    ceiling bound(const execution& where, const report& run) override {
        return integer_ceiling(where, run, is_edit());
    }
    report run(const execution& where, const std::string& variant) override {
        const sequence_batch x = at_->a.all(), y = at_->b.all();
        if (is_edit())
            return edit_distance(where, x, y, at_->answers.span(), {.variant = variant, .bound = what_.bound})
                .run;
        return lcs_length(where, x, y, at_->answers.span(), {variant}).run;
    }

private:
    [[nodiscard]] bool is_edit() const { return what_.operation == "edit_batch"; }
};

/// A pair with its path, the scores of pairs, or pairs with their paths.
class alignment_experiment final : public sequence_experiment {
public:
    explicit alignment_experiment(sequence_recipe what)
        : sequence_experiment(std::move(what)),
          pair_(what_.operation == "align"),
          paths_(what_.operation != "align_batch") {
        what_.scoring.task = paths_ ? alignment_task::path : alignment_task::score;
    }
    double reference_rate() const override { return 5e7; }
    std::string hindrance(const std::string& variant) const override {
        const bool table = pair_ && variant == "reference/plain" && 4 * cells() > reference_table;
        return table ? "its tables would take too much memory" : "";
    }
    void prepare(const execution& where) override {
        sequence_experiment::prepare(where);
        if (paths_) return;
        const bool device = backend_of(where) == backend::cuda;
        scores_ = buffer<std::int64_t>(std::ssize(what_.pairs.a.offsets) - 1,
                                       device ? memory_space::device : memory_space::host);
    }
    std::vector<index_t> outcome() const override {
        if (paths_) return places_;
        std::vector<index_t> scores(static_cast<std::size_t>(scores_.size()));
        copy_bytes(at_->where, scores.data(), scores_.data(), std::ssize(scores) * index_t{sizeof(index_t)});
        return scores;
    }
    std::vector<index_t> reference_outcome() override {
        prepare(on_reference{});
        (void)run(on_reference{}, "automatic");
        return outcome();
    }
    std::string flaw() override { return {}; }
    ceiling bound(const execution&, const report&) override { return {}; }
    report run(const execution& where, const std::string& variant) override {
        alignment_options o = what_.scoring;
        o.variant = variant;
        if (!paths_) return align(where, at_->a.all(), at_->b.all(), scores_.span(), o).run;
        if (!pair_) return run_pairs(where, o);
        const alignment_result r = align(where, at_->a.one(), at_->b.one(), o);
        places_ = {r.score, r.query_begin, r.query_end, r.target_begin, r.target_end};
        for (const alignment_run& columns : r.path) {
            places_.push_back(columns.operation);
            places_.push_back(columns.length);
        }
        return r.run;
    }

private:
    report run_pairs(const execution& where, const alignment_options& o) {
        const pair_alignments r = align_pairs(where, at_->a.all(), at_->b.all(), o);
        places_.assign(r.runs.begin(), r.runs.end());
        for (const auto* column :
             {&r.score, &r.query_begin, &r.query_end, &r.target_begin, &r.target_end, &r.first_run})
            places_.insert(places_.end(), column->begin(), column->end());
        return r.run;
    }

    const bool pair_, paths_;
    std::vector<index_t> places_;
    buffer<std::int64_t> scores_;
};

}  // namespace

std::unique_ptr<experiment> make_sequences(sequence_recipe what) {
    if (what.operation.starts_with("align")) return std::make_unique<alignment_experiment>(std::move(what));
    if (what.operation.ends_with("_batch")) return std::make_unique<batch_experiment>(std::move(what));
    return std::make_unique<pair_experiment>(std::move(what));
}

std::unique_ptr<experiment> make_pair(const std::string& operation, index_t size) {
    sequence_recipe what{.operation = operation};
    what.pairs.add(random_dna(size, 1), random_dna(size, 2));
    return make_sequences(std::move(what));
}

std::unique_ptr<experiment> make_batch(bool edit, index_t count) {
    return make_sequences({.operation = edit ? "edit_batch" : "lcs_batch", .pairs = random_pairs(count, 3)});
}

std::unique_ptr<experiment> make_alignment(const std::string& name, index_t size) {
    alignment_options o{.matrix = {2, -3}, .open = 5, .extend = 2};
    if (name == "align_local") o.mode = alignment_mode::local;
    sequence_recipe what;
    const bool many = name == "align_batch" || name == "align_pairs";
    what.operation = many ? name : "align";
    what.scoring = o;
    if (many) {
        what.pairs = random_pairs(size, 3);
    } else {
        const std::string text = random_dna(size, 1);
        what.pairs.add(text, mutated(text, name == "align_similar" ? 100 : 10, 2));
    }
    return make_sequences(std::move(what));
}

}  // namespace wale::wavefront
