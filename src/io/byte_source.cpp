// byte_source - pread on files, everything at once from pipes.
#include "io/byte_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
namespace wale::io {
namespace {

constexpr index_t most_at_once = index_t{1} << 16;  // bytes: what a pipe holds

[[noreturn]] void cannot(const std::string& path, int code) {
    refuse_input(input_name(path), code);
}

/// A descriptor that is closed when it goes; standard input stays open.
class descriptor {
public:
    explicit descriptor(int number) : number_(number) {}
    descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    ~descriptor() {
        if (number_ > STDIN_FILENO) close(number_);
    }
    [[nodiscard]] int number() const noexcept { return number_; }

private:
    int number_;
};

class file_source final : public byte_source {
public:
    file_source(descriptor file, index_t size) : file_(std::move(file)), size_(size) {}
    [[nodiscard]] index_t size() const noexcept override { return size_; }
    [[nodiscard]] bool read(index_t at, void* to, index_t count) const noexcept override {
        if (at < 0 || count < 0 || at > size_ || count > size_ - at) return false;
        auto* next = static_cast<char*>(to);
        while (count > 0) {
            const ssize_t got = pread(file_.number(), next, static_cast<std::size_t>(count), at);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) failure_ = errno;
            if (got <= 0) return false;  // the file was cut meanwhile, or the disk fails
            next += got;
            at += got;
            count -= got;
        }
        return true;
    }

private:
    descriptor file_;
    index_t size_;
};

class pipe_source final : public byte_source {
public:
    explicit pipe_source(std::string bytes) : bytes_(std::move(bytes)), view_(bytes_) {}
    [[nodiscard]] index_t size() const noexcept override { return view_.size(); }
    [[nodiscard]] bool read(index_t at, void* to, index_t count) const noexcept override {
        return view_.read(at, to, count);
    }

private:
    std::string bytes_;
    memory_source view_;
};

/// Appends up to `count` bytes, at most most_at_once; false at the end of the pipe.
bool append(const std::string& path, int number, std::string& bytes, index_t count) {
    char part[most_at_once];
    ssize_t got = 0;
    do got = ::read(number, part, static_cast<std::size_t>(count));
    while (got < 0 && errno == EINTR);
    if (got < 0) cannot(path, errno);
    bytes.append(part, static_cast<std::size_t>(got));
    return got > 0;
}

[[noreturn]] void refuse_longer(const std::string& name, index_t max_bytes) {
    throw bad_input(name + ": more than the limit of " + std::to_string(max_bytes) + " bytes");
}

std::string all_of(const std::string& path, int number, index_t max_bytes, bool (*known)(std::string_view)) {
    std::string bytes;
    while (std::ssize(bytes) < head_bytes && append(path, number, bytes, head_bytes - std::ssize(bytes))) {
    }
    if (!known(bytes)) return bytes;
    while (append(path, number, bytes, most_at_once))
        if (std::ssize(bytes) > max_bytes) refuse_longer(input_name(path), max_bytes);
    return bytes;
}

}  // namespace

bool memory_source::read(index_t at, void* to, index_t count) const noexcept {
    const index_t all = std::ssize(bytes_);
    if (at < 0 || count < 0 || at > all || count > all - at) return false;
    std::copy_n(bytes_.data() + at, count, static_cast<char*>(to));
    return true;
}

std::unique_ptr<byte_source> open_source(const std::string& path, index_t max_bytes,
                                         bool (*known)(std::string_view head)) {
    if (path.find('\0') != std::string::npos) cannot(path, EINVAL);
    descriptor file(path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.number() < 0) cannot(path, errno);
    struct stat status {};
    if (fstat(file.number(), &status) != 0) cannot(path, errno);
    if (S_ISDIR(status.st_mode)) cannot(path, EISDIR);
    // Standard input may be a file that another program has read a part of: it is taken as it comes.
    if (S_ISREG(status.st_mode) && path != "-" && status.st_size > 0)
        return std::make_unique<file_source>(std::move(file), index_t{status.st_size});
    return std::make_unique<pipe_source>(all_of(path, file.number(), max_bytes, known));
}

void expect_no_other_compressor(const std::string& name, std::string_view head) {
    const char* program = head.starts_with("\xfd\x37zXZ")        ? "xz"
                          : head.starts_with("\x28\xb5\x2f\xfd") ? "zstd"
                                                                 : nullptr;
    if (head.size() > 4 && head.starts_with("BZh") && head.substr(4).starts_with("1AY"))  // a digit between
        program = "bzip2";
    if (program != nullptr)
        throw bad_input(name + ": is compressed by " + program + ", which is not read (`" + program +
                        " -dc` decompresses to a pipe, and `-` reads a pipe)");
}

void refuse_input(const std::string& name, int code) {
    throw cannot_open(name + ": " + std::strerror(code), code);
}

std::string all_bytes(const byte_source& bytes, const std::string& name, index_t max_bytes) {
    if (bytes.size() > max_bytes) refuse_longer(name, max_bytes);
    std::string text(static_cast<std::size_t>(bytes.size()), '\0');
    if (!bytes.read(0, text.data(), bytes.size())) throw bad_input(name + ": cannot be read");
    return text;
}

}  // namespace wale::io
