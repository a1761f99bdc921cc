// text_batch - texts are put end to end, and copied to a device that computes alone; several devices take
// batches from host memory.
#include "text_batch.hpp"

#include "backend.hpp"

namespace wale::cli {

text_batch::text_batch(const execution& where, const std::vector<std::string_view>& texts)
    : on_device_(backend_of(home_of(where)) == backend::cuda) {
    std::size_t size = 0;
    for (const std::string_view text : texts) size += text.size();
    text_.reserve(size);
    for (const std::string_view text : texts) {
        text_ += text;
        ends_.push_back(std::ssize(text_));
    }
    if (!on_device_) return;
    symbols_ = to_device(where, std::span<const char>(text_));
    offsets_ = to_device(where, std::span<const index_t>(ends_));
}

sequence_batch text_batch::view() const {
    const index_t count = std::ssize(ends_) - 1;
    if (on_device_) return {symbols_.data(), offsets_.data(), count, 1};
    return {text_.data(), ends_.data(), count, 1};
}

}  // namespace wale::cli
