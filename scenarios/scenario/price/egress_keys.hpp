#pragma once

#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/price/price_context.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// One row of `egress`.
Table<EgressSpec> egress_keys(const PriceContext& context);

/// Reports regions that no pool is in. at: the scenario.
void check_egress(const Reader& at, const Scenario& scenario);

}} // namespace bursar::scenarios
