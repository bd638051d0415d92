#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/traces/text/timestamps.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// Times of a trace as stamps in UTC, for formats that know no others.
class DatedSubmit {
  public:
    /// Throws ScenarioError when `trace` has no dates; format: for the message.
    DatedSubmit(const Trace& trace, std::string_view format) : format_{format} {
        if (!trace.zero_utc_ms)
            fail_input({},
                       "format",
                       mistake(std::string{format} + " needs dates and this trace has none",
                               {},
                               "give the date of time zero as start"));
        zero_utc_ms_ = *trace.zero_utc_ms;
    }

    /// Throws ScenarioError past the year 9999, where stamps end.
    [[nodiscard]] std::string stamp(std::int64_t since_zero_ms) const {
        const std::int64_t instant = zero_utc_ms_ + since_zero_ms;
        if (instant > last_stamp_utc_ms)
            fail_input(
                {}, "format", mistake(std::string{format_} + " has no dates past the year 9999"));
        return format_timestamp(instant);
    }

  private:
    static constexpr std::int64_t last_stamp_utc_ms = 253'402'300'799'999;

    std::string_view format_;
    std::int64_t zero_utc_ms_{};
};

}} // namespace bursar::scenarios
