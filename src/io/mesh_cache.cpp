// mesh_cache - a mesh as it lies in memory: a header, then its arrays one after another, each filled up with
// zeros to 8 bytes. Sizes are held against the file's before anything is allocated, a checksum shows damage,
// and no index leads out of an array, so that solvers need not look again.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <functional>
#include <type_traits>
#include <wale/error.hpp>

#include "base/checked.hpp"
#include "base/large_pages.hpp"
#include "cpu/team.hpp"
#include "io/mesh_format.hpp"

namespace wale::io {
namespace {

constexpr char magic[8] = {'\x93', 'W', 'A', 'L', 'E', 'M', 'S', 'H'};
constexpr std::uint32_t byte_order = 0x01020304, other_order = 0x04030201, version = 1;
constexpr index_t word = 8;                     // bytes
constexpr index_t piece = index_t{1} << 18;     // bytes that a thread reads at once
constexpr index_t bytes_of_thread = 4 * piece;  // fewer are not worth one
constexpr index_t cells_of_thread = 8192;
constexpr index_t most_of_any = index_t{1} << 40;  // elements: their bytes stay far below 2^63

struct header {
    char magic[8];
    std::uint32_t byte_order, version;
    std::int64_t cells, rows, points, corners, patches, name_bytes;
    std::int32_t dimensions, has_centres, has_offsets, has_points;
    double normal_scale;
    std::uint64_t checksum;  // of the file, this field being 0
};
static_assert(sizeof(header) % word == 0 && std::is_trivially_copyable_v<header>);

std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

/// Calls visit(vector, elements) for the arrays of a mesh, in the order of the file.
template <class Mesh, class Visit>
void each_array(Mesh& m, const header& h, const Visit& visit) {
    visit(m.first_face, h.cells + 1);
    visit(m.neighbour, h.rows);
    visit(m.opposite, h.rows);
    visit(m.normal, 3 * h.rows);
    visit(m.volume, h.cells);
    visit(m.centre, h.has_centres ? 3 * h.cells : 0);
    visit(m.face_offset, h.has_offsets ? 3 * h.rows : 0);
    visit(m.points, h.has_points ? 3 * h.points : 0);
    visit(m.shapes, h.has_points ? h.cells : 0);
    visit(m.first_corner, h.has_points ? h.cells + 1 : 0);
    visit(m.corners, h.has_points ? h.corners : 0);
}

/// What a word of the file adds to its checksum, by its place.
std::uint64_t mixed(std::uint64_t w, std::uint64_t place) {
    w = (w ^ (w >> 31)) + place * 0x9e3779b97f4a7c15;
    w = (w ^ (w >> 32)) * 0xd6e8feb86659fd93;
    return w ^ (w >> 32);
}

/// A sum over words and their places: the parts of a file may be added in any order, by any thread. `bytes`
/// starts at a whole word of the file; what lacks to its last one counts as zeros.
std::uint64_t checksum(const void* bytes, index_t count, index_t first_word) {
    const char* p = static_cast<const char*>(bytes);
    std::uint64_t sum = 0, w = 0;
    auto place = static_cast<std::uint64_t>(first_word);
    for (; count >= word; p += word, count -= word) {
        std::memcpy(&w, p, word);
        sum += mixed(w, place++);
    }
    if (count == 0) return sum;
    w = 0;
    std::memcpy(&w, p, static_cast<std::size_t>(count));
    return sum + mixed(w, place);
}

std::uint64_t checksum_of(header h) {
    h.checksum = 0;
    return checksum(&h, sizeof h, 0);
}

/// A run of bytes of the file and where it lies in memory.
struct segment {
    char* to;
    index_t at, bytes;
};

/// What the header says the file has, in bytes.
index_t file_bytes(const header& h) {
    index_t all = sizeof(header);
    mesh none;
    each_array(none, h, [&]<class T>(std::vector<T>&, index_t elements) {
        all += base::round_up(elements * index_t{sizeof(T)}, word);
    });
    return all + base::round_up(h.name_bytes, word);
}

header read_header(const mesh_input& in) {
    header h{};
    if (in.bytes.size() < index_t{sizeof h}) in.refuse("is a cache cut short: its header is not there");
    in.read(0, &h, sizeof h);
    if (h.byte_order == other_order) in.refuse("is a cache from a machine of another byte order");
    if (h.byte_order != byte_order || h.version != version)
        in.refuse("is a cache of version " + std::to_string(h.version) + ", expected " +
                  std::to_string(version));
    in.check_cells(0, h.cells);
    for (const std::int64_t size : {h.rows, h.points, h.corners, h.patches, h.name_bytes})
        if (size < 0 || size > most_of_any)
            in.refuse("has a size of " + std::to_string(size) + ", expected 0 to 2^40");
    for (const std::int32_t flag : {h.has_centres, h.has_offsets, h.has_points})
        if (flag != 0 && flag != 1) in.refuse("has a flag of " + std::to_string(flag) + ", expected 0 or 1");
    if (h.dimensions != 2 && h.dimensions != 3)
        in.refuse(std::to_string(h.dimensions) + " dimensions, expected 2 or 3");
    if (!(h.normal_scale > 0 && std::isfinite(h.normal_scale)))
        in.refuse("has a scale of its normals that is not positive");
    if (file_bytes(h) != in.bytes.size())
        in.refuse("has " + std::to_string(in.bytes.size()) + " bytes, expected " +
                  std::to_string(file_bytes(h)) + " by its header");
    return h;
}

/// Takes the memory of all arrays. Its pages come as they are first written, which takes longer than reading:
/// every thread sees to some of them.
void allocate(mesh& m, const header& h, int threads) {
    std::vector<std::function<void()>> arrays;
    each_array(m, h, [&]<class T>(std::vector<T>& array, index_t elements) {
        arrays.emplace_back([&array, elements] { base::resize_in_large_pages(array, at(elements)); });
    });
    std::atomic<std::size_t> next = 0;
    cpu::run_team(cpu::team_size(threads, file_bytes(h) / bytes_of_thread), [&](int) {
        for (std::size_t i = next++; i < arrays.size(); i = next++) arrays[i]();
    });
}

/// Reads all segments and checks their sum.
void read_segments(const mesh_input& in, const header& h, const std::vector<segment>& segments) {
    std::vector<segment> pieces;
    for (const segment& s : segments)
        for (index_t done = 0; done < s.bytes; done += piece)
            pieces.push_back({s.to + done, s.at + done, std::min(piece, s.bytes - done)});
    std::atomic<std::size_t> next = 0;
    std::atomic<std::uint64_t> sum = checksum_of(h);
    cpu::run_team(cpu::team_size(in.options.threads, file_bytes(h) / bytes_of_thread), [&](int) {
        for (std::size_t i = next++; i < pieces.size(); i = next++) {
            const segment& s = pieces[i];
            in.read(s.at, s.to, s.bytes);
            sum += checksum(s.to, s.bytes, s.at / word);
        }
    });
    if (sum != h.checksum) in.refuse("is a damaged cache: its checksum is not that of its bytes");
}

std::vector<std::string> split_names(const mesh_input& in, const std::string& names, index_t count) {
    std::vector<std::string> out;
    for (std::size_t at = 0; at < names.size();) {
        const std::size_t end = names.find('\0', at);
        if (end == std::string::npos) break;
        out.push_back(names.substr(at, end - at));
        at = end + 1;
    }
    if (std::ssize(out) != count || (!names.empty() && names.back() != '\0'))
        in.refuse("has " + std::to_string(out.size()) + " names of patches, expected " +
                  std::to_string(count));
    return out;
}

bool rises(const std::vector<index_t>& first, index_t end) {
    return first.front() == 0 && first.back() == end && std::is_sorted(first.begin(), first.end());
}

/// Whether all that a cell says exists.
bool leads_nowhere_else(const mesh& m, index_t cell) {
    const index_t patches = std::ssize(m.patches), points = std::ssize(m.points) / 3;
    for (index_t r = m.first_face[at(cell)]; r < m.first_face[at(cell + 1)]; ++r) {
        const index_t n = m.neighbour[at(r)];
        if (n >= m.cells() || n < -patches) return false;
        if (n >= 0 && m.opposite[at(r)] >= m.first_face[at(n + 1)] - m.first_face[at(n)]) return false;
    }
    if (!m.has_points()) return true;
    const cell_shape shape = m.shapes[at(cell)];
    const index_t corner = m.first_corner[at(cell)];
    if (shape > cell_shape::hexahedron || dimensions_of(shape) != m.dimensions ||
        m.first_corner[at(cell + 1)] - corner != corners_of(shape) ||
        m.first_face[at(cell + 1)] - m.first_face[at(cell)] != faces_of(shape))
        return false;
    return std::all_of(m.corners.begin() + corner, m.corners.begin() + corner + corners_of(shape),
                       [&](std::int32_t p) { return p >= 0 && p < points; });
}

void check_indices(const mesh_input& in, const mesh& m) {
    if (!rises(m.first_face, m.rows()) ||
        (!m.first_corner.empty() && !rises(m.first_corner, std::ssize(m.corners))))
        in.refuse("is a cache whose cells do not divide its faces or corners");
    const int threads = cpu::team_size(in.options.threads, m.cells() / cells_of_thread);
    std::atomic<bool> good = true;
    cpu::run_team(threads, [&](int rank) {
        for (index_t c = m.cells() * rank / threads; c < m.cells() * (rank + 1) / threads; ++c)
            if (!leads_nowhere_else(m, c)) return good.store(false);
    });
    if (!good) in.refuse("is a cache with a neighbour, opposite face, shape or corner that does not exist");
}

header header_of(const mesh& m, index_t name_bytes) {
    header h{};
    std::copy(std::begin(magic), std::end(magic), h.magic);
    h.byte_order = byte_order;
    h.version = version;
    h.cells = m.cells();
    h.rows = m.rows();
    h.points = std::ssize(m.points) / 3;
    h.corners = std::ssize(m.corners);
    h.patches = std::ssize(m.patches);
    h.name_bytes = name_bytes;
    h.dimensions = m.dimensions;
    h.has_centres = !m.centre.empty();
    h.has_offsets = !m.face_offset.empty();
    h.has_points = !m.first_corner.empty();
    h.normal_scale = m.normal_scale;
    return h;
}

}  // namespace

bool is_cache(std::string_view head) {
    return head.starts_with(std::string_view(magic, sizeof magic));
}

mesh read_cache(const mesh_input& in) {
    const header h = read_header(in);
    mesh m;
    m.dimensions = h.dimensions;
    m.normal_scale = h.normal_scale;
    allocate(m, h, in.options.threads);
    std::string names(at(h.name_bytes), '\0');
    std::vector<segment> segments;
    index_t place = sizeof(header);
    const auto add = [&](void* to, index_t bytes) {
        segments.push_back({static_cast<char*>(to), place, bytes});
        place += base::round_up(bytes, word);
    };
    each_array(m, h, [&]<class T>(std::vector<T>& array, index_t elements) {
        add(array.data(), elements * index_t{sizeof(T)});
    });
    add(names.data(), h.name_bytes);
    read_segments(in, h, segments);
    m.patches = split_names(in, names, h.patches);
    check_indices(in, m);
    return m;
}

void write_cache(const mesh& m, const mesh_sink& sink) {
    std::string names;
    for (const std::string& name : m.patches) {
        if (name.find('\0') != std::string::npos)
            throw bad_argument("mesh: has a patch with a zero byte in its name");
        names += name + '\0';
    }
    header h = header_of(m, std::ssize(names));
    index_t place = sizeof h;
    h.checksum = checksum_of(h);
    const auto add_sum = [&](const auto& array, index_t elements) {
        if (std::ssize(array) != elements)
            throw bad_argument("mesh: has arrays whose sizes do not fit together");
        const index_t bytes = elements * index_t{sizeof array[0]};
        h.checksum += checksum(array.data(), bytes, place / word);
        place += base::round_up(bytes, word);
    };
    each_array(m, h, add_sum);
    add_sum(names, h.name_bytes);
    sink({reinterpret_cast<const char*>(&h), sizeof h});
    const auto write = [&](const auto& array, index_t elements) {
        const std::size_t bytes = at(elements) * sizeof array[0];
        sink({reinterpret_cast<const char*>(array.data()), bytes});
        sink(std::string(at(base::round_up(static_cast<index_t>(bytes), word)) - bytes, '\0'));
    };
    each_array(m, h, write);
    write(names, h.name_bytes);
}

void seal_cache(std::string& bytes) {
    header h{};
    if (bytes.size() < sizeof h) return;
    std::memcpy(&h, bytes.data(), sizeof h);
    h.checksum = checksum_of(h) +
                 checksum(bytes.data() + sizeof h, std::ssize(bytes) - index_t{sizeof h}, sizeof h / word);
    std::memcpy(bytes.data(), &h, sizeof h);
}

}  // namespace wale::io
