// fill_experiment - whole tables: every cell checked, bound by the memory that takes them.
#include <algorithm>
#include <map>
#include <wale/buffer.hpp>

#include "solvers/wavefront/study/study.hpp"

namespace wale::wavefront {
namespace {

constexpr index_t band_bytes = index_t{1} << 26;  // of a device table, copied to the host at a time

/// Inputs and table in the memory of one backend.
struct place {
    execution where;
    buffer<char> a, b;  // letters, float series or an image (b empty)
    buffer<char> table;
};

index_t bytes_of(element e) {
    return e == element::i16 ? 2 : e == element::i64 ? 8 : 4;
}

class fill_experiment final : public tiled_experiment {
public:
    explicit fill_experiment(const table_recipe& what) : what_(what), pitch_(what.columns + what.gap) {
        if (what.kind == recurrence::summed_area) {
            a_ = random_dna(what.rows * what.columns, 1);
        } else {
            a_ = bytes_for(random_dna(what.rows, 1));
            b_ = bytes_for(random_dna(what.columns, 2));
        }
    }
    double cells() const override {
        return static_cast<double>(what_.rows) * static_cast<double>(what_.columns);
    }
    bool certified() const override { return true; }
    void prepare(const execution& where) override;
    report run(const execution& where, const std::string& variant) override {
        return run_tiled(where, variant, {});
    }
    report run_tiled(const execution& where, const std::string& variant, tile_shape tile) override;
    std::string flaw() override;
    ceiling bound(const execution& where, const report& run) override;

private:
    /// Float series are the letters' codes: cells then hold integers, exact in any order of additions.
    std::string bytes_for(const std::string& letters) const {
        if (what_.kind != recurrence::dtw) return widened(letters, what_.symbol_bytes);
        std::string out;
        for (const char c : letters) {
            const auto value = static_cast<float>(c);
            out.append(reinterpret_cast<const char*>(&value), sizeof value);
        }
        return out;
    }
    template <class T>
    [[nodiscard]] matrix_view<T> table() const {
        return {reinterpret_cast<T*>(at_->table.data()),
                typename matrix_view<T>::mapping_type({{what_.rows, what_.columns}}, pitch_)};
    }
    [[nodiscard]] index_t row_bytes() const { return pitch_ * bytes_of(what_.type); }
    [[nodiscard]] fill_job host_job() const;

    table_recipe what_;
    index_t pitch_;
    std::string a_, b_;
    std::optional<place> at_;
    std::map<int, double> write_rate_;  // by threads; -1: the device
};

void fill_experiment::prepare(const execution& where) {
    const bool device = backend_of(where) == backend::cuda;
    if (at_ && (backend_of(at_->where) == backend::cuda) == device) return;
    at_.reset();
    place p{
        where, to_device(where, std::span<const char>(a_)), to_device(where, std::span<const char>(b_)), {}};
    p.table = buffer<char>(checked_bytes(what_.rows, row_bytes()),
                           device ? memory_space::device : memory_space::host);
    at_ = std::move(p);
}

report fill_experiment::run_tiled(const execution& where, const std::string& variant, tile_shape tile) {
    prepare(where);
    const wavefront_options options{
        .variant = variant, .kind = what_.kind, .score = {2, -1, -2}, .cost = what_.cost, .tile = tile};
    if (what_.kind == recurrence::summed_area) {
        const auto* pixels = reinterpret_cast<const std::uint8_t*>(at_->a.data());
        const matrix_view<const std::uint8_t> image(pixels, extents<2>{{what_.rows, what_.columns}});
        if (what_.type == element::i64)
            return wavefront_fill(where, image, table<std::int64_t>(), options).run;
        return wavefront_fill(where, image, table<std::int32_t>(), options).run;
    }
    if (what_.kind == recurrence::dtw) {
        const auto series = [](const buffer<char>& bytes) {
            return std::span<const float>(reinterpret_cast<const float*>(bytes.data()),
                                          static_cast<std::size_t>(bytes.size()) / sizeof(float));
        };
        return wavefront_fill(where, series(at_->a), series(at_->b), table<float>(), options).run;
    }
    const sequence_view a(at_->a.data(), what_.rows, what_.symbol_bytes),
        b(at_->b.data(), what_.columns, what_.symbol_bytes);
    if (what_.type == element::i16) return wavefront_fill(where, a, b, table<std::int16_t>(), options).run;
    return wavefront_fill(where, a, b, table<std::int32_t>(), options).run;
}

fill_job fill_experiment::host_job() const {
    fill_job job;
    job.kind = what_.kind;
    job.score = {2, -1, -2};
    job.cost = what_.cost;
    job.type = what_.type;
    job.a = {a_.data(), what_.rows, what_.kind == recurrence::dtw ? 4 : what_.symbol_bytes};
    job.b = {b_.data(), what_.columns, job.a.bytes};
    job.image = reinterpret_cast<const std::uint8_t*>(a_.data());
    job.rows = what_.rows;
    job.image_pitch = job.columns = what_.columns;
    job.pitch = pitch_;
    return job;
}

std::string fill_experiment::flaw() {
    fill_job job = host_job();
    job.table = at_->table.data();
    if (backend_of(at_->where) != backend::cuda) return wrong_table(job);
    const index_t line = std::max<index_t>(row_bytes(), 1);
    const index_t rows = std::max<index_t>(band_bytes / line, 1);
    const buffer<char> band((rows + 1) * line, memory_space::pinned);
    for (index_t begin = 0; begin < what_.rows; begin += rows) {
        const index_t end = std::min(begin + rows, what_.rows), from = std::max<index_t>(begin - 1, 0);
        copy_bytes(at_->where, band.data(), at_->table.data() + from * line, (end - from) * line);
        if (std::string wrong = wrong_rows(job, band.data(), begin, end); !wrong.empty()) return wrong;
    }
    return {};
}

ceiling fill_experiment::bound(const execution& where, const report& run) {
    const auto* device = std::get_if<on_cuda>(&where);
    const int key = device ? -1 : run.threads;
    if (!write_rate_.contains(key))
        write_rate_[key] = device ? device_copy_rate(*device)
                                  : host_write_rate(at_->table.data(), at_->table.size(), run.threads);
    return {write_rate_[key] / static_cast<double>(bytes_of(what_.type)),
            device ? "device memory (copy)" : "memory write (memset)"};
}

}  // namespace

std::unique_ptr<tiled_experiment> make_table(const table_recipe& what) {
    return std::make_unique<fill_experiment>(what);
}

std::unique_ptr<tiled_experiment> make_fill(recurrence kind, index_t size) {
    table_recipe what{.kind = kind, .rows = size, .columns = size};
    if (kind == recurrence::dtw) what.type = element::f32;
    return make_table(what);
}

}  // namespace wale::wavefront
