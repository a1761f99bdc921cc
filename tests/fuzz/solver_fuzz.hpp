// solver_fuzz - the rows that `automatic` takes beside the reference, on what arbitrary bytes say: what the
// differential targets share.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>
#include <wale/execution.hpp>
#include <wale/report.hpp>

#include "fuzz/demand.hpp"
#include "variants/table.hpp"

namespace wale::fuzz {

/// Numbers from the bytes of an input, zeros behind its end.
class numbers_of {
public:
    numbers_of(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
    [[nodiscard]] unsigned byte() { return at_ < size_ ? data_[at_++] : 0; }
    /// From 0 to `count` - 1.
    [[nodiscard]] int below(int count) {
        return static_cast<int>((byte() << 8 | byte()) % static_cast<unsigned>(count));
    }
    /// Small whole numbers and halves, whose sums and products have few roundings; now and then large ones.
    [[nodiscard]] double number() {
        const unsigned b = byte();
        const double plain = (static_cast<int>(b) - 128) / 2.0;
        return b % 17 == 3 ? plain * 1e6 : plain;
    }
    [[nodiscard]] std::string text(std::size_t size, unsigned letters) {
        std::string all(size, '\0');
        for (char& c : all) c = static_cast<char>('A' + byte() % letters);
        return all;
    }
    [[nodiscard]] bool ended() const { return at_ >= size_; }

private:
    const std::uint8_t* data_;
    std::size_t size_, at_ = 0;
};

/// Runs a row that does not refuse; whether it ran.
template <class Row, class Job>
bool ran(const Row& row, Job& job, report& out) {
    if (!catalogue::refusal_of(row, job).empty()) return false;
    out.variant = row.name;
    row.run(job);
    return true;
}

}  // namespace wale::fuzz
