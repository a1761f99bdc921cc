// sequence_file - FASTA and FASTQ from files, standard input and memory, in pieces of any size, through
// decompression into a small state machine over lines; the work on a line is a few passes that the compiler
// vectorises.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include <wale/error.hpp>
#include <wale/host_memory.hpp>
#include <wale/sequence_file.hpp>

#include "base/argument.hpp"
#include "io/byte_source.hpp"
#include "io/escape.hpp"
#include "io/gzip.hpp"

namespace wale {
namespace io {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr char title_separator = '\x01';  // NCBI's FASTA: several titles of one sequence in one header

bool is_blank(char c) {
    return c == ' ' || c == '\t';
}
bool is_control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
}
bool is_symbol(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte > 0x20 && byte < 0x7f && c != '>';
}
std::string_view without_end_blanks(std::string_view text) {
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}
char upper(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
}

/// Symbols are the printable bytes but '>'; blanks inside a sequence are skipped; a line ends in LF, CR LF or
/// CR. The first line that the format does not allow throws bad_input with its number.
class record_parser {
public:
    record_parser(const std::string& name, const sequence_file_options& options);
    void feed(std::string_view bytes);
    [[nodiscard]] std::vector<sequence_record> finish();
    /// Symbols of the records that are complete, and these records.
    [[nodiscard]] index_t complete_letters() const { return letters_; }
    [[nodiscard]] std::vector<sequence_record> take_complete();

private:
    enum class format { unknown, fasta, fastq };
    enum class line { between, header, symbols, plus, quality };

    void lines(std::string_view bytes);
    void piece(std::string_view text);
    void part_of_line(std::string_view text);
    [[nodiscard]] std::string_view open_line(std::string_view text);
    void end_line();
    void end_fastq_line();
    void check_caption() const;
    void add_caption(std::string_view text);
    void add_header(std::string_view text);
    void add_symbols(std::string_view text);
    void add_symbols_one_by_one(std::string_view text);
    void add_quality(std::string_view text);
    [[noreturn]] void refuse(const std::string& what) const;

    std::string name_;
    bool keep_case_, keep_quality_;
    std::vector<sequence_record> records_;
    index_t letters_ = 0;  // of all records but the last
    bool taken_ = false;   // some records were
    std::string head_;     // the first bytes, until they show a byte order mark or none
    bool started_ = false;
    format format_ = format::unknown;
    line kind_ = line::between;  // FASTQ: what the current line is
    bool open_ = false;          // the current line has bytes
    bool held_return_ = false;   // its last byte was a carriage return
    bool name_done_ = false;
    std::string title_, caption_;  // FASTQ: what follows '@' and '+' in this record
    std::size_t quality_ = 0;      // bytes
    index_t line_ = 1;
};

record_parser::record_parser(const std::string& name, const sequence_file_options& options)
    : name_(escaped(name)), keep_case_(options.keep_case), keep_quality_(options.keep_quality) {}

void record_parser::refuse(const std::string& what) const {
    throw bad_input(name_ + ":" + std::to_string(line_) + ": " + what);
}

void record_parser::feed(std::string_view bytes) {
    if (started_) return lines(bytes);
    head_ += bytes;
    if (head_.size() < byte_order_mark.size()) return;
    started_ = true;
    const std::string head = std::exchange(head_, {});
    lines(std::string_view(head).substr(head.starts_with(byte_order_mark) ? byte_order_mark.size() : 0));
}

void record_parser::lines(std::string_view bytes) {
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        piece(bytes.substr(0, end));
        if (end == std::string_view::npos) return;
        end_line();
        bytes.remove_prefix(end + 1);
    }
}

/// Bytes without line feeds. A carriage return alone ends a line, too; before a line feed it is a part of
/// that.
void record_parser::piece(std::string_view text) {
    while (!text.empty()) {
        if (held_return_) end_line();
        const std::size_t end = text.find('\r');
        part_of_line(text.substr(0, end));
        held_return_ = end != std::string_view::npos;
        text.remove_prefix(held_return_ ? end + 1 : text.size());
    }
}

/// A part of a line: the whole of it, unless the bytes arrived in two pieces.
void record_parser::part_of_line(std::string_view text) {
    if (text.empty()) return;
    if (!open_) text = open_line(text);
    open_ = true;
    if (kind_ == line::header) return add_header(text);
    if (kind_ == line::symbols) return add_symbols(text);
    if (kind_ == line::quality) return add_quality(text);
    add_caption(text);
}

/// Decides from its first byte what the line is; takes the mark off a header.
std::string_view record_parser::open_line(std::string_view text) {
    const char first = text.front();
    if (format_ == format::unknown) {
        if (first != '>' && first != '@') refuse(shown(first) + ", expected '>' (FASTA) or '@' (FASTQ)");
        format_ = first == '>' ? format::fasta : format::fastq;
    }
    const bool fasta = format_ == format::fasta;
    if (fasta ? first == '>' : kind_ == line::between) {
        if (!fasta && first != '@') refuse(shown(first) + ", expected '@' of the next record");
        if (!records_.empty()) letters_ += std::ssize(records_.back().symbols);
        records_.emplace_back();
        kind_ = line::header;
        name_done_ = false;
        title_.clear();
        caption_.clear();
        quality_ = 0;
        return text.substr(1);
    }
    if (fasta) kind_ = line::symbols;
    if (!fasta && kind_ == line::symbols && first == '+') {
        kind_ = line::plus;
        return text.substr(1);
    }
    return text;
}

void record_parser::end_line() {
    if (format_ == format::fastq && (open_ || kind_ != line::between)) end_fastq_line();
    open_ = held_return_ = false;
    ++line_;
}

/// The sequence ends at a line that starts with '+', the quality where it is as long as the sequence: '@' and
/// '+' are quality values too, so that no mark ends it.
void record_parser::end_fastq_line() {
    const std::size_t expected = records_.back().symbols.size();
    switch (kind_) {
        case line::header:
            kind_ = line::symbols;
            return;
        case line::plus:
            check_caption();
            kind_ = line::quality;
            break;
        case line::quality:
            if (quality_ > expected)
                refuse("quality of " + std::to_string(quality_) + " characters, expected " +
                       std::to_string(expected) + ", the sequence's length");
            break;
        default:
            return;
    }
    if (quality_ == expected) kind_ = line::between;
}

/// A title after '+' that is another one than after '@' shows that lines were lost or mixed up.
void record_parser::check_caption() const {
    const std::string_view caption = without_end_blanks(caption_), title = without_end_blanks(title_);
    if (!caption.empty() && caption != title && caption != records_.back().name)
        refuse(quoted(caption) + " after '+', expected nothing, or as after '@' " + quoted(title));
}

void record_parser::add_header(std::string_view text) {
    const bool fasta = format_ == format::fasta;
    for (const char c : text)
        if (is_control(c) && !is_blank(c) && !(fasta && c == title_separator))
            refuse(shown(c) + " in a header, expected text");
    if (!fasta) title_ += text;
    std::string& name = records_.back().name;
    if (name_done_) return;
    if (name.empty()) text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    const std::size_t end = text.find_first_of(" \t\x01");
    name += text.substr(0, end);
    name_done_ = end != std::string_view::npos;
}

void record_parser::add_caption(std::string_view text) {
    for (const char c : text)
        if (is_control(c) && !is_blank(c)) refuse(shown(c) + " after '+', expected text");
    caption_ += text;
}

void record_parser::add_symbols(std::string_view text) {
    std::string& symbols = records_.back().symbols;
    const std::size_t before = symbols.size();
    symbols.append(text);
    char* at = symbols.data() + before;
    bool odd = false;
    for (std::size_t i = 0; i < text.size(); ++i) odd |= !is_symbol(at[i]);
    if (odd) {
        symbols.resize(before);
        return add_symbols_one_by_one(text);
    }
    if (!keep_case_)
        for (std::size_t i = 0; i < text.size(); ++i) at[i] = upper(at[i]);
}

void record_parser::add_symbols_one_by_one(std::string_view text) {
    std::string& symbols = records_.back().symbols;
    for (const char c : text) {
        if (is_blank(c)) continue;
        if (!is_symbol(c))
            refuse(shown(c) + " in a sequence, expected letters, '*', '-' or other printable ASCII");
        symbols += keep_case_ ? c : upper(c);
    }
}

void record_parser::add_quality(std::string_view text) {
    for (const char c : text)
        if (c < '!' || c > '~') refuse(shown(c) + " in a quality string, expected '!'..'~'");
    quality_ += text.size();
    if (keep_quality_) records_.back().quality += text;
}

std::vector<sequence_record> record_parser::finish() {
    if (!started_) lines(std::exchange(head_, {}));
    if (open_ || held_return_) end_line();  // the last line may lack its newline
    if (format_ == format::fastq && kind_ == line::quality)
        refuse("the file ends after a quality of " + std::to_string(quality_) + " characters, expected " +
               std::to_string(records_.back().symbols.size()) + ", the sequence's length");
    if (format_ == format::fastq && kind_ != line::between)
        refuse("the file ends within a record, expected header, sequence, '+' and quality");
    if (records_.empty() && !taken_) refuse("no record, expected '>' (FASTA) or '@' (FASTQ)");
    return std::move(records_);
}

std::vector<sequence_record> record_parser::take_complete() {
    std::vector<sequence_record> complete = std::exchange(records_, {});
    records_.push_back(std::move(complete.back()));
    complete.pop_back();
    letters_ = 0;
    taken_ = true;
    return complete;
}

}  // namespace
}  // namespace io

namespace {

constexpr std::size_t read_size = std::size_t{1} << 20;  // bytes

/// Decompression and parsing in a row.
class reader {
public:
    reader(const std::string& name, const sequence_file_options& options)
        : name_(name),
          parser_(name, options),
          bytes_(name, options.max_bytes, [this](std::string_view plain) { parser_.feed(plain); }) {
        if (options.max_bytes < 0)
            base::refuse("options.max_bytes", "is " + std::to_string(options.max_bytes), "0 or more");
    }
    /// feed(bytes) gives some of the file to `bytes`, false at its end. Reads until records of `letters`
    /// symbols are complete, or to the end.
    template <class Feed>
    std::vector<sequence_record> run(index_t letters, Feed&& feed) {
        try {
            while (feed(bytes_))
                if (parser_.complete_letters() >= letters) return parser_.take_complete();
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

constexpr index_t all_letters = std::numeric_limits<index_t>::max();

/// A descriptor that is closed when it goes; standard input stays open.
struct descriptor {
    int number;
    ~descriptor() {
        if (number != STDIN_FILENO) close(number);
    }
};

int open_input(const std::string& path) {
    if (path == "-") return STDIN_FILENO;
    if (path.find('\0') != std::string::npos) io::refuse_input(io::input_name(path), EINVAL);
    const int number = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (number < 0) io::refuse_input(io::input_name(path), errno);
    return number;
}

}  // namespace

struct sequence_blocks::state {
    state(const std::string& at, const sequence_file_options& options)
        : path(at), file{open_input(at)}, records(at == "-" ? "standard input" : at, options) {
        struct stat status {};
        if (fstat(file.number, &status) == 0 && S_ISDIR(status.st_mode))
            io::refuse_input(io::input_name(path), EISDIR);
    }
    bool feed(io::plain_bytes& bytes) {
        ssize_t got = 0;
        do got = read(file.number, chunk.data(), chunk.size());
        while (got < 0 && errno == EINTR);
        if (got < 0) io::refuse_input(io::input_name(path), errno);
        if (got > 0) bytes.feed({chunk.data(), static_cast<std::size_t>(got)});
        return got > 0;
    }
    std::string path;
    descriptor file;
    reader records;
    std::vector<char> chunk = std::vector<char>(read_size);
    bool ended = false;
};

sequence_blocks::sequence_blocks(const std::string& path, const sequence_file_options& options)
    : state_(std::make_unique<state>(path, options)) {}
sequence_blocks::sequence_blocks(sequence_blocks&&) noexcept = default;
sequence_blocks& sequence_blocks::operator=(sequence_blocks&&) noexcept = default;
sequence_blocks::~sequence_blocks() = default;

std::vector<sequence_record> sequence_blocks::next(index_t letters) {
    if (state_ == nullptr || state_->ended) return {};  // what was moved from has no records
    bool more = true;
    auto records = state_->records.run(std::max<index_t>(letters, 1), [&](io::plain_bytes& bytes) {
        more = state_->feed(bytes);
        return more;
    });
    state_->ended = !more;
    return records;
}

std::vector<sequence_record> read_sequences(const std::string& path, const sequence_file_options& options) {
    return sequence_blocks(path, options).next(all_letters);
}

std::vector<sequence_record> parse_sequences(std::string_view bytes, const std::string& name,
                                             const sequence_file_options& options) {
    reader records(name, options);
    bool fed = false;
    return records.run(all_letters, [&](io::plain_bytes& plain) {
        if (!std::exchange(fed, true)) {
            plain.feed(bytes);
            return true;
        }
        return false;
    });
}

}  // namespace wale
