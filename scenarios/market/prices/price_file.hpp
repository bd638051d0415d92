#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/traces/text/text_row.hpp"

namespace bursar { inline namespace scenarios {

/// What a price is for. An empty part is not stated by the file.
struct PriceOffer {
    std::string type{};     ///< of machine, as the file calls it: "p3.16xlarge"
    std::string region{};   ///< "us-east-1"
    std::string zone{};     ///< "us-east-1b"
    std::string product{};  ///< operating system and the like: "Linux/UNIX"
    std::string purchase{}; ///< "on_demand", "spot", or a term as the file calls it

    auto operator<=>(const PriceOffer&) const = default;

    /// "p3.16xlarge us-east-1b spot"; "the price" where the file says nothing.
    [[nodiscard]] std::string text() const;
};

/// A price of one row of a file.
struct PricePoint {
    std::int64_t at_ms{};                 ///< since 1970-01-01T00:00Z, or since the file's own zero
    std::optional<std::int64_t> nano_usd; ///< per hour; absent: not on offer from this instant on
    FieldPlace place;
};

/// Every price of one offer, in the order of the file.
struct OfferedPrices {
    PriceOffer offer;
    std::vector<PricePoint> points;   ///< at least one
    std::optional<std::int64_t> gpus; ///< of the machine, where the file says it
};

/// The kind of a file's times.
enum class PriceTimes : std::uint8_t {
    dated,    ///< instants in UTC
    relative, ///< since a zero of the file's own
    none      ///< a list of one day, without times
};

/// What a price is for: a machine, or not stated.
enum class PricedThing : std::uint8_t { machine, not_stated };

/// All prices of a file, whatever its format.
struct PriceFile {
    std::string path;
    std::string format;
    std::uint64_t hash{}; ///< XXH3 (64 bits) of its bytes as they are stored
    PriceTimes times{PriceTimes::none};
    PricedThing thing{PricedThing::machine};
    /// Rows are changes: a price holds until the next row, and every offer is known until the
    /// file's last row. Otherwise rows also repeat unchanged prices.
    bool rows_are_changes{};
    std::int64_t last_ms{};            ///< the latest instant of any row
    std::vector<OfferedPrices> offers; ///< sorted by offer; at least one
    std::vector<Finding> notes;        ///< of the reader
};

}} // namespace bursar::scenarios
