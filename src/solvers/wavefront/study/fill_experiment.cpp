// fill_experiment - whole tables: every cell checked, bound by the memory that takes them.
#include <algorithm>
#include <map>
#include <wale/buffer.hpp>

#include "solvers/wavefront/study/study.hpp"

namespace wale::wavefront {
namespace {

constexpr index_t band_bytes = index_t{1} << 26;  // of a device table, copied to the host at a time

/// Inputs and table in the memory of one backend. Cells of every recurrence here have four bytes.
struct place {
    execution where;
    buffer<char> a, b;  // letters, float series or an image (b empty)
    buffer<std::int32_t> table;
};

class fill_experiment final : public tiled_experiment {
public:
    fill_experiment(recurrence kind, index_t n) : kind_(kind), n_(n) {
        if (kind == recurrence::summed_area) {
            a_ = random_dna(n * n, 1);
        } else {
            a_ = bytes_for(random_dna(n, 1));
            b_ = bytes_for(random_dna(n, 2));
        }
    }
    double cells() const override { return static_cast<double>(n_) * static_cast<double>(n_); }
    bool certified() const override { return true; }
    report run(const execution& where, const std::string& variant) override {
        return run_tiled(where, variant, {});
    }
    report run_tiled(const execution& where, const std::string& variant, tile_shape tile) override;
    std::string flaw() override;
    ceiling bound(const execution& where, const report& run) override;

private:
    /// Float series are the letters' codes: cells then hold integers, exact in any order of additions.
    std::string bytes_for(const std::string& letters) const {
        if (kind_ != recurrence::dtw) return letters;
        std::string out;
        for (const char c : letters) {
            const auto value = static_cast<float>(c);
            out.append(reinterpret_cast<const char*>(&value), sizeof value);
        }
        return out;
    }
    void move_to(const execution& where);
    [[nodiscard]] fill_job host_job() const;

    recurrence kind_;
    index_t n_;
    std::string a_, b_;
    std::optional<place> at_;
    std::map<int, double> write_rate_;  // by threads; -1: the device
};

void fill_experiment::move_to(const execution& where) {
    const bool same =
        at_ && (backend_of(at_->where) == backend::cuda) == (backend_of(where) == backend::cuda);
    if (same) return;
    at_.reset();
    const bool device = backend_of(where) == backend::cuda;
    place p{
        where, to_device(where, std::span<const char>(a_)), to_device(where, std::span<const char>(b_)), {}};
    p.table = buffer<std::int32_t>(checked_bytes(n_, n_), device ? memory_space::device : memory_space::host);
    at_ = std::move(p);
}

report fill_experiment::run_tiled(const execution& where, const std::string& variant, tile_shape tile) {
    move_to(where);
    const wavefront_options options{.variant = variant, .kind = kind_, .score = {2, -1, -2}, .tile = tile};
    const extents<2> shape{{n_, n_}};
    const matrix_view<std::int32_t> table(at_->table.data(), shape);
    if (kind_ == recurrence::summed_area) {
        const auto* pixels = reinterpret_cast<const std::uint8_t*>(at_->a.data());
        return wavefront_fill(where, matrix_view<const std::uint8_t>(pixels, shape), table, options).run;
    }
    if (kind_ == recurrence::dtw) {
        const auto series = [this](const buffer<char>& bytes) {
            return std::span<const float>(reinterpret_cast<const float*>(bytes.data()),
                                          static_cast<std::size_t>(n_));
        };
        const matrix_view<float> costs(reinterpret_cast<float*>(at_->table.data()), shape);
        return wavefront_fill(where, series(at_->a), series(at_->b), costs, options).run;
    }
    return wavefront_fill(where, sequence_view(at_->a.data(), n_, 1), sequence_view(at_->b.data(), n_, 1),
                          table, options)
        .run;
}

fill_job fill_experiment::host_job() const {
    fill_job job;
    job.kind = kind_;
    job.score = {2, -1, -2};
    job.type = kind_ == recurrence::dtw ? element::f32 : element::i32;
    job.a = {a_.data(), n_, kind_ == recurrence::dtw ? 4 : 1};
    job.b = {b_.data(), n_, job.a.bytes};
    job.image = reinterpret_cast<const std::uint8_t*>(a_.data());
    job.image_pitch = job.rows = job.columns = job.pitch = n_;
    return job;
}

std::string fill_experiment::flaw() {
    fill_job job = host_job();
    job.table = at_->table.data();
    if (backend_of(at_->where) != backend::cuda) return wrong_table(job);
    const index_t row_bytes = std::max<index_t>(n_ * 4, 1);
    const index_t rows = std::max<index_t>(band_bytes / row_bytes, 1);
    const buffer<std::int32_t> band((rows + 1) * n_, memory_space::pinned);
    for (index_t begin = 0; begin < n_; begin += rows) {
        const index_t end = std::min(begin + rows, n_), from = std::max<index_t>(begin - 1, 0);
        copy_bytes(at_->where, band.data(), at_->table.data() + from * n_, (end - from) * row_bytes);
        if (std::string wrong = wrong_rows(job, band.data(), begin, end); !wrong.empty()) return wrong;
    }
    return {};
}

ceiling fill_experiment::bound(const execution& where, const report& run) {
    const auto* device = std::get_if<on_cuda>(&where);
    const int key = device ? -1 : run.threads;
    if (!write_rate_.contains(key))
        write_rate_[key] =
            device ? device_copy_rate(*device) : host_write_rate(at_->table.data(), n_ * n_ * 4, run.threads);
    return {write_rate_[key] / 4, device ? "device memory (copy)" : "memory write (memset)"};
}

}  // namespace

std::unique_ptr<tiled_experiment> make_fill(recurrence kind, index_t size) {
    return std::make_unique<fill_experiment>(kind, size);
}

}  // namespace wale::wavefront
