// bit_vector - one chain of 64-bit words, column by column; the shorter sequence is the rows.
#include <bit>
#include <utility>

#include "solvers/wavefront/length/shared/bit_vector.hpp"
#include "solvers/wavefront/length/shared/word_strips.hpp"

namespace wale::wavefront {
namespace {

constexpr index_t word_rows = 64;

/// Which of at most 64 rows hold a symbol, without codes and without memory: short pairs are as dear as what
/// surrounds their columns. Bytes have a word for each value, of which only those that occur are set; wider
/// symbols are compared with each row.
template <class Symbol>
class word_of_rows {
public:
    word_of_rows(std::span<const Symbol> rows, std::span<const Symbol> columns) : rows_(rows) {
        if constexpr (sizeof(Symbol) == 1) {
            for (const Symbol x : columns) bits_[x] = 0;
            for (const Symbol x : rows) bits_[x] = 0;
            for (std::size_t row = 0; row < rows.size(); ++row) bits_[rows[row]] |= std::uint64_t{1} << row;
        }
    }
    [[nodiscard]] std::uint64_t operator()(Symbol symbol) const {
        if constexpr (sizeof(Symbol) == 1) return bits_[symbol];
        std::uint64_t found = 0;
        for (std::size_t row = 0; row < rows_.size(); ++row)
            found |= std::uint64_t{rows_[row] == symbol} << row;
        return found;
    }

private:
    std::span<const Symbol> rows_;
    std::uint64_t bits_[sizeof(Symbol) == 1 ? 256 : 1];  // unset where no symbol is
};

/// Wider symbols cost a comparison a cell.
bool fits_a_word(const symbols& rows, const symbols& columns) {
    return rows.size <= word_rows && (rows.bytes == 1 || columns.size <= word_rows);
}

/// Hyyro 2004 in one word.
struct lcs_word {
    template <class Symbol>
    index_t operator()(std::span<const Symbol> rows, std::span<const Symbol> columns) const {
        const word_of_rows<Symbol> matches(rows, columns);
        std::uint64_t v = ~std::uint64_t{0};
        cpu::rare_poll poll(columns_a_poll);
        for (const Symbol symbol : columns) {
            poll();
            const std::uint64_t m = matches(symbol);
            v = (v + (v & m)) | (v & ~m);
        }
        return std::popcount(~v & ~std::uint64_t{0} >> (word_rows - std::ssize(rows)));
    }
    template <class Symbol>
    index_t tall(std::span<const Symbol> rows, std::span<const Symbol> columns, std::size_t codes) const {
        return word_strips<lcs_words, Symbol>(columns, codes).sum(rows);
    }
};

/// Myers 1999.
struct edit_word {
    template <class Symbol>
    index_t operator()(std::span<const Symbol> rows, std::span<const Symbol> columns) const {
        const word_of_rows<Symbol> matches(rows, columns);
        const std::size_t last = rows.size() - 1;
        index_t distance = std::ssize(rows);
        std::uint64_t up = ~std::uint64_t{0}, down = 0;  // rows whose value is one more, one less than above
        cpu::rare_poll poll(columns_a_poll);
        for (const Symbol symbol : columns) {
            poll();
            const std::uint64_t m = matches(symbol), xv = m | down, xh = (((m & up) + up) ^ up) | m;
            const std::uint64_t plus = down | ~(xh | up), minus = up & xh;
            distance += static_cast<index_t>(plus >> last & 1) - static_cast<index_t>(minus >> last & 1);
            const std::uint64_t plus_below = plus << 1 | 1;
            up = minus << 1 | ~(xv | plus_below);
            down = plus_below & xv;
        }
        return distance;
    }
    template <class Symbol>
    index_t tall(std::span<const Symbol> rows, std::span<const Symbol> columns, std::size_t codes) const {
        return std::ssize(columns) + word_strips<edit_words, Symbol>(columns, codes).sum(rows);
    }
};

/// The shorter sequence is the rows.
template <class Method, class Job>
void run(Job& job) {
    without_ends(job, [](symbols rows, symbols columns) {
        if (rows.size > columns.size) std::swap(rows, columns);
        const Method method;
        if (fits_a_word(rows, columns)) return visit_symbols(rows, columns, method);
        if (rows.bytes == 1) return method.tall(typed<std::uint8_t>(rows), typed<std::uint8_t>(columns), 256);
        const coded_pair pair = encode(rows, columns);
        return method.tall(code_span(pair.a), code_span(pair.b), pair.count);
    });
    job.run->policy = "word=64";
}

}  // namespace

extern const catalogue::row<lcs_length_job> lcs_length_cpu_bit_vector;
constinit const catalogue::row<lcs_length_job> lcs_length_cpu_bit_vector{
    "cpu/bit_vector",
    backend::cpu,
    "one chain of 64-bit words, column by column",
    catalogue::never_refuses<lcs_length_job>,
    nullptr,
    run<lcs_word, lcs_length_job>};

extern const catalogue::row<edit_distance_job> edit_distance_cpu_bit_vector;
constinit const catalogue::row<edit_distance_job> edit_distance_cpu_bit_vector{
    "cpu/bit_vector",
    backend::cpu,
    "one chain of 64-bit words, column by column",
    catalogue::never_refuses<edit_distance_job>,
    nullptr,
    run<edit_word, edit_distance_job>};

}  // namespace wale::wavefront
