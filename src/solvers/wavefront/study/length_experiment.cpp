// length_experiment - lengths, strings and batches: few numbers come out, compared with another variant's.
#include <algorithm>
#include <map>
#include <wale/buffer.hpp>
#include <wale/error.hpp>

#include "solvers/wavefront/study/study.hpp"

namespace wale::wavefront {
namespace {

constexpr double reference_table = 2.5e8;  // cells of four bytes that the plain lcs_string may keep

std::span<const char> bytes(const std::string& text) {
    return text;
}

class pair_experiment final : public experiment {
public:
    pair_experiment(std::string operation, index_t n)
        : operation_(std::move(operation)), n_(n), a_(random_dna(n, 1)), b_(random_dna(n, 2)) {}
    double cells() const override { return static_cast<double>(n_) * static_cast<double>(n_); }
    bool certified() const override { return false; }
    std::string hindrance(const std::string& variant) const override {
        const bool table = variant == "reference/plain" && operation_ == "lcs_string";
        return table && cells() > reference_table ? "its table would take too much memory" : "";
    }
    std::vector<index_t> outcome() const override { return {length_}; }
    std::vector<index_t> reference_outcome() override {
        if (operation_ == "edit_distance") return {edit_distance(on_reference{}, a_, b_).distance};
        return {lcs_length(on_reference{}, a_, b_).length};  // of a string too: one row of the table, not all
    }
    std::optional<std::pair<std::string, std::vector<index_t>>> second_opinion() override {
        if (operation_ != "lcs_string") return {};
        const auto r = lcs_length(on_cpu{}, a_, b_);
        return {{"lcs_length by " + r.run.variant, {r.length}}};
    }
    std::string flaw() override {
        return operation_ == "lcs_string" ? wrong_subsequence(a_, b_, in_a_, in_b_) : std::string();
    }
    ceiling bound(const execution& where, const report& run) override {
        // A string needs its length and then a way back: no one count of instructions binds it.
        return operation_ == "lcs_string" ? ceiling{}
                                          : integer_ceiling(where, run, operation_ == "edit_distance");
    }
    report run(const execution& where, const std::string& variant) override {
        const buffer<char> a = to_device(where, bytes(a_)), b = to_device(where, bytes(b_));
        const sequence_view x(a.data(), n_, 1), y(b.data(), n_, 1);
        if (operation_ == "lcs_length") {
            const auto r = lcs_length(where, x, y, {variant});
            length_ = r.length;
            return r.run;
        }
        if (operation_ == "edit_distance") {
            const auto r = edit_distance(where, x, y, {.variant = variant});
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
    std::string operation_;
    index_t n_;
    std::string a_, b_;
    index_t length_ = -1;
    std::vector<index_t> in_a_, in_b_;
};

class batch_experiment final : public experiment {
public:
    batch_experiment(bool edit, index_t count) : edit_(edit), count_(count), pairs_(random_pairs(count, 3)) {}
    double cells() const override { return pairs_.cells; }
    bool certified() const override { return false; }
    std::vector<index_t> outcome() const override { return {answers_.begin(), answers_.end()}; }
    std::vector<index_t> reference_outcome() override {
        (void)run(on_reference{}, "automatic");
        return outcome();
    }
    std::string flaw() override { return {}; }
    ceiling bound(const execution& where, const report& run) override {
        return integer_ceiling(where, run, edit_);
    }
    report run(const execution& where, const std::string& variant) override {
        const side a(where, pairs_.a), b(where, pairs_.b);
        answers_.assign(static_cast<std::size_t>(count_), -1);
        const buffer<std::int32_t> out = to_device(where, std::span<const std::int32_t>(answers_));
        report done = edit_ ? edit_distance(where, a.view(), b.view(), out.span(), {.variant = variant}).run
                            : lcs_length(where, a.view(), b.view(), out.span(), {variant}).run;
        copy_bytes(where, answers_.data(), out.data(), count_ * index_t{sizeof(std::int32_t)});
        return done;
    }

private:
    struct side {
        side(const execution& where, const tape& t)
            : symbols(to_device(where, bytes(t.symbols))),
              offsets(to_device(where, std::span<const index_t>(t.offsets))) {}
        [[nodiscard]] sequence_batch view() const {
            return {symbols.data(), offsets.data(), offsets.size() - 1, 1};
        }
        buffer<char> symbols;
        buffer<index_t> offsets;
    };

    bool edit_;
    index_t count_;
    pair_tapes pairs_;
    std::vector<std::int32_t> answers_;
};

}  // namespace

std::unique_ptr<experiment> make_pair(const std::string& operation, index_t size) {
    return std::make_unique<pair_experiment>(operation, size);
}

std::unique_ptr<experiment> make_batch(bool edit, index_t count) {
    return std::make_unique<batch_experiment>(edit, count);
}

}  // namespace wale::wavefront
