// byte_source - the bytes of a file or of memory, by position, for readers that must know how many there are.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <wale/layout.hpp>

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
/// `head_bytes` of a pipe are taken. Throws cannot_open, and bad_input for a pipe with over `max_bytes`.
inline constexpr index_t head_bytes = 8;
[[nodiscard]] std::unique_ptr<byte_source> open_source(const std::string& path, index_t max_bytes,
                                                       bool (*known)(std::string_view head));

}  // namespace wale::io
