// warping_experiment - costs of series with each other, and the path of one pair: compared bit for bit with
// another variant's.
#include <bit>
#include <wale/buffer.hpp>
#include <wale/warping.hpp>

#include "solvers/wavefront/study/study.hpp"

namespace wale::wavefront {
namespace {

constexpr index_t points_of_series = 128;  // of costs
constexpr double path_table = 1.25e8;      // cells of eight bytes that the plain path may keep

class warping_experiment final : public experiment {
public:
    warping_experiment(bool path, index_t size)
        : path_(path), a_(random_walk(size, 1)), b_(random_walk(size, 2)), offsets_{0} {
        if (path) return;
        while (offsets_.back() < size) offsets_.push_back(std::min(offsets_.back() + points_of_series, size));
    }
    double cells() const override { return static_cast<double>(a_.size()) * static_cast<double>(b_.size()); }
    bool certified() const override { return false; }
    /// Copies for a device, whose costs are to be timed without those copies.
    void prepare(const execution& where) override {
        a_there_ = path_ ? buffer<double>() : to_device<double>(where, a_);
        b_there_ = path_ ? buffer<double>() : to_device<double>(where, b_);
    }
    std::string hindrance(const std::string& variant) const override {
        const bool table = path_ && variant == "reference/plain" && cells() > path_table;
        return table ? "its table would take too much memory" : "";
    }
    std::vector<index_t> outcome() const override { return found_; }
    std::vector<index_t> reference_outcome() override {
        prepare(on_reference{});
        (void)run(on_reference{}, "automatic");
        return found_;
    }
    std::string flaw() override { return {}; }
    ceiling bound(const execution&, const report&) override { return {}; }
    report run(const execution& where, const std::string& variant) override {
        const warping_options o{.variant = variant, .cost = dtw_cost::squared};
        found_.clear();
        if (path_) {
            const auto r = warping_path<double>(where, a_, b_, 1, o);
            found_.push_back(std::bit_cast<index_t>(r.cost));
            for (const auto& step : r.path) found_.insert(found_.end(), step.begin(), step.end());
            return r.run;
        }
        const index_t count = std::ssize(offsets_) - 1;
        std::vector<double> costs(static_cast<std::size_t>(count * count));
        const series_batch<double> a{a_there_.data(), offsets_.data(), count},
            b{b_there_.data(), offsets_.data(), count};
        const report run = warping_costs<double>(
                               where, a, b, matrix_view<double>(costs.data(), extents<2>{{count, count}}), o)
                               .run;
        for (const double cost : costs) found_.push_back(std::bit_cast<index_t>(cost));
        return run;
    }

private:
    const bool path_;
    const std::vector<double> a_, b_;
    buffer<double> a_there_, b_there_;
    std::vector<index_t> offsets_;
    std::vector<index_t> found_;
};

}  // namespace

std::unique_ptr<experiment> make_warping(bool path, index_t size) {
    return std::make_unique<warping_experiment>(path, size);
}

}  // namespace wale::wavefront
