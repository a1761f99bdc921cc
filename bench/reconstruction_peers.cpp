// reconstruction_peers - ITK and Leptonica, each where it was found.
#include "reconstruction_peers.hpp"

#include <algorithm>
#include <chrono>

#ifdef WALE_WITH_ITK
#include <itkImage.h>
#include <itkReconstructionByDilationImageFilter.h>
#include <itkReconstructionByErosionImageFilter.h>
#endif
#ifdef WALE_WITH_LEPTONICA
#include <leptonica/allheaders.h>
#endif

namespace wale::bench {
namespace {

double last_seconds = 0;

template <class F>
auto timed(F&& f) {
    const auto start = std::chrono::steady_clock::now();
    auto result = f();
    last_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

/// image - h, not below 0.
template <class T>
std::vector<T> lowered(const std::vector<T>& image, T h) {
    std::vector<T> out(image.size());
    std::transform(image.begin(), image.end(), out.begin(),
                   [h](T v) { return v > h ? static_cast<T>(v - h) : T{0}; });
    return out;
}

template <class T>
std::vector<T> residue(const std::vector<T>& image, const std::vector<T>& cut) {
    std::vector<T> out(image.size());
    std::transform(image.begin(), image.end(), cut.begin(), out.begin(),
                   [](T a, T b) { return static_cast<T>(a - b); });
    return out;
}

/// The image on its border, `inside` elsewhere.
template <class T>
std::vector<T> framed(const grey_image<T>& image, T inside) {
    std::vector<T> out(image.pixels.size(), inside);
    for (index_t r = 0; r < image.rows; ++r)
        for (index_t c = 0; c < image.columns; ++c)
            if (r == 0 || c == 0 || r == image.rows - 1 || c == image.columns - 1) {
                const auto at = static_cast<std::size_t>(r * image.columns + c);
                out[at] = image.pixels[at];
            }
    return out;
}

#ifdef WALE_WITH_ITK
template <class T>
typename itk::Image<T, 2>::Pointer itk_image(const grey_image<T>& shape, const std::vector<T>& pixels) {
    auto image = itk::Image<T, 2>::New();
    typename itk::Image<T, 2>::SizeType size;
    size[0] = static_cast<itk::SizeValueType>(shape.columns);
    size[1] = static_cast<itk::SizeValueType>(shape.rows);
    image->SetRegions(size);
    image->Allocate();
    std::copy(pixels.begin(), pixels.end(), image->GetBufferPointer());
    return image;
}

template <class Filter, class T>
std::vector<T> itk_run(const grey_image<T>& image, const std::vector<T>& marker, int connectivity) {
    auto filter = Filter::New();
    filter->SetMarkerImage(itk_image(image, marker));
    filter->SetMaskImage(itk_image(image, image.pixels));
    filter->SetFullyConnected(connectivity == 8);
    timed([&] {
        filter->Update();
        return 0;
    });
    const T* first = filter->GetOutput()->GetBufferPointer();
    return {first, first + image.pixels.size()};
}

template <class T>
peer<T> itk_peer() {
    using itk_image = itk::Image<T, 2>;
    return {"itk", 3,
            [](const grey_image<T>& image, T h, int connectivity) {
                return residue(image.pixels,
                               itk_run<itk::ReconstructionByDilationImageFilter<itk_image, itk_image>>(
                                   image, lowered(image.pixels, h), connectivity));
            },
            [](const grey_image<T>& image, int connectivity) {
                return itk_run<itk::ReconstructionByErosionImageFilter<itk_image, itk_image>>(
                    image, framed(image, static_cast<T>(~T{0})), connectivity);
            },
            &last_seconds};
}
#endif

#ifdef WALE_WITH_LEPTONICA
using byte_image = grey_image<std::uint8_t>;

PIX* pix_of(const byte_image& shape, const std::vector<std::uint8_t>& pixels) {
    PIX* pix = pixCreate(static_cast<int>(shape.columns), static_cast<int>(shape.rows), 8);
    for (int r = 0; r < shape.rows; ++r) {
        l_uint32* line = pixGetData(pix) + static_cast<std::ptrdiff_t>(r) * pixGetWpl(pix);
        for (int c = 0; c < shape.columns; ++c)
            SET_DATA_BYTE(line, c, pixels[static_cast<std::size_t>(r * shape.columns + c)]);
    }
    return pix;
}

std::vector<std::uint8_t> leptonica_run(const byte_image& shape, const std::vector<std::uint8_t>& marker,
                                        const std::vector<std::uint8_t>& mask, int connectivity) {
    PIX* rising = pix_of(shape, marker);
    PIX* under = pix_of(shape, mask);
    timed([&] { return pixSeedfillGray(rising, under, connectivity); });
    std::vector<std::uint8_t> out(mask.size());
    for (int r = 0; r < shape.rows; ++r) {
        const l_uint32* line = pixGetData(rising) + static_cast<std::ptrdiff_t>(r) * pixGetWpl(rising);
        for (int c = 0; c < shape.columns; ++c)
            out[static_cast<std::size_t>(r * shape.columns + c)] =
                static_cast<std::uint8_t>(GET_DATA_BYTE(line, c));
    }
    pixDestroy(&rising);
    pixDestroy(&under);
    return out;
}

std::vector<std::uint8_t> inverted(std::vector<std::uint8_t> pixels) {
    for (std::uint8_t& v : pixels) v = static_cast<std::uint8_t>(~v);
    return pixels;
}

peer<std::uint8_t> leptonica_peer() {
    return {"leptonica", 3,
            [](const byte_image& image, std::uint8_t h, int connectivity) {
                return residue(image.pixels,
                               leptonica_run(image, lowered(image.pixels, h), image.pixels, connectivity));
            },
            [](const byte_image& image, int connectivity) {
                return inverted(leptonica_run(image, inverted(framed(image, std::uint8_t{255})),
                                              inverted(image.pixels), connectivity));
            },
            &last_seconds};
}

PIX* pix_of(const bit_image& bits) {
    PIX* pix = pixCreate(static_cast<int>(bits.columns), static_cast<int>(bits.rows), 1);
    for (int r = 0; r < bits.rows; ++r) {
        l_uint32* line = pixGetData(pix) + static_cast<std::ptrdiff_t>(r) * pixGetWpl(pix);
        for (int c = 0; c < bits.columns; ++c)
            if (bits.words[static_cast<std::size_t>(r * bits.row_words() + c / 32)] >> c % 32 & 1)
                SET_DATA_BIT(line, c);
    }
    return pix;
}
#endif

}  // namespace

bit_image packed(const std::vector<std::uint8_t>& pixels, index_t columns) {
    bit_image bits{std::ssize(pixels) / columns, columns, {}};
    bits.words.resize(static_cast<std::size_t>(bits.rows * bits.row_words()));
    for (index_t r = 0; r < bits.rows; ++r)
        for (index_t c = 0; c < columns; ++c)
            if (pixels[static_cast<std::size_t>(r * columns + c)] != 0)
                bits.words[static_cast<std::size_t>(r * bits.row_words() + c / 32)] |= std::uint32_t{1}
                                                                                       << c % 32;
    return bits;
}

template <>
std::vector<peer<std::uint8_t>> peers() {
    std::vector<peer<std::uint8_t>> all;
#ifdef WALE_WITH_LEPTONICA
    all.push_back(leptonica_peer());
#endif
#ifdef WALE_WITH_ITK
    all.push_back(itk_peer<std::uint8_t>());
#endif
    return all;
}

template <>
std::vector<peer<std::uint16_t>> peers() {
    std::vector<peer<std::uint16_t>> all;
#ifdef WALE_WITH_ITK
    all.push_back(itk_peer<std::uint16_t>());
#endif
    return all;
}

std::optional<std::vector<std::uint32_t>> leptonica_seed_fill(const bit_image& marker, const bit_image& mask,
                                                              int connectivity, double& seconds) {
#ifdef WALE_WITH_LEPTONICA
    PIX* seed = pix_of(marker);
    PIX* under = pix_of(mask);
    PIX* filled = timed([&] { return pixSeedfillBinary(nullptr, seed, under, connectivity); });
    seconds = last_seconds;
    std::vector<std::uint8_t> pixels;
    pixels.reserve(static_cast<std::size_t>(mask.rows * mask.columns));
    for (int r = 0; r < mask.rows; ++r) {
        const l_uint32* line = pixGetData(filled) + static_cast<std::ptrdiff_t>(r) * pixGetWpl(filled);
        for (int c = 0; c < mask.columns; ++c)
            pixels.push_back(static_cast<std::uint8_t>(GET_DATA_BIT(line, c)));
    }
    pixDestroy(&seed);
    pixDestroy(&under);
    pixDestroy(&filled);
    return packed(pixels, mask.columns).words;
#else
    (void)marker, (void)mask, (void)connectivity, (void)seconds;
    return std::nullopt;
#endif
}

}  // namespace wale::bench
