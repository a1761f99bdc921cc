// device_hog SECONDS - keeps all multiprocessors busy for so long; says "busy" once the first kernel has run.
// Exit code 69 where there is no device.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "cuda/hog.hpp"

int main(int count, char** words) {
    const double seconds = count > 1 ? std::atof(words[1]) : 10;
    const auto begin = std::chrono::steady_clock::now();
    const auto passed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    bool said = false;
    while (!said || passed() < seconds) {
        for (int k = 0; k < 4; ++k)
            if (wale::agreement::queue_hog(2, 1024, 0, 5, nullptr) != cudaSuccess) return 69;
        if (cudaDeviceSynchronize() != cudaSuccess) return 69;
        if (!said) (void)(std::puts("busy"), std::fflush(stdout));
        said = true;
    }
    return 0;
}
