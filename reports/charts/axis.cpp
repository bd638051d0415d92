#include "reports/charts/axis.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::array<std::string_view, 12> months{
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/// 1, 2 or 5 times a power of ten, at least `least`.
double round_step(double least) {
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least * 0.999)
            return factor * power;
    return 10 * power;
}

Axis spaced(std::string title, double min, double max, double step) {
    Axis axis{std::move(title), std::floor(min / step) * step, std::ceil(max / step) * step};
    const auto count = static_cast<std::size_t>(std::lround((axis.max - axis.min) / step));
    for (std::size_t i = 0; i <= count; ++i) {
        const double at = axis.min + static_cast<double>(i) * step;
        axis.ticks.push_back({at, tick_label(at, step)});
    }
    return axis;
}

struct Instant {
    int year{};
    unsigned month{}, day{};
    std::int64_t ms_of_day{};
};

Instant instant_of(std::int64_t utc_ms) {
    const std::chrono::sys_time<std::chrono::milliseconds> at{std::chrono::milliseconds{utc_ms}};
    const auto midnight = std::chrono::floor<std::chrono::days>(at);
    const std::chrono::year_month_day date{midnight};
    return {static_cast<int>(date.year()),
            static_cast<unsigned>(date.month()),
            static_cast<unsigned>(date.day()),
            (at - midnight).count()};
}

std::string date_label(std::int64_t utc_ms, Duration step) {
    const Instant at = instant_of(utc_ms);
    if (step >= day || at.ms_of_day == 0)
        return fmt::format("{} {}", at.day, months[at.month - 1]);
    return fmt::format("{:02}:{:02}", at.ms_of_day / 3'600'000, at.ms_of_day / 60'000 % 60);
}

/// Round steps of time.
constexpr std::array time_steps{second,
                                10 * second,
                                minute,
                                5 * minute,
                                15 * minute,
                                hour,
                                3 * hour,
                                6 * hour,
                                12 * hour,
                                day,
                                2 * day,
                                3 * day,
                                7 * day,
                                14 * day,
                                28 * day,
                                91 * day,
                                182 * day,
                                364 * day};

Duration time_step(Duration span, std::size_t steps) {
    for (const Duration step : time_steps)
        if (step.count() * static_cast<std::int64_t>(steps) >= span.count())
            return step;
    return Duration{static_cast<std::int64_t>(
        round_step(static_cast<double>(span.count()) / static_cast<double>(steps)))};
}

} // namespace

double Axis::share(double value) const {
    const double inside = std::clamp(value, min, max);
    if (is_log)
        return std::log(inside / min) / std::log(max / min);
    return max > min ? (inside - min) / (max - min) : 0;
}

std::string tick_label(double value, double step) {
    if (value == 0)
        return "0";
    const double size = std::max(std::abs(value), step);
    if (size >= 1e6)
        return fmt::format("{:.4g} M", value / 1e6);
    if (size >= 1e4)
        return fmt::format("{:.4g} k", value / 1e3);
    if (step >= 1)
        return grouped_text(static_cast<std::int64_t>(std::llround(value)), 0);
    return fmt::format("{:.{}f}", value, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
}

Axis linear_axis(std::string title, double min, double max, std::size_t steps) {
    min = std::min(min, 0.0);
    max = std::max({max, 0.0, min + 1e-9});
    if (max - min <= 1e-9)
        max = min + 1;
    return spaced(std::move(title), min, max, round_step((max - min) / static_cast<double>(steps)));
}

Axis close_axis(std::string title, double min, double max, std::size_t steps) {
    if (min >= 0 && (min < max / 2 || max <= min))
        return linear_axis(std::move(title), 0, max, steps);
    return spaced(std::move(title), min, max, round_step((max - min) / static_cast<double>(steps)));
}

Axis log_axis(std::string title, double min, double max) {
    Axis axis{std::move(title),
              std::pow(10.0, std::floor(std::log10(min))),
              std::pow(10.0, std::ceil(std::log10(std::max(max, min * 1.001)))),
              true};
    if (axis.max <= axis.min)
        axis.max = 10 * axis.min;
    const double decades = std::log10(axis.max / axis.min);
    const double each = std::pow(10.0, std::max(1.0, std::ceil(decades / 6)));
    for (double at = axis.min; at <= axis.max * 1.001; at *= each)
        axis.ticks.push_back({at, tick_label(at, at)});
    return axis;
}

Axis span_axis(std::string title, double max_s) {
    constexpr std::array marks{std::pair{1.0, "1 s"},
                               std::pair{10.0, "10 s"},
                               std::pair{60.0, "1 min"},
                               std::pair{600.0, "10 min"},
                               std::pair{3600.0, "1 h"},
                               std::pair{21'600.0, "6 h"},
                               std::pair{86'400.0, "1 d"},
                               std::pair{864'000.0, "10 d"},
                               std::pair{8'640'000.0, "100 d"},
                               std::pair{86'400'000.0, "1,000 d"},
                               std::pair{864'000'000.0, "10,000 d"},
                               std::pair{8'640'000'000.0, "100,000 d"}};
    Axis axis{std::move(title), 1, 60, true};
    for (const auto& [at, label] : marks) {
        axis.ticks.push_back({at, label});
        axis.max = std::max(axis.max, at);
        if (at >= max_s && at >= 60)
            break;
    }
    axis.max = std::max(axis.max, max_s);
    if (axis.ticks.size() > 7) // the shortest ones say least
        std::erase_if(axis.ticks, [](const Tick& tick) { return tick.at == 10 || tick.at == 600; });
    return axis;
}

Axis time_axis(std::optional<std::int64_t> zero_utc_ms,
               Duration begin,
               Duration end,
               std::size_t steps) {
    end = std::max(end, begin + millisecond);
    Axis axis{"", static_cast<double>(begin.count()), static_cast<double>(end.count())};
    axis.is_time = true;
    axis.zero_utc_ms = zero_utc_ms;
    const Duration step = time_step(end - begin, steps);
    const std::int64_t zero = zero_utc_ms.value_or(0);
    const std::int64_t first = zero + begin.count();
    const std::int64_t past = ((first % step.count()) + step.count()) % step.count();
    const std::int64_t from = past == 0 ? first : first - past + step.count();
    const bool in_days = step >= day;
    const bool in_hours = !in_days && step >= hour;
    for (std::int64_t at = from; at <= zero + end.count(); at += step.count()) {
        const Duration since{at - zero};
        const double unit = static_cast<double>((in_days ? day : in_hours ? hour : minute).count());
        axis.ticks.push_back({static_cast<double>(since.count()),
                              zero_utc_ms ? date_label(at, step)
                                          : fmt::format("{:.4g}", double(since.count()) / unit)});
    }
    if (!zero_utc_ms) {
        axis.title = in_days    ? "days since the start"
                     : in_hours ? "hours since the start"
                                : "minutes since the start";
        return axis;
    }
    const int year = instant_of(first).year;
    const int last = instant_of(zero + end.count()).year;
    axis.title =
        year == last ? fmt::format("UTC, {}", year) : fmt::format("UTC, {} to {}", year, last);
    if (step < day)
        axis.title = fmt::format("UTC, {} {}", date_label(first, day), year);
    return axis;
}

}} // namespace bursar::reports
