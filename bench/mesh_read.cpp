// mesh_read - mesh files through wale::read_mesh beside the same numbers through std::ifstream, in turn: one
// CSV line a format and number of threads. What was read is verified after the timing.
//   mesh_read OUT.csv [CELLS]      97200 cells without CELLS
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <wale/error.hpp>
#include <wale/execution.hpp>
#include <wale/mesh_file.hpp>
#include <wale/mesh_tools.hpp>

#include "csv.hpp"
#include "timing.hpp"

namespace {

using namespace wale;

/// What a program does that reads its mesh the plain way: no field is checked.
struct plain_records {
    std::vector<double> volume, normal;
    std::vector<int> neighbour;

    explicit plain_records(const std::string& path) {
        std::ifstream file(path);
        std::size_t cells = 0;
        file >> cells;
        volume.resize(cells);
        neighbour.resize(4 * cells);
        normal.resize(12 * cells);
        for (std::size_t c = 0; c < cells; ++c) {
            file >> volume[c];
            for (std::size_t k = 4 * c; k < 4 * c + 4; ++k) {
                file >> neighbour[k];
                for (std::size_t d = 3 * k; d < 3 * k + 3; ++d) file >> normal[d];
            }
        }
    }
};

bool same(const mesh& m, const plain_records& plain) {
    bool good = m.volume == plain.volume && m.normal.size() == plain.normal.size();
    for (std::size_t i = 0; good && i < plain.normal.size(); ++i)
        good = m.normal[i] * m.normal_scale == plain.normal[i];
    for (std::size_t r = 0; good && r < plain.neighbour.size(); ++r) {
        const int n = plain.neighbour[r];
        good = m.neighbour[r] == (n > 0 ? n - 1 : n == 0 ? -1 : -2);
    }
    return good;
}

/// A folder that goes with its files.
struct temporary_folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("wale_mesh_read." + std::to_string(getpid()));
    temporary_folder() { std::filesystem::create_directory(path); }
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
    ~temporary_folder() { std::filesystem::remove_all(path); }
};

struct way {
    mesh_format format;
    int threads;
    std::string path;
};

int run(const char* out_path, index_t cells) {
    const bench::csv_lines out(out_path,
                               "operation,cells,bytes,threads,median_s,mb_per_s,peer,peer_median_s,"
                               "ratio,processor_least_s,peer_processor_least_s,processor_ratio");
    const temporary_folder folder;
    const mesh shell = generate_mesh({.size = cells});
    std::vector<way> ways;
    for (const mesh_format f :
         {mesh_format::fvcorr, mesh_format::sac, mesh_format::su2, mesh_format::cache}) {
        const std::string path = (folder.path / name_of(f)).string();
        output_file file(path);
        write_mesh(file, shell, f);
        file.commit();
        const int all = available_threads();
        ways.push_back({f, all, path});
        if (f != mesh_format::sac && all > 1) ways.push_back({f, 1, path});
    }
    const std::string text = ways.front().path;
    std::vector<std::function<void()>> calls{[&] { const plain_records plain(text); }};
    for (const way& w : ways) calls.emplace_back([&w] { (void)read_mesh(w.path, {.threads = w.threads}); });
    const std::vector<bench::taken> times = bench::in_turn(calls, 20);

    const plain_records plain(text);
    const mesh rounded = read_mesh(text);
    bool good = same(rounded, plain);
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const way& w = ways[i];
        const mesh m = read_mesh(w.path, {.threads = w.threads});
        const bool verified = m.neighbour == shell.neighbour && m.opposite == shell.opposite &&
                              (w.format == mesh_format::fvcorr ? same(m, plain) : m.normal == shell.normal);
        good = good && verified;
        if (!verified) continue;
        const auto bytes = static_cast<double>(std::filesystem::file_size(w.path));
        const bench::taken &ours = times[i + 1], &theirs = times[0];
        out.add(std::string("read_") + name_of(w.format), shell.cells(), bytes, w.threads, ours.seconds,
                bytes / 1e6 / ours.seconds, "ifstream on fvcorr", theirs.seconds,
                theirs.seconds / ours.seconds, ours.processor, theirs.processor,
                theirs.processor / ours.processor);
    }
    return good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2 || argc > 3) {
        std::fprintf(stderr, "usage: mesh_read OUT.csv [CELLS]\n");
        return 2;
    }
    try {
        return run(argv[1], argc > 2 ? std::atoll(argv[2]) : 97200);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "mesh_read: %s\n", e.what());
        return 1;
    }
}
