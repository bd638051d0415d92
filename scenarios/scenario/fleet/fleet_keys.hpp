#pragma once

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/price/price_context.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The keys of one pool of `fleet`. What is read has its rate worked out and its GPU's own name.
Table<PoolSpec> pool_keys(const Catalogue& catalogue, const PriceContext& context);

}} // namespace bursar::scenarios
