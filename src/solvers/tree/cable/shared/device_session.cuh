// device_session - what the device's sessions share: clamps and probes by cell, launches of limited length,
// copies of samples and spikes to the host.
#pragma once

#include <algorithm>
#include <vector>

#include "cuda/device_array.cuh"
#include "solvers/tree/cable/job.hpp"
#include "solvers/tree/cable/shared/tuning.hpp"

namespace wale::tree {

struct device_clamp {
    double begin, end;  // [ms]
    double amplitude;   // [nA]
    int at;             // place in the session's memory
};
struct device_probe {
    int number, at;
};

/// The time steps of one launch, and where the launch writes samples and spikes.
struct launch_span {
    index_t first;  // step
    int steps;
    index_t every;
    double dt, threshold;
    int probes, capacity;  // of all cells; spikes of a probe: an upward crossing takes two steps
    double* samples;       // [rows][probes]
    double* spikes;        // [probes][capacity]
    int* spike_counts;     // [probes]
    int* diverged;         // the lowest cell

    __device__ double current(const device_clamp& c, int k) const {
        const double middle = (static_cast<double>(first + k) + 0.5) * dt;
        return middle >= c.begin && middle < c.end ? c.amplitude : 0;
    }
    /// After step k of the launch; as cable_steps::note.
    __device__ void note(int probe, int k, double before, double now) const {
        const index_t done = first + k + 1;
        if (before < threshold && now >= threshold)
            spikes[static_cast<index_t>(probe) * capacity + spike_counts[probe]++] =
                (static_cast<double>(done - 1) + (threshold - before) / (now - before)) * dt;
        if (done % every == 0) samples[(done / every - first / every - 1) * probes + probe] = now;
    }
};

using cuda::device_array;

/// Items of cell k are [starts[k], starts[k + 1]).
template <class T>
struct by_cell {
    device_array<int> starts;
    device_array<T> items;
    by_cell() = default;
    by_cell(const cuda::context& on, index_t cells, std::vector<std::pair<index_t, T>> all) {
        std::stable_sort(all.begin(), all.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<int> begin(static_cast<std::size_t>(cells) + 1, 0);
        std::vector<T> flat;
        for (const auto& [cell, item] : all) {
            ++begin[static_cast<std::size_t>(cell) + 1];
            flat.push_back(item);
        }
        for (std::size_t k = 1; k < begin.size(); ++k) begin[k] += begin[k - 1];
        starts = device_array<int>(on, begin);
        items = device_array<T>(on, flat);
    }
};

class device_session : public cable_session {
public:
    explicit device_session(const cable_job& job)
        : system_(*job.system), device_(std::get<on_cuda>(job.where).device) {}

    void step(const cable_steps& steps) override {
        const cuda::context on(steps.where);
        const auto probes = static_cast<index_t>(system_.probes.size());
        const index_t at_once = std::clamp<index_t>(
            cable_launch_bytes / (2 * static_cast<index_t>(sizeof(double)) * std::max<index_t>(probes, 1)), 1,
            std::min(cable_launch_steps, steps.count));
        const index_t capacity = at_once / 2 + 1;
        const cuda::scratch<double> samples(on, at_once * probes), spikes(on, capacity * probes);
        const cuda::scratch<int> counts(on, probes), diverged(on, 1);
        diverged.fill_bytes(0x7f);
        double seconds = 0;
        for (index_t done = 0; done < steps.count; done += at_once) {
            const index_t count = std::min(at_once, steps.count - done);
            const launch_span span{steps.first + done,
                                   static_cast<int>(count),
                                   system_.sample_every,
                                   system_.dt,
                                   system_.threshold,
                                   static_cast<int>(probes),
                                   static_cast<int>(capacity),
                                   samples.data(),
                                   spikes.data(),
                                   counts.data(),
                                   diverged.data()};
            counts.fill_bytes(0);
            cuda::timer watch(on);
            launch(on, span);
            seconds += watch.stop();
            collect(on, span, steps);
            ++steps.result->run.iterations;
        }
        int first = 0;
        diverged.to_host(&first);
        steps.result->diverged = first == 0x7f7f7f7f ? -1 : first;
        steps.result->run.compute_seconds = seconds;
        cudaDeviceProp facts{};
        cuda::check(cudaGetDeviceProperties(&facts, on.device()));
        steps.result->run.device = facts.name;
        steps.result->run.policy = policy();
    }

protected:
    virtual void launch(const cuda::context& on, const launch_span& span) = 0;
    [[nodiscard]] virtual std::string policy() const = 0;

    template <class Place>
    [[nodiscard]] by_cell<device_clamp> clamps(const cuda::context& on, Place&& place) const {
        std::vector<std::pair<index_t, device_clamp>> all;
        for (const cable_clamp& c : system_.clamps)
            all.push_back({c.cell, {c.delay, c.delay + c.duration, c.amplitude, place(c.compartment)}});
        return {on, system_.cells, std::move(all)};
    }
    template <class Place>
    [[nodiscard]] by_cell<device_probe> probes(const cuda::context& on, Place&& place) const {
        std::vector<std::pair<index_t, device_probe>> all;
        for (std::size_t p = 0; p < system_.probes.size(); ++p)
            all.push_back(
                {system_.probes[p].cell, {static_cast<int>(p), place(system_.probes[p].compartment)}});
        return {on, system_.cells, std::move(all)};
    }

    const cable_system& system_;
    int device_;

private:
    /// Samples and spikes of a launch, to their places in the result.
    void collect(const cuda::context& on, const launch_span& span, const cable_steps& steps) const {
        if (span.probes == 0) return;
        const index_t before = span.first / span.every;
        const index_t rows = (span.first + span.steps) / span.every - before;
        const index_t row = before - steps.first / span.every;
        if (rows > 0)
            cuda::check(cudaMemcpyAsync(steps.result->voltages.data() + row * span.probes, span.samples,
                                        static_cast<std::size_t>(rows * span.probes) * sizeof(double),
                                        cudaMemcpyDeviceToHost, on.stream()));
        const auto probes = static_cast<std::size_t>(span.probes);
        std::vector<int> counts(probes);
        cuda::check(cudaMemcpyAsync(counts.data(), span.spike_counts, probes * sizeof(int),
                                    cudaMemcpyDeviceToHost, on.stream()));
        on.synchronize();
        if (std::all_of(counts.begin(), counts.end(), [](int n) { return n == 0; })) return;
        std::vector<double> times(probes * static_cast<std::size_t>(span.capacity));
        cuda::check(cudaMemcpyAsync(times.data(), span.spikes, times.size() * sizeof(double),
                                    cudaMemcpyDeviceToHost, on.stream()));
        on.synchronize();
        for (std::size_t p = 0; p < probes; ++p) {
            const auto from = times.begin() + static_cast<std::ptrdiff_t>(p) * span.capacity;
            steps.result->spikes[p].insert(steps.result->spikes[p].end(), from, from + counts[p]);
        }
    }
};

}  // namespace wale::tree
