// devices - batches, one pair and one image in host memory, and flows, over several devices beside the same
// work on one: one CSV line a case. What the devices computed is compared with what one computed, of integers
// and flows bit for bit, or judged by its residual, after the timing.
//   devices OUT.csv [DEVICE,DEVICE...] [SCALE] [WHICH]
// Without a list: 0 alone, 0 twice, and 0 and 1 where a second one is there. Of a list the first 1, 2, 4 ...
// devices and all. WHICH: batches, objects (pairs and images), pairs, images, matrix, flows, or the start of
// a flow's name, such as flow_rodinia. Objects of SCALE 4: a pair of 16 million letters, one of 4 million for
// the distance, and an image of 65536 x 65536. compute_seconds is without the way of the arrays to the
// devices and back.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <wale/buffer.hpp>
#include <wale/error.hpp>
#include <wale/euler.hpp>
#include <wale/lu.hpp>
#include <wale/mesh_tools.hpp>
#include <wale/morphology.hpp>
#include <wale/search.hpp>
#include <wale/tridiagonal.hpp>
#include <wale/wavefront.hpp>

#include "csv.hpp"
#include "solvers/reconstruction/study/inputs.hpp"
#include "timing.hpp"

namespace wale::bench {
namespace {

using lists = std::vector<std::vector<int>>;

std::string text_of(const std::vector<int>& devices) {
    std::string text;
    for (const int d : devices) text.append(text.empty() ? "" : " ").append(std::to_string(d));
    return text;
}

/// Pinned, so that copies to several devices do not meet in the driver's staging memory.
template <class T>
buffer<T> drawn(index_t size, double low, double high) {
    buffer<T> out(size, memory_space::pinned);
    std::uint32_t state = 12345;
    for (T& v : out.span()) {
        state = state * 1664525 + 1013904223;
        v = static_cast<T>(low + (high - low) * state * 0x1p-32);
    }
    return out;
}

report with_policy(report run) {
    run.variant += " " + run.policy;
    return run;
}

class bench {
public:
    bench(const char* path, lists devices, int turns)
        : devices_(std::move(devices)),
          turns_(turns),
          out_(path,
               "case,count,size,devices,variant,seconds,compute_seconds,transfer_seconds,over_the_first") {}

    /// call(where) -> report; good(): whether the last answer is right; prepare() comes before each call and
    /// is not timed.
    template <class Call, class Good>
    void run(const char* name, index_t count, index_t size, const Call& call, const Good& good,
             bool by_device = false, const std::function<void()>& prepare = {}) {
        double first = 0;
        for (const std::vector<int>& devices : devices_) {
            const on_cuda where{.devices = devices, .time_on_device = true};
            std::vector<double> seconds;
            report last;
            for (int turn = 0; turn <= turns_; ++turn) {
                if (prepare) prepare();
                const double start = now();
                last = call(where);
                if (turn > 0) seconds.push_back(by_device ? last.compute_seconds : now() - start);
            }
            if (!good()) throw std::runtime_error(std::string(name) + ": a wrong answer");
            const double took = median(seconds);
            if (first == 0) first = took;
            out_.add(name, count, size, text_of(devices), last.variant, took, last.compute_seconds,
                     last.transfer_seconds, first / took);
        }
    }

private:
    lists devices_;
    int turns_;  // after one that is not counted
    csv_lines out_;
};

void pairs(bench& b, index_t count, index_t length) {
    const auto text = drawn<char>(2 * count * length, 0, 4);
    std::vector<index_t> offsets;
    for (index_t k = 0; k <= count; ++k) offsets.push_back(k * length);
    const sequence_batch x{text.data(), offsets.data(), count, 1},
        y{text.data() + count * length, offsets.data(), count, 1};
    buffer<std::int32_t> out(count, memory_space::pinned);
    std::vector<std::int32_t> right(static_cast<std::size_t>(count));
    (void)edit_distance(on_cpu{}, x, y, right);
    b.run(
        "edit_distance", count, length,
        [&](const on_cuda& where) { return edit_distance(where, x, y, out.span()).run; },
        [&] { return std::equal(right.begin(), right.end(), out.data()); });
}

void matrices_of(bench& b, index_t count, index_t n) {
    const matrix_shape s{.rows = n, .columns = n, .leading = n, .count = count, .stride = n * n};
    const auto original = drawn<double>(count * n * n, -1, 1);
    auto a = drawn<double>(count * n * n, -1, 1);
    buffer<std::int32_t> pivots(count * n, memory_space::pinned);
    b.run(
        "lu_factor", count, n,
        [&](const on_cuda& where) { return lu_factor(where, matrices(a.data(), s), pivots.data()).run; },
        [&] {
            return lu_residual_ratio(on_cpu{}, const_matrices(original.data(), s),
                                     const_matrices(a.data(), s), pivots.data()) < 30;
        },
        false, [&] { std::memcpy(a.data(), original.data(), a.span().size_bytes()); });
}

void chains(bench& b, index_t count, index_t n) {
    const vector_shape s = vector_shape::flat(scalar::f64, n, count);
    const auto lower = drawn<double>(count * n, -1, 1), middle = drawn<double>(count * n, 3, 4),
               upper = drawn<double>(count * n, -1, 1), right = drawn<double>(count * n, -1, 1);
    buffer<double> x(count * n, memory_space::pinned);
    const const_vectors l(lower.data(), s), d(middle.data(), s), u(upper.data(), s), r(right.data(), s);
    b.run(
        "tridiagonal", count, n,
        [&](const on_cuda& where) { return tridiagonal_solve(where, l, d, u, r, vectors(x.data(), s)).run; },
        [&] {
            return tridiagonal_residual(on_cpu{}, l, d, u, r, const_vectors(x.data(), s)) <=
                   good_backward_error(scalar::f64);
        });
}

/// 1 GiB to the devices: what their links carry.
void links(bench& b) {
    constexpr index_t bytes = index_t{1} << 30;
    const auto from = drawn<char>(bytes, 0, 4);
    b.run(
        "upload", 1, bytes,
        [&](const on_cuda& where) {
            const index_t part = bytes / std::ssize(where.devices);
            std::vector<buffer<char>> there;
            for (const int device : where.devices) there.emplace_back(part, memory_space::device, device);
            const double start = now();
            std::vector<std::thread> threads;
            for (std::size_t k = 0; k < there.size(); ++k)
                threads.emplace_back([&, k] {
                    copy_bytes(on_cuda{.device = where.devices[k]}, there[k].data(),
                               from.data() + part * static_cast<index_t>(k), part);
                });
            for (std::thread& t : threads) t.join();
            report run;
            run.variant = "copy";
            run.compute_seconds = now() - start;
            return run;
        },
        [] { return true; }, true);
}

/// Proteins of 50 to 650 letters that are searched for 64 queries of 400.
void proteins(bench& b, index_t count) {
    constexpr index_t queries = 64, length = 400;
    const auto letters = drawn<char>(queries * length + 700 * count, 0, 20);
    std::vector<char> text(letters.span().begin(), letters.span().end());
    for (char& c : text) c = "ARNDCQEGHILKMFPSTWYV"[static_cast<int>(c)];
    std::vector<index_t> of_queries, of_targets{queries * length};
    for (index_t k = 0; k <= queries; ++k) of_queries.push_back(k * length);
    for (index_t k = 0; k < count; ++k) of_targets.push_back(of_targets.back() + 50 + k * 7919 % 601);
    const sequence_batch x{text.data(), of_queries.data(), queries, 1},
        y{text.data(), of_targets.data(), count, 1};
    search_options options;
    options.path = false;
    std::vector<std::pair<index_t, index_t>> right, last;
    b.run(
        "search", queries, of_targets.back() - of_targets.front(),
        [&](const on_cuda& where) {
            const search_result found = search(where, x, y, options);
            last.clear();
            for (const auto& hits : found.hits)
                for (const search_hit& hit : hits) last.emplace_back(hit.target, hit.score);
            return found.run;
        },
        [&] {
            if (right.empty()) right = last;
            return last == right && !last.empty();
        });
}

/// The lengths of the LCS, or the distances, of one device and of several must be equal.
template <class Answer>
void pair_of(bench& b, const char* name, index_t length, const Answer& answer) {
    const auto text = drawn<char>(2 * length, 0, 4);
    const sequence_view x(text.data(), length, 1), y(text.data() + length, length, 1);
    index_t first = -1, last = -1;
    b.run(
        name, 1, length, [&](const on_cuda& where) { return answer(where, x, y, last); },
        [&] {
            if (first < 0) first = last;
            return last == first && last > 0 && last < length;
        });
}

void pairs_alone(bench& b, index_t scale) {
    pair_of(b, "lcs_length_of_one", 4'000'000 * scale,
            [](const on_cuda& where, sequence_view x, sequence_view y, index_t& last) {
                const auto r = lcs_length(where, x, y);
                last = r.length;
                return with_policy(r.run);
            });
    pair_of(b, "edit_distance_of_one", 1'000'000 * scale,
            [](const on_cuda& where, sequence_view x, sequence_view y, index_t& last) {
                const auto r = edit_distance(where, x, y);
                last = r.distance;
                return with_policy(r.run);
            });
}

/// Tissue in tiles, every other one turned over, whose edges are not where parts meet; the pixels of one
/// device and of several must be equal.
void image_alone(bench& b, index_t side) {
    using namespace reconstruction;
    const index_t part = std::min<index_t>(side, 2500);
    const image_size tile{.planes = 1, .rows = part, .columns = part};
    buffer<std::uint8_t> in(side * side, memory_space::pinned), out(side * side, memory_space::pinned);
    const std::vector<std::uint8_t> band = mirrored(blots(tile, 5), tile, {1, part, side});
    for (index_t row = 0; row < side; ++row) {
        const index_t within = row % part, from = row / part % 2 == 0 ? within : part - 1 - within;
        std::memcpy(in.data() + row * side, band.data() + from * side, static_cast<std::size_t>(side));
    }
    raster shape;
    shape.rows = shape.columns = side;
    shape.pack();
    std::vector<std::uint8_t> first;
    const auto good = [&] {
        if (first.empty()) first.assign(out.span().begin(), out.span().end());
        return std::memcmp(first.data(), out.data(), first.size()) == 0;
    };
    b.run(
        "fill_holes_of_one", 1, side,
        [&](const on_cuda& where) {
            return with_policy(fill_holes(where, {in.data(), shape}, {out.data(), shape}).run);
        },
        good);
    first.clear();
    b.run(
        "h_domes_of_one", 1, side,
        [&](const on_cuda& where) {
            return with_policy(h_domes(where, {in.data(), shape}, 40, {out.data(), shape}).run);
        },
        good);
}

void copy_by_threads(std::span<double> to, std::span<const double> from) {
    constexpr std::size_t parts = 16;
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < parts; ++k)
        threads.emplace_back([&, k] {
            const std::size_t begin = from.size() * k / parts, end = from.size() * (k + 1) / parts;
            std::memcpy(to.data() + begin, from.data() + begin, (end - begin) * sizeof(double));
        });
    for (std::thread& t : threads) t.join();
}

/// n x n by columns; the residual is judged on the first device.
void matrix_alone(bench& b, index_t n) {
    matrix_shape s{.order = storage_order::column_major, .rows = n, .columns = n, .leading = n};
    s.stride = n * n;
    const auto original = drawn<double>(n * n, -1, 1);
    buffer<double> a(n * n, memory_space::pinned);
    buffer<std::int32_t> pivots(n, memory_space::pinned);
    b.run(
        "lu_factor_of_one", 1, n,
        [&](const on_cuda& where) {
            return with_policy(lu_factor(where, matrices(a.data(), s), pivots.data()).run);
        },
        [&] {
            const on_cuda first{};
            const auto before = to_device<double>(first, original.span()),
                       after = to_device<double>(first, a.span());
            const auto order = to_device<std::int32_t>(first, pivots.span());
            return lu_residual_ratio(first, const_matrices(before.data(), s), const_matrices(after.data(), s),
                                     order.data()) < 30;
        },
        false, [&] { copy_by_threads(a.span(), original.span()); });
}

/// `iterations` of a flow a turn, on a shell of tetrahedra; seconds are of the devices, by events. The state
/// is that of one device, bit for bit.
void flow(bench& b, const char* name, index_t cells, index_t iterations, const euler_scheme& scheme,
          scalar precision) {
    euler_options o;
    o.scheme = scheme;
    o.precision = precision;
    o.check_every = 0;
    euler_case flow(generate_mesh({.kind = mesh_kind::shell, .size = cells}), o);
    const std::vector<euler_state> start = flow.state();
    std::vector<euler_state> first;
    std::vector<int> before;
    b.run(
        name, iterations, flow.grid().cells(),
        [&](on_cuda where) {
            if (where.devices != before) flow.set_state(start);
            before = where.devices;
            if (where.devices.size() == 1) {
                where.device = where.devices[0];
                where.devices.clear();
            }
            return with_policy(flow.run(where, iterations).run);
        },
        [&] {
            if (first.empty()) first = flow.state();
            return first == flow.state();
        },
        true);
}

void flows(bench& b, std::string_view which) {
    const auto wanted = [&](std::string_view name) { return which == "flows" || name.starts_with(which); };
    for (const char* name : {"flow_rodinia_1m_f32", "flow_rodinia_1m_f64"})
        if (wanted(name))
            flow(b, name, 1008600, 400, euler_scheme::rodinia(),
                 std::string_view(name).ends_with("64") ? scalar::f64 : scalar::f32);
    for (const char* name : {"flow_hllc_1m_f32", "flow_hllc_1m_f64", "flow_hllc_4m_f32"})
        if (wanted(name))
            flow(b, name, std::string_view(name).find("4m") < 20 ? 4034400 : 1008600, 60, {},
                 std::string_view(name).ends_with("64") ? scalar::f64 : scalar::f32);
}

lists asked(const char* text) {
    if (text == nullptr) {
        lists all{{0}, {0, 0}};
        try {
            (void)buffer<char>(1, memory_space::device, 1);
            all.push_back({0, 1});
        } catch (const error&) {  // there is one device
        }
        return all;
    }
    std::vector<int> list;
    std::stringstream words(text);
    for (std::string word; std::getline(words, word, ',');) list.push_back(std::atoi(word.c_str()));
    lists all;
    for (std::size_t n = 1; n < list.size(); n *= 2)
        all.emplace_back(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(n));
    all.push_back(list);
    return all;
}

int run(int count, char** words) {
    if (count < 2 || count > 5) {
        std::fprintf(stderr, "usage: devices OUT.csv [DEVICE,DEVICE...] [SCALE] [WHICH]\n");
        return 2;
    }
    const index_t scale = count > 3 ? std::max(1, std::atoi(words[3])) : 1;
    const std::string_view which = count > 4 ? words[4] : "";
    bench b(words[1], asked(count > 2 ? words[2] : nullptr), which.starts_with("flow") ? 5 : 3);
    if (which.empty() || which == "batches") {
        links(b);
        pairs(b, 20000 * scale, 1000);
        pairs(b, 4000 * scale, 10000);
        proteins(b, 100000 * scale);
        matrices_of(b, 2000 * scale, 128);
        chains(b, 4000 * scale, 4096);
    }
    if (which == "objects" || which == "pairs") pairs_alone(b, scale);
    if (which == "objects" || which == "images") image_alone(b, 16384 * scale);
    if (which == "matrix") {
        matrix_alone(b, 4096 * scale);
        matrix_alone(b, 8192 * scale);
    }
    if (which.empty() || which.starts_with("flow")) flows(b, which.empty() ? "flows" : which);
    return 0;
}

}  // namespace
}  // namespace wale::bench

int main(int count, char** words) {
    try {
        return wale::bench::run(count, words);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "devices: %s\n", e.what());
        return 1;
    }
}
