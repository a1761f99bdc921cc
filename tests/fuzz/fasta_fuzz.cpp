// fasta_fuzz - the parser against arbitrary bytes: plain, compressed, and in its own words again.
// Built by clang with -DWALE_FUZZ=ON; tests/fuzz/run.sh SECONDS runs it.
#include <zlib.h>

#include <cstdint>
#include <wale/sequence_file.hpp>

#include "fuzz/demand.hpp"

namespace {

using wale::fuzz::demand, wale::fuzz::takes;

using records = std::vector<wale::sequence_record>;

constexpr wale::index_t most_bytes = 1 << 24;

/// Whether the bytes parse.
bool parses(std::string_view bytes, const wale::sequence_file_options& options, records& out) {
    return takes([&] { out = wale::parse_sequences(bytes, "fuzz", options); });
}

std::string compressed(std::string_view bytes, int level) {
    z_stream s{};
    demand(deflateInit2(&s, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK, "deflateInit2");
    std::string out(deflateBound(&s, bytes.size()) + 64, '\0');
    s.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    s.avail_in = static_cast<uInt>(bytes.size());
    s.next_out = reinterpret_cast<Bytef*>(out.data());
    s.avail_out = static_cast<uInt>(out.size());
    demand(deflate(&s, Z_FINISH) == Z_STREAM_END, "deflate");
    out.resize(s.total_out);
    deflateEnd(&s);
    return out;
}

bool same(const records& a, const records& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t k = 0; k < a.size(); ++k)
        if (a[k].name != b[k].name || a[k].symbols != b[k].symbols) return false;
    return true;
}

std::string serialised(const records& all) {
    std::string out;
    for (const auto& r : all) out += ">" + r.name + "\n" + r.symbols + "\n";
    return out;
}

bool is_gzip(std::string_view bytes) {
    return bytes.starts_with("\x1f\x8b");
}

void check(std::string_view bytes, const wale::sequence_file_options& options) {
    records plain;
    const bool good = parses(bytes, options, plain);
    if (!is_gzip(bytes)) {
        // Compressed whole, and as two members cut anywhere, the bytes mean the same.
        const std::size_t cut = bytes.empty() ? 0 : static_cast<unsigned char>(bytes.front()) % bytes.size();
        records again;
        demand(parses(compressed(bytes, 1), options, again) == good, "gzip is accepted where plain is");
        demand(!good || same(plain, again), "gzip gives the same records");
        const std::string members = compressed(bytes.substr(0, cut), 0) + compressed(bytes.substr(cut), 1);
        demand(parses(members, options, again) == good, "two members are accepted where plain is");
        demand(!good || same(plain, again), "two members give the same records");
        std::size_t size = 0;
        for (const auto& r : plain) size += r.name.size() + r.symbols.size() + 1;
        demand(!good || size <= bytes.size(), "records are no longer than the file");
    }
    if (!good) return;
    demand(!plain.empty(), "a file without a record is refused");
    records again;
    demand(parses(serialised(plain), {.keep_case = options.keep_case}, again),
           "records as FASTA are accepted");
    demand(same(plain, again), "records survive being written and read");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    wale::fuzz::option_bytes chosen({reinterpret_cast<const char*>(data), size});
    const bool keep_case = !chosen.flag();
    check(chosen.file(), {.keep_case = keep_case, .max_bytes = chosen.limit(most_bytes)});
    return 0;
}
