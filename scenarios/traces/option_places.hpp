#pragma once

#include <map>
#include <string>
#include <string_view>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/reader/written.hpp"

namespace bursar { inline namespace scenarios {

struct TraceOptions;

/// Where the options of a trace were written, each under its path below it: "select.from". They say
/// nothing of the trace, so all are equal.
class OptionPlaces {
  public:
    void note(std::string option, Written where);
    /// Of the option, or of the mapping around it; null where nobody wrote either.
    [[nodiscard]] const Written* find(std::string_view option) const;

    bool operator==(const OptionPlaces&) const { return true; }

  private:
    std::map<std::string, Written, std::less<>> written_;
};

/// `finding` at the option's own place; at the trace where nobody wrote it.
[[nodiscard]] Finding
at_option(const TraceOptions& options, std::string_view option, Finding finding);

/// Throws it as the one mistake.
[[noreturn]] void
fail_option(const TraceOptions& options, std::string_view option, Finding finding);

}} // namespace bursar::scenarios
