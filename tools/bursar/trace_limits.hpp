#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reports/options.hpp"
#include "reports/result/result.hpp"

#include "tools/command_line/options.hpp"

namespace bursar { inline namespace tools {

/// An instant as one writes it: a date with an optional time, UTC unless it says another offset, or
/// a time since the run's zero.
struct WrittenInstant {
    std::string text;
    std::int64_t ms{}; ///< since 1970-01-01T00:00Z, or since the zero
    bool is_dated{};

    /// Throws UsageError, ScenarioError where `text` is none. option: whose value it is.
    [[nodiscard]] static WrittenInstant read(const std::string& text, const std::string& option);

    /// Since the zero of the result; before it is it. Throws UsageError for a date where the result
    /// has none, and where the run is over before.
    [[nodiscard]] Duration in(const Result& result, std::string_view option) const;
};

/// What of a run schedule.pftrace draws: --trace-top, --trace-from, --trace-to.
class TraceLimits {
  public:
    void add_to(Command command);

    /// The option that is given; empty: none is.
    [[nodiscard]] std::string_view given() const;

    /// Puts them into `options`. Throws as WrittenInstant::in, and where no time is left.
    void apply(const Result& result, OutputOptions& options) const;

  private:
    std::optional<std::int64_t> top_;
    std::optional<WrittenInstant> from_, to_;
};

}} // namespace bursar::tools
