#include "sim/plan/plan.hpp"

#include "scenarios/market/prices/registry.hpp"

#include "tools/market/market.hpp"

namespace bursar { inline namespace tools {
namespace {

OptionTable<PriceOffer> offer_options() {
    using T = PriceOffer;
    return option_table<T>(
        {{{"--type", &T::type, word("NAME")}, "type of machine, as the file calls it"},
         {{"--region", &T::region, word("NAME")}, "region"},
         {{"--zone", &T::zone, word("NAME")}, "zone of the region"},
         {{"--purchase", &T::purchase, word("NAME")}, "on_demand, spot, or a term of the file"},
         {{"--product", &T::product, word("NAME")},
          "operating system and the like (default: Linux, where there are several)"}});
}

std::vector<std::string> price_format_names() {
    std::vector<std::string> names;
    for (const PriceFormat& known : price_formats())
        names.emplace_back(known.name);
    return names;
}

} // namespace

OptionTable<PriceOptions> price_options() {
    using T = PriceOptions;
    return option_table<T>(
        {{&T::wanted, offer_options()},
         {{"--gpus", &T::gpus, whole_in(up_to(max_gpus_per_node))},
          "GPUs of the machine: prices are also given per GPU (default: as the file says)"},
         {"--drop-outliers",
          &T::drop_outliers,
          "leave out prices ten times their neighbours, or a tenth"},
         {{"--read-as", &T::format, KnownTextRule{"FORMAT", price_format_names()}},
          "format of the files (default: recognised by content)"}});
}

OptionTable<SupplyOptions> supply_options() {
    using T = SupplyOptions;
    return option_table<T>(
        {{"--inverted", &T::inverted, "availability: numbers count what is missing"},
         {{"--gpu", &T::gpu, word("NAME")},
          "availability: only instances with this GPU, where named"},
         {{"--tick", &T::tick, time_span("DURATION")},
          "availability: time between two entries, in place of the file's gap_seconds"},
         {{"--unit", &T::unit, time_span("DURATION")},
          "availability: unit of bare numbers in the time column, e.g. \"1 s\""}});
}

OptionNumberRule<RealRange> dollars_per_hour() {
    return real_in({0, 1e6, false}, "USD");
}

OfferKeys PriceOptions::keys() const {
    OfferKeys keys;
    keys.wanted = wanted;
    for (const char* const key : {"type", "region", "zone", "purchase", "product"})
        keys.places.note(key, {Place{std::string{"--"} + key}, {}});
    return keys;
}

const char* SupplyOptions::given() const {
    if (inverted)
        return "--inverted";
    if (!gpu.empty())
        return "--gpu";
    if (tick)
        return "--tick";
    return unit ? "--unit" : nullptr;
}

AvailabilityOptions SupplyOptions::of_file(const std::string& path,
                                           const std::string& zone,
                                           std::optional<std::int64_t> gpus) const {
    AvailabilityOptions out;
    out.file = path;
    out.inverted = inverted;
    out.zone = zone;
    out.gpu = gpu;
    out.gpus_per_node = gpus;
    if (tick)
        out.tick = *tick;
    if (unit)
        out.unit = *unit;
    return out;
}

}} // namespace bursar::tools
