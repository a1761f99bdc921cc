// sequence_file - FASTA and FASTQ, plain or gzip.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>
#include <wale/layout.hpp>

namespace wale {

struct sequence_record {
    std::string name;     // the header's first word
    std::string symbols;  // letters upper-cased; see sequence_file_options
    std::string
        quality{};  // of a FASTQ with keep_quality: a character '!'..'~' for each symbol, as in the file
};

struct sequence_file_options {
    bool keep_case = false;                // lower case (soft masking) is upper-cased otherwise
    bool keep_quality = false;             // qualities of a FASTQ are only checked otherwise
    index_t max_bytes = index_t{1} << 34;  // refuse more than this, decompressed
};

/// Reads all records of a FASTA or FASTQ file, distinguished by the first byte; `-` is standard input.
/// A FASTA header may hold several titles with byte 0x01 between them, as NCBI writes them: the name is the
/// first word of the first title. Sequence and quality of FASTQ may take several lines: a line that starts
/// with
/// '+' ends the sequence, and the quality ends where it is as long as the sequence. Text after '+' must
/// repeat the title after '@', or its first word. Throws cannot_open where the file cannot be opened or read,
/// and bad_input with file:line for anything that the format does not allow (no record, NUL or other control
/// bytes, FASTQ with a longer or shorter quality or with two titles, damaged gzip).
[[nodiscard]] std::vector<sequence_record> read_sequences(const std::string& path,
                                                          const sequence_file_options& = {});

/// The records of such a file, block by block: for files larger than memory.
class sequence_blocks {
public:
    explicit sequence_blocks(const std::string& path, const sequence_file_options& = {});
    sequence_blocks(sequence_blocks&&) noexcept;
    sequence_blocks& operator=(sequence_blocks&&) noexcept;
    ~sequence_blocks();
    /// The next records: up to the one with which they have `letters` symbols or more. None: the file has
    /// ended. Throws as read_sequences() does.
    [[nodiscard]] std::vector<sequence_record> next(index_t letters);

private:
    struct state;
    std::unique_ptr<state> state_;
};

/// The same from memory; `name` stands in messages. This is what the fuzzer drives.
[[nodiscard]] std::vector<sequence_record> parse_sequences(std::string_view bytes, const std::string& name,
                                                           const sequence_file_options& = {});

}  // namespace wale
