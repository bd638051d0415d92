#include "reports/summary/repeat_lines.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "reports/summary/scalar_text.hpp"

namespace bursar {
namespace {

struct MainScalar {
    std::string_view name; ///< as in scalars()
    std::string_view title;
    ScalarKind kind;
};

constexpr std::array main_scalars{
    MainScalar{"cost.total", "total cost, USD", ScalarKind::usd},
    MainScalar{"ratios.goodput", "goodput", ScalarKind::ratio},
    MainScalar{"metrics.wait_s.mean", "mean wait", ScalarKind::seconds},
    MainScalar{"metrics.jct_s.mean", "mean JCT", ScalarKind::seconds},
    MainScalar{"metrics.makespan_s", "makespan", ScalarKind::seconds}};

} // namespace

std::string repeat_sentence(const Repeats& repeats) {
    if (repeats.n == 1)
        return "1 seed";
    return fmt::format(
        "{} seeds, mean and its 95 % interval; the bill above is that of the first seed",
        repeats.n);
}

std::vector<RepeatLine> repeat_lines(const Repeats& repeats) {
    std::vector<RepeatLine> out;
    for (const MainScalar& wanted : main_scalars) {
        for (const RepeatedScalar& scalar : repeats.scalars) {
            if (scalar.name != wanted.name || scalar.n == 0)
                continue;
            std::string title{wanted.title};
            if (scalar.n < repeats.n)
                title += fmt::format(" ({} of {} seeds)", scalar.n, repeats.n);
            std::string interval = "-";
            if (scalar.ci_low && scalar.ci_high) {
                interval = fmt::format("{} .. {}",
                                       scalar_text(*scalar.ci_low, wanted.kind),
                                       scalar_text(*scalar.ci_high, wanted.kind));
            }
            out.push_back({std::move(title), scalar_text(scalar.mean, wanted.kind), interval});
        }
    }
    return out;
}

} // namespace bursar
