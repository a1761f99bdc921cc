// mpi_probe - run under mpirun: the transport of MPI by the rules of all transports. With an argument, the
// last rank goes without a word: all must end, none with 0.
#include <cstdio>
#include <exception>

#include "ranks/transport_checks.hpp"

int main(int count, char**) {
    try {
        const wale::ranks group = wale::ranks::world();
        wale::checks::expect(wale::ranks::launched(), "started by mpirun, and does not know it");
        wale::checks::expect(group.rank_on_host() == group.rank(), "one host, but other ranks on it");
        if (count > 1 && group.rank() == group.size() - 1) {
            group.abandon();
            return 3;
        }
        wale::checks::check_transport(group);
        if (group.rank() == 0) std::printf("%d ranks\n", group.size());
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
