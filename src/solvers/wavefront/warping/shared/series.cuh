// series - series as kernels read them: in device memory, and packed for the lanes of a sweep.
#pragma once

#include <span>
#include <vector>

#include "cuda/uploaded.cuh"
#include "solvers/wavefront/warping/shared/lanes.cuh"

namespace wale::wavefront::warping {

/// One side of a call: numbers from device memory, offsets from both.
template <class T>
class device_side {
public:
    /// Copies what the host has, and refuses NaN and Inf in what the device has; the host's have been looked
    /// at.
    device_side(const cuda::context&, const char* name, const series_side&, index_t count,
                index_t dimensions);

    [[nodiscard]] index_t size(index_t k) const { return offsets_[k + 1] - offsets_[k]; }
    [[nodiscard]] index_t points() const { return offsets_[count_] - offsets_[0]; }
    [[nodiscard]] index_t count() const { return count_; }
    [[nodiscard]] index_t dimensions() const { return dimensions_; }
    /// Numbers of series k begin at data() + (offsets()[k] - offsets()[0]) * dimensions.
    [[nodiscard]] const T* data() const { return data_; }
    [[nodiscard]] const index_t* offsets() const { return on_device_.data(); }
    [[nodiscard]] double transfer_seconds() const { return seconds_; }

private:
    void refuse_what_is_not_finite(const cuda::context&, const char* name) const;

    const index_t* offsets_;  // of the host
    index_t count_, dimensions_;
    cuda::scratch<index_t> on_device_;
    cuda::scratch<T> copy_;
    const T* data_;
    double seconds_ = 0;
};

/// Rows of a table for strips of lanes * rows of them: (dimensions x rows x lanes) each, 0 below the last
/// row.
struct as_rows {
    int lanes, rows;
};
/// Columns of a table: (dimensions x pitch), infinity and then the points; a pitch is a multiple of `columns`
/// and more than the points.
struct as_columns {
    int columns;
};

/// Some series of a side, one behind the other, as rows or as columns of tables.
template <class T>
class packed_series {
public:
    packed_series(const cuda::context&, const device_side<T>&, const std::vector<index_t>& which, as_rows);
    packed_series(const cuda::context&, const device_side<T>&, const std::vector<index_t>& which, as_columns);

    /// Lanes may read `margin` numbers before the first series, and behind the last one as many and those of
    /// the longest one more: some lanes of a warp go on when others are done. These numbers are 0. No lane
    /// may meet a NaN, since costs of float64 keep its bits and a NaN of scratch memory may have the bits of
    /// the flags (strips_kernel.cuh).
    [[nodiscard]] const T* data() const { return data_.data() + margin; }
    /// Where each begins, of the device and of the host: as many as there are, and the end.
    [[nodiscard]] const index_t* begins() const { return on_device_.data(); }
    [[nodiscard]] index_t begin(std::size_t place) const { return begins_[place]; }
    /// The numbers of the series in the side, of the device.
    [[nodiscard]] const index_t* which() const { return which_.data(); }

private:
    static constexpr index_t margin = 8 * 2 * warp_size;  // columns of a tile; tiles
    [[nodiscard]] T* begin_packing(const cuda::context&) const;

    std::vector<index_t> begins_;
    cuda::uploaded<index_t> on_device_, which_;
    cuda::scratch<T> data_;
};

}  // namespace wale::wavefront::warping
