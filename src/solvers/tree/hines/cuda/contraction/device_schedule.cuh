// device_schedule - a contraction's schedule in a device's memory, kept with the plan.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cuda/stream.cuh"
#include "solvers/tree/hines/shared/contraction/schedule.hpp"

namespace wale::tree {

/// Read-only numbers on the device that is current where it is made.
template <class T>
class device_array {
public:
    explicit device_array(std::span<const T> from) {
        if (from.empty()) return;
        void* memory = nullptr;
        cuda::check_allocation(cudaMalloc(&memory, from.size_bytes()),
                               static_cast<std::int64_t>(from.size_bytes()));
        data_.reset(static_cast<T*>(memory));
        cuda::check(cudaMemcpy(memory, from.data(), from.size_bytes(), cudaMemcpyHostToDevice));
    }
    [[nodiscard]] const T* data() const { return data_.get(); }

private:
    struct release {
        void operator()(T* p) const { (void)cudaFree(p); }
    };
    std::unique_ptr<T, release> data_;
};

struct contraction_level_on_device {
    explicit contraction_level_on_device(const contraction_level& level)
        : windows(level.windows),
          cells(level.cells),
          links(level.links),
          node(level.node),
          items(level.items),
          window_count(static_cast<int>(level.windows.size())),
          most_items(level.most_items),
          most_slots(level.most_slots),
          most_cells(level.most_cells) {}
    device_array<contraction_window> windows;
    device_array<contraction_cell> cells;
    device_array<contraction_link> links;
    device_array<std::int32_t> node;
    index_t items;
    int window_count, most_items, most_slots, most_cells;
};

struct contraction_on_device {
    explicit contraction_on_device(const contraction_schedule& schedule) {
        levels.reserve(schedule.levels.size());
        for (const contraction_level& level : schedule.levels) levels.emplace_back(level);
    }
    std::vector<contraction_level_on_device> levels;
};

}  // namespace wale::tree
