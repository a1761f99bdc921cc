// check - shapes, strides, overlap, memory spaces, pivots.
#include "solvers/lu/check.hpp"

#include <wale/buffer.hpp>

#include "base/argument.hpp"
#include "base/enumerator.hpp"
#include "cuda/reachable.hpp"

namespace wale::lu {

using base::refuse;
using base::text;

namespace {

constexpr index_t most_rows = 2147483647;  // pivots have 32 bits; such a matrix would have 2^64 bytes

void check_extent(const char* name, const char* what, index_t extent) {
    if (extent < 0 || extent > most_rows)
        refuse(name, "has " + text(extent) + " " + what, "0 to " + text(most_rows));
}

}  // namespace

void check_matrices(const execution& where, const char* name, const const_matrices& m, bool writable) {
    base::check_enumerator(name, "type", m.type, scalar::c128);
    base::check_enumerator(name, "order", m.order, storage_order::column_major);
    check_extent(name, "rows", m.rows);
    check_extent(name, "columns", m.columns);
    if (m.count < 0) refuse(name, "has " + text(m.count) + " matrices", "0 or more");
    if (m.leading < 0 || (m.lines() > 1 && m.leading < m.line_size()))
        refuse(name, "leading dimension is " + text(m.leading), "at least " + text(m.line_size()));
    (void)checked_bytes(m.lines(), m.leading);
    if (m.stride < 0 || (writable && m.count > 1 && m.stride < m.span_of_one()))
        refuse(name, "stride between matrices is " + text(m.stride), "at least " + text(m.span_of_one()));
    (void)checked_bytes(checked_bytes(m.count, m.stride), bytes_of(m.type));
    cuda::check_reachable(where, name, m.data, m.span_elements());
}

template <class M>
void check_batch(const execution& where, const char* name, const batch_of<M>& all, bool writable) {
    if (!all.listed()) return check_matrices(where, name, all.uniform(), writable);
    for (index_t i = 0; i < all.count(); ++i) {
        const std::string one = std::string(name) + "[" + text(i) + "]";
        check_matrices(where, one.c_str(), all[i], writable);
        if (all[i].count != 1) refuse(one, "holds " + text(all[i].count) + " matrices", "1");
        if (all[i].type != all.type())
            refuse(one, std::string("is ") + name_of(all[i].type),
                   std::string(name_of(all.type())) + " like the first");
    }
}

template <class M>
void check_square(const char* name, const batch_of<M>& all) {
    const auto check = [&](const std::string& one, const matrix_shape& m) {
        if (m.rows != m.columns)
            refuse(one, "is " + text(m.rows) + " x " + text(m.columns), "as many rows as columns");
    };
    if (!all.listed()) return check(name, all.uniform());
    for (index_t i = 0; i < all.count(); ++i) check(std::string(name) + "[" + text(i) + "]", all[i]);
}

template void check_batch(const execution&, const char*, const batch&, bool);
template void check_batch(const execution&, const char*, const const_batch&, bool);
template void check_square(const char*, const batch&);
template void check_square(const char*, const const_batch&);

void check_right_sides(const const_batch& factors, const char* name, const batch& b) {
    if (b.count() != factors.count())
        refuse(name, "has " + text(b.count()) + " matrices", text(factors.count()) + " like factors");
    if (b.count() > 0 && b.type() != factors.type())
        refuse(name, std::string("is ") + name_of(b.type()),
               std::string(name_of(factors.type())) + " like factors");
    const bool alike = !b.listed() && !factors.listed();  // then all have the shape of the first
    for (index_t i = 0; i < (alike ? std::min<index_t>(1, b.count()) : b.count()); ++i)
        if (b[i].rows != factors[i].rows)
            refuse(name, "has " + text(b[i].rows) + " rows", text(factors[i].rows) + " like factors");
}

void check_apart(const char* name, const const_matrices& a, const char* other, const const_matrices& b) {
    if (base::overlap(a.data, a.span_elements() * bytes_of(a.type), b.data,
                      b.span_elements() * bytes_of(b.type)))
        throw bad_argument(std::string(name) + ": overlaps " + other);
}

void check_pivots(const execution& where, const const_batch& factors, const std::int32_t* pivots) {
    if (pivots == nullptr) return;
    const auto* on = std::get_if<on_cuda>(&where);
    if (on != nullptr && on->devices.empty()) {
        cuda::check_reachable(where, "pivots", pivots,
                              factors.largest([](const const_matrices& m) { return m.diagonal(); }));
        return;
    }
    for (index_t i = 0; i < factors.count(); ++i) {
        const std::int32_t* own = pivots + factors.pivot_start(i);
        for (index_t k = 0; k < factors[i].diagonal(); ++k)
            if (own[k] < k || own[k] >= factors[i].rows)
                refuse("pivots[" + text(factors.pivot_start(i) + k) + "]", "is " + text(own[k]),
                       text(k) + " to " + text(factors[i].rows - 1));
    }
}

}  // namespace wale::lu
