#include "reports/perfetto/trace_moments.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "reports/bill/fleet.hpp"

namespace bursar { inline namespace reports {
namespace {

void add_prices(const Result& result, std::vector<TraceMoment>& out) {
    for (std::uint32_t pool = 0; pool < result.pools.size(); ++pool) {
        const PriceSeries& series = result.pools[pool].price.series();
        for (std::size_t step = 1; step < series.start_ms.size(); ++step)
            if (series.start_ms[step] <= result.end.count())
                out.push_back(
                    {Duration{series.start_ms[step]}, TraceMoment::Kind::price, pool, step});
    }
}

void add_capacity(const Result& result, std::vector<TraceMoment>& out) {
    const TimelineColumns& rows = result.timeline;
    if (rows.down_slots.empty() && rows.off_slots.empty())
        return;
    struct State {
        std::int64_t down{}, off{};
    };
    std::vector<State> states(result.pools.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::uint32_t pool = rows.pool[row];
        const State now{rows.down_slots.empty() ? 0 : rows.down_slots[row],
                        rows.off_slots.empty() ? 0 : rows.off_slots[row]};
        const State before = std::exchange(states[pool], now);
        if (rows.time_ms[row] > 0 && (now.down != before.down || now.off != before.off))
            out.push_back({Duration{rows.time_ms[row]},
                           TraceMoment::Kind::capacity,
                           pool,
                           row,
                           now.down - before.down,
                           now.off - before.off});
    }
}

std::string gpus_text(std::int64_t slots, std::string_view more, std::string_view less) {
    const double gpus =
        static_cast<double>(slots < 0 ? -slots : slots) / static_cast<double>(slots_per_gpu);
    return fmt::format("{} {} {}", gpus, gpus == 1 ? "GPU" : "GPUs", slots > 0 ? more : less);
}

} // namespace

std::vector<TraceMoment> moments_of(const Result& result,
                                    const std::function<bool(std::size_t)>& shows) {
    std::vector<TraceMoment> out;
    add_prices(result, out);
    add_capacity(result, out);
    const StoppedColumns& stopped = result.stopped;
    for (std::size_t i = 0; i < stopped.size(); ++i)
        if (shows(stopped.job[i]))
            out.push_back(
                {Duration{stopped.stop_ms[i]}, TraceMoment::Kind::stop, stopped.pool[i], i});
    std::ranges::stable_sort(out, {}, &TraceMoment::at);
    return out;
}

std::string text_of(const Result& result, const TraceMoment& moment, std::string_view job) {
    switch (moment.kind) {
    case TraceMoment::Kind::price:
        return rate_text(result.pools[moment.pool].price.at(moment.at)) + " USD/gpu-h";
    case TraceMoment::Kind::capacity: {
        std::string text;
        if (moment.more_off != 0)
            text = gpus_text(moment.more_off, "ended", "launched");
        if (moment.more_down != 0)
            text += (text.empty() ? "" : ", ") + gpus_text(moment.more_down, "down", "back");
        return text;
    }
    case TraceMoment::Kind::stop:
        break;
    }
    const StopCause cause = result.stopped.cause_of(moment.index);
    return fmt::format("{} {}", stop_cause_names[static_cast<std::size_t>(cause)], job);
}

std::string_view category_of(const Result& result, const TraceMoment& moment) {
    switch (moment.kind) {
    case TraceMoment::Kind::price:
        return "price";
    case TraceMoment::Kind::capacity:
        return "capacity";
    case TraceMoment::Kind::stop:
        break;
    }
    return is_failure(result.stopped.cause_of(moment.index)) ? "fault" : "preempt";
}

}} // namespace bursar::reports
