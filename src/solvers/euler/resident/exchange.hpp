// exchange - how parts that compute at the same time hand each other states: mailboxes of packets whose words
// carry their own epoch. One text for CUDA blocks, CPU threads and the explorer of all interleavings; `Sync`
// brings the words and the idea of waiting.
//
// Who:   a part posts the states that others see, one packet a state and part that sees it, and takes the
//        packets that are for it. It alone reads its places, one part alone writes each of them.
// Waits: before step s, for every place of its halo to hold epoch first + s.
// Why no deadlock: all parts are resident at once (a cooperative launch), each posts step s before it waits
//        for it, and posting waits for nothing.
// Why two mailboxes suffice: cells that see each other post to each other. So a part posts step s + 2 to a
//        place only after it took step s + 1 from the cells behind it, which their part posted after it had
//        taken step s: the word that is overwritten has been read.
// Why relaxed: a word brings its value and its epoch in one access that cannot be torn; nothing else is
//        inferred from it. What a part posts depends on what it took, so neither can move before the other.
// Every wait is bounded: past the bound it raises `failed`, and every part that waits leaves.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "schedule/wait.hpp"

namespace wale::euler::resident {

/// Epochs of one launch; 0 is what mailboxes begin with. Launches follow each other without a reset as long
/// as their epochs grow.
struct epochs {
    std::uint32_t first = 1;
    [[nodiscard]] WALE_HD std::uint32_t of(std::uint32_t step) const { return first + step; }
    /// The mailbox of an epoch: neighbouring ones alternate, over launches too.
    [[nodiscard]] WALE_HD static std::uint32_t box(std::uint32_t epoch) { return epoch & 1u; }
};

/// Waits until packet.poll(epoch) says that all its words have come. false: gave up, or another one did.
template <class Sync, class Packet>
WALE_HD inline bool take(Packet& packet, std::uint32_t epoch, typename Sync::word* failed) {
    return schedule::wait_until([&] { return packet.poll(epoch); }, schedule::shared_bound<Sync>{failed});
}

}  // namespace wale::euler::resident
