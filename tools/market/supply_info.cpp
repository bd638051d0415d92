#include <algorithm>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"
#include "models/market/supply_fit.hpp"

#include "reports/text/instant.hpp"

#include "tools/market/market.hpp"

namespace bursar { inline namespace tools {
namespace {

double in_seconds(Duration span) {
    return static_cast<double>(span.count()) / static_cast<double>(second.count());
}

double in_hours(Duration span) {
    return in_seconds(span) / 3600;
}

std::string instant_of(const AvailabilityFile& file, Duration at) {
    return readable_instant(file.dated ? std::optional<std::int64_t>{0} : std::nullopt, at);
}

Facts file_section(const AvailabilityFile& file) {
    return {"file",
            "Availability",
            {{"path", "file", file.file, "", ""},
             {"format", "format", file.format, "", ""},
             {"hash", "hash", fmt::format("{:016x}", file.hash), "", "XXH3"},
             {"first", "first", instant_of(file, file.supply.begin()), "", ""},
             {"last", "last", instant_of(file, file.supply.end()), "", ""},
             {"length_s", "length", in_seconds(file.supply.length()), "s", ""}}};
}

/// Confidence interval of the 90th percentile of the up-times.
std::string confidence_text(const SupplySeries& supply) {
    constexpr std::int64_t least = 21; // lives that the interval needs
    const std::vector<SupplySpell> spells = node_spells(supply);
    const auto lives = std::ranges::count_if(spells, &SupplySpell::up);
    const LengthRange range = up_percentile_range(spells, 90);
    std::string text = lives < least
                           ? fmt::format("from {} up-times: too few for an interval", lives)
                           : fmt::format("95 %: {:.3g} to {:.3g} h, by {} up-times",
                                         in_hours(range.low),
                                         in_hours(range.high),
                                         lives);
    if (supply.max_nodes() > 1)
        text += "; assumes that the newest node is reclaimed first";
    return text;
}

Facts nodes_section(const SupplySeries& supply, const SupplyStatistics& facts) {
    return {
        "nodes",
        "Available nodes",
        {{"max_nodes", "max", std::int64_t{supply.max_nodes()}, "", ""},
         {"mean_nodes", "mean", facts.mean_nodes, "", "over time"},
         {"availability", "time with a node", facts.availability, "fraction", ""},
         {"node_up_share", "mean share of max", facts.node_up_share, "fraction", ""},
         {"node_hours", "node-hours", facts.node_hours, "", ""},
         {"changes_per_day", "changes a day", facts.changes_per_day, "", ""},
         {"launches", "launches", facts.num_launches, "", ""},
         {"reclaims", "reclaims", facts.num_reclaims, "", ""},
         {"mean_up_s", "mean up-time", in_seconds(facts.mean_up), "s", "node-hours by launches"},
         {"p90_up_s", "90th percentile", in_seconds(facts.p90_up), "s", confidence_text(supply)}}};
}

/// The series and the fitted families; the chosen one is marked.
ReportTable fits_table(const SupplyStatistics& facts, const std::vector<FittedSupply>& fits) {
    ReportTable table{
        "generators",
        "Generators fitted to it, over 200 seeds; `*`: chosen, within 10 % or the nearest",
        {{"family", "family", ""},
         {"chosen", "chosen", ""},
         {"node_up_share", "mean share of max", "fraction"},
         {"changes_per_day", "changes a day", ""},
         {"mean_up_s", "mean up-time", "s"},
         {"p90_up_s", "90th percentile", "s"},
         {"worst_difference", "largest error", "fraction"}},
        {},
        true};
    const auto add = [&](std::string_view name,
                         const char* mark,
                         const SupplyStatistics& of,
                         double difference) {
        table.rows.push_back({std::string{name},
                              std::string{mark},
                              of.node_up_share,
                              of.changes_per_day,
                              in_seconds(of.mean_up),
                              in_seconds(of.p90_up),
                              difference});
    };
    add("the file", "", facts, std::numeric_limits<double>::quiet_NaN());
    const FittedSupply* chosen = &chosen_fit(fits);
    for (const FittedSupply& fit : fits)
        add(name_of(fit.family), &fit == chosen ? "*" : "", fit.generated, fit.worst_difference);
    return table;
}

void add_law(Facts& section, const char* key, const char* label, const LifeLaw& law) {
    section.values.push_back(
        {fmt::format("{}_mean_s", key),
         fmt::format("{}, mean", label),
         law.mean_ms() / static_cast<double>(second.count()),
         "s",
         law.lives().empty() ? "" : fmt::format("one of the file's {}", law.lives().size())});
    if (law.lives().empty())
        section.values.push_back({fmt::format("{}_shape", key),
                                  fmt::format("{}, shape", label),
                                  law.shape(),
                                  "",
                                  law.shape() == 1 ? "exponential" : "Weibull"});
}

void add_parameters(Facts& section, const ZoneSupply& supply) {
    section.values.push_back({"nodes", "nodes", std::int64_t{supply.nodes}, "", ""});
    add_law(section, "up", "up-time", supply.node.up);
    add_law(section, "down", "down-time", supply.node.down);
    if (!supply.zone)
        return;
    add_law(section, "zone_up", "up-time of the zone", supply.zone->up);
    add_law(section, "zone_down", "down-time of the zone", supply.zone->down);
}

void add_parameters(Facts& section, const MarkovSupply& supply) {
    section.values.push_back({"states",
                              "states",
                              static_cast<std::int64_t>(supply.nodes().size()),
                              "",
                              "numbers of nodes; rates between them from the file"});
}

void add_parameters(Facts& section, const BlockSupply& supply) {
    section.values.push_back({"mean_block_s",
                              "stretch, mean",
                              in_seconds(supply.mean_block),
                              "s",
                              "of the file, in another order"});
}

/// Parameters of the chosen generator.
Facts generator_section(const FittedSupply& fit) {
    Facts section{"generator", "Generator chosen", {}};
    section.values.push_back({"family", "family", std::string{name_of(fit.family)}, "", ""});
    std::visit([&](const auto& model) { add_parameters(section, model); }, fit.model);
    section.values.push_back({"worst_difference",
                              "largest error",
                              fit.worst_difference,
                              "fraction",
                              fit.worst_difference <= near_enough_fit
                                  ? ""
                                  : "more than a tenth: no family comes nearer"});
    return section;
}

ReportTable files_table(const std::vector<AvailabilityFile>& files) {
    ReportTable table{"availability",
                      "Available nodes",
                      {{"file", "file", ""},
                       {"max_nodes", "max", ""},
                       {"mean_nodes", "mean", ""},
                       {"availability", "time with a node", "fraction"},
                       {"node_hours", "node-hours", ""},
                       {"changes_per_day", "changes a day", ""},
                       {"mean_up_s", "mean up-time", "s"},
                       {"p90_up_s", "90th percentile", "s"},
                       {"length_s", "length", "s"}},
                      {}};
    for (const AvailabilityFile& file : files) {
        const SupplyStatistics facts = statistics_of(file.supply);
        table.rows.push_back({file.file,
                              std::int64_t{file.supply.max_nodes()},
                              facts.mean_nodes,
                              facts.availability,
                              facts.node_hours,
                              facts.changes_per_day,
                              in_seconds(facts.mean_up),
                              in_seconds(facts.p90_up),
                              in_seconds(file.supply.length())});
    }
    return table;
}

/// Nodes over time; one node is drawn like one dollar.
std::optional<PriceDrawing> drawing_of(const AvailabilityFile& file) {
    if (MoneyRate{file.supply.max_nodes() * nano_usd_per_usd} > max_series_rate)
        return std::nullopt;
    PriceDrawing drawing;
    drawing.title = file.file;
    drawing.unit = "nodes";
    for (const SupplyStep& step : file.supply.steps()) {
        drawing.series.start_ms.push_back(step.time_ms);
        drawing.series.rate.push_back(step.nodes * nano_usd_per_usd);
    }
    drawing.end = file.supply.end();
    drawing.dated = file.dated;
    return drawing;
}

void add_fits(Document& answer, const AvailabilityFile& file, const SupplyStatistics& facts) {
    try {
        const std::vector<FittedSupply> fits = fit_supply(file.supply);
        answer.add(generator_section(chosen_fit(fits)));
        answer.add(fits_table(facts, fits));
    } catch (const ModelError& error) {
        answer.warnings.push_back(fmt::format(
            "{}: no generator is fitted: {} ({})", file.file, error.problem(), error.remedy()));
    }
}

} // namespace

MarketInfo supply_info(const std::vector<AvailabilityFile>& files) {
    MarketInfo info;
    Document& answer = info.answer;
    answer.command = "market info";
    for (const AvailabilityFile& file : files)
        for (const Finding& note : file.notes)
            answer.warnings.push_back(note.text());
    if (files.size() != 1) {
        answer.add(files_table(files));
        return info;
    }
    const AvailabilityFile& file = files.front();
    const SupplyStatistics facts = statistics_of(file.supply);
    answer.blocks = {file_section(file), nodes_section(file.supply, facts)};
    add_fits(answer, file, facts);
    info.drawing = drawing_of(file);
    return info;
}

}} // namespace bursar::tools
