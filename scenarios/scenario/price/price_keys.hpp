#pragma once

#include <variant>

#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/reader.hpp"
#include "scenarios/scenario/price/price_context.hpp"
#include "scenarios/scenario/price/price_spec.hpp"

namespace bursar { inline namespace scenarios {

/// A price as a number with a unit, hourly or once as the dimension says.
QuantityRule<Price> price_of(const Dimension& dimension);

/// What an hour of a pool costs: a rate, the prices of a file, which is read with it, or prices
/// that are drawn.
struct PriceRule {
    using value_type = std::variant<Price, FilePrice, DrawnPrice>;
    PriceContext context;
    [[nodiscard]] std::optional<value_type> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

}} // namespace bursar::scenarios
