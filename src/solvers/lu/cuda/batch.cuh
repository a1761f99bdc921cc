// batch - the matrices of a job as kernels see them: one shape and a stride, or a list in device memory.
#pragma once

#include <optional>
#include <vector>

#include "cuda/stream.cuh"
#include "solvers/lu/jobs.hpp"
#include "solvers/lu/problem.hpp"

namespace wale::lu {

template <class T>
struct device_matrix {
    T* data;
    index_t row_step, column_step;  // elements; one of them is 1
    index_t rows, columns;
    index_t pivot_start, row_start;  // where its pivots, its permutation begin
    [[nodiscard]] WALE_HD strided<T> elements() const { return {data, row_step, column_step}; }
    [[nodiscard]] WALE_HD index_t diagonal() const { return rows < columns ? rows : columns; }
};

/// Passed to kernels by value.
template <class T>
struct device_batch {
    device_matrix<T> first;  // of one shape; matrix i lies `stride` elements further
    index_t stride = 0;      // elements
    index_t count = 0;
    const device_matrix<T>* list = nullptr;  // or one each
    [[nodiscard]] WALE_HD device_matrix<T> operator[](index_t i) const {
        if (list != nullptr) return list[i];
        device_matrix<T> m = first;
        m.data += i * stride;
        m.pivot_start = i * first.diagonal();
        m.row_start = i * first.rows;
        return m;
    }
};

/// Owns the list on the device, where there is one. M: matrices or const_matrices; T: const for the latter.
template <class T>
class batch_on_device {
public:
    template <class M>
    batch_on_device(const cuda::context& c, const batch_of<M>& all)
        : list_(c, all.listed() ? all.count() : 0) {
        batch_.count = all.count();
        if (!all.listed()) {
            batch_.first = one(all.uniform(), 0, 0);
            batch_.stride = all.uniform().stride;
            return;
        }
        std::vector<device_matrix<T>> host;
        index_t rows = 0;
        for (index_t i = 0; i < all.count(); ++i) {
            host.push_back(one(all[i], all.pivot_start(i), rows));
            rows += all[i].rows;
        }
        if (host.empty()) return;
        // From pageable memory: the copy has left `host` when the call returns.
        cuda::check(cudaMemcpyAsync(list_.data(), host.data(), host.size() * sizeof(host[0]),
                                    cudaMemcpyHostToDevice, c.stream()));
        batch_.list = list_.data();
    }
    [[nodiscard]] const device_batch<T>& get() const { return batch_; }

private:
    template <class M>
    static device_matrix<T> one(const M& m, index_t pivots, index_t rows) {
        return {static_cast<T*>(m.data), m.row_step(), m.column_step(), m.rows, m.columns, pivots, rows};
    }
    cuda::scratch<device_matrix<T>> list_;
    device_batch<T> batch_;
};

}  // namespace wale::lu
