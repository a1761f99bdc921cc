// text_batch - one side of a batch of texts, end to end, where a backend can read it.
#pragma once

#include <string_view>
#include <vector>
#include <wale/buffer.hpp>
#include <wale/execution.hpp>
#include <wale/packed_sequences.hpp>

namespace wale::cli {

class text_batch {
public:
    text_batch(const execution& where, const std::vector<std::string_view>& texts);
    [[nodiscard]] sequence_batch view() const;

private:
    bool on_device_;
    packed_sequences texts_;
    buffer<std::uint8_t> symbols_;
    buffer<index_t> offsets_;
};

}  // namespace wale::cli
