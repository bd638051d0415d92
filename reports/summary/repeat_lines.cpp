#include "reports/summary/repeat_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "reports/scalars/main_scalars.hpp"
#include "reports/scalars/scalar_text.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/summary/uncertainty.hpp"

namespace bursar { inline namespace reports {
namespace {

/// The main scalars below a bill.
constexpr std::array<std::string_view, 7> shown{"cost.total",
                                                "ratios.goodput",
                                                "metrics.wait_s.mean",
                                                "metrics.wait_at_least_s.mean",
                                                "metrics.jct_s.mean",
                                                "metrics.jct_at_least_s.mean",
                                                "metrics.makespan_s"};

/// "33.10 .. 35.80", of ratios within 0 % .. 100 %; "-" where one run alone has a value.
std::string range_text(std::optional<double> low, std::optional<double> high, ScalarKind kind) {
    if (low && high && kind == ScalarKind::ratio) {
        low = std::clamp(*low, 0.0, 1.0);
        high = std::clamp(*high, 0.0, 1.0);
    }
    return low && high ? fmt::format("{} .. {}", scalar_text(*low, kind), scalar_text(*high, kind))
                       : "-";
}

std::string one_run_text(const Result& result, const RepeatedScalar& scalar, ScalarKind kind) {
    const auto interval = one_run_interval(result, scalar);
    return interval ? range_text(interval->low, interval->high, kind) : "-";
}

/// What the interval of one run's total cost has of the model's error.
std::string model_note(const Result& result) {
    if (result.modelled.empty())
        return {};
    const auto error = modelled_error_usd(result);
    if (error == 0.0)
        return ", not affected by the model's error";
    return error ? ", the model's error included" : ", without the model's error";
}

/// The scalars of repeat_lines(), in their order.
std::vector<const RepeatedScalar*> shown_scalars(const Repeats& repeats) {
    std::vector<const RepeatedScalar*> out;
    const bool all_finished = all_jobs_finished(repeats);
    for (const std::string_view name : shown)
        for (const RepeatedScalar& scalar : repeats.scalars)
            if (scalar.name == name && scalar.n > 0 && !(all_finished && is_bound(name)))
                out.push_back(&scalar);
    return out;
}

bool any_decided_by_few(const Repeats& repeats) {
    return std::ranges::any_of(shown_scalars(repeats), [](const RepeatedScalar* scalar) {
        return deciding_seeds(*scalar) > 0;
    });
}

} // namespace

std::optional<PredictionInterval> one_run_interval(const Result& result,
                                                   const RepeatedScalar& scalar) {
    auto interval = prediction_interval(scalar);
    if (interval && scalar.name == "cost.total") {
        const double error = modelled_error_usd(result).value_or(0);
        interval->low = std::max(0.0, scalar.mean - std::hypot(scalar.mean - interval->low, error));
        interval->high = scalar.mean + std::hypot(interval->high - scalar.mean, error);
    }
    return interval;
}

std::string seed_title(const Result& result) {
    return fmt::format("seed {}", result.run.seed);
}

std::string repeat_sentence(const Result& result, const Repeats& repeats) {
    if (repeats.n == 1)
        return "1 seed";
    return fmt::format(
        "{} seeds: means with their 95 % intervals, and intervals of one run{}; "
        "TOTAL is such a mean, all else above is of {}{}{}",
        repeats.n,
        result.modelled.empty() ? ""
                                : fmt::format(" (of the total cost{}; of JCT and makespan "
                                              "without the model's error)",
                                              model_note(result)),
        seed_title(result),
        repeats.n < enough_seeds ? "; " + few_seeds_note(repeats.n) : std::string{},
        any_decided_by_few(repeats) ? fmt::format("; {}", deciding_seeds_note) : std::string{});
}

std::optional<RepeatLine> repeated_total(const Result& result) {
    if (!result.repeats || result.repeats->n < 2)
        return std::nullopt;
    for (const RepeatedScalar& scalar : result.repeats->scalars)
        if (scalar.name == "cost.total" && scalar.n > 0)
            return RepeatLine{"",
                              scalar_text(scalar.mean, ScalarKind::usd),
                              fmt::format("mean of {} seeds; one run in 95 % of cases {}{}{}",
                                          scalar.n,
                                          one_run_text(result, scalar, ScalarKind::usd),
                                          model_note(result),
                                          scalar.n < enough_seeds ? " (few seeds)" : ""),
                              {}};
    return std::nullopt;
}

std::vector<RepeatLine> repeat_lines(const Result& result) {
    std::vector<RepeatLine> out;
    for (const RepeatedScalar* scalar : shown_scalars(*result.repeats)) {
        const ScalarKind kind = find_scalar(scalar->name)->kind;
        std::string title{title_of(scalar->name)};
        if (scalar->n < result.repeats->n)
            title += fmt::format(" ({} of {} seeds)", scalar->n, result.repeats->n);
        out.push_back({std::move(title),
                       scalar_text(scalar->mean, kind),
                       range_text(scalar->ci_low, scalar->ci_high, kind) +
                           deciding_seeds_mark(deciding_seeds(*scalar)),
                       one_run_text(result, *scalar, kind)});
    }
    return out;
}

}} // namespace bursar::reports
