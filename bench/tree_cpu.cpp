// tree_cpu - chains on the CPU beside xGTSV in a loop, ours pivoted (as theirs) and not, in each layout; one
// system; many right sides of one matrix; solving with factors: one CSV line a case and peer, ours and theirs
// in turn. Answers are verified after the timing, on the data that was timed.
//   tree_cpu OUT.csv [FILTER]      FILTER: only cases whose name contains it
#include <algorithm>
#include <wale/wale.hpp>

#include "cases.hpp"
#include "cpu_peers.hpp"
#include "csv.hpp"
#include "timing.hpp"

namespace wale::bench {
namespace {

/// Backward errors in roundings beyond this are not printed.
constexpr double good_error = 30;
constexpr double rounding_of(scalar s) {
    return s == scalar::f32 ? 0x1p-24 : 0x1p-53;
}

/// One line of the result: ours beside a peer, timed in turn.
struct tree_line {
    std::string operation, layout;
    index_t size = 0, count = 0;  // unknowns of a system; systems
    std::string variant, policy;
    int threads = 1;
    double seconds = 0, words = 5;  // words that must move for each unknown
    int word_bytes = 8;
    double error = 0;  // backward error in roundings
    std::string peer;
    double peer_seconds = 0;
    double processor = 0, peer_processor = 0;  // least seconds of all threads: for machines with other work
};

class tree_table {
public:
    explicit tree_table(const std::string& path)
        : file_(path,
                "operation,layout,size,count,variant,threads,median_s,"
                "ns_per_unknown,gb_per_s,error_in_roundings,peer,peer_median_s,ratio,processor_least_s,"
                "peer_processor_least_s,processor_ratio,policy") {}
    void add(const tree_line& l) const {
        const double unknowns = static_cast<double>(l.size) * static_cast<double>(l.count);
        const double each = 1e9 * l.seconds / unknowns;
        const double rate = l.words * l.word_bytes / each;
        file_.add(l.operation, l.layout, l.size, l.count, l.variant, l.threads, l.seconds, each, rate,
                  l.error, l.peer, l.peer_seconds, l.peer_seconds / l.seconds, l.processor, l.peer_processor,
                  l.peer_processor / l.processor, l.policy);
    }

private:
    csv_lines file_;
};

struct chain_sort {
    index_t size, count;
    int threads;
    bool f32;
    vector_layout layout = vector_layout::flat;
    std::string variant = "automatic";
    bool periodic = false;
};

const char* layout_name(vector_layout l) {
    constexpr const char* names[] = {"flat", "interleaved", "block_interleaved", "unified"};
    return names[static_cast<int>(l)];
}

vector_shape shape_of(const chain_sort& c) {
    const scalar type = c.f32 ? scalar::f32 : scalar::f64;
    switch (c.layout) {
        case vector_layout::interleaved:
            return vector_shape::interleaved(type, c.size, c.count);
        case vector_layout::block_interleaved:
            return vector_shape::block_interleaved(type, c.size, c.count, c.f32 ? 128 : 64);
        case vector_layout::unified:
            return vector_shape::unified(type, c.size, c.count);
        default:
            return vector_shape::flat(type, c.size, c.count);
    }
}

/// The same systems flat, for the peer, and in the layout asked for. Diagonally dominant.
template <class T>
class chain_data {
public:
    explicit chain_data(const chain_sort& c) : c_(c), shape_(shape_of(c)) {
        for (int k = 0; k < 4; ++k) {
            flat_[k] = buffer<T>(c.size * c.count);
            const std::vector<T> r = random_numbers<T>(c.size * c.count + 1000 * k);
            for (index_t i = 0; i < c.size * c.count; ++i)
                flat_[k].data()[i] = r[static_cast<std::size_t>(i + 1000 * k)] + T(k == 1 ? 4 : 0);
        }
        theirs_ = buffer<T>(c.size * c.count);
        for (buffer<T>& b : destroyed_) b = buffer<T>(c.size * c.count);
        const bool woven = c.layout == vector_layout::unified;
        room_ = buffer<T>(shape_.span_elements() * (woven ? 1 : 5) + 8);
        for (int k = 0; k < 5; ++k)
            ours_[k] = room_.data() + (woven ? std::min(k, 3) : k * shape_.span_elements());
        if (c.layout != vector_layout::flat) {
            for (int k = 0; k < 4; ++k)
                for (index_t s = 0; s < c.count; ++s)
                    for (index_t i = 0; i < c.size; ++i)
                        ours_[k][shape_.at(s, i)] = flat_[k].data()[s * c.size + i];
            return;
        }
        for (int k = 0; k < 4; ++k) ours_[k] = flat_[k].data();
        ours_[4] = room_.data();
    }
    tridiagonal_result solve(wale::pivoting p) {
        tridiagonal_options o;
        o.variant = c_.variant;
        o.pivoting = p;
        o.periodic = c_.periodic;
        return tridiagonal_solve(on_cpu{c_.threads}, array(0), array(1), array(2), array(3), out(), o);
    }
    /// Solves once more, from the right sides, and asks plain flat loops.
    double error(wale::pivoting p) {
        for (index_t s = 0; s < c_.count; ++s)
            for (index_t i = 0; i < c_.size; ++i)
                ours_[3][shape_.at(s, i)] = flat_[3].data()[s * c_.size + i];
        solve(p);
        for (index_t s = 0; s < c_.count; ++s)
            for (index_t i = 0; i < c_.size; ++i) theirs_.data()[s * c_.size + i] = ours_[4][shape_.at(s, i)];
        tridiagonal_options o;
        o.periodic = c_.periodic;
        const vector_shape flat = vector_shape::flat(shape_.type, c_.size, c_.count);
        return tridiagonal_residual(on_cpu{}, {flat_[0].data(), flat}, {flat_[1].data(), flat},
                                    {flat_[2].data(), flat}, {flat_[3].data(), flat}, {theirs_.data(), flat},
                                    o) /
               rounding_of(shape_.type);
    }
    void peer_copying() { gtsv_preserving<T>(chains(), flat_[3].data(), c_.threads); }
    void restore() {
        for (int k = 0; k < 4; ++k)
            std::copy_n(flat_[k].data(), c_.size * c_.count, k == 3 ? theirs_.data() : destroyed_[k].data());
    }
    void peer_in_place() {
        gtsv_in_place<T>({destroyed_[0].data(), destroyed_[1].data(), destroyed_[2].data(), theirs_.data(),
                          c_.size, c_.count},
                         c_.threads);
    }
    void stream() { stream_of_five<T>(chains(), flat_[3].data(), c_.threads); }

private:
    flat_chains<T> chains() {
        return {flat_[0].data(), flat_[1].data(), flat_[2].data(), theirs_.data(), c_.size, c_.count};
    }
    const_vectors array(int k) const { return {ours_[k], shape_}; }
    vectors out() { return {ours_[4], shape_}; }

    chain_sort c_;
    vector_shape shape_;
    buffer<T> flat_[4], theirs_, destroyed_[3], room_;
    T* ours_[5];
};

template <class T>
bool compare_chains(const tree_table& out, const chain_sort& c) {
    chain_data<T> data(c);
    const double unknowns = static_cast<double>(c.size * c.count);
    const int repeats =
        std::max(1, static_cast<int>(1e5 / unknowns));  // rounds of a good part of a millisecond
    report none, partial;
    const auto often = [&](auto&& f) {
        return [=, &data]() {
            for (int i = 0; i < repeats; ++i) f();
        };
    };
    std::vector<taken> t = in_turn({often([&] { none = data.solve(pivoting::none).run; }),
                                    often([&] { partial = data.solve(pivoting::partial).run; }),
                                    often([&] { data.peer_copying(); }), often([&] { data.stream(); })});
    std::vector<double> wall, processor;
    for (int round = 0; round < 6; ++round) {  // what it destroys is restored off the clock
        taken spent{};
        for (int i = 0; i < repeats; ++i) {
            data.restore();
            const double start = now(), processor_start = processor_seconds();
            data.peer_in_place();
            spent.seconds += now() - start;
            spent.processor += processor_seconds() - processor_start;
        }
        wall.push_back(spent.seconds);
        processor.push_back(spent.processor);
    }
    t.push_back({median(wall), *std::ranges::min_element(processor)});
    bool good = true;
    for (const wale::pivoting p : {pivoting::none, pivoting::partial}) {
        const double error = data.error(p);
        good = good && error < good_error;
        const report& run = p == pivoting::none ? none : partial;
        tree_line l;
        l.operation = std::string(p == pivoting::none ? "chains" : "chains_pivoted") +
                      (c.periodic ? "_periodic" : "") + (c.f32 ? "_f32" : "_f64");
        l.layout = layout_name(c.layout);
        l.size = c.size;
        l.count = c.count;
        l.variant = run.variant;
        l.policy = run.policy;
        l.threads = c.threads;
        const taken& ours = t[p == pivoting::none ? 0 : 1];
        l.seconds = ours.seconds / repeats;
        l.processor = ours.processor / repeats;
        l.word_bytes = sizeof(T);
        l.error = error;
        if (!(error < good_error)) {
            std::printf("%s: error of %g roundings\n", l.operation.c_str(), error);
            continue;
        }
        for (const auto& [name, way] : {std::pair<const char*, std::size_t>{"gtsv with copies", 2},
                                        {"gtsv in place", 4},
                                        {"stream of 5 words", 3}}) {
            l.peer = name;
            l.peer_seconds = t[way].seconds / repeats;
            l.peer_processor = t[way].processor / repeats;
            out.add(l);
        }
    }
    return good;
}

std::vector<named_case<tree_table>> chain_cases() {
    std::vector<chain_sort> sorts;
    for (const bool f32 : {false, true}) {
        for (const vector_layout l : {vector_layout::flat, vector_layout::interleaved,
                                      vector_layout::block_interleaved, vector_layout::unified})
            for (const index_t n : {8, 32, 128, 1024})
                sorts.push_back({n, (index_t{1} << 22) / n, 2, f32, l});
        sorts.push_back({100, (index_t{1} << 22) / 100, 2, f32});
        sorts.push_back({128, (index_t{1} << 22) / 128, 1, f32});
        sorts.push_back({128, (index_t{1} << 24) / 128, 2, f32});
        sorts.push_back({128, (index_t{1} << 24) / 128, 2, f32, vector_layout::interleaved});
        sorts.push_back({128, (index_t{1} << 22) / 128, 2, f32, vector_layout::flat, "cpu/thomas"});
        for (const index_t n : {8, 100, 1024, 1 << 20}) {
            sorts.push_back({n, 1, 1, f32});
            sorts.push_back({n, 1, n > 10000 ? 2 : 1, f32, vector_layout::flat, "cpu/thomas"});
        }
    }
    std::vector<named_case<tree_table>> all;
    for (const chain_sort& c : sorts)
        all.push_back({std::string("chains_") + (c.f32 ? "f32/" : "f64/") + layout_name(c.layout) + "/" +
                           std::to_string(c.size) + "/" + std::to_string(c.count) + "/" +
                           std::to_string(c.threads) + "/" + c.variant,
                       [c](const tree_table& out) {
                           return c.f32 ? compare_chains<float>(out, c) : compare_chains<double>(out, c);
                       }});
    return all;
}

}  // namespace
}  // namespace wale::bench

int main(int argc, char** argv) {
    using namespace wale::bench;
    return run_cases<tree_table>(argc, argv, chain_cases());
}
