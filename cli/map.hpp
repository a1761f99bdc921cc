// map - what the command line says of reads and a genome, and where a read was found.
#pragma once

#include <string>
#include <vector>
#include <wale/infix.hpp>
#include <wale/sequence_file.hpp>

#include "group.hpp"
#include "options.hpp"

namespace CLI {
class App;
}

namespace wale::cli {

struct map_command : run_options {
    std::string reads_file, genome_file;
    std::string format = "paf";  // sam, tsv
    double errors = 0.1;         // of a read's letters
    index_t bound = -1;          // >= 0: instead of `errors`
    bool all = false;            // every place, not the first
    bool forward = false;        // not the reverse complement
    bool keep_case = false;
    bool verify = false;
};

/// One place of a read, genome[begin, end).
struct read_place {
    std::size_t target = 0;  // a record of the genome
    infix_location at;
    std::string cigar;
};

/// A read and the places that are nearest to it; none where all are above the bound.
struct mapped_read {
    const sequence_record* read = nullptr;
    index_t distance = -1;
    std::vector<read_place> places;
};

struct map_totals {
    index_t reads = 0, mapped = 0, repeated = 0;  // repeated: in several places
    index_t verified = 0;                         // reads whose places were searched again
    report run;
};

/// The lines of SAM before the alignments. Throws input_error where a record has no place in SAM; so does
/// check_sam_read() of a read.
[[nodiscard]] std::string sam_header(const std::string& file, const std::vector<sequence_record>& targets);
void check_sam_read(const std::string& file, const sequence_record& read);
/// SAM's QUAL of a read whose quality is as in its file: that of the strand that SAM shows; '*' for none.
[[nodiscard]] std::string sam_quality(std::string_view quality, bool reverse);

/// Writes reads in one of the formats.
class map_writer {
public:
    /// Throws input_error where a name or a letter has no place in the format.
    map_writer(const map_command& command, const std::vector<sequence_record>& genome);
    /// Read k of all.
    void add(index_t k, const mapped_read& read);
    [[nodiscard]] ordered_output& out() { return out_; }
    void finish(const map_totals& totals);

private:
    void add_paf(const mapped_read& m, const read_place& p, bool first);
    void add_sam(const mapped_read& m, const read_place* p, bool first);
    void add_tsv(const mapped_read& m, const read_place* p);

    const map_command& command_;
    const std::vector<sequence_record>& genome_;
    ordered_output out_;
};

void add_map(CLI::App& app, map_command& o);
int map_reads(const map_command& command);

}  // namespace wale::cli
