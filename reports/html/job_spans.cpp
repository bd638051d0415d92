#include "reports/html/job_spans.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "reports/bill/tenant_shares.hpp"

namespace bursar { inline namespace reports {

std::string job_title(const Result& result, std::size_t job) {
    const auto name = result.jobs.name(job);
    return fmt::format("{} of {}",
                       name ? std::string{*name} : "job " + std::to_string(job),
                       tenant_title(result.tenants[result.jobs.tenant[job]]));
}

std::string_view colour_of_attempt(JobState state, bool stopped) {
    if (stopped)
        return "overhead";
    if (state == JobState::completed)
        return "productive";
    return state == JobState::running ? "allocated" : "lost";
}

std::vector<LegendEntry> legend_of_spans(const std::vector<ChartRow>& rows) {
    std::vector<LegendEntry> legend{{"waiting", "waiting"},
                                    {"until it was stopped", "overhead"},
                                    {"to a kept end", "productive"},
                                    {"to an end that was not kept", "lost"},
                                    {"still running", "allocated"}};
    std::erase_if(legend, [&](const LegendEntry& entry) {
        return std::ranges::none_of(rows, [&](const ChartRow& row) {
            return std::ranges::any_of(
                row.spans, [&](const ChartSpan& span) { return span.colour == entry.colour; });
        });
    });
    return legend;
}

}} // namespace bursar::reports
