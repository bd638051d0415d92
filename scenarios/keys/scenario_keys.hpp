#pragma once

#include <string>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/keys/price/currencies.hpp"
#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/known_names.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The key table of a scenario file: every key, its value rule and its meaning, in the order of the
/// format's page (scenarios/scenario/README.md). The Reader and the schema both follow from it.
/// `prices` holds the state of the scenario that is being read; clear it before the next one.
Table<Scenario>
scenario_keys(const KnownNames& names, const Catalogue& catalogue, const PriceContext& prices);

/// The JSON Schema (draft-07) of a scenario file as text, generated from the key table that the
/// Reader uses.
///
/// It describes single values and the keys of a mapping. It leaves out what the Reader checks
/// across keys (names that must exist or be unique, ends before beginnings, keys for one purchase
/// only), the GPUs, stacks and networks of a run's catalogues, and limits of converted quantities.
/// In a file with `include` no key of a merged mapping is required: an included file may have it.
std::string scenario_schema(const KnownNames& names, const Catalogue& catalogue);

}} // namespace bursar::scenarios
