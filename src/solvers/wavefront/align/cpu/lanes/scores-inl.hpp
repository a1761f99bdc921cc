// scores-inl - the scores of a column's letters with the rows of a strip, for each Highway target.
//
// Of a table, where lanes have rows of their own: each lane has the scores of the strip's 16 rows with each
// letter side by side, so a column loads 16 bytes a lane, and transposes them. With shared rows (Rognes 2011)
// a column looks its letters up in the table's row of each letter, for all rows of this letter. Of a profile
// each row has scores of its own: a cell looks its letters up in them.

#if defined(WALE_SCORES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_SCORES_INL
#undef WALE_SCORES_INL
#else
#define WALE_SCORES_INL
#endif

#include <hwy/highway.h>

#include <array>

#include "solvers/wavefront/align/cpu/lanes/kernel.hpp"
#include "solvers/wavefront/align/shared/sums-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::wavefront::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

template <class T>
class scores_by_equality {
public:
    static constexpr std::size_t depth = 32;
    HWY_INLINE scores_by_equality(const score_group<T>& g, lane_workspace<T>&)
        : g_(g),
          match_(hn::Set(lane_tag<T>(), g.match)),
          mismatch_(hn::Set(lane_tag<T>(), g.mismatch)),
          code_(match_) {}
    HWY_INLINE void enter_strip(std::size_t first) { rows_ = g_.row_codes + first * lane_count<T>; }
    HWY_INLINE void enter_column(std::size_t j) {
        code_ = hn::Load(lane_tag<T>(), g_.column_codes + j * lane_count<T>);
    }
    HWY_INLINE lane_vector<T> at(std::size_t r) const {
        const auto row = hn::Load(lane_tag<T>(), rows_ + r * lane_count<T>);
        return hn::IfThenElse(hn::Eq(row, code_), match_, mismatch_);
    }

private:
    const score_group<T>& g_;
    const lane_vector<T> match_, mismatch_;
    lane_vector<T> code_;
    const T* rows_ = nullptr;
};

template <class T>
class scores_of_shared_rows {
    static constexpr std::size_t lanes = lane_count<T>;

public:
    static constexpr std::size_t depth = 128;
    HWY_INLINE scores_of_shared_rows(const score_group<T>& g, lane_workspace<T>& w) : g_(g) {
        w.profile.resize((g.letters + 1) * lanes);
        w.scores.resize(64);
        profile_ = w.profile.data();
        for (index_t i = 0; i < g.rows; ++i) used_[g.row_letters[i]] = true;
    }
    HWY_INLINE void enter_strip(std::size_t first) { rows_ = g_.row_letters + first; }
    HWY_INLINE void enter_column(std::size_t j) {
        const std::uint8_t* codes = g_.column_letters + j * lanes;
        if constexpr (lanes % 16 == 0) {
            const hn::Rebind<std::int8_t, lane_tag<T>> bytes;
            const auto above = hn::Set(bytes, 15);
            const auto code = hn::LoadU(bytes, reinterpret_cast<const std::int8_t*>(codes));
            const auto is_high = hn::Gt(code, above);
            const auto nibble = hn::And(code, above);
            for (std::size_t letter = 0; letter < g_.letters; ++letter) {
                if (!used_[letter]) continue;
                const std::int8_t* row = g_.table + letter * table_letters;
                const auto low = hn::TableLookupBytes(hn::LoadDup128(bytes, row), nibble);
                const auto high = hn::TableLookupBytes(hn::LoadDup128(bytes, row + 16), nibble);
                store(hn::IfThenElse(is_high, high, low), profile_ + letter * lanes);
            }
        } else {
            for (std::size_t letter = 0; letter < g_.letters; ++letter)
                for (std::size_t l = 0; l < lanes; ++l)
                    profile_[letter * lanes + l] = g_.table[letter * table_letters + codes[l]];
        }
    }
    HWY_INLINE lane_vector<T> at(std::size_t r) const {
        return hn::Load(lane_tag<T>(), profile_ + rows_[r] * lanes);
    }

private:
    template <class B>
    static HWY_INLINE void store(B scores, T* to) {
        const lane_tag<T> d;
        if constexpr (sizeof(T) == 1)
            hn::Store(scores, d, to);
        else
            hn::Store(hn::PromoteTo(d, scores), d, to);
    }
    const score_group<T>& g_;
    std::array<bool, table_letters> used_{};
    T* profile_ = nullptr;
    const std::uint8_t* rows_ = nullptr;
};

template <class T>
class scores_of_own_rows {
    static constexpr std::size_t lanes = lane_count<T>;
    static constexpr std::size_t lane_profile = table_letters * strip_rows;  // bytes

public:
    static constexpr std::size_t depth = strip_rows;
    HWY_INLINE scores_of_own_rows(const score_group<T>& g, lane_workspace<T>& w)
        : g_(g), pitch_((static_cast<std::size_t>(g.rows) + strip_rows - 1) / strip_rows * strip_rows) {
        w.own_profile.resize(lanes * lane_profile);
        w.scores.resize(strip_rows * lanes + 64);
        profile_ = w.own_profile.data();
        scores_ = w.scores.data();
    }
    HWY_INLINE void enter_strip(std::size_t first) {
        const hn::FixedTag<std::int8_t, 16> bytes;
        const auto above = hn::Set(bytes, 15);
        for (std::size_t l = 0; l < lanes; ++l) {
            const std::uint8_t* codes = g_.row_letters + l * pitch_ + first;
            const auto code = hn::LoadU(bytes, reinterpret_cast<const std::int8_t*>(codes));
            const auto is_high = hn::Gt(code, above);
            const auto nibble = hn::And(code, above);
            for (std::size_t letter = 0; letter <= g_.letters; ++letter) {
                const std::int8_t* row = g_.table + letter * table_letters;
                const auto low = hn::TableLookupBytes(hn::Load(bytes, row), nibble);
                const auto high = hn::TableLookupBytes(hn::Load(bytes, row + 16), nibble);
                hn::Store(hn::IfThenElse(is_high, high, low), bytes,
                          profile_ + l * lane_profile + letter * strip_rows);
            }
        }
    }
    HWY_INLINE void enter_column(std::size_t j) const {
        const std::uint8_t* codes = g_.column_letters + j * lanes;
        if constexpr (lanes % 16 == 0) {
            transpose(codes);
        } else {
            for (std::size_t l = 0; l < lanes; ++l)
                for (std::size_t r = 0; r < strip_rows; ++r)
                    scores_[r * lanes + l] = profile_[l * lane_profile + codes[l] * strip_rows + r];
        }
    }
    HWY_INLINE lane_vector<T> at(std::size_t r) const { return promoted<T>(scores_ + r * lanes); }

private:
    HWY_INLINE hn::Vec<hn::FixedTag<std::int8_t, 16>> sixteen(const std::uint8_t* codes,
                                                              std::size_t l) const {
        return hn::Load(hn::FixedTag<std::int8_t, 16>(), profile_ + l * lane_profile + codes[l] * strip_rows);
    }
    /// 16 rows of the lanes k, k + 16, ..., in a block each.
    template <std::size_t Blocks>
    HWY_INLINE auto blocks(const std::uint8_t* codes, std::size_t k) const {
        if constexpr (Blocks == 1) {
            return sixteen(codes, k);
        } else {
            const hn::FixedTag<std::int8_t, 16 * Blocks> d;
            return hn::Combine(d, blocks<Blocks / 2>(codes, k + 8 * Blocks), blocks<Blocks / 2>(codes, k));
        }
    }
    /// Four perfect shuffles transpose the 16 x 16 bytes of each block.
    HWY_INLINE void transpose(const std::uint8_t* codes) const {
        const hn::FixedTag<std::int8_t, lanes> d;
        using B = hn::Vec<decltype(d)>;
        B v[16], w[16];
        for (std::size_t k = 0; k < 16; ++k) v[k] = blocks<lanes / 16>(codes, k);
        for (int round = 0; round < 2; ++round) {
            for (std::size_t k = 0; k < 8; ++k) {
                w[2 * k] = hn::InterleaveLower(d, v[k], v[k + 8]);
                w[2 * k + 1] = hn::InterleaveUpper(d, v[k], v[k + 8]);
            }
            for (std::size_t k = 0; k < 8; ++k) {
                v[2 * k] = hn::InterleaveLower(d, w[k], w[k + 8]);
                v[2 * k + 1] = hn::InterleaveUpper(d, w[k], w[k + 8]);
            }
        }
        for (std::size_t k = 0; k < 16; ++k) hn::StoreU(v[k], d, scores_ + k * lanes);
    }

    const score_group<T>& g_;
    const std::size_t pitch_;
    std::int8_t *profile_ = nullptr, *scores_ = nullptr;
};

template <class T>
class scores_of_positions {
    static constexpr std::size_t lanes = lane_count<T>;
    static constexpr bool in_vectors = lanes % 16 == 0;
    using bytes_tag = hn::Rebind<std::int8_t, lane_tag<T>>;

public:
    static constexpr std::size_t depth = 128;
    HWY_INLINE scores_of_positions(const score_group<T>& g, lane_workspace<T>&)
        : g_(g), nibble_(hn::Zero(bytes_tag())), code_(nibble_) {}
    HWY_INLINE void enter_strip(std::size_t first) { rows_ = g_.table + first * table_letters; }
    HWY_INLINE void enter_column(std::size_t j) {
        codes_ = g_.column_letters + j * lanes;
        if constexpr (in_vectors) {
            code_ = hn::LoadU(bytes_tag(), reinterpret_cast<const std::int8_t*>(codes_));
            nibble_ = hn::And(code_, hn::Set(bytes_tag(), 15));
        }
    }
    HWY_INLINE lane_vector<T> at(std::size_t r) const {
        const lane_tag<T> d;
        const std::int8_t* row = rows_ + r * table_letters;
        if constexpr (in_vectors) {
            const bytes_tag bytes;
            const auto low = hn::TableLookupBytes(hn::LoadDup128(bytes, row), nibble_);
            const auto high = hn::TableLookupBytes(hn::LoadDup128(bytes, row + 16), nibble_);
            const auto scores = hn::IfThenElse(hn::Gt(code_, hn::Set(bytes, 15)), high, low);
            if constexpr (sizeof(T) == 1)
                return scores;
            else
                return hn::PromoteTo(d, scores);
        } else {
            alignas(64) T scores[lanes];
            for (std::size_t l = 0; l < lanes; ++l) scores[l] = row[codes_[l]];
            return hn::Load(d, scores);
        }
    }

private:
    const score_group<T>& g_;
    hn::Vec<bytes_tag> nibble_, code_;
    const std::int8_t* rows_ = nullptr;
    const std::uint8_t* codes_ = nullptr;
};

#endif

}  // namespace
}  // namespace wale::wavefront::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
