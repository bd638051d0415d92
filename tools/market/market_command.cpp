#include <cmath>
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
#include "tools/market/market.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::size_t chart_width = 100;

OptionTable<PriceComparison> comparison_options() {
    using T = PriceComparison;
    return option_table<T>(
        {{{"--on-demand", &T::on_demand, dollars_per_hour()},
          "price on demand of the machine, USD per hour (default: as the file says)"},
         {{"--bid", &T::bid, dollars_per_hour()},
          "how long the price stays at or below it, USD per hour (default: on demand)"}});
}

struct InfoOptions {
    std::vector<std::string> files;
    PriceOptions prices;
    PriceComparison against;
    SupplyOptions supply;
    std::string svg;
    AnswerOptions answer;
};

OptionTable<InfoOptions> info_options() {
    using T = InfoOptions;
    return option_table<T>({{{"FILE", &T::files, argument()},
                             "files of prices, or of availability; plain, .gz or .zst"},
                            {&T::prices, price_options()},
                            {&T::supply, supply_options()},
                            {&T::against, comparison_options()},
                            {{"--svg", &T::svg, file_name()},
                             "also draw the price, or the nodes, into this file"},
                            {&T::answer, answer_options()}})
        .required("FILE");
}

void draw(const InfoOptions& options, const std::optional<PriceDrawing>& drawing) {
    if (!options.svg.empty()) {
        InputFiles inputs;
        inputs.add_all(options.files);
        write_file(options.svg, inputs, [&](TextSink& sink) { put_price_svg(*drawing, sink); });
    }
    if (drawing && options.answer.format == AnswerFormat::table) {
        StringSink chart;
        put_price_chart(*drawing, chart_width, chart);
        put_text("{}\n", chart.text());
    }
}

void show_prices(const InfoOptions& options) {
    if (const char* given = options.supply.given())
        fail_input(given, mistake("is for files of availability", "these are of prices"));
    const MarketInfo info = price_info(options.files, options.prices, options.against);
    if (!options.svg.empty() && !info.drawing) {
        const bool is_list = info.answer.all<ReportTable>().empty();
        fail_input("--svg",
                   mistake("draws one price over time",
                           is_list ? "this is one day's list" : "several match",
                           is_list ? "" : "choose one with --type or --zone"));
    }
    draw(options, info.drawing);
    options.answer.show(info.answer);
}

/// The first given option that applies to prices only; null: none.
const char* given_for_prices(const InfoOptions& options) {
    const PriceOffer& wanted = options.prices.wanted;
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
            options.supply.of_file(path, options.prices.wanted.zone, options.prices.gpus)));
    const MarketInfo info = supply_info(files);
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

} // namespace

void add_market_command(Command program) {
    Command market = program.add_subcommand("market", "inspect varying prices and availability");
    market.require_subcommand();
    add_command(market,
                "info",
                "what files of prices or of availability hold: means, changes, up-times, a chart",
                info_options(),
                show_info);
    add_fit(market);
}

}} // namespace bursar::tools
