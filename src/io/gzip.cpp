// gzip - decompression with zlib, member by member.
#include "io/gzip.hpp"

#include <algorithm>
#include <new>
#include <utility>
#include <wale/error.hpp>

#include "io/escape.hpp"

namespace wale::io {
namespace {

constexpr std::size_t slice = std::size_t{1} << 20;   // bytes a step: far below zlib's 32-bit counts
constexpr std::size_t window = std::size_t{1} << 18;  // bytes of output a step
constexpr int gzip_only = 15 + 16;                    // zlib's windowBits for gzip with the largest window

}  // namespace

plain_bytes::plain_bytes(const std::string& name, index_t max_bytes, sink out)
    : name_(escaped(name)), left_(max_bytes), max_bytes_(max_bytes), out_(std::move(out)) {}

plain_bytes::~plain_bytes() {
    if (!window_.empty()) inflateEnd(&stream_);
}

void plain_bytes::refuse(const std::string& what) const {
    throw bad_input(name_ + ": " + what);
}

void plain_bytes::hand_on(std::string_view bytes) {
    left_ -= static_cast<index_t>(bytes.size());
    if (left_ < 0) refuse("more than the limit of " + std::to_string(max_bytes_) + " bytes, decompressed");
    out_(bytes);
}

void plain_bytes::feed(std::string_view bytes) {
    if (state_ == state::unknown) {
        constexpr auto magic_bytes = static_cast<std::size_t>(head_bytes);
        const std::size_t wanted = std::min(bytes.size(), magic_bytes - head_.size());
        head_ += bytes.substr(0, wanted);
        bytes.remove_prefix(wanted);
        if (head_.size() < magic_bytes) return;
        begin();
    }
    for (; !bytes.empty(); bytes.remove_prefix(std::min(slice, bytes.size())))
        advance(bytes.substr(0, slice));
}

void plain_bytes::begin() {
    state_ = state::plain;
    expect_no_other_compressor(name_, head_);
    if (head_.starts_with("\x1f\x8b")) {
        window_.resize(window);
        if (inflateInit2(&stream_, gzip_only) != Z_OK) throw std::bad_alloc();
        state_ = state::member;
    }
    advance(std::exchange(head_, {}));
}

void plain_bytes::advance(std::string_view bytes) {
    if (bytes.empty()) return;
    if (state_ == state::plain) return hand_on(bytes);
    inflate_all(bytes);
}

/// Between members: another one starts, or zeros pad the file to its end (tapes do that).
std::string_view plain_bytes::next_member(std::string_view bytes) {
    if (state_ == state::between && bytes.front() == '\x1f') {
        inflateReset(&stream_);
        state_ = state::member;
        return bytes;
    }
    state_ = state::padding;
    if (bytes.find_first_not_of('\0') != std::string_view::npos)
        refuse("bytes after the end of the gzip data");
    return {};
}

void plain_bytes::inflate_all(std::string_view bytes) {
    while (!bytes.empty()) {
        if (state_ != state::member) bytes = next_member(bytes);
        if (bytes.empty()) return;
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
        stream_.avail_in = static_cast<uInt>(bytes.size());
        int code = Z_OK;
        do {  // until the input is used up and nothing waits inside zlib, or the member ends
            stream_.next_out = reinterpret_cast<Bytef*>(window_.data());
            stream_.avail_out = static_cast<uInt>(window_.size());
            code = inflate(&stream_, Z_NO_FLUSH);
            if (code == Z_MEM_ERROR) throw std::bad_alloc();
            if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
                refuse(std::string("damaged gzip: ") + (stream_.msg ? stream_.msg : "no such stream"));
            hand_on({window_.data(), window_.size() - stream_.avail_out});
        } while (code == Z_OK && (stream_.avail_in > 0 || stream_.avail_out == 0));
        bytes.remove_prefix(bytes.size() - stream_.avail_in);
        if (code == Z_STREAM_END) state_ = state::between;
    }
}

void plain_bytes::finish() {
    if (state_ == state::unknown) begin();  // a file shorter than what is looked at
    if (state_ == state::member) refuse("damaged gzip: the file ends too early");
}

bool is_gzip(std::string_view head) {
    return head.starts_with("\x1f\x8b");
}

std::string unzipped(const byte_source& bytes, const std::string& name, index_t max_bytes) {
    constexpr index_t slice = index_t{1} << 18;  // bytes of gzip a step
    std::string plain, part;
    plain_bytes out(name, max_bytes, [&](std::string_view more) { plain += more; });
    for (index_t at = 0; at < bytes.size(); at += std::ssize(part)) {
        part.resize(static_cast<std::size_t>(std::min(slice, bytes.size() - at)));
        if (!bytes.read(at, part.data(), std::ssize(part))) throw bad_input(name + ": cannot be read");
        out.feed(part);
    }
    out.finish();
    return plain;
}

}  // namespace wale::io
