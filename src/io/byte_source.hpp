// byte_source - the bytes of a file or of memory, by position, for readers that must know how many there are.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <wale/error.hpp>
#include <wale/layout.hpp>

#include "io/escape.hpp"

namespace wale::io {

class byte_source {
public:
    byte_source() = default;
    byte_source(const byte_source&) = delete;
    byte_source& operator=(const byte_source&) = delete;
    virtual ~byte_source() = default;

    [[nodiscard]] virtual index_t size() const noexcept = 0;
    /// Copies bytes [at, at + count) out; false where there are none or the system cannot read them. Never
    /// throws: the callbacks of C libraries stand on it.
    [[nodiscard]] virtual bool read(index_t at, void* to, index_t count) const noexcept = 0;
    /// The errno of a read that the system refused; 0 if there was none.
    [[nodiscard]] int failure() const noexcept { return failure_; }

protected:
    mutable std::atomic<int> failure_ = 0;  // threads read a file together
};

class memory_source final : public byte_source {
public:
    explicit memory_source(std::string_view bytes) : bytes_(bytes) {}
    [[nodiscard]] index_t size() const noexcept override { return std::ssize(bytes_); }
    [[nodiscard]] bool read(index_t at, void* to, index_t count) const noexcept override;

private:
    std::string_view bytes_;
};

/// A file, or all of a pipe (`-` is standard input), whose first bytes `known` must accept before more than
/// `head_bytes` of a pipe are taken. A file of size 0 is taken as a pipe: those of /proc say so and have
/// bytes. Throws cannot_open, and bad_input for a pipe with over `max_bytes`.
inline constexpr index_t head_bytes = 8;
[[nodiscard]] std::unique_ptr<byte_source> open_source(const std::string& path, index_t max_bytes,
                                                       bool (*known)(std::string_view head));

/// `known` where no other first byte says anything: a device of zeros has no end.
[[nodiscard]] inline bool not_zero(std::string_view head) {
    return !head.starts_with('\0');
}

/// ASCII in small letters: endings of names and keywords are taken either way.
[[nodiscard]] inline std::string lower(std::string_view text) {
    std::string small(text);
    for (char& c : small)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return small;
}

/// Throws bad_input where the first bytes are those of a file that xz, zstd or bzip2 has compressed.
void expect_no_other_compressor(const std::string& name, std::string_view head);

/// Why an input cannot be used: cannot_open "name: the system's words".
[[noreturn]] void refuse_input(const std::string& name, int code);
/// A path as messages show it.
[[nodiscard]] inline std::string input_name(const std::string& path) {
    return path == "-" ? "standard input" : escaped(path);
}

/// parse(bytes, name) of what open_source() gives. Where the system failed to read, cannot_open says so,
/// whatever the parser made of the bytes that did not come.
template <class Parse>
auto parse_source(const std::string& path, index_t max_bytes, bool (*known)(std::string_view head),
                  const Parse& parse) {
    const std::string name = input_name(path);
    const auto bytes = open_source(path, max_bytes, known);
    try {
        auto parsed = parse(*bytes, name);
        if (bytes->failure() == 0) return parsed;
    } catch (const bad_input&) {
        char head[head_bytes] = {};
        if (bytes->read(0, head, std::min(head_bytes, bytes->size())))
            expect_no_other_compressor(name, {head, sizeof head});
        if (bytes->failure() == 0) throw;
    }
    refuse_input(name, bytes->failure());
}

/// All bytes of a source, which is for texts: throws bad_input for more than `max_bytes`.
[[nodiscard]] std::string all_bytes(const byte_source& bytes, const std::string& name, index_t max_bytes);

}  // namespace wale::io
