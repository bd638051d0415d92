#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "scenarios/traces/fail_input.hpp"
#include "scenarios/traces/text/timestamps.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar {

/// Submit times as stamps in UTC, for formats that know no others.
class DatedSubmit {
  public:
    /// Throws ScenarioError when `trace` has no dates; format: for the message.
    DatedSubmit(const Trace& trace, std::string_view format) : trace_{trace} {
        if (!trace.zero_utc_ms)
            fail_input({},
                       "format",
                       mistake(std::string{format} + " needs dates and this trace has none",
                               {},
                               "give the date of its zero as start"));
        zero_utc_ms_ = *trace.zero_utc_ms;
    }

    [[nodiscard]] std::string stamp(std::size_t row) const {
        return format_timestamp(zero_utc_ms_ + trace_.submit_ms[row]);
    }

  private:
    const Trace& trace_;
    std::int64_t zero_utc_ms_{};
};

/// Name of the tenant of `row`.
inline const std::string& tenant_of(const Trace& trace, std::size_t row) {
    return trace.tenants[trace.tenant.empty() ? 0 : trace.tenant[row]];
}

} // namespace bursar
