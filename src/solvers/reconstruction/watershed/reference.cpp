// reference - defines the watershed: a priority queue of pixels, and the rule as it is stated.
#include <queue>
#include <vector>

#include "cpu/poll.hpp"
#include "solvers/reconstruction/jobs.hpp"
#include "solvers/reconstruction/problem.hpp"

namespace wale::reconstruction {
namespace {

struct pixel_at {
    index_t plane, row, column;
};

template <class T>
struct waiting {
    T level;
    index_t age;
    pixel_at at;
    std::int32_t label;
    bool marked;
    bool operator<(const waiting& o) const {  // the greatest goes first
        return level != o.level ? o.level < level : o.age < age;
    }
};

template <class T>
T& at(const image_view& p, index_t number, pixel_at a) {
    return static_cast<T*>(p.data)[p.offset(number, a.plane, a.row) + a.column];
}
template <class T>
T at(const const_image_view& p, index_t number, pixel_at a) {
    return static_cast<const T*>(p.data)[p.offset(number, a.plane, a.row) + a.column];
}

template <class T>
class flooding {
public:
    flooding(const watershed_job& job, index_t number) : job_(job), number_(number) {
        const raster& r = job.image;
        open_.resize(static_cast<std::size_t>(r.planes * r.rows * r.columns));
        for (int far = 1; far <= job.reach; ++far)
            for_each_neighbour(r.rank, job.reach, [&](step s) {
                if ((s.plane != 0) + (s.row != 0) + (s.column != 0) == far) steps_.push_back(s);
            });
        for (index_t plane = 0; plane < r.planes; ++plane)
            for (index_t row = 0; row < r.rows; ++row)
                for (index_t column = 0; column < r.columns; ++column) begin({plane, row, column});
    }

    void run() {
        cpu::rare_poll poll(1 << 12);
        for (; !queue_.empty(); poll()) {
            const waiting<T> next = queue_.top();
            queue_.pop();
            if (!job_.line || settles(next)) spread(next);
        }
    }

private:
    std::size_t index(pixel_at a) const {
        return static_cast<std::size_t>((a.plane * job_.image.rows + a.row) * job_.image.columns + a.column);
    }
    std::int32_t& label(pixel_at a) const { return at<std::int32_t>(job_.labels, number_, a); }

    void begin(pixel_at a) {
        const bool open = job_.mask.data == nullptr || at<std::uint8_t>(job_.mask, number_, a) != 0;
        open_[index(a)] = open;
        label(a) = open ? at<std::int32_t>(job_.markers, number_, a) : 0;
        if (label(a) != 0) queue_.push({at<T>(job_.image, number_, a), age_++, a, label(a), true});
    }

    /// Calls f(neighbour) for those in the image and the mask, and not on a line.
    template <class F>
    void for_each_open(pixel_at a, const F& f) const {
        for (const step& s : steps_) {
            const pixel_at n{a.plane + s.plane, a.row + s.row, a.column + s.column};
            const bool inside = n.plane >= 0 && n.plane < job_.image.planes && n.row >= 0 &&
                                n.row < job_.image.rows && n.column >= 0 && n.column < job_.image.columns;
            if (inside && open_[index(n)]) f(n);
        }
    }

    /// With a line: the pixel takes its label, or comes to lie between two; false if either has happened
    /// before, since each neighbour that goes first has let the pixel wait once more. A pixel that spread
    /// each time would let its neighbours wait again in turn: as often as there are ways from a marker.
    bool settles(const waiting<T>& next) {
        if (!open_[index(next.at)] || (label(next.at) != 0 && !next.marked)) return false;
        bool meets = false;
        for_each_open(next.at,
                      [&](pixel_at n) { meets = meets || (label(n) != 0 && label(n) != next.label); });
        if (meets)
            open_[index(next.at)] = false;  // a marked pixel keeps its label
        else
            label(next.at) = next.label;
        return true;
    }

    void spread(const waiting<T>& from) {
        for_each_open(from.at, [&](pixel_at n) {
            if (label(n) != 0) return;
            if (!job_.line) label(n) = from.label;
            queue_.push({larger(at<T>(job_.image, number_, n), from.level), age_++, n, from.label, false});
        });
    }

    const watershed_job& job_;
    index_t number_;
    std::vector<bool> open_;
    std::vector<step> steps_;
    std::priority_queue<waiting<T>> queue_;
    index_t age_ = 0;
};

void run(watershed_job& job) {
    if (job.image.pixels() == 0) return;
    visit(job.image.type, [&]<class T>() {
        for (index_t number = 0; number < job.image.images; ++number) flooding<T>(job, number).run();
    });
}

}  // namespace

extern constinit const catalogue::row<watershed_job> watershed_reference_heap{
    "reference/heap", "a priority queue and the rule as it is stated: the reference", run};

}  // namespace wale::reconstruction
