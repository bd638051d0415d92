#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/units/units.hpp"

#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// Digits of the fraction of a second: as many as there are, or always three.
enum class InstantDigits : std::uint8_t { as_needed, always_three };

/// Writes instants of a run: UTC ISO-8601 ("2017-10-02T00:01:55Z", "2017-10-02T00:01:55.000Z") when
/// the zero is dated, else seconds since the zero ("115.25", "115.250").
class InstantWriter {
  public:
    /// zero_utc_ms: the zero as milliseconds since 1970-01-01T00:00Z, in years 0..9999.
    explicit InstantWriter(std::optional<std::int64_t> zero_utc_ms,
                           InstantDigits digits = InstantDigits::as_needed)
        : zero_utc_ms_{zero_utc_ms}, has_all_{digits == InstantDigits::always_three} {}

    void put(TextSink& sink, Duration since_zero);

    /// Whether instants are dates, which JSON wants in quotes.
    [[nodiscard]] bool dated() const { return zero_utc_ms_.has_value(); }

  private:
    void put_seconds(TextSink& sink, std::int64_t ms) const;

    std::optional<std::int64_t> zero_utc_ms_;
    bool has_all_;                           ///< digits of a fraction
    std::optional<std::int64_t> cached_day_; ///< days since 1970-01-01 whose text is cached_date_
    std::string cached_date_;
};

/// An instant for people: "2017-10-02 00:01:55Z", or hours since the zero, "12.5 h".
[[nodiscard]] std::string readable_instant(std::optional<std::int64_t> zero_utc_ms,
                                           Duration since_zero);

/// A span for people, two or three digits: "0 s", "350 ms", "22 min", "5.1 h", "2.9 d".
[[nodiscard]] std::string span_text(Duration span);

}} // namespace bursar::reports
