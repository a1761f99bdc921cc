#include "solvers/lu/shared_factor/shared/columns.hpp"

#include "tuning/override.hpp"

namespace wale::lu {
namespace {

/// Below `small` rows or columns a block has `small_block` columns, below `medium` `medium_block`: narrow
/// blocks give several ranks work, wide ones make products of a better rate and fewer messages.
struct dealing_policy {
    index_t small, small_block, medium, medium_block, block;
};

constexpr tuning::row<dealing_policy> dealing_policies[] = {
    {0, 0, {512, 16, 2048, 64, 128}, "untuned"},
    {0, 0, {512, 32, 2048, 64, 256}, "untuned"},
    {0, 0, {64, 8, 512, 16, 64}, "untuned"},
};
static_assert(tuning::well_formed(dealing_policies));

}  // namespace

dealt_columns::dealt_columns(const matrix_shape& whole, int own_rank, int ranks)
    : columns(whole.columns), rank(own_rank), size(ranks) {
    const int bytes = static_cast<int>(bytes_of(whole.type));
    const dealing_policy& p =
        dealing_policies[tuning::choose("lu/shared_factor", dealing_policies, 0, bytes)].policy;
    const index_t diagonal = whole.diagonal();
    block = diagonal < p.small ? p.small_block : diagonal < p.medium ? p.medium_block : p.block;
}

}  // namespace wale::lu
