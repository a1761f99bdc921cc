// cases - main() of a program that times named cases: PROGRAM OUT.csv [FILTER...] runs the cases whose name
// contains one of them.
#pragma once

#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <vector>

namespace wale::bench {

template <class Table>
struct named_case {
    std::string name;
    std::function<bool(const Table&)> run;
};

/// run(case, table) returns whether the answer was right. Returns the exit code: 0 if all answers were right,
/// 1 otherwise, 2 for a wrong command line.
template <class Table, class Case, class Run>
int run_cases(int argc, char** argv, const std::vector<Case>& all, Run&& run) {
    const std::string path = argv[0];
    if (argc < 2) {
        std::fprintf(stderr, "usage: %s OUT.csv [FILTER...]\n", path.substr(path.rfind('/') + 1).c_str());
        return 2;
    }
    bool good = true;
    const auto guarded = [&](const std::string& name, auto&& work) {
        try {
            good = work() && good;
        } catch (const std::exception& e) {
            std::fprintf(stderr, "%s: %s\n", name.c_str(), e.what());
            good = false;
        }
    };
    guarded(path, [&] {
        const Table out(argv[1]);
        for (const Case& one : all)
            if (argc == 2 || std::any_of(argv + 2, argv + argc, [&](const char* filter) {
                    return one.name.find(filter) != std::string::npos;
                }))
                guarded(one.name, [&] { return run(one, out); });
        return true;
    });
    return good ? 0 : 1;
}

template <class Table>
int run_cases(int argc, char** argv, const std::vector<named_case<Table>>& all) {
    return run_cases<Table>(argc, argv, all, [](const auto& one, const Table& out) { return one.run(out); });
}

}  // namespace wale::bench
