#pragma once

#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/price/price_context.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// One entry of `commitments`.
Table<CommitmentSpec> commitment_keys(const PriceContext& context);

/// Whether their names are unique and their pools there. at: the scenario.
void check_commitments(const Reader& at, const Scenario& scenario);

}} // namespace bursar::scenarios
