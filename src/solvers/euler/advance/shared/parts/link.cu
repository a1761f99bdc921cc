// link - see link.cuh.
#include "solvers/euler/advance/shared/parts/link.cuh"

#include "solvers/euler/advance/shared/device/launch.cuh"

namespace wale::euler {
namespace {

enum class way { straight, pack, unpack };

/// A thread a word; to[number] = from[number], where the packed side counts the records instead.
template <way Way, class Word>
__global__ void __launch_bounds__(threads_of_block)
    move_records(const Word* from, Word* to, const std::int32_t* numbers, index_t count, int words) {
    const index_t i = cell_of_thread();
    if (i >= count * words) return;
    const index_t record = i / words, word = i % words;
    const index_t there = words * index_t{numbers[record]} + word;
    to[Way == way::pack ? i : there] = from[Way == way::unpack ? i : there];
}

template <way Way>
void queue_move(const cuda::context& on, const char* from, char* to,
                const cuda::device_array<std::int32_t>& numbers, index_t bytes) {
    const auto move = [&]<class Word>(Word) {
        const auto words = static_cast<int>(bytes / index_t{sizeof(Word)});
        move_records<Way><<<blocks_of(numbers.size() * words), threads_of_block, 0, on.stream()>>>(
            reinterpret_cast<const Word*>(from), reinterpret_cast<Word*>(to), numbers.data(), numbers.size(),
            words);
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

record_link::record_link(const on_cuda& from, const on_cuda& to, const std::vector<std::int32_t>& numbers,
                         index_t bytes, bool stores)
    : stores_(stores), to_device_(to.device) {
    const cuda::context sender(from);
    numbers_ = {sender, numbers};
    if (stores_) return;
    for (auto& p : packed_) p = {bytes * std::ssize(numbers), sender.device()};
    const cuda::context receiver(to);
    numbers_there_ = {receiver, numbers};
    for (auto& a : arrived_) a = {bytes * std::ssize(numbers), receiver.device()};
}

void record_link::queue_send(const cuda::context& from, const written_records& records,
                             const written_records& there, int turn) const {
    if (numbers_.size() == 0) return;
    char* packed = stores_ ? nullptr : packed_[static_cast<std::size_t>(turn)].data();
    for (std::size_t i = 0; i < records.pieces.size(); ++i) {
        const record_array& piece = records.pieces[i];
        if (piece.bytes == 0) continue;
        if (stores_) {
            queue_move<way::straight>(from, piece.first, there.pieces[i].first, numbers_, piece.bytes);
        } else {
            queue_move<way::pack>(from, piece.first, packed, numbers_, piece.bytes);
            packed += piece.bytes * numbers_.size();
        }
    }
    if (stores_) return;
    const auto t = static_cast<std::size_t>(turn);
    cuda::check(cudaMemcpyPeerAsync(arrived_[t].data(), to_device_, packed_[t].data(), from.device(),
                                    static_cast<std::size_t>(records.bytes() * numbers_.size()),
                                    from.stream()));
}

void record_link::queue_receive(const cuda::context& to, const written_records& records, int turn) const {
    if (stores_ || numbers_there_.size() == 0) return;
    const char* arrived = arrived_[static_cast<std::size_t>(turn)].data();
    for (const record_array& piece : records.pieces) {
        if (piece.bytes == 0) continue;
        queue_move<way::unpack>(to, arrived, piece.first, numbers_there_, piece.bytes);
        arrived += piece.bytes * numbers_there_.size();
    }
}

}  // namespace wale::euler
