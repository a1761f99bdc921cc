// text_pieces - a section of lines that are all alike, read by all threads in pieces of the text.
#pragma once

#include <algorithm>
#include <atomic>
#include <string_view>
#include <vector>
#include <wale/error.hpp>
#include <wale/matrix.hpp>

#include "cpu/team.hpp"

namespace wale::io {

inline constexpr std::size_t piece_bytes = std::size_t{1} << 20;  // that a thread reads at once

/// Whole lines of a text, and what they say.
template <class Result>
struct text_piece {
    std::string_view text;
    Result read{};
    index_t items = 0, lines = 0;
    bool whole = false;  // nothing else stands there
};

/// Pieces that end with lines; what is left of a text at its end is no piece.
template <class Result>
[[nodiscard]] std::vector<text_piece<Result>> pieces_of(std::string_view text, std::size_t count) {
    std::vector<text_piece<Result>> pieces;
    while (pieces.size() < count && !text.empty()) {
        const std::size_t end = text.find('\n', std::min(piece_bytes, text.size()) - 1);
        if (end == std::string_view::npos) break;
        pieces.emplace_back().text = text.substr(0, end + 1);
        text.remove_prefix(end + 1);
    }
    return pieces;
}

/// From the beginning of `text`, at most `most` items: read(piece) sets items, lines and `read` by any
/// thread, and `whole` where the piece holds nothing but items; a bad_input that read() throws says that it
/// does not. Then take(piece) by this thread, piece after piece, up to the first that is not whole or holds
/// more than is wanted: a caller that reads from there on line by line finds the section's end, and what is
/// wrong, as if no piece had been read. How many items were taken; 0 where one thread is as good.
template <class Result, class Read, class Take>
index_t read_pieces(std::string_view text, int threads, index_t most, const Read& read, const Take& take) {
    threads = cpu::team_size(threads, static_cast<long long>(text.size() / piece_bytes));
    if (threads == 1) return 0;
    constexpr std::size_t of_thread = 4;  // pieces at a time, which bounds their memory
    for (index_t taken = 0;;) {
        auto pieces = pieces_of<Result>(text, of_thread * static_cast<std::size_t>(threads));
        std::atomic<std::size_t> next{0};
        cpu::run_team(threads, [&](int) {
            for (std::size_t i = next++; i < pieces.size(); i = next++) try {
                    read(pieces[i]);
                } catch (const bad_input&) {
                    pieces[i].whole = false;
                }
        });
        if (pieces.empty()) return taken;
        for (const auto& p : pieces) {
            if (!p.whole || p.items > most - taken) return taken;
            take(p);
            taken += p.items;
            text.remove_prefix(p.text.size());
        }
        if (taken == most) return taken;
    }
}

/// Items i <= item < count, which no piece had, by take_one(result), given block by block.
template <class Result, class TakeOne, class Give>
void read_rest(index_t i, index_t count, const TakeOne& take_one, const Give& give) {
    constexpr index_t block = 1 << 16;
    while (i < count) {
        Result some{};
        for (const index_t end = std::min(count, i + block); i < end; ++i) take_one(some);
        give(some);
    }
}

}  // namespace wale::io
