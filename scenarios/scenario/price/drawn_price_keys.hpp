#pragma once

#include <optional>

#include "scenarios/reader/reader.hpp"
#include "scenarios/scenario/price/price_context.hpp"
#include "scenarios/scenario/price/price_spec.hpp"

namespace bursar { inline namespace scenarios {

/// `price.generate`: prices drawn by the seed, by a law that is written out or like those of a
/// file, which is read with it.
struct DrawnPriceRule {
    using value_type = DrawnPrice;
    PriceContext context;
    [[nodiscard]] std::optional<DrawnPrice> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

}} // namespace bursar::scenarios
