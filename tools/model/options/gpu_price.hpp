#pragma once

#include <string>

#include "models/units/units.hpp"

namespace bursar { inline namespace tools {

/// The price of a GPU-hour that the option `option` states: "2.10 USD/gpu-h". Throws ScenarioError
/// for anything else.
[[nodiscard]] MoneyRate gpu_hour_price(const std::string& text, const std::string& option);

}} // namespace bursar::tools
