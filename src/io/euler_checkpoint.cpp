// euler_checkpoint - a flow's state and history, byte for byte: a head of nine words, then samples, then
// states.
#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <wale/error.hpp>
#include <wale/euler_file.hpp>

#include "io/byte_source.hpp"
#include "io/escape.hpp"

namespace wale {
namespace {

constexpr char magic[9] = "waleflow";
constexpr std::uint64_t byte_order = 0x0102030405060708;
constexpr std::uint64_t format_version = 1;
constexpr index_t most_bytes = index_t{1} << 40;
constexpr index_t most_iterations = index_t{1} << 60;  // counting on from there cannot overflow
constexpr std::size_t sample_words = 18;  // iteration, time, residual 5, forces 3, moment 3, total 5

struct head {
    char name[8];
    std::uint64_t order, version, cells, samples;
    std::int64_t iteration;
    double time;
    std::uint64_t checksum;  // of what follows
};

/// FNV-1a over 64-bit words.
class checksum {
public:
    void add(std::span<const std::byte> bytes) {
        for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes.data() + i, 8);
            value_ = (value_ ^ word) * 0x100000001b3u;
        }
    }
    [[nodiscard]] std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0xcbf29ce484222325u;
};

using sample_row = std::array<double, sample_words>;

sample_row row_of(const euler_sample& s) {
    sample_row r{};
    std::size_t at = 0;
    r[at++] = std::bit_cast<double>(s.iteration);
    r[at++] = s.time;
    for (const double v : s.residual) r[at++] = v;
    for (const double v : {s.drag, s.lift, s.side}) r[at++] = v;
    for (const double v : s.moment) r[at++] = v;
    for (const double v : s.total) r[at++] = v;
    return r;
}

euler_sample sample_of(const sample_row& r) {
    euler_sample s;
    std::size_t at = 0;
    s.iteration = std::bit_cast<index_t>(r[at++]);
    s.time = r[at++];
    for (double& v : s.residual) v = r[at++];
    for (double* v : {&s.drag, &s.lift, &s.side}) *v = r[at++];
    for (double& v : s.moment) v = r[at++];
    for (double& v : s.total) v = r[at++];
    return s;
}

template <class T>
std::string_view bytes_of(const T* p, std::size_t count) {
    return {reinterpret_cast<const char*>(p), count * sizeof(T)};
}

}  // namespace

void write_checkpoint(output_file& out, const euler_checkpoint& c) {
    std::vector<sample_row> samples;
    for (const euler_sample& s : c.history) samples.push_back(row_of(s));
    checksum sum;
    sum.add(std::as_bytes(std::span(samples)));
    sum.add(std::as_bytes(std::span(c.state)));
    head h{{}, byte_order, format_version, c.state.size(), samples.size(), c.iteration, c.time, sum.value()};
    std::memcpy(h.name, magic, sizeof h.name);
    out.write(bytes_of(&h, 1));
    out.write(bytes_of(samples.data(), samples.size()));
    out.write(bytes_of(c.state.data(), c.state.size()));
}

euler_checkpoint parse_checkpoint(std::string_view bytes, const std::string& name) {
    const auto refuse = [&](const char* what) { throw bad_input(name + ": " + what); };
    head h{};
    if (bytes.size() < sizeof h || bytes.substr(0, 8) != std::string_view(magic, 8))
        refuse("is no checkpoint of a flow");
    std::memcpy(&h, bytes.data(), sizeof h);
    if (h.order != byte_order) refuse("was written by a machine of another byte order");
    if (h.version != format_version) refuse("is a checkpoint of another version, expected 1");
    const std::size_t left = bytes.size() - sizeof h;
    constexpr std::size_t state_bytes = sizeof(euler_state);
    if (h.samples > left / sizeof(sample_row) || h.cells > left / state_bytes ||
        h.samples * sizeof(sample_row) + h.cells * state_bytes != left)
        refuse("is cut off or has data after its end");
    if (h.iteration < 0 || h.iteration > most_iterations || !(h.time >= 0) || !std::isfinite(h.time))
        refuse("has no sane iteration and time");
    const char* at = bytes.data() + sizeof h;
    euler_checkpoint c{h.iteration, h.time, std::vector<euler_state>(h.cells), {}};
    std::vector<sample_row> samples(h.samples);
    if (!samples.empty()) std::memcpy(samples.data(), at, samples.size() * sizeof(sample_row));
    if (!c.state.empty())
        std::memcpy(c.state.data(), at + samples.size() * sizeof(sample_row), c.state.size() * state_bytes);
    checksum sum;
    sum.add(std::as_bytes(std::span(samples)));
    sum.add(std::as_bytes(std::span(c.state)));
    if (sum.value() != h.checksum) refuse("was altered: its checksum is another");
    for (const sample_row& r : samples) c.history.push_back(sample_of(r));
    return c;
}

euler_checkpoint read_checkpoint(const std::string& path) {
    const auto known = [](std::string_view head) { return head == std::string_view(magic, 8); };
    return io::parse_source(
        path, most_bytes, known, [&](const io::byte_source& bytes, const std::string& name) {
            if (char first[8]; !bytes.read(0, first, sizeof first) || !known({first, sizeof first}))
                throw bad_input(name + ": is no checkpoint of a flow");
            return parse_checkpoint(io::all_bytes(bytes, name, most_bytes), name);
        });
}

}  // namespace wale
