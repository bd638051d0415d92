#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "reports/bill/burn_rate.hpp"
#include "reports/bill/energy.hpp"
#include "reports/bill/fleet.hpp"
#include "reports/charts/line_chart.hpp"
#include "reports/charts/row_chart.hpp"
#include "reports/html/figures.hpp"
#include "reports/html/over_time.hpp"
#include "reports/summary/sentences.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t most_pools = 24; ///< rows of a heat map
constexpr std::size_t most_lines = 6;  ///< of one chart: as many as there are dashes

/// GPUs in each state, over all pools.
struct FleetState {
    double allocated{}, idle{}, down{};

    [[nodiscard]] double there() const { return allocated + idle + down; }
};

/// Length of a bin in ms; the last one may be shorter.
double span_of(const Result& result, const TimeBins& time, const TimeBin& bin) {
    return static_cast<double>((std::min(bin.begin + time.width, result.end) - bin.begin).count());
}

FleetState state_of(const Result& result, const TimeBin& bin) {
    FleetState state;
    for (std::size_t p = 0; p < bin.pools.size(); ++p) {
        const PoolBin& pool = bin.pools[p];
        const auto all = static_cast<double>(result.pools[p].num_gpus());
        state.allocated += pool.allocated;
        state.down += pool.down;
        state.idle += std::max(all - pool.allocated - pool.down - pool.off, 0.0);
    }
    return state;
}

Figure gpus_over_time(const Result& result, const TimeBins& time) {
    Figure figure{{"gpus", "What were the GPUs doing, and when?", ""}, {}, {averages_note(time)}};
    StackedChart chart{figure.title,
                       axis_of_time(result),
                       {},
                       {},
                       {{"allocated to jobs", "allocated", {}}, {"idle", "idle", {}}}};
    std::vector<double> down;
    double most = 0;
    double allocated = 0;
    double there = 0;
    for (const TimeBin& bin : time.bins) {
        const FleetState state = state_of(result, bin);
        chart.from.push_back(static_cast<double>(bin.begin.count()));
        chart.layers[0].values.push_back(state.allocated);
        chart.layers[1].values.push_back(state.idle);
        down.push_back(state.down);
        most = std::max(most, state.there());
        const double span = span_of(result, time, bin);
        allocated += state.allocated * span;
        there += state.there() * span;
    }
    if (std::ranges::any_of(down, [](double gpus) { return gpus > 0; }))
        chart.layers.push_back({"down or booting", "unavailable", down});
    chart.y = linear_axis("GPUs", 0, most, 5);
    if (there > 0)
        chart.title.answer = figure.title.answer =
            fmt::format("Over the whole run {:.1f} % of the GPUs that were there were allocated "
                        "to jobs.",
                        100 * allocated / there);
    figure.table = table_over_time(
        result,
        time,
        {"allocated GPUs", "idle GPUs", "down or booting GPUs"},
        [&](const TimeBin& bin) -> std::vector<std::string> {
            const FleetState state = state_of(result, bin);
            return {tenths_text(state.allocated), tenths_text(state.idle), tenths_text(state.down)};
        });
    return drawn(std::move(figure), std::move(chart));
}

/// Launched GPUs of a pool.
double gpus_there(const Result& result, const TimeBin& bin, std::size_t pool) {
    return static_cast<double>(result.pools[pool].num_gpus()) - bin.pools[pool].off;
}

/// The allocated share of the launched GPUs of a pool; absent where there are none.
std::optional<double> busy_share(const Result& result, const TimeBin& bin, std::size_t pool) {
    const double there = gpus_there(result, bin, pool);
    if (there < 1e-3)
        return std::nullopt;
    return std::clamp(bin.pools[pool].allocated / there, 0.0, 1.0);
}

/// The allocated share of the GPU time of a pool over the whole run; absent where it had none.
std::optional<double> busy_share(const Result& result, const TimeBins& time, std::size_t pool) {
    double allocated = 0;
    double there = 0;
    for (const TimeBin& bin : time.bins) {
        const double span = span_of(result, time, bin);
        allocated += bin.pools[pool].allocated * span;
        there += gpus_there(result, bin, pool) * span;
    }
    if (there < 1)
        return std::nullopt;
    return std::min(allocated / there, 1.0);
}

/// The busiest of the shown pools, by allocated share over the whole run.
std::string
busiest_pool(const Result& result, const TimeBins& time, const std::vector<std::size_t>& pools) {
    std::string sentence = "No job held a GPU of any of them.";
    double most = 0;
    for (const std::size_t p : pools) {
        const double share = busy_share(result, time, p).value_or(0);
        if (share <= most)
            continue;
        most = share;
        sentence =
            fmt::format("{} was the busiest: {:.0f} % of its GPU time over the whole run was "
                        "allocated to jobs.",
                        result.pools[p].name,
                        100 * share);
    }
    return sentence;
}

Figure busy_pools(const Result& result, const TimeBins& time) {
    const std::vector<std::size_t> pools = largest_pools(result, most_pools);
    Figure figure{{"busy", "Which pool was busy when?", busiest_pool(result, time, pools)},
                  {},
                  {averages_note(time)}};
    if (pools.size() < result.pools.size())
        figure.notes.push_back(
            fmt::format("The {} pools with most GPUs, of {}.", pools.size(), result.pools.size()));
    HeatMap map{figure.title, "", "allocated", {}, {}, {}};
    const Axis axis = axis_of_time(result);
    map.x_title = axis.title;
    map.columns = bin_labels(axis, time);
    map.column_names = bin_names(result, time);
    std::vector<std::string> titles;
    for (const std::size_t p : pools) {
        map.rows.push_back(result.pools[p].name);
        titles.push_back(result.pools[p].name + ", % allocated");
        for (const TimeBin& bin : time.bins)
            map.cells.push_back(busy_share(result, bin, p));
    }
    figure.table = table_over_time(result, time, titles, [&](const TimeBin& bin) {
        std::vector<std::string> cells;
        for (const std::size_t p : pools) {
            const auto share = busy_share(result, bin, p);
            cells.push_back(share ? tenths_text(100 * *share) : "");
        }
        return cells;
    });
    return drawn(std::move(figure), std::move(map));
}

Figure burn_over_time(const Result& result, const TimeBins& time) {
    Figure figure{{"burn", "What did an hour of the fleet cost?", burn_sentence(result) + "."},
                  {},
                  {averages_note(time),
                   "GPU time at the price of each moment; not what is billed past the end of the "
                   "run or of a node, nor other costs."}};
    ChartLine line{"USD per hour", "s0", {}};
    double most = 0;
    for (const TimeBin& bin : time.bins) {
        line.points.emplace_back(static_cast<double>(bin.begin.count()), bin.burn_usd_per_hour);
        most = std::max(most, bin.burn_usd_per_hour);
    }
    line.points.emplace_back(static_cast<double>(result.end.count()),
                             time.bins.back().burn_usd_per_hour);
    const LineChart chart{figure.title,
                          axis_of_time(result),
                          linear_axis("USD per hour", 0, most, 5),
                          {std::move(line)},
                          LineKind::steps};
    figure.table = table_over_time(
        result, time, {"USD per hour"}, [](const TimeBin& bin) -> std::vector<std::string> {
            return {grouped_text(static_cast<int128>(bin.burn_usd_per_hour * 100 + 0.5), 2)};
        });
    return drawn(std::move(figure), std::move(chart));
}

double usd(MoneyRate rate) {
    return static_cast<double>(rate.count()) / static_cast<double>(nano_usd_per_usd);
}

/// Prices of the pools whose price varies; absent where none does.
std::optional<Figure> prices_over_time(const Result& result, const TimeBins& time) {
    std::vector<std::size_t> pools;
    for (const std::size_t p : largest_pools(result, result.pools.size()))
        if (result.pools[p].price.varies() && pools.size() < most_lines)
            pools.push_back(p);
    if (pools.empty())
        return std::nullopt;
    Figure figure{{"price", "What did a GPU-hour cost over time?", ""},
                  {},
                  {fmt::format("The price at the beginning of every {}, of pools whose price "
                               "varies.",
                               span_text(time.width))}};
    const std::vector<FleetRow> fleet = fleet_rows(result);
    std::vector<std::string> titles;
    LineChart chart{figure.title, axis_of_time(result), {}, {}, LineKind::steps};
    double least = 1e300;
    double most = 0;
    for (const std::size_t p : pools) {
        const ResultPool& pool = result.pools[p];
        ChartLine line{pool.name, "s" + std::to_string(chart.lines.size()), {}};
        for (const TimeBin& bin : time.bins) {
            const double price = usd(pool.price.at(bin.begin));
            line.points.emplace_back(static_cast<double>(bin.begin.count()), price);
            least = std::min(least, price);
            most = std::max(most, price);
        }
        line.points.emplace_back(static_cast<double>(result.end.count()),
                                 line.points.back().second);
        chart.lines.push_back(std::move(line));
        titles.push_back(pool.name + ", USD per GPU-hour");
        figure.title.answer +=
            (figure.title.answer.empty() ? "" : "; ") + pool.name + ": " + price_text(fleet[p], "");
    }
    figure.title.answer += ", in USD per GPU-hour.";
    chart.y = close_axis("USD per GPU-hour", least, most, 5);
    figure.table = table_over_time(result, time, titles, [&](const TimeBin& bin) {
        std::vector<std::string> cells;
        for (const std::size_t p : pools)
            cells.push_back(rate_text(result.pools[p].price.at(bin.begin)));
        return cells;
    });
    return drawn(std::move(figure), std::move(chart));
}

/// Power of all pools; absent where energy was not modelled.
std::optional<Figure> power_over_time(const Result& result, const TimeBins& time) {
    if (!has_energy(result))
        return std::nullopt;
    const auto kw = [&](const TimeBin& bin) {
        double milliwatts = 0;
        for (std::size_t p = 0; p < bin.pools.size(); ++p) {
            const ResultPool& pool = result.pools[p];
            const double there = gpus_there(result, bin, p);
            milliwatts += static_cast<double>(pool.energy->busy.count()) * bin.pools[p].allocated +
                          static_cast<double>(pool.energy->idle.count()) *
                              std::max(there - bin.pools[p].allocated, 0.0);
        }
        return milliwatts / 1e6;
    };
    Figure figure{{"power", "How much power did the GPUs draw?", ""},
                  {},
                  {averages_note(time),
                   "With the data centre's share (PUE); a node that is not launched draws none."}};
    LineChart chart{figure.title, axis_of_time(result), {}, {{"kW", "s3", {}}}, LineKind::steps};
    double most = 0;
    double kwh = 0;
    for (const TimeBin& bin : time.bins) {
        chart.lines[0].points.emplace_back(static_cast<double>(bin.begin.count()), kw(bin));
        most = std::max(most, kw(bin));
        kwh += kw(bin) * span_of(result, time, bin) / static_cast<double>(hour.count());
    }
    chart.lines[0].points.emplace_back(static_cast<double>(result.end.count()),
                                       kw(time.bins.back()));
    figure.title.answer = fmt::format(
        "{} kWh over the whole run, {} kW at most.", tenths_text(kwh), tenths_text(most));
    chart.y = linear_axis("kW", 0, most, 5);
    figure.table =
        table_over_time(result, time, {"kW"}, [&](const TimeBin& bin) -> std::vector<std::string> {
            return {tenths_text(kw(bin))};
        });
    return drawn(std::move(figure), std::move(chart));
}

/// GPUs that jobs could use, of the pools whose nodes come and go; absent where none does.
std::optional<Figure> available_over_time(const Result& result, const TimeBins& time) {
    constexpr std::size_t most_pools_shown = 4;
    std::vector<std::size_t> pools;
    for (const std::size_t p : largest_pools(result, result.pools.size()))
        if (result.pools[p].nodes && pools.size() < most_pools_shown)
            pools.push_back(p);
    if (pools.empty())
        return std::nullopt;
    const auto available = [&](const TimeBin& bin, std::size_t p) {
        return std::max(gpus_there(result, bin, p) - bin.pools[p].down, 0.0);
    };
    Figure figure{{"available", "How many GPUs were available?", ""},
                  {},
                  {averages_note(time),
                   "GPUs of nodes that are up, busy or idle, of pools whose nodes come, go or "
                   "fail."}};
    LineChart chart{figure.title, axis_of_time(result), {}, {}, LineKind::steps};
    std::vector<std::string> titles;
    double most = 0;
    for (const std::size_t p : pools) {
        const ResultPool& pool = result.pools[p];
        ChartLine line{pool.name, "s" + std::to_string(chart.lines.size()), {}};
        double gpu_ms = 0;
        for (const TimeBin& bin : time.bins) {
            line.points.emplace_back(static_cast<double>(bin.begin.count()), available(bin, p));
            most = std::max(most, available(bin, p));
            gpu_ms += available(bin, p) * span_of(result, time, bin);
        }
        line.points.emplace_back(static_cast<double>(result.end.count()),
                                 available(time.bins.back(), p));
        chart.lines.push_back(std::move(line));
        titles.push_back(pool.name + ", GPUs");
        figure.title.answer += fmt::format("{}{}: {} of {} on average",
                                           figure.title.answer.empty() ? "" : "; ",
                                           pool.name,
                                           tenths_text(gpu_ms / double(result.end.count())),
                                           grouped_text(pool.num_gpus(), 0));
    }
    figure.title.answer += ".";
    chart.y = linear_axis("GPUs", 0, most, 5);
    figure.table = table_over_time(result, time, titles, [&](const TimeBin& bin) {
        std::vector<std::string> cells;
        for (const std::size_t p : pools)
            cells.push_back(tenths_text(available(bin, p)));
        return cells;
    });
    return drawn(std::move(figure), std::move(chart));
}

/// Attempts that reclaims and faults of nodes stopped; absent where none was.
std::optional<Figure> losses_over_time(const Result& result, const TimeBins& time) {
    std::vector<std::array<std::int64_t, 2>> counts(time.bins.size());
    std::array<std::int64_t, 2> sums{};
    for (std::size_t i = 0; i < result.stopped.size(); ++i) {
        const StopCause cause = result.stopped.cause_of(i);
        const bool is_reclaim =
            cause == StopCause::reclaimed || cause == StopCause::reclaimed_unsaved;
        if (!is_reclaim && cause != StopCause::node_failed && cause != StopCause::hung)
            continue;
        const auto at = static_cast<std::size_t>(result.stopped.stop_ms[i] / time.width.count());
        ++counts[std::min(at, counts.size() - 1)][is_reclaim ? 0 : 1];
        ++sums[is_reclaim ? 0 : 1];
    }
    if (sums[0] + sums[1] == 0)
        return std::nullopt;
    Figure figure{{"reclaims", "When were jobs stopped by reclaims and faults?", ""},
                  {},
                  {fmt::format("Attempts that were stopped in every {}, by the time at which their "
                               "GPUs were free again.",
                               span_text(time.width))}};
    figure.title.answer = fmt::format("Reclaims of nodes stopped {} attempts, faults of nodes {}.",
                                      grouped_text(sums[0], 0),
                                      grouped_text(sums[1], 0));
    LineChart chart{figure.title,
                    axis_of_time(result),
                    {},
                    {{"by reclaims", "s1", {}}, {"by faults", "s0", {}}},
                    LineKind::steps};
    std::int64_t most = 0;
    for (std::size_t bin = 0; bin < counts.size(); ++bin)
        for (std::size_t kind = 0; kind < 2; ++kind) {
            chart.lines[kind].points.emplace_back(static_cast<double>(time.bins[bin].begin.count()),
                                                  static_cast<double>(counts[bin][kind]));
            most = std::max(most, counts[bin][kind]);
        }
    std::erase_if(chart.lines, [&](const ChartLine& line) {
        return sums[line.label == "by reclaims" ? 0 : 1] == 0;
    });
    chart.y = linear_axis(chart.lines.size() == 1 ? "attempts stopped " + chart.lines[0].label
                                                  : "attempts stopped",
                          0,
                          static_cast<double>(most),
                          5);
    figure.table =
        table_over_time(result, time, {"by reclaims", "by faults"}, [&](const TimeBin& bin) {
            const auto& count = counts[static_cast<std::size_t>(bin.begin / time.width)];
            return std::vector<std::string>{grouped_text(count[0], 0), grouped_text(count[1], 0)};
        });
    return drawn(std::move(figure), std::move(chart));
}

Figure queue_length(const Result& result, const TimeBins& time) {
    Figure figure{{"queue", "How long was the queue?", ""},
                  {},
                  {fmt::format("Average and maximum of every {}.", span_text(time.width))}};
    LineChart chart{figure.title,
                    axis_of_time(result),
                    {},
                    {{"most at once", "s1", {}}, {"on average", "s0", {}}},
                    LineKind::steps};
    std::uint32_t most = 0;
    for (const TimeBin& bin : time.bins) {
        const auto at = static_cast<double>(bin.begin.count());
        chart.lines[0].points.emplace_back(at, bin.most_jobs);
        chart.lines[1].points.emplace_back(at, bin.queue_jobs);
        most = std::max(most, bin.most_jobs);
    }
    figure.title.answer = most == 0 ? "No job waited."
                                    : fmt::format("At most {} {} waited at once.",
                                                  grouped_text(most, 0),
                                                  most == 1 ? "job" : "jobs");
    chart.y = linear_axis("jobs that wait", 0, static_cast<double>(most), 5);
    figure.table =
        table_over_time(result,
                        time,
                        {"jobs, on average", "jobs, at most", "GPUs they ask for, on average"},
                        [](const TimeBin& bin) -> std::vector<std::string> {
                            return {tenths_text(bin.queue_jobs),
                                    grouped_text(bin.most_jobs, 0),
                                    tenths_text(bin.queue_gpus)};
                        });
    return drawn(std::move(figure), std::move(chart));
}

/// A unit of time for waits.
struct WaitUnit {
    Duration length;
    std::string title;
};

WaitUnit wait_unit(Duration most) {
    if (most > 4 * day)
        return {day, "days waited"};
    if (most > 2 * hour)
        return {hour, "hours waited"};
    if (most > 2 * minute)
        return {minute, "minutes waited"};
    return {second, "seconds waited"};
}

/// Absent where no job waited.
std::optional<Figure> queue_age(const Result& result, const TimeBins& time) {
    Figure figure{{"queue-age", "Age of the oldest job in the queue", ""},
                  {},
                  {fmt::format("The longest wait so far in every {}, of jobs that had not started "
                               "before.",
                               span_text(time.width))}};
    LineChart chart{figure.title, axis_of_time(result), {}, {{"", "s0", {}}}, LineKind::steps};
    Duration most;
    for (const TimeBin& bin : time.bins)
        most = std::max(most, bin.oldest);
    if (most == Duration{})
        return std::nullopt;
    const WaitUnit unit = wait_unit(most);
    const auto shown = [&](Duration span) {
        return static_cast<double>(span.count()) / static_cast<double>(unit.length.count());
    };
    for (const TimeBin& bin : time.bins)
        chart.lines[0].points.emplace_back(static_cast<double>(bin.begin.count()),
                                           shown(bin.oldest));
    chart.lines[0].points.emplace_back(static_cast<double>(result.end.count()),
                                       shown(time.bins.back().oldest));
    figure.title.answer = fmt::format("The longest wait was {}.", span_text(most));
    chart.y = linear_axis(unit.title, 0, shown(most), 5);
    figure.table = table_over_time(
        result, time, {"longest wait so far"}, [](const TimeBin& bin) -> std::vector<std::string> {
            return {span_text(bin.oldest)};
        });
    return drawn(std::move(figure), std::move(chart));
}

} // namespace

std::vector<Figure> fleet_figures(const Result& result, const TimeBins& time) {
    if (time.bins.empty())
        return {};
    std::vector<Figure> figures{gpus_over_time(result, time)};
    if (result.pools.size() > 1)
        figures.push_back(busy_pools(result, time));
    if (const BurnRate burn = burn_rate(result).value_or(BurnRate{}); burn.mean_cents > 0)
        figures.push_back(burn_over_time(result, time));
    if (auto prices = prices_over_time(result, time))
        figures.push_back(std::move(*prices));
    for (const auto& chart : {available_over_time, losses_over_time, power_over_time})
        if (auto figure = chart(result, time))
            figures.push_back(std::move(*figure));
    return figures;
}

std::vector<Figure> queue_figures(const Result& result, const TimeBins& time) {
    if (time.bins.empty())
        return {};
    std::vector<Figure> figures{queue_length(result, time)};
    if (std::optional<Figure> age = queue_age(result, time))
        figures.push_back(std::move(*age));
    return figures;
}

}} // namespace bursar::reports
