// window - finds what can be eliminated side by side, step after step, until only the nodes are left whose
// children lie in later windows.
#include "solvers/tree/hines/shared/contraction/window.hpp"

#include <algorithm>
#include <bit>

namespace wale::tree {
namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}
std::uint16_t word(int i) {
    return static_cast<std::uint16_t>(i);
}

}  // namespace

void contraction_window_maker::begin(std::int32_t first, std::int32_t end) {
    first_ = first;
    items_ = slots_ = end - first;
    parent_.assign(at(items_), -1);
    kids_.assign(at(items_), 0);
    kid_.assign(at(items_), -1);
    waiting_for_.assign(at(items_), 0);
    length_.assign(at(items_), 0);
    open_.assign(at(items_), 0);
    for (auto* v : {&live_, &outside_slot_}) v->clear();
    outside_.clear();
    waiting_.clear();
    steps_.clear();
    runs_.clear();
    sums_.clear();
    list_.clear();
    for (int i = 0; i < items_; ++i) {
        const std::int32_t item = first + i, p = all_.parent[at(item)];
        int& mine = parent_[at(i)];
        if (p >= first) {
            mine = p - first;
        } else if (p >= 0) {  // depth first: items of the same parent outside follow each other
            if (outside_.empty() || outside_.back() != p) {
                outside_.push_back(p);
                outside_slot_.push_back(-1);
            }
            mine = -1 - static_cast<int>(outside_.size());
        }
        open_[at(i)] = all_.last_child[at(item)] >= end;
        if (all_.sum(item)) {
            waiting_.push_back({mine, word(i | contraction_sum::plain)});
            if (mine >= 0) ++waiting_for_[at(mine)];
        } else {
            live_.push_back(i);
            if (mine >= 0) ++kids_[at(mine)];
        }
    }
}

bool contraction_window_maker::ready(int i) const {
    return !open_[at(i)] && waiting_for_[at(i)] == 0 && kids_[at(i)] <= 1;
}

void contraction_window_maker::measure_runs(int longest) {
    for (const int i : live_)
        if (parent_[at(i)] >= 0) kid_[at(parent_[at(i)])] = i;
    for (std::size_t k = live_.size(); k-- > 0;) {
        const int i = live_[k], below = kids_[at(i)] == 0 ? 0 : length_[at(kid_[at(i)])];
        length_[at(i)] = !ready(i) || below == longest ? 0 : below + 1;
    }
}

void contraction_window_maker::take_runs() {
    runs_of_step_.clear();
    for (const int i : live_) {
        if (length_[at(i)] == 0) continue;
        const int p = parent_[at(i)];
        if (p >= 0 && length_[at(p)] > 0) continue;  // not the first of its run
        int last = i;
        for (int k = 1; k < length_[at(i)]; ++k) last = kid_[at(last)];
        runs_of_step_.push_back({i, last, length_[at(i)], kids_[at(last)] == 0 ? -1 : kid_[at(last)]});
    }
    // Neighbouring workers should have runs of equal length.
    std::stable_sort(runs_of_step_.begin(), runs_of_step_.end(),
                     [](const chosen_run& a, const chosen_run& b) { return a.count > b.count; });
    for (const chosen_run& run : runs_of_step_) emit(run);
    std::erase_if(live_, [&](int i) { return length_[at(i)] > 0; });
}

void contraction_window_maker::emit(const chosen_run& run) {
    contraction_run r{word(run.top), word(run.count), contraction_run::none, contraction_run::none};
    if (run.bottom_node - run.top != run.count - 1) {
        r.first = word(static_cast<int>(list_.size()));
        r.count |= contraction_run::in_list;
        for (int k = 0, i = run.top; k < run.count; ++k, i = kid_[at(i)]) list_.push_back(word(i));
    }
    const int above = parent_[at(run.top)];
    if (run.below >= 0) {
        r.bottom = word(run.below);
        parent_[at(run.below)] = above;
    } else if (above >= 0) {
        --kids_[at(above)];
    }
    if (above != -1) {
        r.parent = word(above >= 0 ? above : slot_of(above));
        waiting_.push_back({above, word(run.top)});
        if (above >= 0) ++waiting_for_[at(above)];
    }
    runs_.push_back(r);
}

int contraction_window_maker::slot_of(int target) {
    if (target >= 0) return target;
    int& slot = outside_slot_[at(-2 - target)];
    if (slot < 0) slot = slots_++;
    return slot;
}

void contraction_window_maker::put_sum(int target, const contribution* begin, const contribution* end) {
    contraction_sum sum{word(target), {contraction_sum::none, contraction_sum::none, contraction_sum::none}};
    for (const contribution* c = begin; c < end; ++c) sum.source[c - begin] = c->source;
    sums_.push_back(sum);
}

/// The contributions to one target, in their order: all of them, or threes of them into accumulators, which
/// wait for the next step.
void contraction_window_maker::add_group(const contribution* begin, const contribution* end) {
    const int target = begin->target;
    int still = 0;
    if (end - begin <= 3) {
        put_sum(slot_of(target), begin, end);
    } else {
        for (const contribution* c = begin; c < end; c += 3, ++still) {
            const contribution* to = std::min(c + 3, end);
            contribution sum = *c;
            if (to - c > 1) {
                const bool reuse = (c->source & contraction_sum::plain) != 0;
                const int slot = reuse ? c->source & ~contraction_sum::plain : slots_++;
                put_sum(slot, c + (reuse ? 1 : 0), to);
                sum.source = word(slot | contraction_sum::plain);
            }
            left_.push_back(sum);
        }
    }
    if (target >= 0) waiting_for_[at(target)] = still;
}

void contraction_window_maker::take_sums() {
    std::stable_sort(waiting_.begin(), waiting_.end(),
                     [](const contribution& a, const contribution& b) { return a.target < b.target; });
    left_.clear();
    const contribution* const end = waiting_.data() + waiting_.size();
    for (const contribution* c = waiting_.data(); c < end;) {
        const contribution* to = c;
        while (to < end && to->target == c->target) ++to;
        add_group(c, to);
        c = to;
    }
    waiting_.swap(left_);
}

void contraction_window_maker::finish() {
    const int runs = static_cast<int>(runs_.size()), before = steps() + runs;
    cells_.clear();
    for (contraction_step s : steps_) {
        for (std::uint16_t* run : {&s.run, &s.runs_end}) *run = word(*run + steps());
        for (std::uint16_t* sum : {&s.sum, &s.sums_end}) *sum = word(*sum + before);
        cells_.push_back(std::bit_cast<contraction_cell>(s));
    }
    for (const contraction_run& r : runs_) cells_.push_back(std::bit_cast<contraction_cell>(r));
    for (const contraction_sum& s : sums_) cells_.push_back(std::bit_cast<contraction_cell>(s));
    list_cell_ = static_cast<int>(cells_.size());
    list_.resize((list_.size() + 3) / 4 * 4);
    for (std::size_t k = 0; k < list_.size(); k += 4)
        cells_.push_back({{list_[k], list_[k + 1], list_[k + 2], list_[k + 3]}});
    if (cells_.size() % 2 != 0) cells_.push_back({});  // pieces of 16 bytes
    const auto item_of = [&](int p) { return p >= 0 ? first_ + p : p == -1 ? -1 : outside_[at(-2 - p)]; };
    rest_.clear();
    for (const int i : live_) rest_.push_back({i, first_ + i, item_of(parent_[at(i)])});
    for (std::size_t k = 0; k < outside_.size(); ++k)
        if (outside_slot_[k] >= 0) rest_.push_back({outside_slot_[k], -1, outside_[k]});
}

void contraction_window_maker::make(std::int32_t first, std::int32_t end) {
    begin(first, end);
    const auto closed = [&] {
        return std::any_of(live_.begin(), live_.end(), [&](int i) { return !open_[at(i)]; });
    };
    for (int step = 0; closed() || !waiting_.empty(); ++step) {
        contraction_step s{};
        s.run = word(static_cast<int>(runs_.size()));
        s.sum = word(static_cast<int>(sums_.size()));
        measure_runs(step == 0 ? limits_.first_run : limits_.later_run);
        take_runs();
        take_sums();
        s.runs_end = word(static_cast<int>(runs_.size()));
        s.sums_end = word(static_cast<int>(sums_.size()));
        steps_.push_back(s);
    }
    finish();
}

}  // namespace wale::tree
