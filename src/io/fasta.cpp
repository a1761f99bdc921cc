// fasta - a small state machine over lines; the work on a line is a few passes that the compiler vectorises.
#include "io/fasta.hpp"

#include <algorithm>
#include <utility>
#include <wale/error.hpp>

#include "io/escape.hpp"

namespace wale::io {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

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
    for (const char c : text)
        if (is_control(c) && !is_blank(c)) refuse(shown(c) + " after '+', expected text");
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
        quality_ = 0;
        return text.substr(1);
    }
    if (fasta) kind_ = line::symbols;
    if (kind_ == line::plus && first != '+')
        refuse(shown(first) + ", expected '+' after one line of sequence");
    return text;
}

void record_parser::end_line() {
    if (format_ == format::fastq && (open_ || kind_ != line::between)) end_fastq_line();
    open_ = held_return_ = false;
    ++line_;
}

void record_parser::end_fastq_line() {
    switch (kind_) {
        case line::header:
            kind_ = line::symbols;
            return;
        case line::symbols:
            kind_ = line::plus;
            return;
        case line::plus:
            if (!open_) refuse("an empty line, expected '+' after one line of sequence");
            kind_ = line::quality;
            return;
        default:
            break;
    }
    const std::size_t expected = records_.back().symbols.size();
    if (quality_ != expected)
        refuse("quality of " + std::to_string(quality_) + " characters, expected " +
               std::to_string(expected) + ", the sequence's length");
    kind_ = line::between;
}

void record_parser::add_header(std::string_view text) {
    for (const char c : text)
        if (is_control(c) && !is_blank(c)) refuse(shown(c) + " in a header, expected text");
    std::string& name = records_.back().name;
    if (name_done_) return;
    if (name.empty()) text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    const std::size_t end = text.find_first_of(" \t");
    name += text.substr(0, end);
    name_done_ = end != std::string_view::npos;
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
    // The last line may lack its newline; an empty quality line of an empty sequence may lack everything.
    if (open_ || kind_ == line::quality) end_line();
    if (format_ == format::fastq && kind_ != line::between)
        refuse("the file ends within a record, expected header, sequence, '+' and quality");
    if (records_.empty()) refuse("no record, expected '>' (FASTA) or '@' (FASTQ)");
    return std::move(records_);
}

}  // namespace wale::io
