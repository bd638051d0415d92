#include "scenarios/scenario/price_spec.hpp"

#include <algorithm>
#include <filesystem>
#include <variant>

#include <fmt/format.h>
#include <xxhash.h>

#include "models/market/billing.hpp"

#include "scenarios/traces/text/timestamps.hpp"

namespace bursar { inline namespace scenarios {
namespace {

std::string without_folder(const std::string& file) {
    return std::filesystem::path{file}.filename().string();
}

PriceSeries gpu_prices_of(PriceSeries series, PricePer per, std::int64_t gpus_per_node) {
    for (std::int64_t& rate : series.rate)
        rate = gpu_price({rate, per}, gpus_per_node);
    return series;
}

} // namespace

std::int64_t gpu_price(const Price& price, std::int64_t gpus_per_node) {
    return price.per == PricePer::gpu ? price.nano_usd : per_gpu(price.nano_usd, gpus_per_node);
}

std::string FilePrice::name() const {
    return without_folder(file);
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
    return gpu_prices_of(steps, per, gpus_per_node);
}

std::string DrawnPrice::basis() const {
    const std::string drawn = fmt::format("drawn by the seed: {}", family_of(generator));
    if (!like)
        return drawn;
    return fmt::format("{}, like {} of {} ({:08x})",
                       drawn,
                       like->offer.text(),
                       without_folder(like->file),
                       like->hash >> 32U);
}

std::string DrawnPrice::assumed() const {
    const std::string drawn = fmt::format(
        "prices are drawn by the seed, whatever happens in the run: {}", family_of(generator));
    if (!like)
        return drawn;
    const bool repeats = std::holds_alternative<BlockBootstrapPrices>(generator);
    return fmt::format("{}, fitted to {} of {}, whose mean price, changes a day and time below the "
                       "mean price it meets within {:.0f} %; {}",
                       drawn,
                       like->offer.text(),
                       without_folder(like->file),
                       100 * like->worst,
                       repeats ? "where its blocks meet, prices jump"
                               : "hours of the day, trends and other machines are not in it");
}

PriceSeries DrawnPrice::per_gpu_hour(std::int64_t gpus_per_node,
                                     Duration until,
                                     std::uint64_t seed,
                                     std::string_view pool) const {
    const std::string market =
        like ? fmt::format("{:016x} {}", like->hash, like->offer.text()) : std::string{pool};
    const std::uint64_t entity = XXH3_64bits(market.data(), market.size());
    return gpu_prices_of(generate_prices(generator, until, seed, entity), per, gpus_per_node);
}

double DrawnPrice::expected_steps(Duration until) const {
    struct Step {
        double operator()(const MeanRevertingPrices& g) const { return g.mean_step_ms; }
        double operator()(const RegimeSwitchingPrices& g) const {
            double shortest = g.regimes.front().mean_step_ms;
            for (const PriceRegime& regime : g.regimes)
                shortest = std::min({shortest, regime.mean_step_ms, regime.mean_stay_ms});
            return shortest;
        }
        double operator()(const BlockBootstrapPrices& g) const {
            const auto length = static_cast<double>(g.end.count() - g.source.start_ms.front());
            return std::min(length / static_cast<double>(g.source.size()),
                            static_cast<double>(g.block.count()));
        }
    };
    return static_cast<double>(until.count()) / std::visit(Step{}, generator);
}

std::optional<double> egress_usd_per_gb(const std::vector<EgressSpec>& rows,
                                        const std::string& from,
                                        const std::string& to) {
    for (const EgressSpec& row : rows)
        if (row.from.value_or(from) == from && row.to.value_or(to) == to)
            return row.usd_per_gb;
    return std::nullopt;
}

}} // namespace bursar::scenarios
