// lane - the streams of one device, the events that order them and those of other devices, and what a device
// holds of the matrix.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "cuda/blas.cuh"
#include "cuda/event.cuh"
#include "solvers/lu/factor/cuda/lookahead/panel_job.cuh"
#include "solvers/lu/factor/cuda/lookahead/trailing.cuh"

namespace wale::lu {

/// What a panel leaves for the exchange of rows and the triangle right of it.
template <class T>
struct panel_notes {
    T inverse[largest_block * inverse_size];
    std::int32_t from[largest_block], to[largest_block];
};

/// In memory of the device.
template <class T>
struct columns_of_device {
    execution where;
    T* a = nullptr;                   // [own columns][leading]
    std::array<T*, 2> arrived{};      // [widest group][leading]: panels of other devices, in turn
    panel_notes<T>* notes = nullptr;  // [panels]
    std::int32_t* sources = nullptr;  // [panels][rows]
    std::int32_t* later = nullptr;    // [panels][rows]
    std::int32_t* pivots = nullptr;   // [diagonal], of own panels
    T* solved = nullptr;              // panel_job::solved
    T* spare = nullptr;               // reorder_job::spare
};

/// The caller's stream has the products; `panels` runs before it where both have work.
template <class T>
struct device_lane {
    device_lane(const execution& where, std::size_t devices)
        : context(where),
          copies(devices),
          sent(devices),
          blas_next(context, panels.get()),
          blas_rest(context),
          products(context, trailing_products::as_stored, 0, 0, 0),
          report(context, factor_job{}) {}

    cuda::context context;
    cuda::priority_stream panels;
    std::vector<cuda::priority_stream> copies;  // to each device
    cuda::event factored;                       // the last group of own panels
    cuda::event next_ready;                     // columns of the group that is factored next
    cuda::event rest_done;                      // all own columns: the last product
    std::vector<cuda::event> sent;              // the last group of own panels is on that device
    cuda::blas blas_next, blas_rest;
    trailing<T> products;
    outcome_on_device report;
};

/// The lanes of all devices; whatever happens, the destructor waits for all that has been queued.
template <class T>
class device_lanes {
public:
    explicit device_lanes(const std::vector<columns_of_device<T>>& devices) {
        try {
            for (const columns_of_device<T>& d : devices)
                lanes_.push_back(std::make_unique<device_lane<T>>(d.where, devices.size()));
        } catch (...) {
            clear();
            throw;
        }
        for (const auto& lane : lanes_) lane->factored.order(lane->context.stream(), lane->panels.get());
    }
    device_lanes(const device_lanes&) = delete;
    device_lanes& operator=(const device_lanes&) = delete;
    ~device_lanes() {
        for (const auto& lane : lanes_) {
            (void)cudaStreamSynchronize(lane->panels.get());
            for (const cuda::priority_stream& copy : lane->copies) (void)cudaStreamSynchronize(copy.get());
            (void)cudaStreamSynchronize(lane->context.stream());
        }
        clear();
    }
    [[nodiscard]] device_lane<T>& operator[](std::size_t k) const { return *lanes_[k]; }
    [[nodiscard]] std::size_t size() const { return lanes_.size(); }

private:
    /// The last one first: each makes the device current that was so before.
    void clear() {
        while (!lanes_.empty()) lanes_.pop_back();
    }

    std::vector<std::unique_ptr<device_lane<T>>> lanes_;
};

}  // namespace wale::lu
