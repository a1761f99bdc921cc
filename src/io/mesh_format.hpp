// mesh_format - what the readers and writers of meshes share.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <wale/mesh_file.hpp>

#include "io/byte_source.hpp"

namespace wale::io {

struct mesh_input {
    const byte_source& bytes;
    std::string name;  // for messages, without control bytes
    const mesh_file_options& options;

    [[noreturn]] void refuse(const std::string& what) const;                // bad_input "name: what"
    [[noreturn]] void refuse(index_t line, const std::string& what) const;  // "name:line: what"; 0: no line
    /// Throws unless `cells` are 0 to options.max_cells.
    void check_cells(index_t line, std::int64_t cells) const;
    /// Bytes [at, at + count).
    void read(index_t at, void* to, index_t count) const;
    [[nodiscard]] std::string all_text() const;
};

using mesh_sink = std::function<void(std::string_view)>;

/// Bytes of a byte order mark at the start of a text.
[[nodiscard]] inline index_t mark_bytes(std::string_view text) {
    return text.starts_with("\xef\xbb\xbf") ? 3 : 0;
}

[[nodiscard]] bool is_fvcorr(std::string_view head);
[[nodiscard]] mesh read_fvcorr(const mesh_input& in);
void write_fvcorr(const mesh& m, const mesh_sink& sink);

[[nodiscard]] bool is_sac(std::string_view head);
[[nodiscard]] mesh read_sac(const mesh_input& in);
void write_sac(const mesh& m, const mesh_sink& sink);

[[nodiscard]] bool is_su2(std::string_view head);
[[nodiscard]] mesh read_su2(const mesh_input& in);
void write_su2(const mesh& m, const mesh_sink& sink);

[[nodiscard]] bool is_gmsh(std::string_view head);
[[nodiscard]] mesh read_gmsh(const mesh_input& in);

/// OpenFOAM's polyMesh: points, faces, owner, neighbour, boundary.
struct foam_texts {
    std::string folder;  // for messages
    std::array<std::string_view, 5> files;
};
[[nodiscard]] mesh parse_foam(const foam_texts& texts, const mesh_file_options& options);
/// Of a folder, or that of a case.
[[nodiscard]] mesh read_foam(const std::string& folder, const mesh_file_options& options);
/// Whether it is a folder with such a mesh.
[[nodiscard]] bool is_foam(const std::string& folder);

/// Whether it is a file of HDF5 or ADF, which CGNS's are.
[[nodiscard]] bool is_cgns(const std::string& path);
[[nodiscard]] mesh read_cgns(const std::string& path, const mesh_file_options& options);

[[nodiscard]] bool is_cache(std::string_view head);
[[nodiscard]] mesh read_cache(const mesh_input& in);
void write_cache(const mesh& m, const mesh_sink& sink);
/// Gives a cache whose bytes were changed the checksum that they should have: fuzzers get behind it so.
void seal_cache(std::string& bytes);

/// write_mesh() into any sink.
void write_any_mesh(const mesh& m, mesh_format format, const mesh_sink& sink);

}  // namespace wale::io
