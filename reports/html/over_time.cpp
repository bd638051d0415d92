#include "reports/html/over_time.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t steps_of_time = 5;

} // namespace

Axis axis_of_time(const Result& result) {
    return time_axis(result.zero_utc_ms, Duration{}, result.end, steps_of_time);
}

std::string averages_note(const TimeBins& time) {
    return fmt::format("Averages over {}.", span_text(time.width));
}

std::vector<std::string> bin_labels(const Axis& axis, const TimeBins& time) {
    std::vector<std::string> labels(time.bins.size());
    for (const Tick& tick : axis.ticks) {
        const auto bin =
            static_cast<std::size_t>(tick.at / static_cast<double>(time.width.count()));
        if (bin < labels.size())
            labels[bin] = tick.label;
    }
    return labels;
}

std::vector<std::string> bin_names(const Result& result, const TimeBins& time) {
    std::vector<std::string> names;
    for (const TimeBin& bin : time.bins)
        names.push_back("from " + readable_instant(result.zero_utc_ms, bin.begin));
    return names;
}

ReportTable
table_over_time(const Result& result,
                const TimeBins& time,
                std::vector<std::string> titles,
                const std::function<std::vector<std::string>(const TimeBin&)>& figures) {
    ReportTable table{{{"from", Align::left}}, {}};
    for (std::string& title : titles)
        table.columns.push_back({std::move(title)});
    for (const TimeBin& bin : time.bins) {
        std::vector<std::string> cells{readable_instant(result.zero_utc_ms, bin.begin)};
        std::ranges::move(figures(bin), std::back_inserter(cells));
        table.rows.push_back({std::move(cells), RowKind::plain});
    }
    return table;
}

std::vector<std::size_t> largest_pools(const Result& result, std::size_t most) {
    std::vector<std::size_t> pools(result.pools.size());
    std::iota(pools.begin(), pools.end(), std::size_t{0});
    std::ranges::stable_sort(
        pools, std::ranges::greater{}, [&](std::size_t p) { return result.pools[p].num_gpus(); });
    pools.resize(std::min(pools.size(), most));
    std::ranges::sort(pools);
    return pools;
}

std::string tenths_text(double value) {
    return grouped_text(static_cast<int128>(value * 10 + 0.5), 1);
}

}} // namespace bursar::reports
