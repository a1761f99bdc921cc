// statistics - E-values of local alignments with gaps.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <wale/search.hpp>

#include "solvers/wavefront/align/shared/named_statistics.hpp"

namespace wale {
namespace {

/// Costs in NCBI's words: a gap of k symbols costs existence + k * extension.
struct published {
    std::string_view matrix;
    int existence, extension;
    score_statistics of;
};

/// lambda, K, alpha, beta: the values that NCBI's BLAST has for each matrix (blast_stat.c).
constexpr published table[] = {
    {"blosum45", 13, 3, {.207, .049, 1.5, -22}},  {"blosum45", 12, 3, {.199, .039, 1.8, -34}},
    {"blosum45", 11, 3, {.190, .031, 2.0, -38}},  {"blosum45", 10, 3, {.179, .023, 2.4, -51}},
    {"blosum45", 16, 2, {.210, .051, 1.5, -24}},  {"blosum45", 15, 2, {.203, .041, 1.7, -31}},
    {"blosum45", 14, 2, {.195, .032, 1.9, -36}},  {"blosum45", 13, 2, {.185, .024, 2.2, -45}},
    {"blosum45", 12, 2, {.171, .016, 2.8, -65}},  {"blosum45", 19, 1, {.205, .040, 1.9, -43}},
    {"blosum45", 18, 1, {.198, .032, 2.0, -43}},  {"blosum45", 17, 1, {.189, .024, 2.4, -57}},
    {"blosum45", 16, 1, {.176, .016, 2.8, -67}},  {"blosum50", 13, 3, {.212, .063, 1.1, -16}},
    {"blosum50", 12, 3, {.206, .055, 1.2, -18}},  {"blosum50", 11, 3, {.197, .042, 1.4, -25}},
    {"blosum50", 10, 3, {.186, .031, 1.7, -34}},  {"blosum50", 9, 3, {.172, .022, 2.1, -48}},
    {"blosum50", 16, 2, {.215, .066, 1.05, -15}}, {"blosum50", 15, 2, {.210, .058, 1.2, -20}},
    {"blosum50", 14, 2, {.202, .045, 1.4, -27}},  {"blosum50", 13, 2, {.193, .035, 1.6, -32}},
    {"blosum50", 12, 2, {.181, .025, 1.9, -41}},  {"blosum50", 19, 1, {.212, .057, 1.2, -21}},
    {"blosum50", 18, 1, {.207, .050, 1.4, -28}},  {"blosum50", 17, 1, {.198, .037, 1.6, -33}},
    {"blosum50", 16, 1, {.186, .025, 1.9, -42}},  {"blosum50", 15, 1, {.171, .015, 2.7, -76}},
    {"blosum62", 11, 2, {.297, .082, 1.1, -10}},  {"blosum62", 10, 2, {.291, .075, 1.3, -15}},
    {"blosum62", 9, 2, {.279, .058, 1.5, -19}},   {"blosum62", 8, 2, {.264, .045, 1.8, -26}},
    {"blosum62", 7, 2, {.239, .027, 2.5, -46}},   {"blosum62", 6, 2, {.201, .012, 3.3, -58}},
    {"blosum62", 13, 1, {.292, .071, 1.2, -11}},  {"blosum62", 12, 1, {.283, .059, 1.5, -19}},
    {"blosum62", 11, 1, {.267, .041, 1.9, -30}},  {"blosum62", 10, 1, {.243, .024, 2.5, -44}},
    {"blosum62", 9, 1, {.206, .010, 4.0, -87}},   {"blosum90", 9, 2, {.310, .12, .67, -6}},
    {"blosum90", 8, 2, {.300, .099, .76, -7}},    {"blosum90", 7, 2, {.283, .072, .93, -11}},
    {"blosum90", 6, 2, {.259, .048, 1.2, -16}},   {"blosum90", 11, 1, {.302, .093, .78, -8}},
    {"blosum90", 10, 1, {.290, .075, 1.04, -15}}, {"blosum90", 9, 1, {.265, .044, 1.3, -19}},
    {"pam30", 7, 2, {.305, .15, .35, -3}},        {"pam30", 6, 2, {.287, .11, .42, -4}},
    {"pam30", 5, 2, {.264, .079, .59, -7}},       {"pam30", 10, 1, {.309, .15, .35, -3}},
    {"pam30", 9, 1, {.294, .11, .48, -6}},        {"pam30", 8, 1, {.270, .072, .68, -10}},
    {"pam70", 8, 2, {.301, .12, .56, -5}},        {"pam70", 7, 2, {.286, .093, .67, -7}},
    {"pam70", 6, 2, {.264, .064, .90, -12}},      {"pam70", 11, 1, {.305, .12, .59, -6}},
    {"pam70", 10, 1, {.291, .091, .71, -9}},      {"pam70", 9, 1, {.270, .060, .97, -14}},
    {"pam250", 15, 3, {.205, .049, 1.6, -23}},    {"pam250", 14, 3, {.200, .043, 1.7, -26}},
    {"pam250", 13, 3, {.194, .036, 1.9, -31}},    {"pam250", 12, 3, {.186, .029, 2.2, -41}},
    {"pam250", 11, 3, {.174, .020, 2.5, -48}},    {"pam250", 17, 2, {.204, .047, 1.7, -28}},
    {"pam250", 16, 2, {.198, .038, 1.8, -29}},    {"pam250", 15, 2, {.191, .031, 2.2, -44}},
    {"pam250", 14, 2, {.182, .024, 2.5, -53}},    {"pam250", 13, 2, {.171, .017, 2.9, -64}},
    {"pam250", 21, 1, {.205, .045, 1.8, -34}},    {"pam250", 20, 1, {.199, .037, 1.9, -35}},
    {"pam250", 19, 1, {.192, .029, 2.3, -52}},    {"pam250", 18, 1, {.183, .021, 2.6, -60}},
    {"pam250", 17, 1, {.171, .014, 3.3, -86}}};

bool same(const substitution_matrix& a, const substitution_matrix& b) {
    return a.letters() == b.letters() && a.scores() == b.scores();
}

/// The letters l at the ends of both sequences in which no alignment of the expected length has room:
/// l = alpha / lambda * ln(K (m - l) (n - N l)) + beta, whose right side falls as l grows.
double end_letters(const score_statistics& s, double m, double n, double records) {
    const auto excess = [&](double l) {
        const double room = s.k * (m - l) * (n - records * l);
        return s.alpha / s.lambda * std::log(std::max(room, 1e-300)) + s.beta - l;
    };
    double low = 0, high = std::min(m - 1, (n - 1) / records);
    if (high <= 0 || excess(0) <= 0) return 0;
    for (int step = 0; step < 60; ++step) {
        const double middle = (low + high) / 2;
        (excess(middle) > 0 ? low : high) = middle;
    }
    return std::floor(low);
}

}  // namespace

double score_statistics::bits(index_t score) const {
    return (lambda * static_cast<double>(score) - std::log(k)) / std::log(2.0);
}

double score_statistics::evalue(index_t score, index_t query_letters, index_t database_letters,
                                index_t database_records) const {
    const auto m = static_cast<double>(query_letters), n = static_cast<double>(database_letters);
    const auto records = static_cast<double>(database_records);
    const double l = end_letters(*this, m, n, records);
    return k * std::max(m - l, 1.0) * std::max(n - records * l, 1.0) *
           std::exp(-lambda * static_cast<double>(score));
}

std::optional<score_statistics> published_statistics(const substitution_matrix& matrix, index_t open,
                                                     index_t extend) {
    const index_t extension = std::min(open, extend);
    for (const published& p : table)
        if (p.extension == extension && p.existence == open - extension &&
            same(matrix, substitution_matrix::named(p.matrix)))
            return p.of;
    return std::nullopt;
}

namespace wavefront {

std::string matrix_with_parameters(std::string_view k, std::string_view lambda) {
    const auto number = [](std::string_view word) {
        double value = 0;
        const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
        return code == std::errc() && end == word.data() + word.size() ? value : -1;
    };
    for (const published& p : table)
        if (p.of.k == number(k) && p.of.lambda == number(lambda)) return std::string(p.matrix);
    return {};
}

}  // namespace wavefront
}  // namespace wale
