#pragma once

#include <memory>

#include "scenarios/market/prices/price_files.hpp"
#include "scenarios/scenario/price/currencies.hpp"

namespace bursar { inline namespace scenarios {

/// What the rules for prices share.
struct PriceContext {
    std::shared_ptr<PriceFiles> files;                                      ///< read so far
    std::shared_ptr<Currencies> currencies{std::make_shared<Currencies>()}; ///< of the scenario
};

}} // namespace bursar::scenarios
