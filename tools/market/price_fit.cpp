#include "tools/market/price_fit.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "models/market/price_statistics.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/market/prices/read_prices.hpp"

#include "tools/command_line/messages.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::size_t min_stretches = 10; ///< fewer say little of how long stretches are

double in_usd(double nano_usd) {
    return nano_usd / static_cast<double>(nano_usd_per_usd);
}

double in_seconds(double ms) {
    return ms / static_cast<double>(second.count());
}

std::vector<AnswerCell>
figures_row(std::string name, const PriceFigures& figures, const PriceFigures& real) {
    return {std::move(name),
            in_usd(figures.mean),
            figures.changes_per_day,
            in_seconds(figures.mean_up_ms),
            in_seconds(figures.p90_up_ms),
            figures.relative_to(real).worst()};
}

AnswerTable families_table(const PriceFit& fit) {
    AnswerTable table{"families",
                      fmt::format("Fitted generators over {} seeds", num_fit_seeds),
                      {{"family", "family", ""},
                       {"mean_usd_per_hour", "mean", "USD/h"},
                       {"changes_per_day", "changes a day", ""},
                       {"mean_up_s", "up, mean", "s"},
                       {"p90_up_s", "up, nine in ten", "s"},
                       {"worst", "furthest off", "fraction"}},
                      {}};
    table.rows.push_back(figures_row("the file", fit.real, fit.real));
    for (const FittedPrices& family : fit.families)
        table.rows.push_back(
            figures_row(std::string{family_of(family.generator)}, family.figures, fit.real));
    return table;
}

/// The parameters of a generator, a row each.
class Parameters {
  public:
    explicit Parameters(const PriceGenerator& generator) {
        std::visit([&](const auto& g) { add(g); }, generator);
    }
    [[nodiscard]] const AnswerTable& table() const { return table_; }

  private:
    void add(const MeanRevertingPrices& g) {
        put("floor", in_usd(static_cast<double>(g.floor)), "USD/h");
        put("ceiling", in_usd(static_cast<double>(g.ceiling)), "USD/h");
        put("mean", in_usd(std::exp(g.mean_log)), "USD/h");
        put("persistence", g.persistence, "");
        put("noise", g.noise, "");
        put("step", in_seconds(g.mean_step_ms), "s");
    }
    void add(const RegimeSwitchingPrices& g) {
        for (std::size_t i = 0; i < g.regimes.size(); ++i) {
            const PriceRegime& regime = g.regimes[i];
            const std::string of = g.regimes.size() == 1 ? "" : i == 0 ? "cheap: " : "dear: ";
            put(of + "floor", in_usd(static_cast<double>(regime.quantiles.front())), "USD/h");
            put(of + "middle",
                in_usd(static_cast<double>(regime.quantiles[regime.quantiles.size() / 2])),
                "USD/h");
            put(of + "ceiling", in_usd(static_cast<double>(regime.quantiles.back())), "USD/h");
            put(of + "step", in_seconds(regime.mean_step_ms), "s");
            put(of + "wander", regime.wander, "");
            if (g.regimes.size() == 1)
                continue;
            put(of + "stay", in_seconds(regime.mean_stay_ms), "s");
            put(of + "spread of stays", regime.stay_spread, "");
            if (regime.long_share > 0) {
                put(of + "long stay", in_seconds(regime.long_stay_ms), "s");
                put(of + "share of long stays", regime.long_share, "");
            }
        }
    }
    void add(const BlockBootstrapPrices& g) {
        put("block", in_seconds(static_cast<double>(g.block.count())), "s");
        put("steps of the source", static_cast<double>(g.source.size()), "");
    }
    void put(std::string name, double value, std::string unit) {
        table_.rows.push_back({std::move(name), value, std::move(unit)});
    }

    AnswerTable table_{
        "parameters",
        "Its parameters",
        {{"parameter", "parameter", ""}, {"value", "value", ""}, {"unit", "unit", ""}},
        {},
        true};
};

const FittedPrices& taken(const PriceFit& fit, const std::string& family) {
    if (family.empty())
        return fit.families[fit.chosen];
    for (const FittedPrices& one : fit.families)
        if (family_of(one.generator) == family)
            return one;
    fail_input("--family", mistake("a price of 0 has no logarithm", family));
}

} // namespace

PriceFitAnswer fit_price(const std::string& path,
                         const PriceOptions& options,
                         const PriceComparison& against,
                         const std::string& family) {
    const PriceFile file = read_prices(path, options.format);
    std::vector<Finding> notes = file.notes;
    const OfferedPrices& offered = choose_offer(file, options.keys, notes);
    const PriceHistory history = price_history(file, offered, options.outliers());
    notes.insert(notes.end(), history.notes.begin(), history.notes.end());
    const Duration end{history.end_ms};
    if (history.length() <= Duration{0} || price_statistics(history.steps, end).num_changes == 0)
        fail_input(path,
                   mistake(history.offer.text() + " never changes",
                           "there is nothing to fit",
                           "a constant price says it all"));
    const MoneyRate mean = price_statistics(history.steps, end).mean;
    const MoneyRate bid =
        against.bid ? MoneyRate{std::llround(*against.bid * double{nano_usd_per_usd})} : mean;

    const PriceFit fit = fit_prices(history.steps, end, bid);
    const FittedPrices& chosen = taken(fit, family);
    PriceFitAnswer found{{}, chosen.generator, history.length()};
    Answer& answer = found.answer;
    answer.command = "market fit";
    answer.sections.push_back(
        {"fit",
         history.offer.text(),
         {{"family",
           "family",
           std::string{family_of(chosen.generator)},
           "",
           family.empty()
               ? fmt::format("the first within {:.0f} % of every figure, else the nearest",
                             100 * near_enough)
               : "as asked for"},
          {"worst", "furthest off", chosen.worst, "fraction", "of the four figures below"},
          {"bid_usd_per_hour",
           "bid",
           in_usd(static_cast<double>(bid.count())),
           "USD/h",
           against.bid ? "given; up is at or below it" : "the mean price; up is at or below it"},
          {"hash", "hash", fmt::format("{:016x}", file.hash), "", "XXH3 of the file"}}});
    answer.tables = {families_table(fit), Parameters{chosen.generator}.table()};
    for (const Finding& note : notes)
        answer.warnings.push_back(note.text());
    const std::size_t stretches = up_times(history.steps, end, bid).size();
    if (stretches < min_stretches)
        answer.warnings.push_back(
            fmt::format("{} at or below the bid: how long they are, and how much that varies, is "
                        "hardly known from so few",
                        counted(stretches, "stretch")));
    return found;
}

}} // namespace bursar::tools
