// sequence_file - files, standard input and memory, through decompression into the record parser.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <wale/error.hpp>
#include <wale/host_memory.hpp>
#include <wale/sequence_file.hpp>

#include "io/byte_source.hpp"
#include "io/escape.hpp"
#include "io/fasta.hpp"
#include "io/gzip.hpp"

namespace wale {
namespace {

constexpr std::size_t read_size = std::size_t{1} << 20;  // bytes

/// Decompression and parsing in a row; the records come out at the end.
class reader {
public:
    reader(const std::string& name, const sequence_file_options& options)
        : name_(name),
          parser_(name, options),
          bytes_(name, options.max_bytes, [this](std::string_view plain) { parser_.feed(plain); }) {
        if (options.max_bytes < 0)
            throw bad_argument("options.max_bytes: is " + std::to_string(options.max_bytes) +
                               ", expected 0 or more");
    }
    template <class Feed>
    std::vector<sequence_record> run(Feed&& feed) {
        try {
            feed(bytes_);
            bytes_.finish();
            return parser_.finish();
        } catch (const std::bad_alloc&) {
            throw out_of_memory(io::escaped(name_) + ": its records", out_of_memory::unknown,
                                available_host_memory());
        }
    }

private:
    std::string name_;
    io::record_parser parser_;
    io::plain_bytes bytes_;
};

/// A descriptor that is closed when it goes; standard input stays open.
struct descriptor {
    int number;
    ~descriptor() {
        if (number != STDIN_FILENO) close(number);
    }
};

int open_input(const std::string& path) {
    if (path == "-") return STDIN_FILENO;
    const int number = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (number < 0) io::refuse_input(io::input_name(path), errno);
    return number;
}

}  // namespace

std::vector<sequence_record> read_sequences(const std::string& path, const sequence_file_options& options) {
    const descriptor file{open_input(path)};
    struct stat facts {};
    if (fstat(file.number, &facts) == 0 && S_ISDIR(facts.st_mode))
        io::refuse_input(io::input_name(path), EISDIR);
    reader records(path == "-" ? "standard input" : path, options);
    std::vector<char> chunk(read_size);
    return records.run([&](io::plain_bytes& bytes) {
        while (true) {
            const ssize_t got = read(file.number, chunk.data(), chunk.size());
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) io::refuse_input(io::input_name(path), errno);
            if (got == 0) return;
            bytes.feed({chunk.data(), static_cast<std::size_t>(got)});
        }
    });
}

std::vector<sequence_record> parse_sequences(std::string_view bytes, const std::string& name,
                                             const sequence_file_options& options) {
    reader records(name, options);
    return records.run([&](io::plain_bytes& plain) { plain.feed(bytes); });
}

}  // namespace wale
