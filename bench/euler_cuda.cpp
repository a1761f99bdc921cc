// euler_cuda - the device's rows of flows beside the published schedule (cuda/one_pass, variable-major,
// blocks of 192, as Rodinia's own), each layout, place of constants and order of cells: one CSV line a case.
// The state is verified after the timing, on the data that was timed, against the host in double precision.
//   euler_cuda OUT.csv [CELLS [FILTER...]]     0 CELLS: both meshes; only cases whose names contain a FILTER,
//                                              such as "rodinia float32 cuda/fused packed"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>
#include <wale/wale.hpp>

#include "csv.hpp"
#include "timing.hpp"

namespace {

using namespace wale;
using bench::median;

bool is_published(const char* scheme) {
    return std::string_view(scheme) == "rodinia";
}

struct timed_case {
    const char* scheme;  // "rodinia", "default" or "first_order", which is the default but for its order
    scalar type;
    std::string variant;
    euler_layout layout = euler_layout::automatic;
    euler_constants constants = euler_constants::automatic;
    cell_order order = cell_order::natural;

    [[nodiscard]] std::string name() const {
        return std::string(scheme) + " " + wale::name_of(type) + " " + variant + " " + wale::name_of(layout) +
               " " + wale::name_of(constants) + " " + wale::name_of(order);
    }
    [[nodiscard]] euler_options options() const {
        euler_options o;
        if (is_published(scheme)) o.scheme = euler_scheme::rodinia();
        if (std::string_view(scheme) == "first_order") o.scheme.order = 1;
        o.precision = type;
        o.layout = layout;
        o.constants = constants;
        o.order = order;
        o.check_every = 0;
        return o;
    }
};

class table {
public:
    explicit table(const std::string& path)
        : file_(path,
                "scheme,cells,type,variant,layout,constants,order,"
                "us_an_iteration,peer_us,ratio,density_error,policy") {}
    void add(const timed_case& c, index_t cells, double us, double peer_us, double error,
             const std::string& policy) const {
        file_.add(c.scheme, cells, wale::name_of(c.type), c.variant, wale::name_of(c.layout),
                  wale::name_of(c.constants), wale::name_of(c.order), us, peer_us, peer_us / us, error,
                  policy);
    }

private:
    bench::csv_lines file_;
};

/// How long each case runs: some iterations to warm up, then `rounds` runs, of which the median counts.
struct schedule {
    index_t warm, run;
    int rounds = 3;
    [[nodiscard]] index_t all() const { return warm + run * rounds; }
};

class comparison {
public:
    comparison(const table& out, index_t cells, std::vector<std::string> filters)
        : out_(out),
          grid_(generate_mesh({.kind = mesh_kind::shell, .size = cells})),
          filters_(std::move(filters)) {}

    /// Whether all that ran was right.
    bool run() {
        bool good = true;
        for (const char* scheme : {"rodinia", "default", "first_order"})
            for (const scalar type : {scalar::f32, scalar::f64}) {
                std::vector<timed_case> all = cases(scheme, type);
                std::erase_if(all, [&](const timed_case& c) { return !wanted(c); });
                if (all.empty()) continue;
                peer_us_ = 0;
                if (is_published(scheme)) all.insert(all.begin(), published_schedule(type));
                for (const timed_case& c : all) good = compare(c) && good;
            }
        return good;
    }

private:
    [[nodiscard]] bool wanted(const timed_case& c) const {
        return filters_.empty() || std::ranges::any_of(filters_, [&](const std::string& f) {
                   return c.name().find(f) != std::string::npos;
               });
    }
    /// A recorded graph has 20 iterations; the schemes but the published one take long on the host.
    [[nodiscard]] schedule plan_of(const char* scheme) const {
        const bool large = grid_.cells() > 300000;
        return large || !is_published(scheme) ? schedule{20, 20} : schedule{200, 200};
    }
    static timed_case published_schedule(scalar type) {
        return {"rodinia", type, "cuda/one_pass", euler_layout::variable_major};
    }
    static std::vector<timed_case> cases(const char* scheme, scalar type) {
        std::vector<timed_case> all;
        for (const variant_info& v : variants("euler")) {
            if (v.operation != "advance" || v.where != backend::cuda) continue;
            all.push_back({scheme, type, v.name});
            if (!is_published(scheme)) continue;
            for (const euler_layout l : {euler_layout::cell_major, euler_layout::variable_major})
                all.push_back({scheme, type, v.name, l});
            for (const euler_constants k :
                 {euler_constants::constant_memory, euler_constants::parameters, euler_constants::compiled})
                all.push_back({scheme, type, v.name, euler_layout::automatic, k});
            for (const cell_order o :
                 {cell_order::random, cell_order::reverse_cuthill_mckee, cell_order::hilbert})
                all.push_back({scheme, type, v.name, euler_layout::automatic, euler_constants::automatic, o});
        }
        return all;
    }

    /// Densities after as many iterations, on the host in double precision: once for each scheme.
    const std::vector<double>& truth(const timed_case& c) {
        auto& densities = truth_[c.scheme];
        if (densities.empty()) {
            timed_case plain{c.scheme, scalar::f64, is_published(c.scheme) ? "cpu/one_pass" : "cpu/vectors"};
            euler_case flow(grid_, plain.options());
            (void)flow.run(on_cpu{}, plan_of(c.scheme).all(), plain.variant);
            for (const euler_state& s : flow.state()) densities.push_back(s[0]);
        }
        return densities;
    }

    bool compare(const timed_case& c) try {
        const schedule plan = plan_of(c.scheme);
        euler_case flow(grid_, c.options());
        std::string policy;
        std::vector<double> seconds;
        try {
            policy = flow.run(on_cuda{}, plan.warm, c.variant).run.policy;
        } catch (const unsupported_variant& e) {
            std::printf("%s: %s\n", c.name().c_str(), e.what());
            return true;
        }
        for (int k = 0; k < plan.rounds; ++k)
            seconds.push_back(
                flow.run(on_cuda{.time_on_device = true}, plan.run, c.variant).run.compute_seconds);
        double error = 0;
        const std::vector<double>& wanted = truth(c);
        const std::vector<euler_state>& state = flow.state();
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const double apart = std::fabs(state[i][0] - wanted[i]);
            error = apart <= error ? error : apart;  // NaN stays
        }
        if (!(error <= (c.type == scalar::f32 ? 5e-5 : 1e-11))) {
            std::printf("%s: density is off by %g\n", c.name().c_str(), error);
            return false;
        }
        const double us = 1e6 * median(seconds) / static_cast<double>(plan.run);
        if (peer_us_ == 0) peer_us_ = us;
        out_.add(c, flow.grid().cells(), us, peer_us_, error, policy);
        return true;
    } catch (const error& e) {
        std::printf("%s: %s\n", c.name().c_str(), e.what());
        return false;
    }

    const table& out_;
    mesh grid_;
    std::vector<std::string> filters_;
    double peer_us_ = 0;  // of the first case of a scheme and precision
    std::map<std::string, std::vector<double>> truth_;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: euler_cuda OUT.csv [CELLS [FILTER...]]\n");
        return 2;
    }
    try {
        const table out(argv[1]);
        const std::vector<std::string> filters(argv + std::min(argc, 3), argv + argc);
        bool good = true;
        for (const index_t cells : {97200, 1008600})
            if (argc < 3 || std::atoll(argv[2]) == 0 || std::atoll(argv[2]) == cells)
                good = comparison(out, cells, filters).run() && good;
        return good ? 0 : 1;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "euler_cuda: %s\n", e.what());
        return 1;
    }
}
