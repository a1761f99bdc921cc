// npz - members of a ZIP archive as NumPy writes it: stored or deflated, below 4 GiB.
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <vector>
#include <wale/error.hpp>

#include "io/escape.hpp"
#include "io/npz.hpp"

namespace wale::io {
namespace {

constexpr index_t end_bytes = 22, entry_bytes = 46, local_bytes = 30, most_comment_bytes = 65535;
constexpr index_t most_of_a_byte = 1040;  // bytes that a byte of deflate can stand for, and a little
constexpr std::uint32_t beyond_32_bits = 0xffffffff;

std::uint32_t number(const char* at, int bytes) {
    std::uint32_t value = 0;
    for (int k = bytes; k-- > 0;) value = value << 8 | static_cast<unsigned char>(at[k]);
    return value;
}

struct zip_entry {
    std::string name;
    std::uint32_t flags = 0, method = 0, checksum = 0, packed = 0, plain = 0, local = 0;
};

/// The record that closes the archive; a comment may follow it.
std::string end_record(const npz_archive& in) {
    const index_t size = in.bytes.size();
    const index_t tail = std::min(size, end_bytes + most_comment_bytes);
    std::string bytes(static_cast<std::size_t>(tail), '\0');
    in.read(size - tail, bytes.data(), tail);
    const std::size_t at = bytes.rfind("PK\x05\x06");
    const index_t left = at == std::string::npos ? 0 : tail - static_cast<index_t>(at);
    if (left < end_bytes || left != end_bytes + number(bytes.data() + at + 20, 2))
        in.refuse("damaged NPZ: no end of a ZIP archive");
    return bytes.substr(at, end_bytes);
}

std::vector<zip_entry> entries_of(const npz_archive& in) {
    const std::string end = end_record(in);
    const std::uint32_t count = number(end.data() + 10, 2), bytes = number(end.data() + 12, 4),
                        start = number(end.data() + 16, 4);
    if (start == beyond_32_bits) in.refuse("a ZIP archive of more than 4 GiB, expected less");
    if (bytes > in.bytes.size()) in.refuse("damaged NPZ: its directory is longer than the file");
    std::string directory(bytes, '\0');
    in.read(start, directory.data(), bytes);
    std::vector<zip_entry> entries;
    std::size_t at = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
        if (directory.size() - at < entry_bytes || directory.compare(at, 4, "PK\x01\x02") != 0)
            in.refuse("damaged NPZ: entry " + std::to_string(k) + " of its directory");
        const char* e = directory.data() + at;
        const std::size_t name = number(e + 28, 2), more = number(e + 30, 2) + number(e + 32, 2);
        if (directory.size() - at - entry_bytes < name + more)
            in.refuse("damaged NPZ: entry " + std::to_string(k) + " of its directory is cut");
        entries.push_back({directory.substr(at + entry_bytes, name), number(e + 8, 2), number(e + 10, 2),
                           number(e + 16, 4), number(e + 20, 4), number(e + 24, 4), number(e + 42, 4)});
        at += entry_bytes + name + more;
    }
    return entries;
}

zip_entry find(const npz_archive& in, const std::string& member) {
    const std::vector<zip_entry> entries = entries_of(in);
    std::string names;
    for (const zip_entry& e : entries) {
        if (!member.empty() && (e.name == member || e.name == member + ".npy")) return e;
        const std::size_t stem = e.name.ends_with(".npy") ? e.name.size() - 4 : e.name.size();
        names += (names.empty() ? "" : ", ") + escaped(e.name.substr(0, stem));
    }
    if (member.empty() && entries.size() == 1) return entries.front();
    in.refuse((member.empty() ? "an archive of several arrays" : "no member '" + escaped(member) + "'") +
              ", expected file.npz:NAME with one of " + names);
}

std::string inflated(const npz_archive& in, const std::string& packed, std::uint32_t size) {
    std::string plain(size, '\0');
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(plain.data());
    stream.avail_out = size;
    const int code = inflate(&stream, Z_FINISH);
    const bool whole = code == Z_STREAM_END && stream.avail_out == 0 && stream.avail_in == 0;
    inflateEnd(&stream);
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    if (!whole) in.refuse("damaged NPZ: deflated data that do not fit their sizes");
    return plain;
}

}  // namespace

void npz_archive::refuse(const std::string& what) const {
    throw bad_input(name + ": " + what);
}

void npz_archive::read(index_t at, void* to, index_t count) const {
    if (!bytes.read(at, to, count)) refuse("damaged NPZ: the file ends too early");
}

bool is_zip(std::string_view head) {
    return head.starts_with("PK\x03\x04");
}

std::pair<std::string, std::string> split_member(const std::string& path) {
    const std::size_t colon = path.rfind(".npz:");
    if (colon == std::string::npos) return {path, {}};
    return {path.substr(0, colon + 4), path.substr(colon + 5)};
}

std::string npz_member(const npz_archive& in, const std::string& member) {
    const zip_entry e = find(in, member);
    if ((e.flags & 1U) != 0) in.refuse("an encrypted member, expected a plain one");
    if (e.method != 0 && e.method != 8)
        in.refuse("compression " + std::to_string(e.method) + ", expected 0 (stored) or 8 (deflated)");
    if (e.packed == beyond_32_bits || e.plain == beyond_32_bits)
        in.refuse("a member of more than 4 GiB, expected less");
    if (e.packed > in.bytes.size() || (e.method == 0 && e.plain != e.packed) ||
        e.plain > (index_t{e.packed} + 1) * most_of_a_byte || e.plain > in.max_bytes)
        in.refuse("damaged NPZ: a member of " + std::to_string(e.plain) + " bytes in " +
                  std::to_string(e.packed) + " of a file of " + std::to_string(in.bytes.size()));
    char local[local_bytes];
    in.read(e.local, local, local_bytes);
    if (!is_zip({local, 4})) in.refuse("damaged NPZ: no member where its directory says");
    std::string bytes(e.packed, '\0');
    in.read(e.local + local_bytes + number(local + 26, 2) + number(local + 28, 2), bytes.data(), e.packed);
    if (e.method == 8) bytes = inflated(in, bytes, e.plain);
    if (crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())) != e.checksum)
        in.refuse("damaged NPZ: wrong checksum of its member");
    if (!bytes.starts_with("\x93NUMPY")) in.refuse("damaged NPZ: its member is not an NPY");
    return bytes;
}

}  // namespace wale::io
