// link - see link.cuh.
#include "solvers/euler/advance/shared/parts/link.cuh"

#include "solvers/euler/advance/shared/device/launch.cuh"

namespace wale::euler {
namespace {

/// Where a record lies: at its number, or, packed, one after the other.
__device__ index_t place_of(const std::int32_t* numbers, index_t record) {
    return numbers != nullptr ? index_t{numbers[record]} : record;
}

/// A thread a word. Null numbers are those of a packed side.
template <class Word>
__global__ void __launch_bounds__(threads_of_block)
    move_records(const Word* from, const std::int32_t* there, Word* to, const std::int32_t* here,
                 index_t count, int words) {
    const index_t i = cell_of_thread();
    if (i >= count * words) return;
    const index_t record = i / words, word = i % words;
    to[words * place_of(here, record) + word] = from[words * place_of(there, record) + word];
}

struct side {
    char* records;
    const std::int32_t* numbers;
};
void queue_move(const cuda::context& on, const side& from, const side& to, index_t count, index_t bytes) {
    const auto move = [&]<class Word>(Word) {
        const auto words = static_cast<int>(bytes / index_t{sizeof(Word)});
        move_records<<<blocks_of(count * words), threads_of_block, 0, on.stream()>>>(
            reinterpret_cast<const Word*>(from.records), from.numbers, reinterpret_cast<Word*>(to.records),
            to.numbers, count, words);
    };
    bytes % index_t{sizeof(uint4)} == 0 ? move(uint4{}) : move(unsigned{});
    cuda::check_launch();
}

}  // namespace

bool reach(int from, int to) {
    if (from == to) return true;
    int can = 0;
    cuda::check(cudaDeviceCanAccessPeer(&can, from, to));
    if (can == 0) return false;
    const cuda::context there(on_cuda{to});
    cudaMemAccessDesc access{};  // Wale's arrays come from pools, which have accesses of their own
    access.location = {cudaMemLocationTypeDevice, from};
    access.flags = cudaMemAccessFlagsProtReadWrite;
    cuda::check(cudaMemPoolSetAccess(there.facts().scratch_pool, &access, 1));
    return true;
}

record_link::record_link(const on_cuda& from, const on_cuda& to, const numbers& records, index_t bytes,
                         bool stores)
    : stores_(stores), to_device_(to.device) {
    const cuda::context sender(from);
    from_ = {sender, records.from};
    if (stores_) {
        to_ = {sender, records.to};
        return;
    }
    for (auto& p : packed_) p = {bytes * from_.size(), sender.device()};
    const cuda::context receiver(to);
    to_ = {receiver, records.to};
    for (auto& a : arrived_) a = {bytes * from_.size(), receiver.device()};
}

void record_link::queue_send(const cuda::context& from, const written_records& records,
                             const written_records& there, int turn) const {
    if (from_.size() == 0) return;
    char* packed = stores_ ? nullptr : packed_[static_cast<std::size_t>(turn)].data();
    for (std::size_t i = 0; i < records.pieces.size(); ++i) {
        const record_array& piece = records.pieces[i];
        if (piece.bytes == 0) continue;
        const side to = stores_ ? side{there.pieces[i].first, to_.data()} : side{packed, nullptr};
        queue_move(from, {piece.first, from_.data()}, to, from_.size(), piece.bytes);
        if (!stores_) packed += piece.bytes * from_.size();
    }
    if (stores_) return;
    const auto t = static_cast<std::size_t>(turn);
    cuda::check(cudaMemcpyPeerAsync(arrived_[t].data(), to_device_, packed_[t].data(), from.device(),
                                    static_cast<std::size_t>(records.bytes() * from_.size()), from.stream()));
}

void record_link::queue_receive(const cuda::context& to, const written_records& records, int turn) const {
    if (stores_ || to_.size() == 0) return;
    char* arrived = arrived_[static_cast<std::size_t>(turn)].data();
    for (const record_array& piece : records.pieces) {
        if (piece.bytes == 0) continue;
        queue_move(to, {arrived, nullptr}, {piece.first, to_.data()}, to_.size(), piece.bytes);
        arrived += piece.bytes * to_.size();
    }
}

}  // namespace wale::euler
