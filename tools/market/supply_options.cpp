#include "tools/market/supply_options.hpp"

#include "scenarios/reader/quantity_rule.hpp"

namespace bursar { inline namespace tools {

void SupplyOptions::add_to(Command command) {
    command.add_flag("--inverted", inverted, "availability: numbers count what is missing");
    command.add_option("--gpu", gpu, "availability: only instances with this GPU, where named")
        .type_name("NAME");
    command
        .add_option("--tick",
                    tick,
                    "availability: time between two entries, in place of the file's gap_seconds")
        .type_name("DURATION");
    command
        .add_option("--unit",
                    unit,
                    "availability: what bare numbers of the time column count, e.g. \"1 s\"")
        .type_name("DURATION");
}

const char* SupplyOptions::given() const {
    if (inverted)
        return "--inverted";
    if (!gpu.empty())
        return "--gpu";
    if (!tick.empty())
        return "--tick";
    return unit.empty() ? nullptr : "--unit";
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
    if (!tick.empty())
        out.tick = Duration{quantity_of(tick, durations, "--tick")};
    if (!unit.empty())
        out.unit = Duration{quantity_of(unit, durations, "--unit")};
    return out;
}

}} // namespace bursar::tools
