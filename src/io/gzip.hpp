// gzip - bytes as they come, plain or gzip (RFC 1952, several members too), in bounded memory.
#pragma once

#include <zlib.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>
#include <wale/layout.hpp>

#include "io/byte_source.hpp"

namespace wale::io {

/// Distinguishes gzip from plain bytes by the first bytes, and hands plain bytes on. Throws bad_input for
/// damage, for files of other compressors, and for more than `max_bytes` of plain bytes.
class plain_bytes {
public:
    using sink = std::function<void(std::string_view)>;
    plain_bytes(const std::string& name, index_t max_bytes, sink out);
    plain_bytes(const plain_bytes&) = delete;
    plain_bytes& operator=(const plain_bytes&) = delete;
    ~plain_bytes();

    void feed(std::string_view bytes);
    void finish();

private:
    enum class state { unknown, plain, member, between, padding };
    void begin();
    void advance(std::string_view bytes);
    void inflate_all(std::string_view bytes);
    [[nodiscard]] std::string_view next_member(std::string_view bytes);
    void hand_on(std::string_view bytes);
    [[noreturn]] void refuse(const std::string& what) const;

    std::string name_;
    index_t left_;  // plain bytes that may still come
    index_t max_bytes_;
    sink out_;
    state state_ = state::unknown;
    std::string head_;  // until the first two bytes are there
    z_stream stream_{};
    std::vector<char> window_;
};

[[nodiscard]] bool is_gzip(std::string_view head);

/// The plain bytes of a gzip, whole. Throws as plain_bytes does.
[[nodiscard]] std::string unzipped(const byte_source& bytes, const std::string& name, index_t max_bytes);

}  // namespace wale::io
