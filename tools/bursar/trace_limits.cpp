#include "tools/bursar/trace_limits.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/traces/text/timestamps.hpp"

#include "reports/text/instant.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::string_view top_name = "--trace-top";
constexpr std::string_view from_name = "--trace-from";
constexpr std::string_view to_name = "--trace-to";

/// Whether it can only be meant for a date: "2026-...".
bool begins_as_date(std::string_view text) {
    return text.size() > 4 && text[4] == '-' && text.find_first_not_of("0123456789") == 4;
}

} // namespace

WrittenInstant WrittenInstant::read(const std::string& text, const std::string& option) {
    if (!begins_as_date(text))
        return {text, quantity_of(text, durations, option, Zero::allowed), false};
    const auto utc_ms = parse_date_or_timestamp(text, 0);
    if (!utc_ms)
        throw UsageError{fmt::format(
            "{}: {} is no date (such as 2017-10-09 or 2017-10-09T12:00:00Z), and no time since the "
            "run's zero (such as 36 h)",
            option,
            in_quotes(text))};
    return {text, *utc_ms, true};
}

Duration WrittenInstant::in(const Result& result, std::string_view option) const {
    if (is_dated && !result.zero_utc_ms)
        throw UsageError{fmt::format("{}: {} is a date, and the run has none; give a time since "
                                     "its zero, such as 36 h",
                                     option,
                                     in_quotes(text))};
    const Duration at{is_dated ? std::max<std::int64_t>(ms - *result.zero_utc_ms, 0) : ms};
    if (option == from_name && at >= result.end && result.end > Duration{})
        throw UsageError{fmt::format("{}: {} is behind the end of the run, {}",
                                     option,
                                     in_quotes(text),
                                     readable_instant(result.zero_utc_ms, result.end))};
    return at;
}

void TraceLimits::add_to(Command command) {
    command
        .add_option(std::string{top_name},
                    top_,
                    up_to(1'000'000'000),
                    "schedule.pftrace: the N jobs that cost most, instead of all of them")
        .type_name("N");
    const auto add_instant =
        [&](std::string_view name, std::optional<WrittenInstant>& value, const std::string& help) {
            const auto take = [&value, name](const std::string& text) {
                value = WrittenInstant::read(text, std::string{name});
                return std::string{};
            };
            command.add_parsed(std::string{name}, take, help).type_name("TIME");
        };
    add_instant(from_name,
                from_,
                "schedule.pftrace: from then on: a date (2017-10-09, 2017-10-09T12:00:00Z), or a "
                "time since the run's zero (36h)");
    add_instant(to_name, to_, "schedule.pftrace: until then, likewise");
}

std::string_view TraceLimits::given() const {
    if (top_)
        return top_name;
    if (from_)
        return from_name;
    return to_ ? to_name : std::string_view{};
}

void TraceLimits::apply(const Result& result, OutputOptions& options) const {
    if (top_)
        options.trace_top = static_cast<std::size_t>(*top_);
    if (from_)
        options.trace_from = from_->in(result, from_name);
    if (to_)
        options.trace_to = to_->in(result, to_name);
    if (options.trace_to && options.trace_from.value_or(Duration{}) >= *options.trace_to)
        throw UsageError{
            fmt::format("{}: {} is not behind {}",
                        to_name,
                        in_quotes(to_->text),
                        from_ ? fmt::format("{} of {}", in_quotes(from_->text), from_name)
                              : std::string{"the zero of the run"})};
}

}} // namespace bursar::tools
