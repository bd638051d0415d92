#pragma once

#include <string>

#include "scenarios/market/prices/price_file.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar { inline namespace scenarios {

/// The offer to look for; an empty part matches if the file leaves one choice.
struct OfferKeys {
    PriceOffer wanted;
    OptionPlaces places{}; ///< places of its parts: "type", "region", "zone", ...
};

/// The one offer of `file` that matches `keys`. Of several products, the one called linux or
/// Linux/UNIX is taken, and a note says so. Throws ScenarioError if no offer matches (with the
/// nearest names), or several do (with their differences).
const OfferedPrices&
choose_offer(const PriceFile& file, const OfferKeys& keys, std::vector<Finding>& notes);

/// All offers that match `keys`, in the file's order. Throws as above if there is none.
std::vector<const OfferedPrices*> offers_called(const PriceFile& file, const OfferKeys& keys);

}} // namespace bursar::scenarios
