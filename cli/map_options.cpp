// map_options - what `wale map` takes.
#include <CLI/CLI.hpp>

#include "map.hpp"
#include "numbers.hpp"

namespace wale::cli {

void add_map(CLI::App& app, map_command& o) {
    CLI::App& verb = *app.add_subcommand("map", "find where reads come from in a genome");
    verb.add_option("reads", o.reads_file, "FASTA or FASTQ, plain or gzip; - is standard input")->required();
    verb.add_option("genome", o.genome_file, "FASTA, one or many records")->required();
    const std::vector<std::string> formats{"paf", "sam", "tsv"};
    CLI::Option* const format = verb.add_option("-f,--format", o.format, "else as the output's name ends")
                                    ->check(CLI::IsMember(formats))
                                    ->capture_default_str();
    verb.callback([&o, format, formats] { follow_ending(*format, o.format, o, formats); });
    add_number(verb, "-e,--errors", o.errors, {0, 1}, "errors accepted, as a share of a read's letters")
        .capture_default_str()
        ->type_name("SHARE");
    add_number(verb, "-k,--bound", o.bound, {.least = 0}, "errors accepted, whatever the read's length")
        .type_name("K");
    verb.add_flag("--all", o.all,
                  "write every place that has the least distance, not the first only; of places\n"
                  "that overlap the first");
    verb.add_flag("--forward", o.forward, "do not try the reads' reverse complement");
    verb.add_flag("--keep-case", o.keep_case, "lower and upper case are different symbols");
    verb.add_flag("--verify", o.verify,
                  "search for reads again by the reference in a window round every place, up to 10^9\n"
                  "cells in all; exit 1 and no output if one differs");
    add_run(verb, o, "auto is the CPU: there is no variant on CUDA",
            "a row `infix` of `wale list wavefront`");
    verb.add_flag("--json", o.json, "write JSON instead, errors too");
    verb.add_option("-o,--output", o.output, "write to FILE instead of standard output")->type_name("FILE");
    verb.footer(
        "Each read is aligned as a whole, at unit cost, to every part of the genome on both strands: exact,\n"
        "without an index. Errors are letters replaced, inserted or deleted. A read above the bound is not\n"
        "mapped: PAF leaves such reads out, the other formats name them. CIGAR has = and X; the mapping\n"
        "quality is 60 for one place with the least distance, 0 for several.\n\n"
        "Examples:\n"
        "  wale map reads.fq genome.fa -o reads.paf\n"
        "  wale map reads.fq.gz genome.fa.gz --errors 0.05 --format sam | samtools sort -o reads.bam\n");
}

}  // namespace wale::cli
