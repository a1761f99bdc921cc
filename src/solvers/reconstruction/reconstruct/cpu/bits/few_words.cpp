// few_words - images whose lines are a few words, of which a vector of eight would hold one line: swept down
// and up like the others, a line in registers.
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "cpu/poll.hpp"
#include "solvers/reconstruction/reconstruct/cpu/bits/bits.hpp"

namespace wale::reconstruction {
namespace {

constexpr int most_sweeps = 64;  // images that take more have a guard elsewhere

template <int Words>
class short_lines final : public few_words {
public:
    explicit short_lines(const bits_shape& shape) : shape_(shape), pitch_(shape.lines + 2 * shape.margin) {
        for (const bits_step& s : shape.steps)
            steps_[static_cast<std::size_t>(count_++)] = {s.units * pitch_ + s.lines, s.dilated};
        const auto size = static_cast<std::size_t>((shape.units + 2) * pitch_);
        mask_.resize(size);
        rising_.resize(size);
        open_.resize(size);
        wakeful_.resize(size);
    }

    int reconstruct(const reconstruct_job& job, index_t image) override {
        for_each_line([&](index_t unit, index_t line, std::size_t k) {
            load_line(job, image, unit, line, shape_, mask_[k].data(), rising_[k].data());
            open_[k] = !equal(mask_[k], {});
        });
        std::fill(wakeful_.begin(), wakeful_.end(), 0);
        awake_ = 0;
        for_each_line([&](index_t, index_t, std::size_t k) { visit(k, true); });
        int sweeps = 1;
        for (; awake_ > 0; ++sweeps) {
            if (sweeps == most_sweeps) return 0;
            cpu::poll();
            sweep(sweeps % 2 == 0);
        }
        for_each_line([&](index_t unit, index_t line, std::size_t k) {
            store_line(job, image, unit, line, shape_, mask_[k].data(), rising_[k].data());
        });
        return sweeps;
    }

private:
    using line_words = std::array<std::uint64_t, Words>;
    struct step {
        index_t lines;
        bool dilated;
    };

    /// Calls f(unit, line, place): lines of zeros are before and after those of a unit, and of the image.
    template <class F>
    void for_each_line(const F& f) const {
        for (index_t unit = 0; unit < shape_.units; ++unit)
            for (index_t line = 0; line < shape_.lines; ++line)
                f(unit, line, static_cast<std::size_t>((unit + 1) * pitch_ + line + shape_.margin));
    }

    /// Words in registers: the comparison of std::array calls a function.
    static bool equal(const line_words& a, const line_words& b) {
        std::uint64_t differing = 0;
        for (std::size_t w = 0; w < Words; ++w) differing |= a[w] ^ b[w];
        return differing == 0;
    }

    void sweep(bool down) {
        const std::size_t first = static_cast<std::size_t>(pitch_), last = wakeful_.size() - first;
        if (down)
            for (std::size_t k = first; k < last; ++k) {
                if (wakeful_[k] != 0) visit(k, false);
            }
        else
            for (std::size_t k = last; k-- > first;)
                if (wakeful_[k] != 0) visit(k, false);
    }

    /// Takes from the neighbours and fills runs; lines beside a line that rose are woken.
    void visit(std::size_t k, bool first) {
        awake_ -= wakeful_[k];
        wakeful_[k] = 0;
        const line_words& m = mask_[k];
        line_words r = given(k);
        std::uint64_t risen = 0, some = 0;
        for (std::size_t w = 0; w < Words; ++w) {
            r[w] = rising_[k][w] | (r[w] & m[w]);
            risen |= r[w] ^ rising_[k][w];
            some |= r[w];
        }
        if ((first ? some : risen) == 0) return;
        fill(m, r);
        if (equal(r, rising_[k])) return;
        rising_[k] = r;
        for (int n = 0; n < count_; ++n) wake(at(k, n));
    }

    [[nodiscard]] std::size_t at(std::size_t k, int n) const {
        return static_cast<std::size_t>(static_cast<index_t>(k) + steps_[static_cast<std::size_t>(n)].lines);
    }
    void wake(std::size_t k) {
        awake_ += open_[k] & ~wakeful_[k];
        wakeful_[k] |= open_[k];
    }

    [[nodiscard]] line_words given(std::size_t k) const {
        line_words plain = {}, wide = {};
        for (int n = 0; n < count_; ++n) {
            const line_words& from = rising_[at(k, n)];
            line_words& to = steps_[static_cast<std::size_t>(n)].dilated ? wide : plain;
            for (std::size_t w = 0; w < Words; ++w) to[w] |= from[w];
        }
        for (std::size_t w = 0; w < Words; ++w) {
            plain[w] |= wide[w] | wide[w] << 1 | wide[w] >> 1;
            if (w > 0) plain[w] |= wide[w - 1] >> 63;
            if (w + 1 < Words) plain[w] |= wide[w + 1] << 63;
        }
        return plain;
    }

    /// Fills the runs of m that hold a pixel of r.
    static void fill(const line_words& m, line_words& r) {
        std::uint64_t carry = 0;
        for (std::size_t w = 0; w < Words; ++w) {
            const std::uint64_t sum = m[w] + r[w], carried = sum + carry;
            carry = static_cast<std::uint64_t>(sum < m[w]) | static_cast<std::uint64_t>(carried < sum);
            r[w] |= (carried ^ m[w]) & m[w];
        }
        carry = 0;
        for (std::size_t w = Words; w-- > 0;) {
            std::uint64_t open = m[w], full = r[w] | (open & carry << 63);
            if ((full >> 1 & open & ~full) != 0)
                for (int far = 1; far < 64; far *= 2) {
                    full |= open & full >> far;
                    open &= open >> far;
                }
            r[w] = full;
            carry = full & 1;
        }
    }

    const bits_shape& shape_;
    index_t pitch_;  // lines of a unit, with those of zeros
    std::array<step, 8> steps_;
    int count_ = 0;
    std::vector<line_words> mask_, rising_;
    std::vector<std::uint8_t> open_, wakeful_;  // 1: has a mask; is to be visited
    index_t awake_ = 0;
};

}  // namespace

std::unique_ptr<few_words> few_words::of(const bits_shape& shape, index_t most) {
    if (shape.words > 4 || shape.units * shape.lines * shape.words > most) return nullptr;
    switch (shape.words) {
        case 1:
            return std::make_unique<short_lines<1>>(shape);
        case 2:
            return std::make_unique<short_lines<2>>(shape);
        case 3:
            return std::make_unique<short_lines<3>>(shape);
        default:
            return std::make_unique<short_lines<4>>(shape);
    }
}

}  // namespace wale::reconstruction
