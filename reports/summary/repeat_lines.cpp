#include "reports/summary/repeat_lines.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "reports/scalars/main_scalars.hpp"
#include "reports/scalars/scalar_text.hpp"
#include "reports/scalars/scalars.hpp"

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

/// "33.10 .. 35.80"; "-" where one run alone has a value.
std::string interval_text(const RepeatedScalar& scalar, ScalarKind kind) {
    if (!scalar.ci_low || !scalar.ci_high)
        return "-";
    return fmt::format(
        "{} .. {}", scalar_text(*scalar.ci_low, kind), scalar_text(*scalar.ci_high, kind));
}

} // namespace

std::string seed_title(const Result& result) {
    return fmt::format("seed {}", result.run.seed);
}

std::string repeat_sentence(const Result& result, const Repeats& repeats) {
    if (repeats.n == 1)
        return "1 seed";
    return fmt::format("{} seeds, means with their 95 % intervals; TOTAL is such a mean, all else "
                       "above is of {}",
                       repeats.n,
                       seed_title(result));
}

std::optional<RepeatLine> repeated_total(const Result& result) {
    if (!result.repeats || result.repeats->n < 2)
        return std::nullopt;
    for (const RepeatedScalar& scalar : result.repeats->scalars)
        if (scalar.name == "cost.total" && scalar.n > 0)
            return RepeatLine{"",
                              scalar_text(scalar.mean, ScalarKind::usd),
                              fmt::format("mean of {} seeds, 95 % interval {}",
                                          scalar.n,
                                          interval_text(scalar, ScalarKind::usd))};
    return std::nullopt;
}

std::vector<RepeatLine> repeat_lines(const Repeats& repeats) {
    std::vector<RepeatLine> out;
    const bool all_finished = all_jobs_finished(repeats);
    for (const std::string_view name : shown) {
        if (all_finished && is_bound(name))
            continue;
        const ScalarKind kind = find_scalar(name)->kind;
        for (const RepeatedScalar& scalar : repeats.scalars) {
            if (scalar.name != name || scalar.n == 0)
                continue;
            std::string title{title_of(name)};
            if (scalar.n < repeats.n)
                title += fmt::format(" ({} of {} seeds)", scalar.n, repeats.n);
            out.push_back(
                {std::move(title), scalar_text(scalar.mean, kind), interval_text(scalar, kind)});
        }
    }
    return out;
}

}} // namespace bursar::reports
