// stack_axes - what the description of a TIFF says its pages are: planes of a volume, channels, times.
#pragma once

#include <string>
#include <string_view>
#include <wale/layout.hpp>

namespace wale::io {

/// Why `pages` pages are not the planes of one volume, by an ImageDescription of OME-XML or ImageJ, such as
/// "3 channels by OME"; empty where the description says that they are, or says nothing. A stack of colour
/// pixels counts pages by planes alone.
[[nodiscard]] std::string other_axes(std::string_view description, index_t pages);

}  // namespace wale::io
