#include <cmath>

#include <fmt/format.h>

#include "models/market/billing.hpp"
#include "models/market/price_statistics.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/market/prices/read_prices.hpp"

#include "reports/text/instant.hpp"

#include "tools/command_line/messages.hpp"
#include "tools/market/market.hpp"

namespace bursar { inline namespace tools {
namespace {

double usd(MoneyRate rate) {
    return static_cast<double>(rate.count()) / static_cast<double>(nano_usd_per_usd);
}

double seconds(Duration span) {
    return static_cast<double>(span.count()) / static_cast<double>(second.count());
}

MoneyRate rate_of(double usd_per_hour) {
    return MoneyRate{std::llround(usd_per_hour * static_cast<double>(nano_usd_per_usd))};
}

/// A file with one of its offers.
struct Chosen {
    const PriceFile* file;
    const OfferedPrices* offered;
};

bool has_length(const PriceHistory& history) {
    return history.length() > Duration{0};
}

/// An instant of a history; empty if the file is one day's list.
Cell instant_cell(const PriceHistory& history, std::int64_t at_ms) {
    if (history.times == PriceTimes::none)
        return std::string{};
    return history.times == PriceTimes::dated ? readable_instant(0, Duration{at_ms})
                                              : readable_instant(std::nullopt, Duration{at_ms});
}

/// The mean price on demand of the same machine during `history`, if the file has it.
std::optional<MoneyRate> on_demand_of(const Chosen& chosen, const PriceHistory& history) {
    PriceOffer wanted = history.offer;
    wanted.purchase = "on_demand";
    if (wanted == history.offer)
        return std::nullopt;
    for (const OfferedPrices& other : chosen.file->offers) {
        if (other.offer != wanted)
            continue;
        PriceHistory listed = price_history(*chosen.file, other);
        if (!has_length(history))
            return MoneyRate{listed.steps.rate.back()};
        // Starts at the first instant of `history`, with the price at that time.
        PriceSeries meanwhile;
        const std::int64_t begin = history.steps.start_ms.front();
        for (std::size_t i = 0; i < listed.steps.size(); ++i) {
            const std::int64_t at = std::max(listed.steps.start_ms[i], begin);
            if (!meanwhile.start_ms.empty() && meanwhile.start_ms.back() == at) {
                meanwhile.rate.back() = listed.steps.rate[i];
                continue;
            }
            meanwhile.start_ms.push_back(meanwhile.start_ms.empty() ? begin : at);
            meanwhile.rate.push_back(listed.steps.rate[i]);
        }
        return price_statistics(meanwhile, Duration{history.end_ms}).mean;
    }
    return std::nullopt;
}

/// An offer and its figures, as one row.
std::vector<Cell> offer_row(const Chosen& chosen, const PriceOptions& options) {
    const PriceHistory history = price_history(*chosen.file, *chosen.offered, options.outliers());
    const PriceOffer& offer = history.offer;
    std::vector<Cell> row{offer.type, offer.region, offer.zone, offer.product, offer.purchase};
    if (!has_length(history)) {
        const double price = usd(MoneyRate{history.steps.rate.front()});
        row.insert(row.end(), {price, price, price, std::int64_t{0}, not_known, not_known});
    } else {
        const PriceStatistics found = price_statistics(history.steps, Duration{history.end_ms});
        row.insert(row.end(),
                   {usd(found.mean),
                    usd(found.min),
                    usd(found.max),
                    static_cast<std::int64_t>(found.num_changes),
                    found.changes_per_day,
                    seconds(found.length)});
    }
    const auto on_demand = on_demand_of(chosen, history);
    const bool known = on_demand && *on_demand > MoneyRate{0};
    row.emplace_back(known ? std::get<double>(row[5]) / usd(*on_demand) : not_known);
    return row;
}

ReportTable offers_table(const std::vector<Chosen>& all, const PriceOptions& options) {
    ReportTable table{"prices",
                      "Prices of the machine; options such as --type and --zone choose one of them",
                      {{"type", "type", ""},
                       {"region", "region", ""},
                       {"zone", "zone", ""},
                       {"product", "product", "", true},
                       {"purchase", "purchase", ""},
                       {"mean_usd_per_hour", "mean", "USD/h"},
                       {"min_usd_per_hour", "min", "USD/h"},
                       {"max_usd_per_hour", "max", "USD/h"},
                       {"changes", "changes", ""},
                       {"changes_per_day", "a day", "", true},
                       {"length_s", "length", "s"},
                       {"of_on_demand", "of on demand", "fraction"}},
                      {}};
    for (const Chosen& chosen : all)
        table.rows.push_back(offer_row(chosen, options));
    return table;
}

Facts file_section(const PriceFile& file, const PriceHistory& history) {
    const PriceOffer& offer = history.offer;
    Facts section{"file",
                  history.offer.text(),
                  {{"path", "file", file.path, "", ""},
                   {"format", "format", file.format, "", ""},
                   {"hash", "hash", fmt::format("{:016x}", file.hash), "", "XXH3"}}};
    const std::pair<const char*, const std::string*> parts[] = {{"type", &offer.type},
                                                                {"region", &offer.region},
                                                                {"zone", &offer.zone},
                                                                {"product", &offer.product},
                                                                {"purchase", &offer.purchase}};
    for (const auto& [key, text] : parts)
        section.values.push_back({key, key, *text, "", ""});
    std::erase_if(section.values, [](const Fact& value) {
        const auto* text = std::get_if<std::string>(&value.value);
        return text != nullptr && text->empty();
    });
    if (history.times != PriceTimes::none)
        section.values.insert(
            section.values.end(),
            {{"first", "first", instant_cell(history, history.steps.start_ms.front()), "", ""},
             {"last", "last", instant_cell(history, history.end_ms), "", ""},
             {"rows", "rows", static_cast<std::int64_t>(history.num_rows), "", ""}});
    return section;
}

void add_per_gpu(Facts& section,
                 const PriceHistory& history,
                 const PriceOptions& options,
                 MoneyRate mean) {
    const std::optional<std::int64_t> gpus = options.gpus ? options.gpus : history.gpus;
    if (!gpus)
        return;
    const MoneyRate each{per_gpu(mean.count(), *gpus)};
    section.values.push_back(
        {"mean_usd_per_gpu_hour",
         "mean, per GPU",
         usd(each),
         "USD/h",
         "a machine has " + counted(static_cast<std::uint64_t>(*gpus), "GPU")});
}

Facts price_section(const PriceHistory& history, const PriceOptions& options) {
    Facts section{"price", "Price", {}};
    if (!has_length(history)) {
        const MoneyRate price{history.steps.rate.back()};
        section.values = {{"mean_usd_per_hour", "price", usd(price), "USD/h", ""}};
        add_per_gpu(section, history, options, price);
        return section;
    }
    const PriceStatistics found = price_statistics(history.steps, Duration{history.end_ms});
    section.values = {{"mean_usd_per_hour", "mean", usd(found.mean), "USD/h", "over time"},
                      {"min_usd_per_hour", "lowest", usd(found.min), "USD/h", ""},
                      {"max_usd_per_hour", "highest", usd(found.max), "USD/h", ""},
                      {"length_s", "length", seconds(found.length), "s", ""},
                      {"changes", "changes", static_cast<std::int64_t>(found.num_changes), "", ""},
                      {"changes_per_day", "changes a day", found.changes_per_day, "", ""}};
    add_per_gpu(section, history, options, found.mean);
    return section;
}

void add_up_times(Document& answer,
                  const PriceHistory& history,
                  MoneyRate bid,
                  const std::string& what) {
    const UpTimes found = summary_of(up_times(history.steps, Duration{history.end_ms}, bid));
    answer.add(Facts{"up_time",
                     "Time at or below " + what,
                     {{"bid_usd_per_hour", "bid", usd(bid), "USD/h", what},
                      {"share",
                       "share of the time",
                       seconds(found.total) / seconds(history.length()),
                       "fraction",
                       ""},
                      {"stretches",
                       "stretches",
                       static_cast<std::int64_t>(found.count),
                       "",
                       "those at the ends may have been longer"},
                      {"mean_s", "mean", seconds(found.mean), "s", ""},
                      {"p50_s", "median", seconds(found.p50), "s", ""},
                      {"p90_s", "90th percentile", seconds(found.p90), "s", ""},
                      {"max_s", "longest", seconds(found.max), "s", ""}}});
}

PriceDrawing
drawing_of(const PriceFile& file, const PriceHistory& history, const std::string& unit) {
    PriceDrawing drawing;
    drawing.title = history.offer.text();
    if (drawing.title == PriceOffer{}.text())
        drawing.title = file.path;
    drawing.unit = unit;
    drawing.series = history.steps;
    drawing.end = Duration{history.end_ms};
    drawing.dated = history.times == PriceTimes::dated;
    return drawing;
}

MarketInfo
one_offer(const Chosen& chosen, const PriceOptions& options, const PriceComparison& against) {
    const PriceFile& file = *chosen.file;
    const PriceHistory history = price_history(file, *chosen.offered, options.outliers());
    MarketInfo info;
    info.answer.blocks = {file_section(file, history), price_section(history, options)};
    for (const Finding& note : history.notes)
        info.answer.warnings.push_back(note.text());

    std::optional<MoneyRate> on_demand = on_demand_of(chosen, history);
    if (against.on_demand)
        on_demand = rate_of(*against.on_demand);
    const bool has_span = has_length(history);
    if (on_demand && *on_demand > MoneyRate{0}) {
        const double mean =
            has_span ? usd(price_statistics(history.steps, Duration{history.end_ms}).mean)
                     : usd(MoneyRate{history.steps.rate.back()});
        info.answer.add(
            Facts{"on_demand",
                  "On demand",
                  {{"usd_per_hour",
                    "on demand",
                    usd(*on_demand),
                    "USD/h",
                    against.on_demand ? "given" : "of the same file, mean of that time"},
                   {"ratio", "mean of it", mean / usd(*on_demand), "fraction", ""}}});
    }
    if (!has_span)
        return info;
    info.drawing = drawing_of(file, history, "USD/h");
    if (against.bid) {
        add_up_times(info.answer, history, rate_of(*against.bid), "the bid");
    } else if (on_demand) {
        add_up_times(info.answer, history, *on_demand, "the price on demand");
    } else {
        add_up_times(info.answer,
                     history,
                     price_statistics(history.steps, Duration{history.end_ms}).mean,
                     "the mean price (no price on demand is known, --on-demand gives one)");
    }
    if (on_demand) {
        info.drawing->line = on_demand;
        info.drawing->line_name = "on demand";
    } else if (against.bid) {
        info.drawing->line = rate_of(*against.bid);
        info.drawing->line_name = "bid";
    }
    return info;
}

} // namespace

MarketInfo price_info(const std::vector<std::string>& paths,
                      const PriceOptions& options,
                      const PriceComparison& against) {
    std::vector<PriceFile> files;
    for (const std::string& path : paths)
        files.push_back(read_prices(path, options.format));
    std::vector<Chosen> all;
    for (const PriceFile& file : files)
        for (const OfferedPrices* offered : offers_called(file, options.keys()))
            all.push_back({&file, offered});
    MarketInfo info;
    if (all.size() == 1) {
        info = one_offer(all.front(), options, against);
    } else {
        if (against.on_demand || against.bid)
            fail_input(against.bid ? "--bid" : "--on-demand",
                       mistake(fmt::format("{} prices match", all.size()),
                               "it is held against one of them",
                               "choose one with --type, --region, --zone or --purchase"));
        info.answer.blocks = {offers_table(all, options)};
    }
    for (const PriceFile& file : files)
        for (const Finding& note : file.notes)
            info.answer.warnings.push_back(note.text());
    info.answer.command = "market info";
    return info;
}

}} // namespace bursar::tools
