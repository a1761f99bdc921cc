// neuron_spikes - when a neuron fires: a form from an SWC file, a current into its soma, the times of its
// spikes. usage: neuron_spikes neuron.swc
#include <cstdio>
#include <wale/wale.hpp>

int main(int count, char** words) {
    if (count != 2) {
        std::fprintf(stderr, "usage: neuron_spikes neuron.swc\n");
        return 2;
    }
    wale::cable_options options;
    options.membranes[0].fill(wale::cable_membrane::squid());  // channels in all regions
    options.clamps = {{wale::every_cell, 0, 5, 50, 1.5}};      // from 5 ms on, for 50 ms, 1.5 nA
    options.probes = {{0, 0}};                                 // the soma
    wale::cable cell(wale::cable_model(wale::read_swc(words[1])), options);
    const wale::cable_result seen = cell.run(wale::on_cpu{}, cell.steps_until(60));
    for (const double time : seen.spikes[0]) std::printf("spike at %.2f ms\n", time);
    return seen.diverged < 0 && seen.spikes[0].size() >= 3 ? 0 : 1;
}
