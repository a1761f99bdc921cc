// euler_steady - how soon a flow is steady: the published stepping beside the same scheme in space with local
// steps, and with multigrid; one CSV line a case and way. All end when the residual fell by as many decades;
// a way whose drag is another than the published one's is not printed. Times are processor times of one
// thread.
//   euler_steady OUT.csv [FILTER]      FILTER: only cases whose name contains it
#include <cmath>
#include <cstdio>
#include <string>
#include <wale/wale.hpp>

#include "cases.hpp"
#include "csv.hpp"
#include "timing.hpp"

namespace wale::bench {
namespace {

struct steady_case {
    std::string name;
    index_t size = 20'000;
    double mach = 1.2;
    double decades = 6;
    bool all_ways = true;  // or the first and the last alone
};

struct way {
    std::string name;
    std::string variant;
    euler_scheme scheme;
    index_t check_every = 10;
    index_t most = 1'000;  // iterations
};

std::vector<steady_case> cases() {
    std::vector<steady_case> all;
    for (const double mach : {1.2, 0.5}) {
        const std::string at = "-mach" + std::string(mach > 1 ? "1.2" : "0.5");
        all.push_back({"20k" + at, 20'000, mach});
        all.push_back({"20k-8decades" + at, 20'000, mach, 8, false});
        all.push_back({"100k" + at, 100'000, mach, 6, false});
        all.push_back({"200k" + at, 200'000, mach, 6, false});
    }
    return all;
}

/// The first is what the others are measured by, the fastest row's.
std::vector<way> ways() {
    const euler_scheme published = euler_scheme::rodinia();
    std::vector<way> all{{"published", "cpu/vectors", published, 100, 100'000},
                         {"published", "cpu/one_pass", published, 100, 100'000}};
    euler_scheme local;
    local.flux = euler_flux::rodinia;
    local.order = 1;
    local.cfl = 1.2;
    all.push_back({"local steps", "cpu/vectors", local, 100, 100'000});
    all.push_back({"local steps", "cpu/one_pass", local, 100, 100'000});
    for (const int levels : {2, 3, 4, 5}) {
        local.levels = levels;
        all.push_back({"multigrid " + std::to_string(levels), "cpu/one_pass", local});
    }
    return all;
}

struct outcome {
    euler_result result;
    double processor = 0;  // seconds
    double drag = 0;
};

outcome run(const mesh& m, const steady_case& c, const way& w) {
    euler_options o;
    o.stream.mach = c.mach;
    o.scheme = w.scheme;
    o.check_every = w.check_every;
    o.stop_decades = c.decades;
    euler_case flow(m, o);
    outcome out;
    const double start = processor_seconds();
    out.result = flow.run(on_cpu{1}, w.most, w.variant);
    out.processor = processor_seconds() - start;
    out.drag = out.result.history.back().drag;
    return out;
}

class steady_table {
public:
    explicit steady_table(const std::string& path)
        : file_(path,
                "case,cells,decades,way,variant,threads,iterations,drag,"
                "processor_s,processor_ms_an_iteration,published_processor_s,ratio") {}

    void add(const steady_case& c, index_t cells, const way& w, const outcome& o,
             const outcome& published) const {
        const auto iterations = static_cast<double>(o.result.iterations);
        const double ratio = published.processor / o.processor;
        file_.add(c.name, cells, c.decades, w.name, w.variant, o.result.run.threads, iterations, o.drag,
                  o.processor, 1e3 * o.processor / iterations, published.processor, ratio);
    }

private:
    csv_lines file_;
};

/// Whether all ways came to the published one's flow.
bool run(const steady_case& c, const steady_table& out) {
    const mesh m = generate_mesh({.kind = mesh_kind::shell, .size = c.size});
    const std::vector<way> all = ways();
    outcome published;
    bool good = true;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!c.all_ways && i > 0 && i + 1 < all.size()) continue;
        const outcome o = run(m, c, all[i]);
        if (i == 0) published = o;
        const bool right = o.result.end == euler_end::residual &&
                           std::fabs(o.drag - published.drag) <= 1e-5 * std::fabs(published.drag);
        if (right)
            out.add(c, m.cells(), all[i], o, published);
        else
            std::fprintf(stderr, "%s, %s by %s: ends by '%s' at drag %.9f\n", c.name.c_str(),
                         all[i].name.c_str(), all[i].variant.c_str(), name_of(o.result.end), o.drag);
        good = good && right;
    }
    return good;
}

}  // namespace
}  // namespace wale::bench

int main(int argc, char** argv) {
    using namespace wale::bench;
    return run_cases<steady_table>(argc, argv, cases(),
                                   [](const steady_case& c, const steady_table& out) { return run(c, out); });
}
