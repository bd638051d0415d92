#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/market/price_integral.hpp"
#include "models/market/price_statistics.hpp"

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/market/availability/read_availability.hpp"
#include "scenarios/market/grid/grid_file.hpp"
#include "scenarios/market/prices/price_history.hpp"
#include "scenarios/market/prices/read_prices.hpp"
#include "scenarios/measurements/scaling_runs.hpp"
#include "scenarios/throughputs/throughput_table.hpp"
#include "scenarios/topology/fabric_file.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/validation/validate_measurements.hpp"

#include "tests/fuzz/targets.hpp"

namespace bursar::fuzz {
namespace {

/// A series whose integral and mean say the same.
void check_prices(const PriceHistory& history) {
    require(history.steps.is_valid());
    if (history.length() <= Duration{0})
        return;
    const Duration end{history.end_ms};
    const PriceStatistics found = price_statistics(history.steps, end);
    require(found.min <= found.mean && found.mean <= found.max);
    require(summary_of(up_times(history.steps, end, found.max)).total == history.length());
    PriceIntegrals integrals;
    const Duration begin{history.steps.start_ms.front()};
    const int128 whole = integrals.of(integrals.add(history.steps)).between(begin, end).count();
    const int128 off = int128{found.mean.count()} * history.length().count() - whole;
    require(2 * off <= history.length().count() && 2 * off > -history.length().count());
}

/// Whether a number has more than `max_digits` digits. A range of millions of devices is allowed,
/// and slow.
bool has_long_number(std::string_view text, std::size_t max_digits) {
    std::size_t digits = 0;
    for (const char c : text) {
        digits = c >= '0' && c <= '9' ? digits + 1 : 0;
        if (digits > max_digits)
            return true;
    }
    return false;
}

} // namespace

void prices(std::string_view input) {
    const std::string_view format = take_line(input);
    MemorySource bytes{input};
    read_or_refuse<ScenarioError>([&] {
        const PriceFile file =
            read_prices(bytes, "fuzz", format == "any" ? std::string{} : std::string{format});
        for (const OfferedPrices& offered : file.offers)
            read_or_refuse<ScenarioError>([&] { // two prices for one instant
                check_prices(price_history(file, offered, Outliers::keep));
                check_prices(price_history(file, offered, Outliers::drop));
            });
    });
}

void fabric(std::string_view input) {
    if (has_long_number(input, 2))
        return;
    try {
        const PoolFabric pool = read_fabric_text(input, "fuzz.yaml");
        require(!pool.locality.levels.empty() && !pool.locality.gpus.empty());
    } catch (const ScenarioError& error) {
        require(!error.findings().empty());
    }
}

void grid(std::string_view input) {
    const std::string zone{take_line(input)};
    MemorySource bytes{input};
    read_or_refuse<ScenarioError>([&] {
        const GridFile file = read_grid(bytes, "fuzz.csv", zone);
        const auto& starts = file.steps.start_ms;
        require(file.steps.is_valid() && !starts.empty() && file.end_ms >= starts.back());
        require(!file.instant(starts.front()).empty() && !file.instant(file.end_ms).empty());
    });
}

void availability(std::string_view input) {
    AvailabilityOptions options;
    options.file = "fuzz";
    options.format = take_line(input);
    read_or_refuse<ScenarioError>([&] {
        const SupplySeries supply = read_availability_text(input, options).supply;
        require(supply.length() > Duration{0} && supply.node_ms() >= 0);
        require(supply.node_ms() <= int128{supply.max_nodes()} * supply.length().count());
    });
}

/// A pool of the type's GPU is as fast as itself, where the type runs there at all.
void throughputs(std::string_view input) {
    MemorySource bytes{input};
    read_or_refuse<ScenarioError>([&] {
        const ThroughputTable table =
            read_gavel_throughputs(bytes, "fuzz.json", builtin_catalogue(), {});
        const std::optional<double> same =
            table.ratio(1, "V100-SXM2-16GB", "V100-SXM2-16GB", 1'000'000);
        require(!same || *same == 1);
    });
}

/// Every row is compared with the models, or says why not.
void measurements(std::string_view input) {
    if (has_long_number(input, 6)) // searches over layouts grow with them
        return;
    read_or_refuse<ScenarioError>([&] {
        const MeasurementFile file = read_measurement_text(input, "fuzz.csv");
        const Validation found =
            validate_file(file, {builtin_catalogue(), builtin_architectures(), builtin_stacks()});
        for (const ValidatedRow& row : found.rows)
            require(row.predicted ? *row.predicted > 0 : !row.why.empty());
    });
}

void scaling_runs(std::string_view input) {
    MemorySource bytes{input};
    read_or_refuse<ScenarioError>([&] {
        const std::vector<ScalingRun> runs = read_scaling_runs(bytes, "fuzz.csv");
        require(runs.size() >= min_runs_to_fit);
        for (const ScalingRun& run : runs)
            require(run.loss > 0);
    });
}

} // namespace bursar::fuzz
