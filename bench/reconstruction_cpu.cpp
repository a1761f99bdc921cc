// reconstruction_cpu - reconstruction on the CPU beside ITK and Leptonica (linked here; each where it is
// there): one CSV line a case, ours and theirs in turn. Answers are compared pixel by pixel after the timing.
//   reconstruction_cpu OUT.csv IMAGE.png [SIDE]
#include <algorithm>
#include <cstdio>
#include <optional>
#include <wale/image_file.hpp>
#include <wale/wale.hpp>

#include "csv.hpp"
#include "reconstruction_peers.hpp"
#include "solvers/reconstruction/study/inputs.hpp"
#include "timing.hpp"

namespace {

using namespace wale;
using bench::grey_image;
using bench::median;
using bench::now;

constexpr int repeats = 5;
constexpr double dome_height = 40;

struct question {
    std::string name;
    bool holes = false;  // else h-domes
    int connectivity = 8;
};

class table {
public:
    explicit table(const std::string& path)
        : file_(path, "operation,size,variant,threads,median_s,peer,peer_median_s,ratio") {}
    void add(const std::string& operation, index_t side, const report& run, double ours,
             const std::string& peer, double theirs) const {
        file_.add(operation, side, run.variant, run.threads, ours, peer, theirs, theirs / ours);
    }

private:
    bench::csv_lines file_;
};

/// Ours with some threads and a peer, in turn; false if the answers differ.
template <class T>
bool compare(const table& out, const question& q, const grey_image<T>& image, const bench::peer<T>& peer,
             int threads) {
    std::vector<T> answer(image.pixels.size()), theirs;
    std::vector<double> our_seconds, their_seconds;
    const matrix_view<const T> in(image.pixels.data(), {image.rows, image.columns});
    const matrix_view<T> to(answer.data(), {image.rows, image.columns});
    const reconstruction_options options{.connectivity = q.connectivity};
    report run;
    for (int k = 0; k < repeats; ++k) {
        double start = now();
        run = q.holes
                  ? fill_holes(on_cpu{threads}, in, to, options).run
                  : h_domes(on_cpu{threads}, in, dome_height * (sizeof(T) == 2 ? 257 : 1), to, options).run;
        our_seconds.push_back(now() - start);
        if (k >= peer.repeats) continue;
        start = now();
        theirs = q.holes ? peer.fill_holes(image, q.connectivity)
                         : peer.h_domes(image, static_cast<T>(dome_height * (sizeof(T) == 2 ? 257 : 1)),
                                        q.connectivity);
        their_seconds.push_back(peer.inner_seconds ? *peer.inner_seconds : now() - start);
    }
    if (answer != theirs) {
        std::fprintf(stderr, "%s: Wale and %s differ\n", q.name.c_str(), peer.name.c_str());
        return false;
    }
    out.add(q.name, image.columns, run, median(our_seconds), peer.name, median(their_seconds));
    return true;
}

bool compare_bits(const table& out, const std::string& name, const bench::bit_image& marker,
                  const bench::bit_image& mask, int connectivity, int threads) {
    std::vector<std::uint32_t> answer(mask.words.size());
    const auto view_of = [&](const std::uint32_t* words) {
        return bits_of(matrix_view<const std::uint32_t>(words, {mask.rows, mask.row_words()}), mask.columns);
    };
    const image_view to =
        bits_of(matrix_view<std::uint32_t>(answer.data(), {mask.rows, mask.row_words()}), mask.columns);
    std::vector<double> our_seconds, their_seconds;
    report run;
    std::optional<std::vector<std::uint32_t>> theirs;
    for (int k = 0; k < repeats; ++k) {
        const double start = now();
        run = reconstruct(on_cpu{threads}, view_of(marker.words.data()), view_of(mask.words.data()), to,
                          {.connectivity = connectivity, .beyond = marker_beyond::clamp})
                  .run;
        our_seconds.push_back(now() - start);
        double seconds = 0;
        theirs = bench::leptonica_seed_fill(marker, mask, connectivity, seconds);
        if (!theirs) return true;
        their_seconds.push_back(seconds);
    }
    if (answer != *theirs) {
        std::fprintf(stderr, "%s: Wale and Leptonica differ\n", name.c_str());
        return false;
    }
    out.add(name, mask.columns, run, median(our_seconds), "leptonica", median(their_seconds));
    return true;
}

grey_image<std::uint8_t> pathology(const std::string& path, index_t side) {
    const image_file_data file =
        read_image(path, {.colour = colour_rule::luminance, .alpha = alpha_rule::drop});
    if (file.shape.type != pixel::u8 || file.shape.rank != 2)
        throw bad_input(path + ": expected a flat image of 8 bits");
    const auto* pixels = static_cast<const std::uint8_t*>(file.pixels.data());
    std::vector<std::uint8_t> tile(pixels, pixels + file.shape.pixels());
    for (std::uint8_t& v : tile) v = static_cast<std::uint8_t>(~v);  // dark tissue is high
    return {side, side,
            reconstruction::mirrored(tile, {1, file.shape.rows, file.shape.columns}, {1, side, side})};
}

template <class T>
bool compare_with_all(const table& out, const question& q, const grey_image<T>& image) {
    bool right = true;
    for (const bench::peer<T>& peer : bench::peers<T>())
        for (const int threads : {1, 2}) right = compare(out, q, image, peer, threads) && right;
    return right;
}

bool run(const table& out, const std::string& image_path, index_t side) {
    bool right = true;
    const grey_image<std::uint8_t> tissue = pathology(image_path, side);
    right = compare_with_all(out, {"pathology/h_domes/8", false, 8}, tissue) && right;
    right = compare_with_all(out, {"pathology/h_domes/4", false, 4}, tissue) && right;
    right = compare_with_all(out, {"pathology/fill_holes/8", true, 8}, tissue) && right;
    const auto wide = reconstruction::smooth_field({1, side, side}, 2, 1);
    const grey_image<std::uint16_t> field{side, side, wide};
    right = compare_with_all(out, {"field/fill_holes/u8", true, 8},
                             grey_image<std::uint8_t>{side, side, reconstruction::high_bytes(wide)}) &&
            right;
    right = compare_with_all(out, {"field/fill_holes/u16", true, 8}, field) && right;
    struct corridor {
        const char* name;
        std::vector<std::uint8_t> mask;
        int connectivity;
    };
    std::vector<std::uint8_t> bright(tissue.pixels.size());
    std::transform(tissue.pixels.begin(), tissue.pixels.end(), bright.begin(),
                   [](std::uint8_t v) { return static_cast<std::uint8_t>(v < 128 ? 0 : 255); });
    // No serpentine: Leptonica gives up after 40 passes, and its answer is wrong.
    for (const corridor& c :
         {corridor{"bits/pathology/8", bright, 8}, corridor{"bits/pathology/4", bright, 4},
          corridor{"bits/percolation/4", reconstruction::percolation({1, side, side}, 60, 1), 4}}) {
        const bench::bit_image mask = bench::packed(c.mask, side);
        // Sparse seeds: every 64th pixel of the mask's words; the corridors from their beginning only.
        bench::bit_image marker = mask;
        const bool sparse =
            c.connectivity == 8 || std::string_view(c.name).find("pathology") != std::string_view::npos;
        for (std::size_t w = 0; w < marker.words.size(); ++w)
            marker.words[w] &= sparse ? (w % 61 == 0 ? 1u : 0u) : (w == 0 ? 1u : 0u);
        for (const int threads : {1, 2})
            right = compare_bits(out, c.name, marker, mask, c.connectivity, threads) && right;
    }
    return right;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3 || argc > 4) {
        std::fprintf(stderr, "usage: reconstruction_cpu OUT.csv IMAGE.png [SIDE]\n");
        return 2;
    }
    try {
        const table out(argv[1]);
        return run(out, argv[2], argc > 3 ? std::stoll(argv[3]) : 4096) ? 0 : 1;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "reconstruction_cpu: %s\n", e.what());
        return 1;
    }
}
