#pragma once

#include <memory>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/market/prices/price_files.hpp"
#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar::inline scenarios {

/// The keys of one pool of `fleet`. What is read has its rate worked out and its GPU's own name.
/// files: those that prices were read from so far.
Table<PoolSpec> pool_keys(const Catalogue& catalogue, const std::shared_ptr<PriceFiles>& files);

} // namespace bursar::inline scenarios
