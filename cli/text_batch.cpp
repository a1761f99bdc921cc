// text_batch - texts are put end to end, and copied to a device that computes alone; several devices take
// batches from host memory.
#include "text_batch.hpp"

#include "backend.hpp"

namespace wale::cli {

text_batch::text_batch(const execution& where, const std::vector<std::string_view>& texts)
    : on_device_(backend_of(home_of(where)) == backend::cuda),
      texts_(pack(std::vector<sequence_view>(texts.begin(), texts.end()))) {
    if (!on_device_) return;
    symbols_ = to_device(where, std::span<const std::uint8_t>(texts_.data));
    offsets_ = to_device(where, std::span<const index_t>(texts_.offsets));
}

sequence_batch text_batch::view() const {
    const sequence_batch here = texts_.view();
    return on_device_ ? sequence_batch{symbols_.data(), offsets_.data(), here.count, 1} : here;
}

}  // namespace wale::cli
