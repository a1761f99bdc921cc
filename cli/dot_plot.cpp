// dot_plot - two sequences as an image: the words that both have, and the path of their alignment.
#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>
#include <wale/image_file.hpp>

#include "align.hpp"
#include "engine.hpp"

namespace wale::cli {
namespace {

constexpr index_t most_pixels = 1000, least_pixels = 400;  // of the longer side, but for tiny sequences
constexpr std::uint8_t paper = 255, dot = 170, ink = 0;

/// A word, and the pixel row or column where it is.
struct word_place {
    std::string_view word;
    index_t pixel;
    auto key() const { return std::tie(word, pixel); }
};

class plot {
public:
    explicit plot(const scored_pair& p) : pair_(p) {
        const index_t longer = std::max<index_t>({rows(), columns(), 1});
        scale_ = (longer + most_pixels - 1) / most_pixels;
        zoom_ = std::max<index_t>(1, least_pixels / longer);
        shape_.rows = std::max<index_t>(1, (rows() + scale_ - 1) / scale_ * zoom_);
        shape_.columns = std::max<index_t>(1, (columns() + scale_ - 1) / scale_ * zoom_);
        shape_.row_stride = shape_.columns;
        pixels_.assign(static_cast<std::size_t>(shape_.rows * shape_.columns), paper);
    }
    void draw_words();
    void draw_path();
    [[nodiscard]] const_image_view view() const { return {pixels_.data(), shape_}; }

private:
    [[nodiscard]] index_t rows() const { return std::ssize(pair_.query_symbols); }
    [[nodiscard]] index_t columns() const { return std::ssize(pair_.target_symbols); }
    [[nodiscard]] std::size_t word_size() const;
    [[nodiscard]] std::vector<word_place> words(std::string_view text, std::size_t size) const;
    void mark(index_t row, index_t column, std::uint8_t value) {
        for (index_t y = row * zoom_; y < (row + 1) * zoom_; ++y)
            for (index_t x = column * zoom_; x < (column + 1) * zoom_; ++x)
                pixels_[static_cast<std::size_t>(y * shape_.columns + x)] = value;
    }

    const scored_pair& pair_;
    index_t scale_ = 1, zoom_ = 1;  // letters a pixel, pixels a letter
    raster shape_{};
    std::vector<std::uint8_t> pixels_;
};

/// So long that words which unrelated texts share by chance make one dot in fifty pixels.
std::size_t plot::word_size() const {
    const std::set<char> letters(pair_.target_symbols.begin(), pair_.target_symbols.end());
    const double chance = 50.0 * static_cast<double>(scale_) * static_cast<double>(scale_);
    const double alphabet = static_cast<double>(std::max<std::size_t>(letters.size(), 2));
    return static_cast<std::size_t>(std::ceil(std::log(chance) / std::log(alphabet)));
}

/// Each word once for each pixel that it begins in, sorted.
std::vector<word_place> plot::words(std::string_view text, std::size_t size) const {
    std::vector<word_place> all;
    for (std::size_t k = 0; k + size <= text.size(); ++k)
        all.push_back({text.substr(k, size), static_cast<index_t>(k) / scale_});
    std::sort(all.begin(), all.end(),
              [](const word_place& x, const word_place& y) { return x.key() < y.key(); });
    const auto end = std::unique(all.begin(), all.end(),
                                 [](const word_place& x, const word_place& y) { return x.key() == y.key(); });
    all.erase(end, all.end());
    return all;
}

void plot::draw_words() {
    const std::size_t size = word_size();
    const std::vector<word_place> query = words(pair_.query_symbols, size),
                                  target = words(pair_.target_symbols, size);
    auto first = target.begin();  // of those that are not before the query's word
    for (const word_place& q : query) {
        while (first != target.end() && first->word < q.word) ++first;
        for (auto t = first; t != target.end() && t->word == q.word; ++t)
            for (std::size_t k = 0; k == 0 || (scale_ == 1 && k < size); ++k)
                mark(q.pixel + static_cast<index_t>(k), t->pixel + static_cast<index_t>(k), dot);
    }
}

void plot::draw_path() {
    index_t i = pair_.result.query_begin, j = pair_.result.target_begin;
    for (const alignment_run& run : pair_.result.path)
        for (index_t k = 0; k < run.length; ++k) {
            mark(std::min(i, rows() - 1) / scale_, std::min(j, columns() - 1) / scale_, ink);
            i += run.operation != 'D';
            j += run.operation != 'I';
        }
}

}  // namespace

void write_dot_plot(const align_options& o, const scored_pair& p) {
    plot image(p);
    image.draw_words();
    if (!p.query_symbols.empty() && !p.target_symbols.empty()) image.draw_path();
    write_image(o.dot_plot, image.view(),
                {.format = image_format::png, .inputs = {o.query_file, o.target_file}});
}

}  // namespace wale::cli
