// spread - parts of a batch on several devices: what a part takes with it, where the parts begin, how they
// run.
#include "cuda/spread.hpp"

#include <algorithm>
#include <exception>
#include <wale/buffer.hpp>

#include "base/argument.hpp"
#include "base/clock.hpp"
#include "base/pool.hpp"

namespace wale::cuda {

using base::refuse;
using base::text;

carrier::carrier(int device, bool time_on_device)
    : where_(on_cuda{device, require().open_stream(device), {}, time_on_device}) {}

carrier::~carrier() {
    const on_cuda& on = std::get<on_cuda>(where_);
    for (void* p : memory_) api()->release_ordered(on, p);
    api()->close_stream(on.device, on.stream);
}

void* carrier::allocate(index_t bytes) {
    memory_.reserve(memory_.size() + 1);
    memory_.push_back(api()->allocate_ordered(std::get<on_cuda>(where_), bytes));
    return memory_.back();
}

void* carrier::place(const void* host, const block& shape, traffic how) {
    const index_t bytes = shape.width * shape.lines;
    if (host == nullptr || bytes == 0) return nullptr;
    void*& device = known_[{host, shape}];
    if (device != nullptr) {  // in place: the input came first, and the output is in the same memory
        if (how != traffic::in) outputs_.push_back({const_cast<void*>(host), device, shape});
        return device;
    }
    device = allocate(bytes);
    copy_in(host, device, shape, how);
    return device;
}

void carrier::copy_in(const void* host, void* device, const block& shape, traffic how) {
    const base::stopwatch watch;
    if (how != traffic::out)
        api()->copy_lines(std::get<on_cuda>(where_), device, shape.width, host, shape.pitch, shape.width,
                          shape.lines);
    if (how != traffic::in) outputs_.push_back({const_cast<void*>(host), device, shape});
    seconds_ += watch.seconds();
}

sequence_batch carrier::part_of(const sequence_batch& all, part p) {
    const index_t begin = all.offsets[p.first], size = all.offsets[p.last] - begin;
    const char* data = static_cast<const char*>(all.data);
    const index_t bytes = size * all.symbol_bytes;
    sequence_batch out = all;
    out.count = p.count();
    out.data =
        data == nullptr ? nullptr : place(data + begin * all.symbol_bytes, {bytes, bytes, 1}, traffic::in);
    std::vector<index_t>& offsets = starts_.emplace_back(all.offsets + p.first, all.offsets + p.last + 1);
    for (index_t& o : offsets) o -= begin;
    const auto room = static_cast<index_t>(offsets.size()) * index_t{sizeof(index_t)};
    out.offsets = static_cast<const index_t*>(place(offsets.data(), {room, room, 1}, traffic::in));
    return out;
}

void* carrier::carry(const void* data, const matrix_shape& from, matrix_shape& to, part p, traffic how) {
    const index_t item = bytes_of(from.type);
    to = from;
    to.count = p.count();
    to.leading = from.line_size();
    to.stride = to.leading * to.lines();
    const auto* first = static_cast<const char*>(data) + p.first * from.stride * item;
    const index_t width = to.leading * item, pitch = from.leading * item;
    if (data == nullptr || to.span_elements() == 0) return nullptr;
    if (from.stride == from.leading * from.lines() || to.count == 1)
        return place(first, {width, std::max(width, pitch), to.lines() * to.count}, how);
    if (from.lines() == 1 && from.stride >= from.line_size())
        return place(first, {width, from.stride * item, to.count}, how);
    // Gaps between matrices: one array on the device, a copy for each matrix.
    auto* const device = static_cast<char*>(allocate(to.stride * to.count * item));
    for (index_t k = 0; k < to.count; ++k) {
        const char* host = first + k * from.stride * item;
        const block shape{width, std::max(width, pitch), to.lines()};
        known_[{host, shape}] = device + k * to.stride * item;
        copy_in(host, device + k * to.stride * item, shape, how);
    }
    return device;
}

matrices carrier::part_of(const matrices& all, part p, traffic how) {
    matrices out;
    out.data = carry(all.data, all, out, p, how);
    return out;
}
const_matrices carrier::part_of(const const_matrices& all, part p) {
    const_matrices out;
    out.data = carry(all.data, all, out, p, traffic::in);
    return out;
}

void* carrier::carry(const void* data, const vector_shape& from, vector_shape& to, part p, traffic how) {
    const index_t item = bytes_of(from.type);
    const char* host = static_cast<const char*>(data);
    const auto bytes_at = [&](index_t element) { return host + element * item; };
    to = from;
    to.count = p.count();
    if (from.ragged()) {
        std::vector<index_t>& starts =
            starts_.emplace_back(from.starts.begin() + p.first, from.starts.begin() + p.last + 1);
        const index_t begin = starts.front();
        for (index_t& s : starts) s -= begin;
        to.starts = starts;
        to.size = starts.back();
        return place(bytes_at(begin), {to.size * item, to.size * item, 1}, how);
    }
    switch (from.layout) {
        case vector_layout::flat:
            to.stride = from.size;
            if (from.stride == 0 && to.count > 1) {  // one vector for all, which is only read
                to.stride = 0;
                return place(host, {from.size * item, from.size * item, 1}, how);
            }
            if (from.stride < from.size && to.count > 1)
                refuse("where.devices", "vectors share elements (stride " + text(from.stride) + ")",
                       "a stride of 0 or of at least " + text(from.size));
            return place(bytes_at(p.first * from.stride),
                         {from.size * item, std::max(from.stride, from.size) * item, to.count}, how);
        case vector_layout::interleaved:
            to.stride = to.count;
            return place(bytes_at(p.first),
                         {to.count * item, std::max(from.stride, to.count) * item, from.size}, how);
        case vector_layout::block_interleaved: {
            const index_t bytes = to.span_elements() * item;
            // The padding of a block lies between its elements: the output brings back what was there.
            return place(bytes_at(from.begin_of(p.first)), {bytes, bytes, 1},
                         how == traffic::out ? traffic::both : how);
        }
        default:
            throw unsupported_variant(
                "where.devices: unified vectors, which are woven into each other, are not split; expected "
                "another layout");
    }
}

vectors carrier::part_of(const vectors& all, part p, traffic how) {
    vectors out;
    out.data = carry(all.data, all, out, p, how);
    return out;
}
const_vectors carrier::part_of(const const_vectors& all, part p) {
    const_vectors out;
    out.data = carry(all.data, all, out, p, traffic::in);
    return out;
}

void* carrier::carry(const void* data, const raster& from, raster& to, traffic how) {
    to = from;
    to.pack();
    const index_t item = bytes_of(from.type), width = to.row_stride * item;
    if (data == nullptr || to.pixels() == 0) return nullptr;
    const block plane{width, std::max(width, from.row_stride * item), to.rows};
    const bool whole = (to.planes == 1 || from.plane_stride == from.rows * from.row_stride) &&
                       (to.images == 1 || from.image_stride == to.planes * from.rows * from.row_stride);
    if (whole) return place(data, {width, plane.pitch, to.rows * to.planes * to.images}, how);
    // Gaps between planes: one array on the device, a copy for each plane.
    auto* const device = static_cast<char*>(allocate(to.span_elements() * item));
    for (index_t k = 0; k < to.images * to.planes; ++k) {
        const index_t image = k / to.planes, at = k % to.planes;
        copy_in(static_cast<const char*>(data) + from.offset(image, at, 0) * item,
                device + to.offset(image, at, 0) * item, plane, how);
    }
    return device;
}

const_image_view carrier::copy_of(const const_image_view& images) {
    const_image_view out;
    out.data = carry(images.data, images, out, traffic::in);
    return out;
}
image_view carrier::copy_of(const image_view& images, traffic how) {
    image_view out;
    out.data = carry(images.data, images, out, how);
    return out;
}

void carrier::finish() const {
    api()->finish_stream(std::get<on_cuda>(where_));
}

void carrier::fetch() {
    const base::stopwatch watch;
    const on_cuda& on = std::get<on_cuda>(where_);
    for (const copy_back& o : outputs_)
        api()->copy_lines(on, o.host, o.shape.pitch, o.device, o.shape.width, o.shape.width, o.shape.lines);
    api()->finish_stream(on);
    seconds_ += watch.seconds();
}

const on_cuda* several(const execution& where) {
    const auto* on = std::get_if<on_cuda>(&where);
    if (on == nullptr || on->devices.empty()) return nullptr;
    if (on->stream != nullptr)
        base::refuse("where.stream", "is set beside where.devices", "none: each part has its own");
    const int there = require().device_count();
    for (std::size_t k = 0; k < on->devices.size(); ++k)
        if (on->devices[k] < 0 || on->devices[k] >= there)
            refuse("where.devices[" + std::to_string(k) + "]", "is " + std::to_string(on->devices[k]),
                   "0 to " + std::to_string(there - 1));
    return on;
}

std::vector<part> split_by_work(index_t count, std::size_t parts, index_t whole,
                                const std::function<double(index_t)>& work) {
    std::vector<double> before(static_cast<std::size_t>(count) + 1, 0);
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
        before[k + 1] = before[k] + 1 + work(static_cast<index_t>(k));  // a unit without work costs a little
    std::vector<part> out;
    index_t first = 0;
    for (std::size_t k = 1; k <= parts; ++k) {
        const double target = before.back() * static_cast<double>(k) / static_cast<double>(parts);
        const auto next = std::lower_bound(before.begin(), before.end(), target);
        index_t last = k == parts ? count : std::min<index_t>(count, next - before.begin());
        if (k < parts) last = std::min(count, (last + whole / 2) / whole * whole);
        if (last > first || (k == parts && out.empty())) out.push_back({first, std::max(first, last)});
        first = std::max(first, last);
    }
    return out;
}

namespace {

/// Throws `why` with the device named, by the class that callers catch.
[[noreturn]] void rethrow(const std::exception_ptr& why, int device) {
    const std::string name = "device " + std::to_string(device) + ": ";
    try {
        std::rethrow_exception(why);
    } catch (const out_of_memory& e) {
        throw out_of_memory(name + e.what(), e.on_device());
    } catch (const device_error& e) {
        throw device_error(name + e.what());
    } catch (const unsupported_variant& e) {
        throw unsupported_variant(name + e.what());
    } catch (const bad_argument& e) {
        throw bad_argument(name + e.what());
    }
}

struct crew {
    const on_cuda& where;
    std::vector<std::unique_ptr<carrier>> carriers;
    std::vector<std::exception_ptr> errors;
    std::function<void(std::size_t)> work;

    void run(std::function<void(std::size_t)> next) {
        work = std::move(next);
        base::run_on_pool(
            static_cast<int>(errors.size()),
            [](void* what, int k) {
                auto& c = *static_cast<crew*>(what);
                const auto i = static_cast<std::size_t>(k);
                try {
                    c.work(i);
                } catch (...) {
                    c.errors[i] = std::current_exception();
                }
            },
            this);
        for (std::size_t k = 0; k < errors.size(); ++k)
            if (errors[k]) rethrow(errors[k], where.devices[k]);
    }
};

}  // namespace

void run_parts(const on_cuda& where, std::span<const part> parts, const part_work& compute,
               std::vector<double>& transfers, const std::function<void(const for_all_parts&)>& together) {
    crew all{where, {}, std::vector<std::exception_ptr>(parts.size()), {}};
    all.carriers.resize(parts.size());
    all.run([&](std::size_t k) {
        all.carriers[k] = std::make_unique<carrier>(where.devices[k], where.time_on_device);
        compute(k, *all.carriers[k]);
    });
    if (together)
        together([&](const part_work& work) { all.run([&](std::size_t k) { work(k, *all.carriers[k]); }); });
    transfers.resize(parts.size());
    all.run([&](std::size_t k) { all.carriers[k]->fetch(); });
    all.run([&](std::size_t k) {  // by the threads too: the memory of a device is given back in many calls
        transfers[k] = all.carriers[k]->transfer_seconds();
        all.carriers[k].reset();
    });
}

void merge_run(report& all, const report& part) {
    if (part.variant != all.variant) all.variant.append("+").append(part.variant);
    if (part.device != all.device) all.device.append(", ").append(part.device);
    all.compute_seconds = std::max(all.compute_seconds, part.compute_seconds);
    all.transfer_seconds = std::max(all.transfer_seconds, part.transfer_seconds);
    all.work += part.work;
    all.bytes += part.bytes;
    all.iterations = std::max(all.iterations, part.iterations);
}

}  // namespace wale::cuda
