// cases - main() of a program that times named cases: PROGRAM OUT.csv [FILTER] runs the cases whose name
// contains FILTER.
#pragma once

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace wale::bench {

/// run(case, table) returns whether the answer was right. Returns the exit code: 0 if all answers were right,
/// 1 otherwise, 2 for a wrong command line.
template <class Table, class Case, class Run>
int run_cases(int argc, char** argv, const std::vector<Case>& all, Run&& run) {
    const std::string path = argv[0];
    const std::string program = path.substr(path.rfind('/') + 1);
    if (argc < 2 || argc > 3) {
        std::fprintf(stderr, "usage: %s OUT.csv [FILTER]\n", program.c_str());
        return 2;
    }
    try {
        const Table out(argv[1]);
        bool good = true;
        for (const Case& one : all)
            if (argc < 3 || one.name.find(argv[2]) != std::string::npos) good = run(one, out) && good;
        return good ? 0 : 1;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s: %s\n", program.c_str(), e.what());
        return 1;
    }
}

}  // namespace wale::bench
