// mesh_file - formats by their first bytes; gzip; limits; files.
#include <algorithm>
#include <array>
#include <filesystem>
#include <new>
#include <wale/error.hpp>
#include <wale/host_memory.hpp>

#include "base/argument.hpp"
#include "io/escape.hpp"
#include "io/gzip.hpp"
#include "io/mesh_format.hpp"

namespace wale {
namespace io {
namespace {

constexpr index_t detected_from = 4096;      // bytes: fvcorr starts with blanks
constexpr index_t bytes_of_cell = 1024;      // more than any format needs, corners and all
constexpr index_t slack = index_t{1} << 20;  // bytes of a file that are no cells

struct format_row {
    mesh_format format;
    const char* name;
    bool (*is)(std::string_view head);
    mesh (*read)(const mesh_input&);
    void (*write)(const mesh&, const mesh_sink&);  // nullptr: read only
};
constexpr std::array<format_row, 5> formats{{
    {mesh_format::cache, "cache", is_cache, read_cache, write_cache},
    {mesh_format::sac, "sac", is_sac, read_sac, write_sac},
    {mesh_format::su2, "su2", is_su2, read_su2, write_su2},
    {mesh_format::gmsh, "gmsh", is_gmsh, read_gmsh, nullptr},
    {mesh_format::fvcorr, "fvcorr", is_fvcorr, read_fvcorr, write_fvcorr},
}};

const format_row* row_of(mesh_format f) {
    const auto* row =
        std::find_if(formats.begin(), formats.end(), [&](const format_row& r) { return r.format == f; });
    return row == formats.end() ? nullptr : row;
}

bool is_mesh(std::string_view head) {
    return std::any_of(formats.begin(), formats.end(), [&](const format_row& r) { return r.is(head); });
}
/// Whether a pipe that starts so may hold a mesh: its first bytes may all be blanks.
bool known(std::string_view head) {
    return is_gzip(head) || is_mesh(head) || head.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

index_t most_bytes(const mesh_file_options& options) {
    return std::min(options.max_cells, mesh_file_options{}.max_cells) * bytes_of_cell + slack;
}

std::string head_of(const mesh_input& in) {
    std::string head(static_cast<std::size_t>(std::min(in.bytes.size(), detected_from)), '\0');
    in.read(0, head.data(), std::ssize(head));
    return head;
}

mesh read_plain(const mesh_input& in) {
    if (const format_row* asked = row_of(in.options.format)) return asked->read(in);
    const std::string head = head_of(in);
    for (const format_row& row : formats)
        if (row.is(head)) return row.read(in);
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) in.refuse("holds no mesh: it is empty, or blank");
    in.refuse("starts with " + shown(head[first]) +
              ", expected a mesh: fvcorr, SAC, SU2, Gmsh or Wale's cache");
}

mesh read_any(const mesh_input& in) {
    try {
        if (!is_gzip(head_of(in))) return read_plain(in);
        const std::string plain = unzipped(in.bytes, in.name, most_bytes(in.options));
        const memory_source source(plain);
        return read_plain({source, in.name, in.options});
    } catch (const std::bad_alloc&) {
        throw out_of_memory(in.name + ": its mesh", out_of_memory::unknown, available_host_memory());
    }
}

}  // namespace

void mesh_input::refuse(const std::string& what) const {
    throw bad_input(name + ": " + what);
}
void mesh_input::refuse(index_t line, const std::string& what) const {
    if (line == 0) refuse(what);
    throw bad_input(name + ":" + std::to_string(line) + ": " + what);
}

void mesh_input::check_cells(index_t line, std::int64_t cells) const {
    const index_t most = std::min(options.max_cells, mesh_file_options{}.max_cells);
    if (cells < 0 || cells > most)
        refuse(line, std::to_string(cells) + " cells, expected 0 to " + std::to_string(most));
}

void mesh_input::read(index_t at, void* to, index_t count) const {
    if (!bytes.read(at, to, count)) refuse("cannot be read");
}

std::string mesh_input::all_text() const {
    return all_bytes(bytes, name, bytes.size());
}

void write_any_mesh(const mesh& m, mesh_format format, const mesh_sink& sink) {
    const format_row* row = row_of(format);
    if (row == nullptr || row->write == nullptr)
        base::refuse("format", name_of(format), "fvcorr, sac, su2 or cache");
    row->write(m, sink);
}

}  // namespace io

const char* name_of(mesh_format f) noexcept {
    const io::format_row* row = io::row_of(f);
    return row != nullptr ? row->name : "automatic";
}

mesh read_mesh(const std::string& path, const mesh_file_options& options) {
    if (io::is_foam(path)) return io::read_foam(path, options);
    if (io::is_cgns(path)) return io::read_cgns(path, options);
    return io::parse_source(path, io::most_bytes(options), io::known,
                            [&](const io::byte_source& bytes, const std::string& name) {
                                return io::read_any({bytes, name, options});
                            });
}

mesh parse_mesh(std::string_view bytes, const std::string& name, const mesh_file_options& options) {
    const io::memory_source source(bytes);
    return io::read_any({source, io::escaped(name), options});
}

void write_mesh(output_file& out, const mesh& m, mesh_format format) {
    io::write_any_mesh(m, format, [&](std::string_view bytes) { out.write(bytes); });
}

}  // namespace wale
