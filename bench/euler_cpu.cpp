// euler_cpu - flows on the CPU beside the published method's plain loops under OpenMP, in turn: one CSV line
// a case and variant. Each way goes on with its own flow for as many iterations as the others; their states
// are compared at the end.
//   euler_cpu euler_peers.csv [FILTER]      FILTER: only cases whose name contains it
#include <cstdio>
#include <string>
#include <wale/wale.hpp>

#include "cases.hpp"
#include "csv.hpp"
#include "published_flow.hpp"
#include "timing.hpp"

namespace wale::bench {
namespace {

struct flow_case {
    std::string name;
    index_t size = 97'200;
    bool shuffled = false;
    index_t iterations = 50;  // a turn
    int threads = 2;
    scalar precision = scalar::f32;
    std::vector<std::string> variants;
};

std::vector<flow_case> cases() {
    std::vector<flow_case> all;
    for (const scalar precision : {scalar::f32, scalar::f64})
        for (const int threads : {1, 2}) {
            const std::string which = std::string(name_of(precision)) + "-" + std::to_string(threads);
            all.push_back(
                {"97k-" + which, 97'200, false, 100, threads, precision, {"cpu/vectors", "cpu/one_pass"}});
            all.push_back({"97k-shuffled-" + which, 97'200, true, 100, threads, precision, {"cpu/vectors"}});
            all.push_back({"1m-" + which, 1'008'600, false, 20, threads, precision, {"cpu/vectors"}});
        }
    return all;
}

class flow_table {
public:
    explicit flow_table(const std::string& path)
        : file_(path,
                "case,cells,variant,policy,threads,ms_an_iteration,ns_a_cell,difference,"
                "peer_ms,ratio,processor_ms,peer_processor_ms,processor_ratio") {}

    /// Times are of an iteration, in seconds.
    void add(const flow_case& c, index_t cells, const report& run, double off, const taken (&each)[2]) const {
        const auto& [ours, peer] = each;
        const double ratio = peer.seconds / ours.seconds, effort = peer.processor / ours.processor;
        file_.add(c.name, cells, run.variant, run.policy, run.threads, 1e3 * ours.seconds,
                  1e9 * ours.seconds / static_cast<double>(cells), off, 1e3 * peer.seconds, ratio,
                  1e3 * ours.processor, 1e3 * peer.processor, effort);
    }

private:
    csv_lines file_;
};

template <class Real>
bool run(const flow_case& c, const flow_table& out) {
    mesh_recipe recipe;
    recipe.size = c.size;
    recipe.shuffled = c.shuffled;
    const mesh m = generate_mesh(recipe);
    euler_options o;
    o.scheme = euler_scheme::rodinia();
    o.precision = c.precision;
    o.check_every = 0;
    published_flow<Real> peer(m, o.stream, c.threads);
    std::vector<std::function<void()>> ways{[&] { peer.run(c.iterations); }};
    std::vector<euler_case> flows;
    std::vector<report> reports(c.variants.size());
    for (std::size_t i = 0; i < c.variants.size(); ++i) flows.emplace_back(m, o);
    for (std::size_t i = 0; i < c.variants.size(); ++i)
        ways.emplace_back(
            [&, i] { reports[i] = flows[i].run(on_cpu{c.threads}, c.iterations, c.variants[i]).run; });
    std::vector<taken> each = in_turn(ways);
    for (taken& t : each)
        t = {t.seconds / static_cast<double>(c.iterations), t.processor / static_cast<double>(c.iterations)};
    bool good = true;
    for (std::size_t i = 0; i < flows.size(); ++i) {
        const double off = peer.difference(flows[i].state());
        const bool right = off <= (c.precision == scalar::f32 ? 5e-5 : 1e-12);
        if (right)
            out.add(c, m.cells(), reports[i], off, {each[i + 1], each[0]});
        else
            std::fprintf(stderr, "%s %s is off by %g\n", c.name.c_str(), c.variants[i].c_str(), off);
        good = good && right;
    }
    return good;
}

}  // namespace
}  // namespace wale::bench

int main(int argc, char** argv) {
    using namespace wale::bench;
    return run_cases<flow_table>(argc, argv, cases(), [](const flow_case& c, const flow_table& out) {
        return c.precision == wale::scalar::f32 ? run<float>(c, out) : run<double>(c, out);
    });
}
