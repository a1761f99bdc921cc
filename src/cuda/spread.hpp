// spread - a batch in host memory over several devices (on_cuda::devices): contiguous parts of about equal
// work, each computed by the call for one device, on a thread and a stream of the part's own; and one object
// whose parts need each other. No CUDA header is needed to read this file.
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>
#include <wale/image.hpp>
#include <wale/matrix.hpp>
#include <wale/report.hpp>
#include <wale/sequence.hpp>
#include <wale/vectors.hpp>

#include "cuda/device_api.hpp"
#include "cuda/reachable.hpp"

namespace wale::cuda {

/// Units [first, last) of a batch.
struct part {
    index_t first = 0, last = 0;
    [[nodiscard]] index_t count() const noexcept { return last - first; }
};

/// What happens to an operand of a part: inputs are copied to the device, outputs back to the host.
enum class traffic { in = 1, out = 2, both = 3 };

/// Operands of one part on its device. Arrays without gaps there; the same host address is the same device
/// address, so that a call in place stays one, and a symmetric matrix is recognised.
class carrier {
public:
    explicit carrier(int device, bool time_on_device = false);
    carrier(const carrier&) = delete;
    carrier& operator=(const carrier&) = delete;
    ~carrier();

    /// The part's device and stream, for the call.
    [[nodiscard]] const execution& where() const noexcept { return where_; }

    /// Elements [first * each, last * each) of an array; null stays null.
    template <class T>
    [[nodiscard]] T* part_of(T* array, part p, traffic how, index_t each = 1) {
        if (array == nullptr) return nullptr;
        const index_t size = p.count() * each * index_t{sizeof(T)};
        return static_cast<T*>(place(array + p.first * each, {size, size, 1}, how));
    }
    [[nodiscard]] sequence_batch part_of(const sequence_batch& all, part p);
    [[nodiscard]] matrices part_of(const matrices& all, part p, traffic how);
    [[nodiscard]] const_matrices part_of(const const_matrices& all, part p);
    /// Vectors that are unified are woven into each other and are refused.
    [[nodiscard]] vectors part_of(const vectors& all, part p, traffic how);
    [[nodiscard]] const_vectors part_of(const const_vectors& all, part p);
    /// Images of the host, not bit-packed, that are the part as a whole.
    [[nodiscard]] const_image_view copy_of(const const_image_view& images);
    [[nodiscard]] image_view copy_of(const image_view& images, traffic how);

    /// Device memory that stays until the outputs have been copied.
    [[nodiscard]] void* allocate(index_t bytes);
    /// Waits for all that is queued.
    void finish() const;
    /// Copies outputs to the host; waits.
    void fetch();
    [[nodiscard]] double transfer_seconds() const noexcept { return seconds_; }

private:
    /// `lines` of `width` bytes, `pitch` bytes apart on the host.
    struct block {
        index_t width, pitch, lines;
        auto operator<=>(const block&) const = default;
    };
    struct copy_back {
        void* host;
        const void* device;
        block shape;
    };
    void* place(const void* host, const block& shape, traffic how);
    void copy_in(const void* host, void* device, const block& shape, traffic how);
    void* carry(const void* data, const matrix_shape& from, matrix_shape& to, part p, traffic how);
    void* carry(const void* data, const vector_shape& from, vector_shape& to, part p, traffic how);
    void* carry(const void* data, const raster& from, raster& to, traffic how);

    execution where_;
    std::vector<void*> memory_;
    std::map<std::pair<const void*, block>, void*> known_;
    std::vector<copy_back> outputs_;
    std::vector<std::vector<index_t>> starts_;  // of ragged vectors
    double seconds_ = 0;
};

/// The devices over which a call is spread; null: one device, or another backend. Throws bad_argument for a
/// stream beside them or a device that is not there, backend_unavailable without CUDA.
[[nodiscard]] const on_cuda* several(const execution& where);

/// Contiguous parts of `count` units, as many as devices, of about equal work(unit); bounds are multiples of
/// `whole`. Empty parts are left out, save the first.
[[nodiscard]] std::vector<part> split_by_work(index_t count, std::size_t parts, index_t whole,
                                              const std::function<double(index_t)>& work);

/// work(k, carrier of part k)
using part_work = std::function<void(std::size_t, carrier&)>;
/// Does a work for all parts, each on a thread of its own; returns when all have ended.
using for_all_parts = std::function<void(const part_work&)>;

/// compute(k) of each part on a thread of its own, with the part's operands in carriers[k]; when all parts
/// are done, together(for_all_parts) on the calling thread, where parts need each other; then the outputs are
/// copied to the host. A part that fails leaves host memory as it was; the error of the first such part names
/// its device.
void run_parts(const on_cuda& where, std::span<const part> parts, const part_work& compute,
               std::vector<double>& transfers,
               const std::function<void(const for_all_parts&)>& together = {});

/// Reports of parts as that of one call: the longest times, the sums of work.
void merge_run(report& all, const report& part);

/// call(carrier, part) -> Result for every part; merge(result of all, result of a part, first unit).
template <class Result, class Call, class Merge>
[[nodiscard]] Result spread(const on_cuda& where, std::span<const part> parts, const Call& call,
                            const Merge& merge,
                            const std::function<void(const for_all_parts&)>& together = {}) {
    std::vector<Result> results(parts.size());
    std::vector<double> transfers;
    run_parts(
        where, parts, [&](std::size_t k, carrier& c) { results[k] = call(c, parts[k]); }, transfers,
        together);
    Result all = std::move(results[0]);
    all.run.transfer_seconds += transfers[0];
    all.run.threads = static_cast<int>(parts.size());
    for (std::size_t k = 1; k < parts.size(); ++k) {
        results[k].run.transfer_seconds += transfers[k];
        merge_run(all.run, results[k].run);
        merge(all, results[k], parts[k].first);
    }
    if (!all.run.policy.empty()) all.run.policy += ' ';
    all.run.policy.append("parts=").append(std::to_string(parts.size()));
    return all;
}

}  // namespace wale::cuda
