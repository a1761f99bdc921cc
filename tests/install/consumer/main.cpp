// main - a program of somebody else's: it sees only the installed headers and library.
#include <iostream>
#include <wale/wale.hpp>

int main() {
    const auto result = wale::lcs_length(wale::on_cpu{}, "GATTACA", "TACGACA");
    std::cout << result.length << ' ' << result.run.variant << '\n';
    return result.length == 4 && !wale::variants("wavefront").empty() ? 0 : 1;
}
