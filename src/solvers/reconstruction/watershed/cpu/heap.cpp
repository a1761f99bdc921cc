// heap - the flooding of any pixels: a binary heap by level, then by age.
#include <algorithm>

#include "solvers/reconstruction/watershed/shared/flood.hpp"

namespace wale::reconstruction {
namespace {

template <class T>
class heap_queue {
public:
    [[nodiscard]] bool empty() const { return items_.empty(); }

    void push(T value, waiting_pixel p) {
        items_.push_back({value, age_++, p});
        std::push_heap(items_.begin(), items_.end(), later);
    }

    [[nodiscard]] at_level<T> pop() {
        std::pop_heap(items_.begin(), items_.end(), later);
        const at_level<T> next{items_.back().value, items_.back().pixel};
        items_.pop_back();
        return next;
    }

private:
    struct item {
        T value;
        index_t age;
        waiting_pixel pixel;
    };
    static bool later(const item& a, const item& b) {
        return a.value != b.value ? b.value < a.value : b.age < a.age;
    }
    std::vector<item> items_;
    index_t age_ = 0;
};

void run(watershed_job& job) {
    visit(job.image.type, [&]<class T>() { flood_all<T, heap_queue<T>>(job); });
}

}  // namespace

extern constinit const catalogue::row<watershed_job> watershed_cpu_heap{"cpu/heap",
                                                                        "a binary heap, any pixels", run};

}  // namespace wale::reconstruction
