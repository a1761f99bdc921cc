// checkpoint_fuzz - checkpoints of flows against arbitrary bytes. The checksum is made right first, so that
// what lies behind it is reached; what is taken must be of the file's size and written again as it was.
#include <unistd.h>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <wale/error.hpp>
#include <wale/euler_file.hpp>

namespace {

constexpr std::size_t head_bytes = 64, checksum_at = 56;

/// FNV-1a over the words behind the head, as the writer has it.
void mend_checksum(std::string& bytes) {
    if (bytes.size() < head_bytes) return;
    std::uint64_t sum = 0xcbf29ce484222325u;
    for (std::size_t i = head_bytes; i + 8 <= bytes.size(); i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + i, 8);
        sum = (sum ^ word) * 0x100000001b3u;
    }
    std::memcpy(bytes.data() + checksum_at, &sum, 8);
}

std::string written(const wale::euler_checkpoint& c) {
    static const std::string path = "/tmp/wale_checkpoint_fuzz_" + std::to_string(getpid());
    wale::output_file out(path);
    wale::write_checkpoint(out, c);
    out.commit();
    std::ifstream in(path, std::ios::binary);
    std::string all{std::istreambuf_iterator<char>(in), {}};
    unlink(path.c_str());
    return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string bytes(reinterpret_cast<const char*>(data), size);
    mend_checksum(bytes);
    try {
        const auto c = wale::parse_checkpoint(bytes, "fuzz");
        if (c.iteration < 0 || written(c) != bytes) std::abort();
    } catch (const wale::bad_input&) {
    }
    return 0;
}
