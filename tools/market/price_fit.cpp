
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "models/market/fit_prices.hpp"
#include "models/market/price_statistics.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/market/prices/read_prices.hpp"

#include "reports/files/write_files.hpp"

#include "tools/command_line/answer_options.hpp"
#include "tools/command_line/messages.hpp"
#include "tools/market/market.hpp"

namespace bursar { inline namespace tools {
namespace {

struct FitOptions {
    std::string file;
    PriceOptions prices;
    std::optional<double> bid; ///< USD per hour; absent: the mean price
    std::string family;        ///< empty: chosen by the figures
    std::string out;
    std::uint64_t seed{1};
    std::optional<double> days;
};

OptionTable<FitOptions> fit_options() {
    using T = FitOptions;
    return option_table<T>({{{"FILE", &T::file, argument()}, "price file, plain, .gz or .zst"},
                            {&T::prices, price_options()},
                            {{"--bid", &T::bid, dollars_per_hour()},
                             "up is at or below it, USD per hour (default: the mean price)"},
                            {{"--family",
                              &T::family,
                              KnownTextRule{"NAME",
                                            {std::string{MeanRevertingPrices::name},
                                             std::string{RegimeSwitchingPrices::name},
                                             std::string{BlockBootstrapPrices::name}}}},
                             "generator to take (default: chosen by the figures)"},
                            {{"--out", &T::out, file_name()},
                             "write a generated series (time,price) into this file"},
                            {{"--seed", &T::seed, whole_in(any_seed)}, "seed of that series"},
                            {{"--days", &T::days, real_in({0.001, 36500}, "N")},
                             "its length in days (default: as the file's)"}})
        .required("FILE")
        .without("--gpus"); // the price of the whole machine is fitted
}

/// Generators fitted to one price of a file.
struct PriceFitAnswer {
    Document answer;
    PriceGenerator chosen;
    Duration length; ///< of the series that was fitted
};

constexpr std::size_t min_stretches = 10; ///< fewer tell little about their lengths

double in_usd(double nano_usd) {
    return nano_usd / static_cast<double>(nano_usd_per_usd);
}

double in_seconds(double ms) {
    return ms / static_cast<double>(second.count());
}

std::vector<Cell>
figures_row(std::string name, const PriceFigures& figures, const PriceFigures& real) {
    return {std::move(name),
            in_usd(figures.mean),
            figures.changes_per_day,
            in_seconds(figures.mean_up_ms),
            in_seconds(figures.p90_up_ms),
            figures.relative_to(real).worst()};
}

ReportTable families_table(const PriceFit& fit) {
    ReportTable table{"families",
                      fmt::format("Fitted generators over {} seeds", num_fit_seeds),
                      {{"family", "family", ""},
                       {"mean_usd_per_hour", "mean", "USD/h"},
                       {"changes_per_day", "changes a day", ""},
                       {"mean_up_s", "up, mean", "s"},
                       {"p90_up_s", "up, p90", "s"},
                       {"worst", "largest error", "fraction"}},
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
    [[nodiscard]] const ReportTable& table() const { return table_; }

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

    ReportTable table_{
        "parameters",
        "Its parameters",
        {{"parameter", "parameter", ""}, {"value", "value", ""}, {"unit", "unit", ""}},
        {},
        true};
};

const FittedPrices& chosen_family(const PriceFit& fit, const std::string& family) {
    if (family.empty())
        return fit.families[fit.chosen];
    for (const FittedPrices& one : fit.families)
        if (family_of(one.generator) == family)
            return one;
    fail_input("--family", mistake("a price of 0 has no logarithm", family));
}

/// Throws ScenarioError if the file cannot be read, has no such price or several, or the price
/// never changes.
PriceFitAnswer fit_price(const FitOptions& options) {
    const PriceFile file = read_prices(options.file, options.prices.format);
    std::vector<Finding> notes = file.notes;
    const OfferedPrices& offered = choose_offer(file, options.prices.keys(), notes);
    const PriceHistory history = price_history(file, offered, options.prices.outliers());
    notes.insert(notes.end(), history.notes.begin(), history.notes.end());
    const Duration end{history.end_ms};
    if (history.length() <= Duration{0} || price_statistics(history.steps, end).num_changes == 0)
        fail_input(options.file,
                   mistake(history.offer.text() + " never changes",
                           "there is nothing to fit",
                           "use the constant price"));
    const MoneyRate mean = price_statistics(history.steps, end).mean;
    const MoneyRate bid =
        options.bid ? MoneyRate{std::llround(*options.bid * double{nano_usd_per_usd})} : mean;

    const PriceFit fit = fit_prices(history.steps, end, bid);
    const FittedPrices& chosen = chosen_family(fit, options.family);
    PriceFitAnswer found{{}, chosen.generator, history.length()};
    Document& answer = found.answer;
    answer.command = "market fit";
    answer.add(Facts{
        "fit",
        history.offer.text(),
        {{"family",
          "family",
          std::string{family_of(chosen.generator)},
          "",
          options.family.empty()
              ? fmt::format("the first within {:.0f} % of every figure, else the nearest",
                            100 * near_enough)
              : "as given"},
         {"worst", "largest error", chosen.worst, "fraction", "of the four figures below"},
         {"bid_usd_per_hour",
          "bid",
          in_usd(static_cast<double>(bid.count())),
          "USD/h",
          options.bid ? "given; up is at or below it" : "the mean price; up is at or below it"},
         {"hash", "hash", fmt::format("{:016x}", file.hash), "", "XXH3 of the file"}}});
    answer.add(families_table(fit));
    answer.add(Parameters{chosen.generator}.table());
    for (const Finding& note : notes)
        answer.warnings.push_back(note.text());
    const std::size_t stretches = up_times(history.steps, end, bid).size();
    if (stretches < min_stretches)
        answer.warnings.push_back(
            fmt::format("{} at or below the bid: too few to know their lengths and spread well",
                        counted(stretches, "stretch")));
    return found;
}

/// Writes one series of the generator as times and prices, in a format that bursar reads.
void write_series(const PriceFitAnswer& fit, const FitOptions& options) {
    constexpr double ms_a_day = 86'400'000;
    const Duration length =
        options.days ? Duration{std::llround(*options.days * ms_a_day)} : fit.length;
    const PriceSeries series = generate_prices(fit.chosen, length, options.seed);
    InputFiles inputs;
    inputs.add(options.file);
    write_file(options.out, inputs, [&](TextSink& sink) {
        const auto put = [&](std::int64_t at_ms, std::int64_t nano_usd) {
            sink.put(fmt::format("{}.{:03},{}.{:09}\n",
                                 at_ms / 1000,
                                 at_ms % 1000,
                                 nano_usd / nano_usd_per_usd,
                                 nano_usd % nano_usd_per_usd));
        };
        sink.put("time,price\n");
        for (std::size_t i = 0; i < series.size(); ++i)
            put(series.start_ms[i], series.rate[i]);
        put(length.count(), series.rate.back()); // the last price marks the end
    });
}

Document fit_answer(const FitOptions& options) {
    if (options.out.empty() && options.days)
        fail_input("--days", mistake("is the length of a generated series", "--out writes one"));
    PriceFitAnswer fit = fit_price(options);
    if (!options.out.empty())
        write_series(fit, options);
    return std::move(fit.answer);
}

} // namespace

void add_fit(Command market) {
    add_answer(market,
               "fit",
               "fit seeded generators to a price of a file, and report their errors",
               fit_options(),
               fit_answer);
}

}} // namespace bursar::tools
