// group - from mpirun's environment to a group, and the order of what its ranks write.
#include "group.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "failure.hpp"

namespace wale::cli {
namespace {

std::optional<ranks> joined;
std::string command;

/// Of texts in order.
class digest {
public:
    void add(std::string_view text) {
        value_ = (value_ ^ std::hash<std::string_view>{}(text)) * 0x100000001b3U + text.size();
    }
    [[nodiscard]] std::string text() const { return std::to_string(value_); }

private:
    std::uint64_t value_ = 0;
};

/// A number that the launcher gives every process; -1: it gives none.
int said(std::initializer_list<const char*> names) {
    for (const char* name : names)
        if (const char* const text = std::getenv(name); text != nullptr && *text != 0) return std::atoi(text);
    return -1;
}

}  // namespace

int launched_processes() {
    if (!ranks::launched()) return 1;
    const int size = said({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"});
    return size > 0 ? size : ranks::world().size();
}

const ranks& group() {
    if (joined) return *joined;
    joined = launched_processes() > 1 ? ranks::world() : ranks();
    expect_same("command", command);
    return *joined;
}

void note_command(int count, char** words) {
    for (int k = 1; k < count; ++k) command.append(words[k]).push_back('\0');
}

void expect_same(const std::string& what, const std::string& value) {
    const std::vector<std::string> all = gather(group(), value);
    for (std::size_t r = 1; r < all.size(); ++r)
        if (all[r] != all[0])
            throw usage_error(what + ": rank " + std::to_string(r) + " has another than rank 0",
                              "processes that work by themselves are started without mpirun");
}

void expect_same_records(const std::vector<sequence_record>& a, const std::vector<sequence_record>& b) {
    if (group().empty()) return;
    digest all;
    for (const auto* side : {&a, &b})
        for (const sequence_record& r : *side) {
            all.add(r.name);
            all.add(r.symbols);
        }
    expect_same("input", all.text());
}

void expect_same_arrays(std::initializer_list<const memory*> arrays) {
    if (group().empty()) return;
    digest all;
    for (const memory* m : arrays)
        all.add({static_cast<const char*>(m->data()), static_cast<std::size_t>(m->bytes())});
    expect_same("input", all.text());
}

void leave_group() noexcept {
    if (joined) joined->abandon();
}

std::string rank_prefix() {
    const int rank = ranks::launched() ? said({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) : -1;
    return rank > 0 ? "rank " + std::to_string(rank) + ": " : "";
}

void expect_alone(const std::string& verb) {
    if (const int size = launched_processes(); size > 1)
        throw usage_error(verb + ": is computed by one process, and mpirun started " + std::to_string(size),
                          "align, map, search, reconstruct, lu factor, solve and det, tree solve and euler "
                          "share their work");
}

int threads_of_rank(int threads) {
    return threads == 0 && !group().empty() ? threads_for(group()) : threads;
}

report merged(report own) {
    const double numbers[] = {own.work, own.compute_seconds, own.transfer_seconds};
    own.work = own.compute_seconds = own.transfer_seconds = 0;
    std::string sent(reinterpret_cast<const char*>(numbers), sizeof numbers);
    for (const std::string& bytes : gather(group(), sent.append(own.variant))) {
        double all[3];
        std::memcpy(all, bytes.data(), sizeof all);
        own.work += all[0];
        own.compute_seconds = std::max(own.compute_seconds, all[1]);
        own.transfer_seconds = std::max(own.transfer_seconds, all[2]);
        if (own.variant.empty()) own.variant = bytes.substr(sizeof all);  // this rank had no work
    }
    return own;
}

index_t summed(index_t own) {
    index_t sum = 0;
    for (const std::string& text : gather(group(), std::to_string(own))) sum += std::stoll(text);
    return sum;
}

ordered_output::ordered_output(const std::string& path, const std::vector<std::string>& inputs) {
    if (group().rank() == 0) file_.emplace(path, inputs);
}

void ordered_output::frame(std::string_view bytes) {
    if (file_) file_->write(bytes);
}

void ordered_output::write(std::string_view bytes) {
    if (group().empty())
        file_->write(bytes);
    else
        pending_ += bytes;
}

void ordered_output::turn() {
    if (group().empty()) return;
    for (const std::string& part : gather_first(group(), pending_)) file_->write(part);
    pending_.clear();
}

void ordered_output::commit() {
    if (file_) file_->commit();
}

void in_turns(index_t count, double most, const std::function<double(index_t)>& cost, ordered_output& out,
              const std::function<void(index_t, index_t)>& work) {
    constexpr int chunks_a_rank = 8;
    const int size = group().size();
    if (size > 1) {
        double all = 0;
        for (index_t k = 0; k < count; ++k) all += cost(k);
        most = std::min(most, all / (size * chunks_a_rank));
    }
    for (index_t begin = 0; begin < count;) {
        for (int r = 0; r < size; ++r) {
            index_t end = begin;
            for (double sum = 0; end < count && (end == begin || sum <= most); ++end) sum += cost(end);
            if (r == group().rank() && end > begin) work(begin, end);
            begin = end;
        }
        out.turn();
    }
}

}  // namespace wale::cli
