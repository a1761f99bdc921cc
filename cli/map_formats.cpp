// map_formats - places of reads as PAF, SAM, a table and JSON.
#include <algorithm>
#include <wale/study.hpp>
#include <wale/variants.hpp>

#include "failure.hpp"
#include "json.hpp"
#include "map.hpp"
#include "text.hpp"

namespace wale::cli {
namespace {

/// Letters of the query, of the target and in all that the operations named in `which` take.
index_t count_of(const std::string& cigar, std::string_view which) {
    index_t sum = 0, number = 0;
    for (const char c : cigar) {
        if (c >= '0' && c <= '9') {
            number = 10 * number + (c - '0');
            continue;
        }
        if (which.find(c) != std::string_view::npos) sum += number;
        number = 0;
    }
    return sum;
}

/// A line with tabs between its cells.
std::string joined(std::initializer_list<std::string> cells) {
    std::string line;
    for (const std::string& cell : cells) {
        line += cell;
        line += '\t';
    }
    line.back() = '\n';
    return line;
}

/// Names of SAM: QNAME and RNAME of its specification, 1.4 and 1.2.1.
bool is_sam_name(const std::string& name, bool target) {
    const auto allowed = [&](char c) {
        if (c < '!' || c > '~') return false;
        return target ? std::string_view("\\,\"'`()[]{}<>").find(c) == std::string_view::npos : c != '@';
    };
    return !name.empty() && (target || name.size() <= 254) &&
           std::all_of(name.begin(), name.end(), allowed) &&
           (!target || (name.front() != '*' && name.front() != '='));
}

bool is_sam_sequence(const std::string& letters) {
    return std::all_of(letters.begin(), letters.end(), [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '=' || c == '.';
    });
}

}  // namespace

std::string sam_header(const std::string& file, const std::vector<sequence_record>& targets) {
    std::vector<std::string> names;
    for (const sequence_record& r : targets) {
        const std::string record = printable(file) + ": record '" + printable(r.name) + "'";
        if (!is_sam_name(r.name, true)) throw input_error(record + ": expected a name that SAM allows");
        if (r.symbols.empty() || r.symbols.size() > 0x7fffffff)
            throw input_error(record + ": has " + std::to_string(r.symbols.size()) +
                              " letters, expected 1 to 2147483647 for SAM");
        names.push_back(r.name);
    }
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end())
        throw input_error(printable(file) + ": record '" + printable(*twice) +
                          "' is there twice, expected different names for SAM");
    std::string lines = "@HD\tVN:1.6\tSO:unsorted\n";
    for (const sequence_record& r : targets)
        lines += "@SQ\tSN:" + r.name + "\tLN:" + std::to_string(r.symbols.size()) + "\n";
    return lines + "@PG\tID:wale\tPN:wale\tVN:" + version() + "\n";
}

void check_sam_read(const std::string& file, const sequence_record& r) {
    const std::string record = printable(file) + ": read '" + printable(r.name) + "'";
    if (!is_sam_name(r.name, false)) throw input_error(record + ": expected a name that SAM allows");
    if (!is_sam_sequence(r.symbols)) throw input_error(record + ": expected letters only for SAM");
}

std::string sam_quality(std::string_view quality, bool reverse) {
    if (quality.empty()) return "*";
    return reverse ? std::string(quality.rbegin(), quality.rend()) : std::string(quality);
}

map_writer::map_writer(const map_command& command, const std::vector<sequence_record>& genome)
    : command_(command), genome_(genome), out_(command.output, {command.reads_file, command.genome_file}) {
    if (command.json) {
        out_.frame(json_list("reads"));
        return;
    }
    if (command.format == "tsv")
        out_.frame("read\tlength\ttarget\tbegin\tend\tstrand\tdistance\tplaces\tcigar\n");
    if (command.format != "sam") return;
    out_.frame(sam_header(command.genome_file, genome));
}

void map_writer::add(index_t k_of_all, const mapped_read& m) {
    if (command_.json) return out_.write((k_of_all > 0 ? ",\n" : "\n") + to_json(m, genome_));
    const std::size_t shown = command_.all ? m.places.size() : std::min<std::size_t>(1, m.places.size());
    for (std::size_t k = 0; k < shown; ++k) {
        if (command_.format == "paf") add_paf(m, m.places[k], k == 0);
        if (command_.format == "sam") add_sam(m, &m.places[k], k == 0);
        if (command_.format == "tsv") add_tsv(m, &m.places[k]);
    }
    if (shown == 0 && command_.format == "sam") add_sam(m, nullptr, true);
    if (shown == 0 && command_.format == "tsv") add_tsv(m, nullptr);
}

void map_writer::add_paf(const mapped_read& m, const read_place& p, bool first) {
    const std::string size = std::to_string(m.read->symbols.size());
    out_.write(
        joined({m.read->name, size, "0", size, p.at.reverse ? "-" : "+", genome_[p.target].name,
                std::to_string(genome_[p.target].symbols.size()), std::to_string(p.at.begin),
                std::to_string(p.at.end), std::to_string(count_of(p.cigar, "=")),
                std::to_string(count_of(p.cigar, "=XID")), m.places.size() > 1 ? "0" : "60",
                first ? "tp:A:P" : "tp:A:S", "NM:i:" + std::to_string(m.distance), "cg:Z:" + p.cigar}));
}

void map_writer::add_sam(const mapped_read& m, const read_place* p, bool first) {
    const sequence_record& r = *m.read;
    check_sam_read(command_.reads_file, r);
    const std::string letters = r.symbols.empty() ? "*" : r.symbols;
    if (p == nullptr) {
        out_.write(
            joined({r.name, "4", "*", "0", "0", "*", "*", "0", "0", letters, sam_quality(r.quality, false)}));
        return;
    }
    const int flag = (p->at.reverse ? 16 : 0) + (first ? 0 : 256);
    out_.write(joined({r.name, std::to_string(flag), genome_[p->target].name, std::to_string(p->at.begin + 1),
                       m.places.size() > 1 ? "0" : "60", p->cigar, "*", "0", "0",
                       !first          ? "*"
                       : p->at.reverse ? reverse_complement(letters)
                                       : letters,
                       first ? sam_quality(r.quality, p->at.reverse) : "*",
                       "NM:i:" + std::to_string(m.distance), "NH:i:" + std::to_string(m.places.size())}));
}

void map_writer::add_tsv(const mapped_read& m, const read_place* p) {
    const std::string size = std::to_string(m.read->symbols.size()), none = "NA";
    if (p == nullptr)
        out_.write(joined({m.read->name, size, none, none, none, none, none, "0", none}));
    else
        out_.write(joined({m.read->name, size, genome_[p->target].name, std::to_string(p->at.begin),
                           std::to_string(p->at.end), p->at.reverse ? "-" : "+", std::to_string(m.distance),
                           std::to_string(m.places.size()), p->cigar}));
}

void map_writer::finish(const map_totals& totals) {
    if (command_.json) out_.frame("\n],\n\"run\": " + to_json(totals) + "}\n");
    out_.commit();
}

}  // namespace wale::cli
