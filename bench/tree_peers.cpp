// tree_peers - cuSPARSE's tridiagonal solvers behind one face.
#include "cuda_peers.hpp"

#include <cuda_runtime.h>
#include <cusparse.h>

#include <stdexcept>
#include <type_traits>
#include <wale/buffer.hpp>

namespace wale::bench {
namespace {

void check(cusparseStatus_t s) {
    if (s != CUSPARSE_STATUS_SUCCESS) throw std::runtime_error(cusparseGetErrorString(s));
}

/// One function of four, by the type of the elements.
template <class T, class S, class D, class C, class Z>
auto choose(S f32, D f64, C c64, Z c128) {
    if constexpr (std::is_same_v<T, float>)
        return f32;
    else if constexpr (std::is_same_v<T, double>)
        return f64;
    else if constexpr (std::is_same_v<T, cuComplex>)
        return c64;
    else
        return c128;
}
#define WALE_FOUR(after) cusparseS##after, cusparseD##after, cusparseC##after, cusparseZ##after

template <class T>
class sparse_peer : public chain_peer {
public:
    explicit sparse_peer(const vector_shape& s)
        : n_(static_cast<int>(s.size)), count_(static_cast<int>(s.count)) {
        check(cusparseCreate(&handle_));
    }
    sparse_peer(const sparse_peer&) = delete;
    sparse_peer& operator=(const sparse_peer&) = delete;
    ~sparse_peer() override { (void)cusparseDestroy(handle_); }

protected:
    void reserve(std::size_t bytes) {
        workspace_ = buffer<char>(static_cast<index_t>(bytes) + 128, memory_space::device);
    }
    void* workspace() const {  // from a multiple of 128 bytes, as the library asks
        const auto at = reinterpret_cast<std::uintptr_t>(workspace_.data());
        return workspace_.data() + (128 - at % 128) % 128;
    }
    int n_, count_;
    cusparseHandle_t handle_{};
    buffer<char> workspace_;
};

template <class T>
class interleaved_peer final : public sparse_peer<T> {
public:
    interleaved_peer(const vector_shape& s, int algorithm) : sparse_peer<T>(s), algorithm_(algorithm) {
        std::size_t bytes = 0;
        check(choose<T>(WALE_FOUR(gtsvInterleavedBatch_bufferSizeExt))(
            this->handle_, algorithm_, this->n_, nullptr, nullptr, nullptr, nullptr, this->count_, &bytes));
        this->reserve(bytes);
    }
    std::string name() const override { return "gtsvInterleavedBatch/" + std::to_string(algorithm_); }
    bool pivots() const override { return algorithm_ > 0; }
    void solve(void* lower, void* diagonal, void* upper, void* x) override {
        check(choose<T>(WALE_FOUR(gtsvInterleavedBatch))(
            this->handle_, algorithm_, this->n_, static_cast<T*>(lower), static_cast<T*>(diagonal),
            static_cast<T*>(upper), static_cast<T*>(x), this->count_, this->workspace()));
    }

private:
    int algorithm_;
};

template <class T>
class strided_peer final : public sparse_peer<T> {
public:
    explicit strided_peer(const vector_shape& s) : sparse_peer<T>(s), stride_(static_cast<int>(s.stride)) {
        std::size_t bytes = 0;
        check(choose<T>(WALE_FOUR(gtsv2StridedBatch_bufferSizeExt))(
            this->handle_, this->n_, nullptr, nullptr, nullptr, nullptr, this->count_, stride_, &bytes));
        this->reserve(bytes);
    }
    std::string name() const override { return "gtsv2StridedBatch"; }
    bool pivots() const override { return false; }
    void solve(void* lower, void* diagonal, void* upper, void* x) override {
        check(choose<T>(WALE_FOUR(gtsv2StridedBatch))(
            this->handle_, this->n_, static_cast<T*>(lower), static_cast<T*>(diagonal),
            static_cast<T*>(upper), static_cast<T*>(x), this->count_, stride_, this->workspace()));
    }

private:
    int stride_;
};

template <class T>
class single_peer final : public sparse_peer<T> {
public:
    single_peer(const vector_shape& s, bool pivots) : sparse_peer<T>(s), pivots_(pivots) {
        std::size_t bytes = 0;
        const auto ask = pivots ? choose<T>(WALE_FOUR(gtsv2_bufferSizeExt))
                                : choose<T>(WALE_FOUR(gtsv2_nopivot_bufferSizeExt));
        check(ask(this->handle_, this->n_, 1, nullptr, nullptr, nullptr, nullptr, this->n_, &bytes));
        this->reserve(bytes);
    }
    std::string name() const override { return pivots_ ? "gtsv2" : "gtsv2_nopivot"; }
    bool pivots() const override { return pivots_; }
    void solve(void* lower, void* diagonal, void* upper, void* x) override {
        const auto run = pivots_ ? choose<T>(WALE_FOUR(gtsv2)) : choose<T>(WALE_FOUR(gtsv2_nopivot));
        check(run(this->handle_, this->n_, 1, static_cast<T*>(lower), static_cast<T*>(diagonal),
                  static_cast<T*>(upper), static_cast<T*>(x), this->n_, this->workspace()));
    }

private:
    bool pivots_;
};

template <class T>
std::vector<std::unique_ptr<chain_peer>> peers_of(const vector_shape& s) {
    std::vector<std::unique_ptr<chain_peer>> all;
    if (s.layout == vector_layout::interleaved)
        for (const int algorithm : {0, 1, 2})
            all.push_back(std::make_unique<interleaved_peer<T>>(s, algorithm));
    if (s.layout == vector_layout::flat && s.count > 1) all.push_back(std::make_unique<strided_peer<T>>(s));
    if (s.layout == vector_layout::flat && s.count == 1)
        for (const bool pivots : {false, true}) all.push_back(std::make_unique<single_peer<T>>(s, pivots));
    return all;
}

}  // namespace

std::vector<std::unique_ptr<chain_peer>> make_chain_peers(const vector_shape& shape) {
    switch (shape.type) {
        case scalar::f32:
            return peers_of<float>(shape);
        case scalar::f64:
            return peers_of<double>(shape);
        case scalar::c64:
            return peers_of<cuComplex>(shape);
        default:
            return peers_of<cuDoubleComplex>(shape);
    }
}

}  // namespace wale::bench
