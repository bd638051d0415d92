#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/errors/alike_findings.hpp"
#include "scenarios/market/prices/price_file.hpp"

namespace bursar { inline namespace scenarios {

/// Hours of a month in monthly prices of clouds: 365 days / 12.
inline constexpr std::int64_t hours_a_month = 730;

/// Takes the rows of a price file, checks them, and collects their mistakes. All mistakes of a file
/// are reported in one pass, those of one cause once.
class PriceBuilder {
  public:
    /// currency: the code of the prices' currency; a number may have its sign or code.
    explicit PriceBuilder(std::string file, std::string currency = "USD")
        : file_{std::move(file)}, currency_{std::move(currency)} {}

    [[nodiscard]] const std::string& file() const { return file_; }

    /// The instant in `text`: a date with or without time of day and zone (without a zone UTC, with
    /// a note), seconds or milliseconds since 1970 (by their size, with a note), or seconds since
    /// the file's zero. Absent after a mistake. column: its name in messages.
    std::optional<std::int64_t>
    instant(std::string_view text, std::string_view column, FieldPlace place);
    /// The same for "2/24/2020", month first; its midnight.
    std::optional<std::int64_t>
    american_date(std::string_view text, std::string_view column, FieldPlace place);

    /// Adds the price in `text`, for `hours` hours of a machine. An empty cell and the usual words
    /// for one (N/A, null, none) mean that it is not on offer. The sign of the currency is allowed;
    /// another sign is a mistake, as is a negative price.
    void add(const PriceOffer& offer,
             std::int64_t at_ms,
             std::string_view text,
             std::int64_t hours,
             std::string_view column,
             FieldPlace place);
    /// Sets the GPUs of the machine of `offer`: "8" or "8.0"; an empty text is ignored.
    void set_gpus(const PriceOffer& offer, std::string_view text, FieldPlace place);

    void add_mistake(FieldPlace place, std::string_view column, Finding finding);

    /// The file. Throws ScenarioError with all mistakes, or if no row has a
    /// price.
    [[nodiscard]] PriceFile finish();

  private:
    struct Offered {
        std::vector<PricePoint> points;
        std::optional<std::int64_t> gpus;
    };
    std::optional<std::int64_t>
    checked(std::int64_t at_ms, PriceTimes times, std::string_view column, FieldPlace place);
    [[nodiscard]] Finding at(FieldPlace place, std::string_view column, Finding finding) const;

    std::string file_;
    std::string currency_;
    PriceTimes times_{PriceTimes::none};
    std::optional<FieldPlace> first_without_zone_;
    std::optional<FieldPlace> first_epoch_time_;
    std::map<PriceOffer, Offered> offers_;
    AlikeFindings mistakes_;
};

}} // namespace bursar::scenarios
