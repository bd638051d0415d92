#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/energy/metered.hpp"

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"

namespace bursar { inline namespace scenarios {

/// The carbon intensity of a grid over time, as a file has it.
struct GridFile {
    std::string path;           ///< as it was opened
    std::string zone;           ///< the chosen one; empty: the file has only one
    std::uint64_t hash{};       ///< XXH3 (64 bits) of its bytes as they are stored
    bool is_dated{};            ///< instants in UTC; else since the run's zero
    GridSeries steps;           ///< a row's value holds until the next row
    std::int64_t end_ms{};      ///< end of the last row, which is as long as the one before it;
                                ///< the begin of a row that is alone
    std::vector<Finding> notes; ///< of the reader

    /// "grid.csv", with the zone, without its folder.
    [[nodiscard]] std::string name() const;
    /// An instant of the file: "2020-01-05 00:00:00Z", "hour 48".
    [[nodiscard]] std::string instant(std::int64_t at_ms) const;
};

/// Reads a table, plain, gzip or zstd, with a header line and a row for each step, in any order.
/// Either with the columns `time`, `g_per_kwh` and, if it has several grids, `zone`; or the yearly
/// means of electricityMap as mlco2/impact publishes them (`zone_key`, `year`,
/// `carbon_intensity_avg`), each from the begin of its year in UTC on.
///
/// `time` is a date, with or without time of day and zone (UTC without one), seconds or
/// milliseconds since 1970 by their size, or seconds since the run's zero. zone: may be empty if
/// the file has one grid.
///
/// Throws ScenarioError with every mistake: a row without a time or a value, a negative one, one
/// above 5 kg per kWh, two values for one instant, an unknown zone.
GridFile read_grid(const std::string& path, const std::string& zone = {});

/// The same of bytes that messages call `path`.
GridFile read_grid(ByteSource& stored, const std::string& path, const std::string& zone = {});

}} // namespace bursar::scenarios
