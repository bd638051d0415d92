#include "reports/summary/repeat_lines.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "reports/scalars/main_scalars.hpp"
#include "reports/scalars/scalar_text.hpp"
#include "reports/scalars/scalars.hpp"

namespace bursar::inline reports {
namespace {

/// Of the main scalars, those below a bill.
constexpr std::array<std::string_view, 5> shown{"cost.total",
                                                "ratios.goodput",
                                                "metrics.wait_s.mean",
                                                "metrics.jct_s.mean",
                                                "metrics.makespan_s"};

} // namespace

std::string repeat_sentence(const Repeats& repeats) {
    if (repeats.n == 1)
        return "1 seed";
    return fmt::format(
        "{} seeds, means with their 95 % intervals; the bill above is that of the first seed",
        repeats.n);
}

std::vector<RepeatLine> repeat_lines(const Repeats& repeats) {
    std::vector<RepeatLine> out;
    for (const std::string_view name : shown) {
        const ScalarKind kind = find_scalar(name)->kind;
        for (const RepeatedScalar& scalar : repeats.scalars) {
            if (scalar.name != name || scalar.n == 0)
                continue;
            std::string title{title_of(name)};
            if (scalar.n < repeats.n)
                title += fmt::format(" ({} of {} seeds)", scalar.n, repeats.n);
            std::string interval = "-";
            if (scalar.ci_low && scalar.ci_high) {
                interval = fmt::format("{} .. {}",
                                       scalar_text(*scalar.ci_low, kind),
                                       scalar_text(*scalar.ci_high, kind));
            }
            out.push_back({std::move(title), scalar_text(scalar.mean, kind), interval});
        }
    }
    return out;
}

} // namespace bursar::inline reports
