// fasta - a small state machine over lines; the work on a line is a few passes that the compiler vectorises.
#include "io/fasta.hpp"

#include <algorithm>
#include <utility>
#include <wale/error.hpp>

#include "io/escape.hpp"

namespace wale::io {
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

}  // namespace

record_parser::record_parser(const std::string& name, const sequence_file_options& options)
    : name_(escaped(name)), keep_case_(options.keep_case) {}

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

/// A part of a line: the whole of it, unless the bytes arrived in two pieces.
void record_parser::piece(std::string_view text) {
    if (text.empty()) return;
    if (held_return_) refuse("byte 0x0d within the line, expected it only at the end");
    if (text.back() == '\r') {
        held_return_ = true;
        text.remove_suffix(1);
    }
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
}

std::vector<sequence_record> record_parser::finish() {
    if (!started_) lines(std::exchange(head_, {}));
    if (open_) end_line();  // the last line may lack its newline
    if (format_ == format::fastq && kind_ == line::quality)
        refuse("the file ends after a quality of " + std::to_string(quality_) + " characters, expected " +
               std::to_string(records_.back().symbols.size()) + ", the sequence's length");
    if (format_ == format::fastq && kind_ != line::between)
        refuse("the file ends within a record, expected header, sequence, '+' and quality");
    if (records_.empty()) refuse("no record, expected '>' (FASTA) or '@' (FASTQ)");
    return std::move(records_);
}

}  // namespace wale::io
