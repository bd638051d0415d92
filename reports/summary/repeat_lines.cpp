#include "reports/summary/repeat_lines.hpp"

#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "models/units/units.hpp"

#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar {
namespace {

enum class Kind : std::uint8_t { usd, ratio, seconds };

struct MainScalar {
    std::string_view name; ///< as in scalars()
    std::string_view title;
    Kind kind;
};

constexpr std::array main_scalars{MainScalar{"cost.total", "total cost, USD", Kind::usd},
                                  MainScalar{"ratios.goodput", "goodput", Kind::ratio},
                                  MainScalar{"metrics.wait_s.mean", "mean wait", Kind::seconds},
                                  MainScalar{"metrics.jct_s.mean", "mean JCT", Kind::seconds},
                                  MainScalar{"metrics.makespan_s", "makespan", Kind::seconds}};

std::string text_of(double value, Kind kind) {
    if (std::abs(value) > 1e14) // more than any run has, but a saved result may say so
        return fmt::format("{:.6g}", value);
    switch (kind) {
    case Kind::usd:
        return grouped_text(std::llround(value * 100), 2);
    case Kind::ratio:
        return grouped_text(std::llround(value * 1000), 1) + " %";
    case Kind::seconds:
        break;
    }
    const std::string span = span_text(Duration{std::llround(std::abs(value) * 1000)});
    return value < 0 && span != "0 s" ? "-" + span : span; // an interval may reach below zero
}

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
                                       text_of(*scalar.ci_low, wanted.kind),
                                       text_of(*scalar.ci_high, wanted.kind));
            }
            out.push_back({std::move(title), text_of(scalar.mean, wanted.kind), interval});
        }
    }
    return out;
}

} // namespace bursar
