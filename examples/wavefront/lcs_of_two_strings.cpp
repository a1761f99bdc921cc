// lcs_of_two_strings - the longest common subsequence of two texts, and where it lies in them.
#include <iostream>
#include <string>
#include <wale/wale.hpp>

int main() {
    const std::string a = "the quick brown fox jumps over the lazy dog";
    const std::string b = "a thick brown ox jumped over a lazy old dog";

    // The first argument says where to compute: best_execution() is the CUDA device, if there is one, else
    // the CPU. Host memory stays host memory here, so the CPU it is.
    const wale::lcs_string_result r = wale::lcs_string(wale::on_cpu{}, a, b);

    std::string common;
    for (const wale::index_t i : r.in_a) common += a[static_cast<std::size_t>(i)];
    std::cout << "a:      " << a << "\nb:      " << b << "\ncommon: " << common << '\n';
    std::cout << r.in_a.size() << " symbols, by " << r.run.variant << '\n';

    // The length alone needs less memory and time; the plain loops of on_reference are there to compare with.
    const auto fast = wale::lcs_length(wale::on_cpu{}, a, b).length;
    const auto plain = wale::lcs_length(wale::on_reference{}, a, b).length;
    return fast == plain && plain == std::ssize(common) ? 0 : 1;
}
