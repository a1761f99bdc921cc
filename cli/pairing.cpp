// pairing - which records are paired, and what is reported of all of them.
#include <iostream>

#include "align.hpp"
#include "engine.hpp"
#include "failure.hpp"
#include "text.hpp"

namespace wale::cli {

pairing choose_pairing(const align_options& o, const records& a, const records& b) {
    const pairing p{std::ssize(a), std::ssize(b), o.pairs};
    const std::string found = o.query_file + " has " + std::to_string(p.queries) + ", " + o.target_file +
                              " " + std::to_string(p.targets) + " records";
    if (o.pairs && p.queries != p.targets) throw usage_error("--pairs: " + found + ", expected as many");
    if (!o.pairs && !o.all && p.queries > 1 && p.targets > 1)
        throw usage_error("query, target: " + found + ", which with which?",
                          "--pairs: record k with record k; --all: each with each");
    return p;
}

double total_cells(const pairing& p, const records& a, const records& b) {
    double sum_a = 0, sum_b = 0, diagonal = 0;
    for (const auto& r : a) sum_a += static_cast<double>(r.symbols.size());
    for (const auto& r : b) sum_b += static_cast<double>(r.symbols.size());
    for (std::size_t k = 0; p.diagonal && k < a.size(); ++k)
        diagonal += static_cast<double>(a[k].symbols.size()) * static_cast<double>(b[k].symbols.size());
    return p.diagonal ? diagonal : sum_a * sum_b;
}

records read_records(const align_options& o, const std::string& argument, progress& line) {
    if (!o.strings) {
        line.say("reading " + printable(argument));
        return read_sequences(argument, {.keep_case = o.keep_case, .keep_quality = o.format == "sam"});
    }
    std::string symbols = argument;
    for (char& c : symbols) {
        if (c < ' ' || c > '~')  // one letter of UTF-8 is several bytes and would count as several symbols
            throw usage_error("--strings: '" + printable(argument) + "', expected printable ASCII");
        if (!o.keep_case && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    return {{&argument == &o.query_file ? "query" : "target", symbols}};
}

sequence_record record_of(const score_profile& profile, const std::string& file) {
    return {file.substr(file.find_last_of('/') + 1), profile.consensus()};
}

void report_totals(const align_totals& t) {
    std::string line = "wale: " + std::to_string(t.pairs) + (t.pairs == 1 ? " pair, " : " pairs, ") +
                       short_text(t.run.work) + " cells in " + time_text(t.run.compute_seconds);
    if (t.run.compute_seconds > 0) line += ", " + rate_text(t.run.work / t.run.compute_seconds);
    if (t.run.transfer_seconds > 0.01 * t.run.compute_seconds)
        line += ", transfers " + time_text(t.run.transfer_seconds);
    line += ran_text(t.run) + ")\n";
    std::cerr << line;  // all at once: no half of a line before an error
}

}  // namespace wale::cli
