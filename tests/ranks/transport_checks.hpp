// transport_checks - what every transport must do. Throw std::logic_error where one does not.
#pragma once

#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>
#include <wale/rank_messages.hpp>

#include "mpi/transport.hpp"

namespace wale::checks {

inline void expect(bool good, const std::string& what) {
    if (!good) throw std::logic_error(what);
}

/// A message of `count` words from rank `from` to rank `to`, of its own kind.
inline std::vector<std::uint32_t> letter(int from, int to, std::size_t count) {
    std::vector<std::uint32_t> words(count);
    std::iota(words.begin(), words.end(), static_cast<std::uint32_t>(1000003 * from + 10007 * to));
    return words;
}

/// Everyone writes to everyone, itself too, `count` words, twice.
inline void messages_arrive(const ranks& group, std::size_t count) {
    mpi::transport& t = *group.transport();
    std::vector<std::vector<std::uint32_t>> out, in;
    for (int r = 0; r < t.size(); ++r) {
        out.push_back(letter(t.rank(), r, count));
        in.emplace_back(2 * count);
    }
    const auto bytes = static_cast<index_t>(4 * count);
    for (int turn = 0; turn < 2; ++turn)
        for (int r = 0; r < t.size(); ++r) {
            auto& box = in[static_cast<std::size_t>(r)];
            t.receive(r, box.data() + (turn == 0 ? 0 : count), bytes);
            t.send(r, out[static_cast<std::size_t>(r)].data(), bytes);
        }
    if (t.settled()) expect(t.settled(), "what has come does not leave again");
    t.progress();
    t.finish();
    expect(t.settled(), "nothing is queued after finish()");
    for (int r = 0; r < t.size(); ++r) {
        auto expected = letter(r, t.rank(), count);
        expected.insert(expected.end(), expected.begin(),
                        expected.begin() + static_cast<std::ptrdiff_t>(count));
        expect(in[static_cast<std::size_t>(r)] == expected, "a message came changed");
    }
}

/// Blocks of different lengths, an empty one among them.
inline void blocks_are_gathered(const ranks& group) {
    mpi::transport& t = *group.transport();
    std::vector<index_t> counts;
    std::vector<char> expected;
    for (int r = 0; r < t.size(); ++r) {
        counts.push_back((r * 5 + 2) % 7 == 0 ? 0 : r + 1);
        expected.insert(expected.end(), static_cast<std::size_t>(counts.back()), static_cast<char>('a' + r));
    }
    const std::string own(static_cast<std::size_t>(t.rank() + 1), static_cast<char>('a' + t.rank()));
    std::vector<char> all(expected.size());
    t.gather(own.data(), counts, all.data());
    expect(all == expected, "blocks were gathered in another order");
    const auto numbers = mpi::gathered(t, 3.5 * t.rank());
    for (int r = 0; r < t.size(); ++r)
        expect(numbers[static_cast<std::size_t>(r)] == 3.5 * r, "a number was gathered wrongly");
}

inline void anyone_is_heard(const ranks& group) {
    expect(!group.any(false), "no rank spoke");
    expect(group.any(group.rank() == group.size() - 1), "the last rank spoke");
    expect(group.any(true), "all spoke");
}

inline void texts_are_gathered(const ranks& group) {
    const auto text = [](int r) {
        return std::string(static_cast<std::size_t>(r % 3 * 1000), static_cast<char>('a' + r % 26));
    };
    const std::vector<std::string> all = gather(group, text(group.rank())),
                                   first = gather_first(group, text(group.rank()));
    expect(static_cast<int>(all.size()) == group.size(), "a text is missing");
    expect(static_cast<int>(first.size()) == (group.rank() == 0 ? group.size() : 0),
           "the first rank gets all texts");
    for (int r = 0; r < group.size(); ++r) {
        expect(all[static_cast<std::size_t>(r)] == text(r), "a text came changed");
        expect(group.rank() > 0 || first[static_cast<std::size_t>(r)] == text(r),
               "a text came changed to the first");
    }
    expect(scatter(group, text) == text(group.rank()), "a rank got another's text");
    expect(threads_for(group) >= 1, "every rank has a thread");
}

inline void check_transport(const ranks& group) {
    for (const std::size_t count : {0U, 1U, 7U, 5000U, 40000U}) messages_arrive(group, count);
    blocks_are_gathered(group);
    anyone_is_heard(group);
    texts_are_gathered(group);
}

}  // namespace wale::checks
