// fasta - records of FASTA and FASTQ from bytes that arrive in pieces of any size.
#pragma once

#include <string>
#include <string_view>
#include <vector>
#include <wale/sequence_file.hpp>

namespace wale::io {

/// Symbols are the printable bytes but '>'; blanks inside a sequence are skipped; a line may end in CR LF.
/// The first line that the format does not allow throws bad_input with its number.
class record_parser {
public:
    record_parser(const std::string& name, const sequence_file_options& options);
    void feed(std::string_view bytes);
    [[nodiscard]] std::vector<sequence_record> finish();

private:
    enum class format { unknown, fasta, fastq };
    enum class line { between, header, symbols, plus, quality };

    void lines(std::string_view bytes);
    void piece(std::string_view text);
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
    bool keep_case_;
    std::vector<sequence_record> records_;
    std::string head_;  // the first bytes, until a byte order mark could be told
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

}  // namespace wale::io
