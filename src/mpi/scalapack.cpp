// scalapack - calls of ScaLAPACK and its BLACS. Built into libwale_scalapack, the only file that knows them.
#include <algorithm>
#include <array>
#include <complex>

#include "mpi/scalapack_api.hpp"

extern "C" {
void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int columns);
void Cblacs_gridexit(int context);
void Cblacs_pinfo(int* rank, int* size);
void descinit_(int* descriptor, const int* m, const int* n, const int* mb, const int* nb, const int* row,
               const int* column, const int* context, const int* leading, int* info);
#define WALE_SCALAPACK(letter, T)                                                                        \
    void p##letter##getrf_(const int* m, const int* n, T* a, const int* ia, const int* ja,               \
                           const int* descriptor, int* pivots, int* info);                               \
    void p##letter##getrs_(const char* how, const int* n, const int* nrhs, const T* a, const int* ia,    \
                           const int* ja, const int* descriptor, const int* pivots, T* b, const int* ib, \
                           const int* jb, const int* b_descriptor, int* info);
WALE_SCALAPACK(s, float)
WALE_SCALAPACK(d, double)
WALE_SCALAPACK(c, std::complex<float>)
WALE_SCALAPACK(z, std::complex<double>)
#undef WALE_SCALAPACK
void openblas_set_num_threads(int count) __attribute__((weak));
}

namespace wale::mpi {
namespace {

/// One row of all processes, in the order of their ranks.
class process_row {
public:
    process_row() {
        int rank = 0, size = 1;
        Cblacs_pinfo(&rank, &size);
        Cblacs_get(0, 0, &context_);
        Cblacs_gridinit(&context_, "Row", 1, size);
    }
    process_row(const process_row&) = delete;
    process_row& operator=(const process_row&) = delete;
    ~process_row() { Cblacs_gridexit(context_); }

    /// `row_block`: rows of a block, which all lie in the one row of processes.
    [[nodiscard]] std::array<int, 9> describe(const scalapack_matrix& m, int row_block, int& info) const {
        std::array<int, 9> d{};
        const int first = 0, leading = std::max(1, m.leading);
        descinit_(d.data(), &m.rows, &m.columns, &row_block, &m.block, &first, &first, &context_, &leading,
                  &info);
        return d;
    }

private:
    int context_ = 0;
};

void use_threads(int count) {
    if (openblas_set_num_threads != nullptr) openblas_set_num_threads(count);
}

int factor(const scalapack_matrix& a, int* pivots) {
    const process_row all;
    const int one = 1;
    int info = 0;
    const auto d = all.describe(a, a.block, info);
    if (info != 0) return info;
    const auto run = [&]<class T>(T, auto getrf) {
        getrf(&a.rows, &a.columns, static_cast<T*>(a.own), &one, &one, d.data(), pivots, &info);
    };
    if (a.type == scalar::f32) run(float{}, psgetrf_);
    if (a.type == scalar::f64) run(double{}, pdgetrf_);
    if (a.type == scalar::c64) run(std::complex<float>{}, pcgetrf_);
    if (a.type == scalar::c128) run(std::complex<double>{}, pzgetrf_);
    return info;
}

int solve(const scalapack_matrix& a, const int* pivots, char how, const scalapack_matrix& b) {
    const process_row all;
    const int one = 1;
    int info = 0;
    const auto d = all.describe(a, a.block, info);
    if (info != 0) return info;
    const auto e = all.describe(b, a.block, info);
    if (info != 0) return info;
    const auto run = [&]<class T>(T, auto getrs) {
        getrs(&how, &a.rows, &b.columns, static_cast<const T*>(a.own), &one, &one, d.data(), pivots,
              static_cast<T*>(b.own), &one, &one, e.data(), &info);
    };
    if (a.type == scalar::f32) run(float{}, psgetrs_);
    if (a.type == scalar::f64) run(double{}, pdgetrs_);
    if (a.type == scalar::c64) run(std::complex<float>{}, pcgetrs_);
    if (a.type == scalar::c128) run(std::complex<double>{}, pzgetrs_);
    return info;
}

}  // namespace
}  // namespace wale::mpi

extern "C" __attribute__((visibility("default"))) const wale::mpi::scalapack_api* wale_scalapack_entry() {
    static const wale::mpi::scalapack_api api{WALE_VERSION, wale::mpi::use_threads, wale::mpi::factor,
                                              wale::mpi::solve};
    return &api;
}
