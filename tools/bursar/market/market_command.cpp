#include <memory>
#include <string>
#include <vector>

#include "scenarios/errors/fail_input.hpp"

#include "reports/files/write_file.hpp"
#include "reports/market/price_chart.hpp"

#include "tools/bursar/command.hpp"
#include "tools/bursar/market/price_info.hpp"
#include "tools/bursar/model/options/answer_options.hpp"
#include "tools/bursar/standard_output.hpp"

namespace bursar::inline tools {
namespace {

constexpr std::size_t chart_width = 100;

struct InfoOptions {
    std::vector<std::string> files;
    PriceOptions prices;
    PriceComparison against;
    std::string svg;
    AnswerOptions answer;
};

void show_info(const InfoOptions& options) {
    const PriceInfo info = price_info(options.files, options.prices, options.against);
    if (!options.svg.empty()) {
        if (!info.drawing)
            fail_input(
                "--svg",
                mistake("draws one price over time",
                        info.answer.tables.empty() ? "this is one day's list" : "several match",
                        info.answer.tables.empty() ? "" : "choose one with --type or --zone"));
        InputFiles inputs;
        inputs.add_all(options.files);
        write_file(
            options.svg, inputs, [&](TextSink& sink) { put_price_svg(*info.drawing, sink); });
    }
    if (info.drawing && options.answer.format() == AnswerFormat::table) {
        StringSink chart;
        put_price_chart(*info.drawing, chart_width, chart);
        put_text("{}\n", chart.text());
    }
    options.answer.show(info.answer);
}

void add_info(Command market) {
    Command command = market.add_subcommand(
        "info", "what files of prices hold: means, changes, time below a bid, a chart");
    const auto options = std::make_shared<InfoOptions>();
    command.add_option("FILE", options->files, "price files, plain, .gz or .zst").required();
    options->prices.add_to(command);
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
    command.add_option("--svg", options->svg, "also draw the price into this file")
        .type_name("FILE");
    options->answer.add_to(command);
    command.callback([options] { show_info(*options); });
}

} // namespace

void add_market_command(Command program) {
    Command market = program.add_subcommand("market", "inspect prices that change");
    market.require_subcommand();
    add_info(market);
}

} // namespace bursar::inline tools
