// output_file - temporary beside the target, without a name where the file system has such files; every call
// checked, rename at the end.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <utility>
#include <wale/error.hpp>
#include <wale/output_file.hpp>

#include "base/argument.hpp"
#include "io/escape.hpp"

namespace wale {
namespace {

constexpr std::size_t flush_at = std::size_t{1} << 18;  // bytes
constexpr int names_to_try = 100;

/// Names of the temporaries, where a signal handler finds them. Each string is a member of its output_file.
std::array<std::atomic<const char*>, 16> unfinished{};
static_assert(std::atomic<const char*>::is_always_lock_free);

std::string folder_of(const std::string& file) {
    const std::string folder = std::filesystem::path(file).parent_path().string();
    return folder.empty() ? "." : folder;
}

/// The file of a descriptor, with or without a name.
std::string own_path(int descriptor) {
    return "/proc/self/fd/" + std::to_string(descriptor);
}

int enlist(const char* name) {
    for (std::size_t i = 0; i < unfinished.size(); ++i) {
        const char* none = nullptr;
        if (unfinished[i].compare_exchange_strong(none, name)) return static_cast<int>(i);
    }
    return -1;  // more than sixteen at once: cleaned up by the destructor only
}

bool same_file(const std::string& path, const struct stat& other) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 && status.st_dev == other.st_dev && status.st_ino == other.st_ino;
}

/// Links are followed to their end, also to a file that is not there yet.
std::string resolved(std::string path) {
    for (int links = 0; links < 40; ++links) {
        char* real = realpath(path.c_str(), nullptr);
        const std::string out = real ? real : path;
        std::free(real);
        std::error_code no_link;
        const std::filesystem::path next = std::filesystem::read_symlink(out, no_link);
        if (no_link) return out;
        path = std::filesystem::path(out).parent_path() / next;
    }
    return path;
}

/// Where an output with this path goes, in words that are the same for the same place; empty: nowhere, or
/// a device that takes several.
std::string place_of(const std::string& path) {
    if (path.empty() || path == "-") return path;
    const auto numbers = [](const struct stat& f) {
        return std::to_string(f.st_dev) + ":" + std::to_string(f.st_ino) + ":";
    };
    struct stat status {};
    const bool exists = stat(path.c_str(), &status) == 0;
    if (exists && S_ISCHR(status.st_mode)) return {};
    if (exists && !S_ISREG(status.st_mode)) return numbers(status);
    const std::filesystem::path target = resolved(path);
    const std::string folder = target.parent_path().string();
    if (stat(folder.empty() ? "." : folder.c_str(), &status) != 0) return {};
    return numbers(status) + target.filename().string();
}

}  // namespace

void expect_distinct(std::span<const named_output> outputs) {
    std::map<std::string, const named_output*> seen;
    for (const named_output& one : outputs) {
        const std::string place = place_of(one.path);
        if (place.empty()) continue;
        const auto [other, is_new] = seen.emplace(place, &one);
        if (!is_new)
            base::refuse(std::string(other->second->argument) + " and " + one.argument,
                         "both are '" + io::escaped(one.path) + "'", "two files");
    }
}

void remove_unfinished_outputs() noexcept {
    for (auto& slot : unfinished)
        if (const char* name = slot.exchange(nullptr)) unlink(name);
}

output_file::output_file(std::string path, const std::vector<std::string>& inputs) : path_(std::move(path)) {
    if (path_ == "-") {
        descriptor_ = STDOUT_FILENO;
        return;
    }
    if (path_.empty()) throw cannot_write("'': no name, expected one of a file", true, ENOENT);
    if (path_.find('\0') != std::string::npos) fail(EINVAL, true);
    struct stat status {};
    if (stat(path_.c_str(), &status) != 0) {
        if (errno == ELOOP) fail(errno, true);
    } else {
        for (const std::string& input : inputs)
            if (S_ISREG(status.st_mode) && input != "-" && same_file(input, status))
                throw cannot_write(io::escaped(path_) + ": is an input, expected another file", true);
        if (S_ISDIR(status.st_mode)) fail(EISDIR, true);
        if (!S_ISREG(status.st_mode)) {  // a device or a pipe has no place to be renamed into
            descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
            if (descriptor_ < 0) fail(errno, true);
            return;
        }
    }
    target_ = resolved(path_);
    open_beside();
    if (S_ISREG(status.st_mode)) (void)fchmod(descriptor_, status.st_mode & 07777);
}

/// A file without a name is gone with its process, however that ends. Where /proc, by which the file gets the
/// name, or the file system does not take part, the file has a name from the beginning.
void output_file::open_beside() {
    descriptor_ = open(folder_of(target_).c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
    if (descriptor_ >= 0 && access(own_path(descriptor_).c_str(), F_OK) == 0) return;
    if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
    name_beside([this](const char* name) {
        descriptor_ = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        return descriptor_ >= 0;
    });
}

template <class Make>
void output_file::name_beside(const Make& make) {
    const std::string stem = target_ + ".tmp." + std::to_string(getpid());
    for (int i = 0; i < names_to_try; ++i) {
        temporary_ = i == 0 ? stem : stem + "." + std::to_string(i);
        slot_ = enlist(temporary_.c_str());  // before there is a file: a signal may come at any time
        if (make(temporary_.c_str())) return;
        const int code = errno;
        delist();
        temporary_.clear();
        if (code != EEXIST) fail(code, descriptor_ < 0);
    }
    fail(EEXIST, descriptor_ < 0);
}

output_file::~output_file() {
    abandon();
}

void output_file::delist() noexcept {
    if (slot_ >= 0) unfinished[static_cast<std::size_t>(slot_)].store(nullptr);
    slot_ = -1;
}

void output_file::abandon() noexcept {
    if (descriptor_ > STDERR_FILENO) close(descriptor_);
    descriptor_ = -1;
    if (!temporary_.empty()) unlink(temporary_.c_str());
    delist();
    temporary_.clear();
}

void output_file::fail(int code, bool at_creation) {
    abandon();
    throw cannot_write((path_ == "-" ? "standard output" : io::escaped(path_)) + ": " + std::strerror(code),
                       at_creation, code);
}

void output_file::write(std::string_view bytes) {
    buffer_.append(bytes);
    if (buffer_.size() >= flush_at) flush();
}

void output_file::flush() {
    std::string_view left = buffer_;
    while (!left.empty()) {
        const ssize_t done = ::write(descriptor_, left.data(), left.size());
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) fail(errno, false);
        left.remove_prefix(static_cast<std::size_t>(done));
    }
    buffer_.clear();
}

/// A device or a pipe may report only now that it could not take everything. Standard output stays open.
void output_file::close_straight() {
    const int number = std::exchange(descriptor_, -1);
    if (number != STDOUT_FILENO && close(number) != 0) fail(errno, false);
}

void output_file::commit() {
    flush();
    if (target_.empty()) return close_straight();
    // Before the rename, since nothing may be thrown once the file is in place.
    const std::string folder = folder_of(target_);
    if (fsync(descriptor_) != 0) fail(errno, false);
    if (temporary_.empty())  // a link cannot replace a file, a rename can
        name_beside([from = own_path(descriptor_)](const char* name) {
            return linkat(AT_FDCWD, from.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
        });
    if (close(std::exchange(descriptor_, -1)) != 0) fail(errno, false);
    if (rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno, false);
    delist();
    temporary_.clear();
    // The name is durable once its directory is; where a directory cannot be synced, the file still is whole.
    const int directory = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return;
    (void)fsync(directory);
    close(directory);
}

}  // namespace wale
