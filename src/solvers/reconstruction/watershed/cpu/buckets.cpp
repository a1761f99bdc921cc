// buckets - the flooding of 8- and 16-bit pixels: the lowest level goes next, of equals the one that came
// first.
#include <algorithm>
#include <bit>

#include "solvers/reconstruction/watershed/shared/flood.hpp"

namespace wale::reconstruction {
namespace {

/// A first-in, first-out list for each value, and a bit for each list that is not empty.
/// All lists share one pool of nodes, so that the memory is that of the front only.
template <class T>
class bucket_queue {
public:
    [[nodiscard]] bool empty() const { return count_ == 0; }

    void push(T value, waiting_pixel p) {
        std::uint32_t at = free_;
        if (at != none) {
            free_ = nodes_[at].next;
            nodes_[at] = {p, none};
        } else {
            at = static_cast<std::uint32_t>(nodes_.size());
            nodes_.push_back({p, none});
        }
        list& l = lists_[value];
        if (l.first == none)
            l.first = at;
        else
            nodes_[l.last].next = at;
        l.last = at;
        words_[value / 64] |= std::uint64_t{1} << value % 64;
        lowest_ = std::min<std::size_t>(lowest_, value / 64);
        ++count_;
    }

    [[nodiscard]] at_level<T> pop() {
        while (words_[lowest_] == 0) ++lowest_;
        const std::size_t value = 64 * lowest_ + static_cast<std::size_t>(std::countr_zero(words_[lowest_]));
        list& l = lists_[value];
        const std::uint32_t at = l.first;
        l.first = nodes_[at].next;
        nodes_[at].next = free_;
        free_ = at;
        if (l.first == none) words_[lowest_] &= words_[lowest_] - 1;
        --count_;
        return {static_cast<T>(value), nodes_[at].pixel};
    }

private:
    static constexpr std::size_t values = std::size_t{1} << (8 * sizeof(T));
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    struct node {
        waiting_pixel pixel;
        std::uint32_t next;
    };
    struct list {
        std::uint32_t first = none, last = none;
    };
    std::vector<node> nodes_;
    std::vector<list> lists_ = std::vector<list>(values);
    std::vector<std::uint64_t> words_ = std::vector<std::uint64_t>(values / 64);
    std::size_t lowest_ = 0;  // no list of a lower word holds anything
    std::uint32_t free_ = none;
    index_t count_ = 0;
};

std::string refusal(const watershed_job& job) {
    return bytes_of(job.image.type) > 2 ? "needs 8- or 16-bit pixels" : "";
}

/// The lists of 16-bit values take 0.5 MB, which costs more to clear than a heap of few pixels.
bool suits(const watershed_job& job) {
    constexpr index_t few = 1 << 10;
    return job.image.type == pixel::u8 || job.image.pixels() >= few;
}

void run(watershed_job& job) {
    if (job.image.type == pixel::u16)
        flood_all<std::uint16_t, bucket_queue<std::uint16_t>>(job);
    else
        flood_all<std::uint8_t, bucket_queue<std::uint8_t>>(job);
}

}  // namespace

extern constinit const catalogue::row<watershed_job> watershed_cpu_buckets{
    "cpu/buckets", "a list for each value; 8- and 16-bit pixels", run, refusal, suits};

}  // namespace wale::reconstruction
