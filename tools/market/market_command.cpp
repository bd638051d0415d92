#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/market/availability/read_availability.hpp"

#include "reports/files/write_files.hpp"
#include "reports/market/price_chart.hpp"

#include "tools/command_line/answer_options.hpp"
#include "tools/command_line/command.hpp"
#include "tools/command_line/standard_output.hpp"
#include "tools/market/price_fit.hpp"
#include "tools/market/price_info.hpp"
#include "tools/market/supply_info.hpp"
#include "tools/market/supply_options.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::size_t chart_width = 100;

struct InfoOptions {
    std::vector<std::string> files;
    PriceOptions prices;
    PriceComparison against;
    SupplyOptions supply;
    std::string svg;
    AnswerOptions answer;
};

void draw(const InfoOptions& options, const std::optional<PriceDrawing>& drawing) {
    if (!options.svg.empty()) {
        InputFiles inputs;
        inputs.add_all(options.files);
        write_file(options.svg, inputs, [&](TextSink& sink) { put_price_svg(*drawing, sink); });
    }
    if (drawing && options.answer.format() == AnswerFormat::table) {
        StringSink chart;
        put_price_chart(*drawing, chart_width, chart);
        put_text("{}\n", chart.text());
    }
}

void show_prices(const InfoOptions& options) {
    if (const char* given = options.supply.given())
        fail_input(given, mistake("is for files of availability", "these are of prices"));
    const PriceInfo info = price_info(options.files, options.prices, options.against);
    if (!options.svg.empty() && !info.drawing)
        fail_input("--svg",
                   mistake("draws one price over time",
                           info.answer.tables.empty() ? "this is one day's list" : "several match",
                           info.answer.tables.empty() ? "" : "choose one with --type or --zone"));
    draw(options, info.drawing);
    options.answer.show(info.answer);
}

/// The first option that was given for prices alone, or none.
const char* given_for_prices(const InfoOptions& options) {
    const PriceOffer& wanted = options.prices.keys.wanted;
    if (options.against.bid)
        return "--bid";
    if (options.against.on_demand)
        return "--on-demand";
    if (options.prices.drop_outliers)
        return "--drop-outliers";
    for (const auto& [name, text] : {std::pair{"--type", &wanted.type},
                                     std::pair{"--region", &wanted.region},
                                     std::pair{"--purchase", &wanted.purchase},
                                     std::pair{"--product", &wanted.product}})
        if (!text->empty())
            return name;
    return nullptr;
}

void show_supply(const InfoOptions& options) {
    if (const char* given = given_for_prices(options))
        fail_input(given, mistake("is for files of prices", "these are of availability"));
    std::vector<AvailabilityFile> files;
    for (const std::string& path : options.files)
        files.push_back(read_availability(
            options.supply.of_file(path, options.prices.keys.wanted.zone, options.prices.gpus)));
    const SupplyInfo info = supply_info(files);
    if (!options.svg.empty() && !info.drawing)
        fail_input("--svg", mistake("draws the nodes of one file", "several are given"));
    draw(options, info.drawing);
    options.answer.show(info.answer);
}

void show_info(const InfoOptions& options) {
    const bool is_supply =
        options.prices.format.empty() && holds_availability(options.files.front());
    is_supply ? show_supply(options) : show_prices(options);
}

void add_info(Command market) {
    Command command = market.add_subcommand(
        "info", "what files of prices or of availability hold: means, changes, up-times, a chart");
    const auto options = std::make_shared<InfoOptions>();
    command
        .add_option(
            "FILE", options->files, "files of prices, or of availability; plain, .gz or .zst")
        .required();
    options->prices.add_to(command);
    options->supply.add_to(command);
    constexpr RealRange dollars{0, 1e6, false};
    command
        .add_option("--on-demand",
                    options->against.on_demand,
                    dollars,
                    "price on demand of the machine, USD per hour (default: as the file says)")
        .type_name("USD");
    command
        .add_option("--bid",
                    options->against.bid,
                    dollars,
                    "how long the price stays at or below it, USD per hour (default: on demand)")
        .type_name("USD");
    command.add_option("--svg", options->svg, "also draw the price, or the nodes, into this file")
        .type_name("FILE");
    options->answer.add_to(command);
    command.callback([options] { show_info(*options); });
}

struct FitOptions {
    std::string file;
    PriceOptions prices;
    PriceComparison against;
    std::string family;
    std::string out;
    std::uint64_t seed{1};
    std::optional<double> days;
    AnswerOptions answer;
};

/// One series of the generator as times and prices, which are read as such again.
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
        put(length.count(), series.rate.back()); // the price that holds there says where it ends
    });
}

void show_fit(const FitOptions& options) {
    if (options.out.empty() && options.days)
        fail_input("--days", mistake("is the length of a generated series", "--out writes one"));
    const PriceFitAnswer fit =
        fit_price(options.file, options.prices, options.against, options.family);
    if (!options.out.empty())
        write_series(fit, options);
    options.answer.show(fit.answer);
}

void add_fit(Command market) {
    Command command = market.add_subcommand(
        "fit", "fit seeded generators to a price of a file, and say how near they come");
    const auto options = std::make_shared<FitOptions>();
    command.add_option("FILE", options->file, "price file, plain, .gz or .zst").required();
    options->prices.add_to(command);
    command.remove_option("--gpus"); // what is fitted is the price of the machine
    command
        .add_option("--bid",
                    options->against.bid,
                    RealRange{0, 1e6, false},
                    "up is at or below it, USD per hour (default: the mean price)")
        .type_name("USD");
    command
        .add_option("--family", options->family, "take this one (default: chosen by the figures)")
        .one_of_words({std::string{MeanRevertingPrices::name},
                       std::string{RegimeSwitchingPrices::name},
                       std::string{BlockBootstrapPrices::name}})
        .type_name("NAME");
    command
        .add_option("--out", options->out, "write a generated series (time,price) into this file")
        .check(not_empty())
        .type_name("FILE");
    command.add_option("--seed", options->seed, any_seed, "seed of that series")
        .type_name("N")
        .show_default();
    command
        .add_option("--days",
                    options->days,
                    RealRange{0.001, 36500},
                    "its length in days (default: as the file's)")
        .type_name("N");
    options->answer.add_to(command);
    command.callback([options] { show_fit(*options); });
}

} // namespace

void add_market_command(Command program) {
    Command market =
        program.add_subcommand("market", "inspect prices and availability that change");
    market.require_subcommand();
    add_info(market);
    add_fit(market);
}

}} // namespace bursar::tools
