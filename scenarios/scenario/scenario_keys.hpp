#pragma once

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/known_names.hpp"
#include "scenarios/scenario/price/price_context.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The key table of a scenario file: every key, its value rule and its meaning, in the order of the
/// format's page (scenarios/scenario/README.md). The Reader and the schema both come from it. What
/// it reads of one scenario on the way stands in `prices`, which is cleared before the next one.
Table<Scenario>
scenario_keys(const KnownNames& names, const Catalogue& catalogue, const PriceContext& prices);

}} // namespace bursar::scenarios
