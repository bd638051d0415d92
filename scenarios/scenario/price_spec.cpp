#include "scenarios/scenario/price_spec.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "models/market/billing.hpp"
#include "models/units/units.hpp"

#include "scenarios/traces/text/timestamps.hpp"

namespace bursar::inline scenarios {

std::int64_t gpu_price(const Price& price, std::int64_t gpus_per_node) {
    return price.per == PricePer::gpu ? price.nano_usd : per_gpu(price.nano_usd, gpus_per_node);
}

std::string FilePrice::name() const {
    return std::filesystem::path{file}.filename().string();
}

std::string FilePrice::instant(std::int64_t at_ms) const {
    if (times == PriceTimes::dated)
        return format_timestamp(at_ms) + "Z";
    return fmt::format("hour {:.6g}",
                       static_cast<double>(at_ms) / static_cast<double>(hour.count()));
}

std::string FilePrice::basis() const {
    const std::string source = fmt::format("{} of {} ({:08x})", offer.text(), name(), hash >> 32U);
    if (!varies())
        return source + ", a list without dates";
    return fmt::format("{}, {} to {}", source, instant(steps.start_ms.front()), instant(end_ms));
}

PriceSeries FilePrice::per_gpu_hour(std::int64_t gpus_per_node) const {
    PriceSeries series = steps;
    for (std::int64_t& rate : series.rate)
        rate = gpu_price({rate, per}, gpus_per_node);
    return series;
}

} // namespace bursar::inline scenarios
