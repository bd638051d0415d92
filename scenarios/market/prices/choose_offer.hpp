#pragma once

#include <string>

#include "scenarios/market/prices/price_file.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar { inline namespace scenarios {

/// Which offer of a file is wanted; an empty part takes whatever there is, if that is one.
struct OfferKeys {
    PriceOffer wanted;
    OptionPlaces places{}; ///< where its parts were written: "type", "region", "zone", ...
};

/// The one offer of `file` that `keys` name. Of several products, the one called linux or
/// Linux/UNIX is taken, and a note says so. Throws ScenarioError where nothing is so called (with
/// the nearest names), or several are (with what tells them apart).
const OfferedPrices&
choose_offer(const PriceFile& file, const OfferKeys& keys, std::vector<Finding>& notes);

/// All that `keys` do not rule out, in the order of the file's offers. Throws as above where
/// nothing is left.
std::vector<const OfferedPrices*> offers_called(const PriceFile& file, const OfferKeys& keys);

}} // namespace bursar::scenarios
