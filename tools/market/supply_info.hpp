#pragma once

#include <optional>
#include <vector>

#include "scenarios/market/availability/read_availability.hpp"

#include "reports/answer/answer.hpp"
#include "reports/market/price_chart.hpp"

namespace bursar { inline namespace tools {

/// What files say of nodes that can be had: of one file everything and the generators that fit it,
/// of several a row each.
struct SupplyInfo {
    Answer answer;
    std::optional<PriceDrawing> drawing; ///< of one file: nodes over time, drawn as prices are
};

[[nodiscard]] SupplyInfo supply_info(const std::vector<AvailabilityFile>& files);

}} // namespace bursar::tools
