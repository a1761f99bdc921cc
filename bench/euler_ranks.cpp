// euler_ranks - a flow by the ranks of this mpirun beside the same flow by rank 0 alone, in turn: one CSV
// line a case. States are compared bit for bit after the timing.
//   mpirun -np N euler_ranks OUT.csv [CELLS] [ITERATIONS]
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <wale/euler.hpp>
#include <wale/mesh_tools.hpp>

#include "csv.hpp"
#include "timing.hpp"

namespace wale::bench {
namespace {

struct flow_case {
    const char* name;
    euler_scheme scheme;
    scalar precision;
};

euler_case made(const mesh& m, const flow_case& c, const ranks& group) {
    euler_options o;
    o.scheme = c.scheme;
    o.precision = c.precision;
    o.check_every = 0;
    o.group = group;
    return euler_case(m, o);
}

class bench {
public:
    bench(const char* path, index_t cells, index_t iterations)
        : world_(ranks::world()),
          mesh_(generate_mesh({.kind = mesh_kind::shell, .size = cells})),
          iterations_(iterations) {
        if (world_.rank() == 0)
            out_.emplace(path,
                         "scheme,precision,cells,ranks,policy,ms_per_iteration,"
                         "alone_ms_per_iteration,speedup");
    }

    void run(const flow_case& c) {
        euler_case shared = made(mesh_, c, world_);
        (void)shared.run(on_cpu{1}, 1, "ranks");
        std::vector<double> by_all, by_one;
        std::string policy;
        // One process is a group too: the same row, so the same loops and the same bits.
        run_ranks(1, [&](const ranks& self) {
            euler_case alone = made(mesh_, c, self);
            if (world_.rank() == 0) (void)alone.run(on_cpu{1}, 1, "ranks");
            for (int turn = 0; turn < 7; ++turn) {
                if (world_.rank() == 0) by_one.push_back(timed(alone, policy));
                (void)world_.any(false);  // the others wait until it is their turn
                by_all.push_back(timed(shared, policy));
            }
            const auto& answer = shared.state();
            if (world_.rank() == 0 && answer != alone.state())
                throw std::runtime_error(std::string(c.name) + ": ranks and one process differ");
        });
        if (world_.rank() == 0) print(c, policy, 1e3 * median(by_all), 1e3 * median(by_one));
    }

private:
    /// Seconds an iteration.
    double timed(euler_case& flow, std::string& policy) const {
        const double start = now();
        policy = flow.run(on_cpu{1}, iterations_, "ranks").run.policy;
        return (now() - start) / static_cast<double>(iterations_);
    }
    void print(const flow_case& c, const std::string& policy, double all, double one) const {
        const char* const type = c.precision == scalar::f32 ? "f32" : "f64";
        out_->add(c.name, type, mesh_.cells(), world_.size(), policy, all, one, one / all);
    }

    ranks world_;
    mesh mesh_;
    index_t iterations_;
    std::optional<csv_lines> out_;  // of rank 0
};

}  // namespace
}  // namespace wale::bench

int main(int argc, char** argv) {
    using namespace wale;
    if (argc < 2 || argc > 4) {
        std::fprintf(stderr, "usage: mpirun -np N euler_ranks OUT.csv [CELLS] [ITERATIONS]\n");
        return 2;
    }
    try {
        const index_t cells = argc > 2 ? std::atoll(argv[2]) : 97200;
        wale::bench::bench all(argv[1], cells, argc > 3 ? std::atoll(argv[3]) : 60);
        for (const scalar precision : {scalar::f32, scalar::f64}) {
            all.run({"rodinia", euler_scheme::rodinia(), precision});
            all.run({"hllc_1", {.flux = euler_flux::hllc, .order = 1}, precision});
            all.run({"hllc_2", {}, precision});
        }
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "euler_ranks: %s\n", e.what());
        ranks::world().abandon();
        return 1;
    }
}
