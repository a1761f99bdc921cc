// check - sizes, strides, overlap, memory spaces.
#include "solvers/tree/check.hpp"

#include <algorithm>
#include <wale/buffer.hpp>

#include "base/argument.hpp"
#include "base/enumerator.hpp"
#include "cuda/reachable.hpp"

namespace wale::tree {

using base::refuse;
using base::text;

namespace {

void check_starts(const char* name, const const_vectors& v) {
    if (v.layout != vector_layout::flat) refuse(name, "has starts", "them with the flat layout only");
    if (static_cast<index_t>(v.starts.size()) != v.count + 1)
        refuse(name, "has " + text(static_cast<index_t>(v.starts.size())) + " starts", text(v.count + 1));
    if (v.starts.front() != 0) refuse(std::string(name) + ".starts[0]", "is " + text(v.starts.front()), "0");
    for (std::size_t i = 1; i < v.starts.size(); ++i)
        if (v.starts[i] < v.starts[i - 1])
            refuse(std::string(name) + ".starts[" + text(static_cast<index_t>(i)) + "]",
                   "is " + text(v.starts[i]), "at least " + text(v.starts[i - 1]));
    if (v.starts.back() != v.size)
        refuse(name, "ends at " + text(v.starts.back()), "its size, " + text(v.size));
}

/// Elements from a vector, or a row, to the next; each layout has its own least stride.
void check_stride(const char* name, const const_vectors& v, bool writable) {
    const bool rows = v.layout == vector_layout::interleaved;
    const index_t least = rows ? v.count : writable || v.layout == vector_layout::unified ? v.size : 0;
    const bool matters = rows ? v.size > 1 : v.count > 1;
    if (v.layout == vector_layout::block_interleaved || v.ragged()) return;
    if (v.stride < 0 || (matters && v.stride < least))
        refuse(name, "stride is " + text(v.stride), "at least " + text(least));
}

}  // namespace

void check_vectors(const execution& where, const char* name, const const_vectors& v, bool writable,
                   const void* reachable) {
    base::check_enumerator(name, "type", v.type, scalar::c128);
    base::check_enumerator(name, "layout", v.layout, vector_layout::unified);
    if (v.size < 0) refuse(name, "has size " + text(v.size), "0 or more");
    if (v.count < 0) refuse(name, "has " + text(v.count) + " vectors", "0 or more");
    if (v.width < 1) refuse(name, "has width " + text(v.width), "1 or more");
    if (v.ragged()) check_starts(name, v);
    check_stride(name, v, writable);
    (void)checked_bytes(checked_bytes(std::max<index_t>(v.count, 1) + v.width, std::max(v.size, v.stride)),
                        vector_shape::unified_step * bytes_of(v.type));
    if (reachable == nullptr || v.data != reachable)
        cuda::check_reachable(where, name, v.data, v.span_elements());
}

void check_alike(const char* name, const vector_shape& v, const char* other, const vector_shape& w) {
    if (v.type != w.type)
        refuse(name, std::string("is ") + name_of(v.type), std::string(name_of(w.type)) + " like " + other);
    if (v.size != w.size) refuse(name, "has size " + text(v.size), text(w.size) + " like " + other);
    if (v.count != w.count)
        refuse(name, "has " + text(v.count) + " vectors", text(w.count) + " like " + other);
    if (v.layout != w.layout || v.stride != w.stride || v.width != w.width)
        refuse(name, "has another layout", std::string("that of ") + other);
    if (!std::ranges::equal(v.starts, w.starts))
        refuse(name, "has other starts", std::string("those of ") + other);
}

void check_chains(const chain_matrix& a) {
    check_alike("lower", a.lower, "diagonal", a.diagonal);
    check_alike("upper", a.upper, "diagonal", a.diagonal);
}

void check_right_sides(const chain_matrix& a, const vector_shape& rhs) {
    const vector_shape& m = a.shape();
    if (rhs.type != m.type)
        refuse("rhs", std::string("is ") + name_of(rhs.type),
               std::string(name_of(m.type)) + " like diagonal");
    if (m.count == 0 ? rhs.count != 0 : rhs.count % m.count != 0)
        refuse("rhs", "has " + text(rhs.count) + " vectors",
               "a multiple of the " + text(m.count) + " systems");
    if (!m.ragged() && !rhs.ragged()) {
        if (rhs.count > 0 && rhs.size != m.size)
            refuse("rhs", "has size " + text(rhs.size), text(m.size) + " like diagonal");
        return;
    }
    const index_t each = m.count == 0 ? 1 : rhs.count / m.count;
    for (index_t v = 0; v < rhs.count; ++v)
        if (rhs.size_of(v) != m.size_of(v / each))
            refuse("rhs", "vector " + text(v) + " has size " + text(rhs.size_of(v)),
                   text(m.size_of(v / each)) + " like its system");
}

bool overlap(const const_vectors& v, const const_vectors& w) {
    return base::overlap(v.data, v.span_elements() * bytes_of(v.type), w.data,
                         w.span_elements() * bytes_of(w.type));
}

void check_apart(const char* name, const const_vectors& v, const char* other, const const_vectors& w,
                 bool same) {
    if (same && v.data == w.data) return;
    if (v.layout == vector_layout::unified && w.layout == vector_layout::unified) return;  // woven on purpose
    if (overlap(v, w)) throw bad_argument(std::string(name) + ": overlaps " + other);
}

}  // namespace wale::tree
