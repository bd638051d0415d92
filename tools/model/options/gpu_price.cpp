#include "tools/model/options/gpu_price.hpp"

#include <array>

#include "scenarios/reader/quantity_rule.hpp"

namespace bursar { inline namespace tools {

MoneyRate gpu_hour_price(const std::string& text, const std::string& option) {
    static constexpr std::array units{Unit{"USD/gpu-h", nano_usd_per_usd}};
    static const Dimension prices{
        "a rate", "2.10 USD/gpu-h", units, 1'000'000 * nano_usd_per_usd, "1000000 USD"};
    return MoneyRate{quantity_of(text, prices, option, Zero::allowed)};
}

}} // namespace bursar::tools
