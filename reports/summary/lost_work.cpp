#include "reports/summary/lost_work.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "reports/rounding/printed_units.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

/// What happened to the attempts, by StopCause.
constexpr std::array<std::string_view, stop_cause_names.size()> cause_titles{
    "ended",
    "preempted",
    "taken back",
    "whose node failed",
    "that hung",
    "stopped for maintenance",
    "stopped by a budget",
    "resized",
    "taken back unsaved",
    "that failed by themselves",
    "that migrated",
    "that shared GPUs"};
static_assert(!cause_titles.back().empty(), "one for each cause");

} // namespace

LostByCause lost_by_cause(const Result& result) {
    LostByCause out{};
    for (std::size_t i = 0; i < result.stopped.size(); ++i) {
        LostWork& sum = out[static_cast<std::size_t>(result.stopped.cause_of(i))];
        ++sum.stops;
        sum.lost += slot_time(slots_of_stopped(result.jobs, result.stopped, i),
                              Duration{result.stopped.lost_ms[i]});
    }
    return out;
}

std::string lost_work_sentence(const Result& result) {
    const LostByCause lost = lost_by_cause(result);
    std::vector<std::size_t> causes;
    for (std::size_t cause = 0; cause < lost.size(); ++cause)
        if (lost[cause].lost > SlotTime{})
            causes.push_back(cause);
    std::ranges::stable_sort(
        causes, [&](std::size_t a, std::size_t b) { return lost[b].lost < lost[a].lost; });
    std::string text;
    for (const std::size_t cause : causes)
        text +=
            fmt::format("{}{}{} of {} {}",
                        text.empty() ? "" : ", ",
                        grouped_text(divide_half_up(lost[cause].lost.count() * 10,
                                                    slot_time(slots_per_gpu, hour).count()),
                                     1),
                        text.empty() ? " GPU-hours" : "",
                        grouped_text(static_cast<std::int64_t>(lost[cause].stops), 0) +
                            (text.empty() ? lost[cause].stops == 1 ? " attempt" : " attempts" : ""),
                        cause_titles[cause]);
    return text.empty() || result.covers_run() ? text : text + " (over the whole run)";
}

}} // namespace bursar::reports
