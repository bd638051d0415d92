#pragma once

#include <vector>

#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/price/price_context.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The keys of a reservation: `term` and `upfront`.
std::vector<Key<PoolSpec>> term_keys(const PriceContext& context);

/// What a pool must be for them. at: the pool.
void check_term(const Reader& at, const PoolSpec& pool, const KeysRead& keys);

/// What of `upfront` an hour of a GPU bears: the amount over the length of the term, rounded half
/// up to a nano-dollar. Precondition: there is an amount and a length.
[[nodiscard]] MoneyRate upfront_rate(const PoolSpec& pool);

}} // namespace bursar::scenarios
