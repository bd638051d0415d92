#include "tools/bursar/trace_info.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/ranges.h>

#include "scenarios/catalog/profiles.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/traces/trace_summary.hpp"

#include "tools/command_line/messages.hpp"
#include "tools/command_line/standard_output.hpp"

namespace bursar { inline namespace tools {
namespace {

double in_seconds(double ms) {
    return ms / 1e3;
}
double in_seconds(std::int64_t ms) {
    return static_cast<double>(ms) / 1e3;
}
double gpu_hours(SlotTime time) {
    return static_cast<double>(time.count()) / static_cast<double>(slot_ms_per_gpu_hour);
}

void print_figures(const Trace& trace, const TraceSummary& summary, std::int64_t gpus) {
    put_text("workload           {} of {} ({})\n",
             counted(summary.jobs, "job"),
             counted(summary.tenants, "tenant"),
             trace.format.empty() ? "drawn" : trace.format);
    put_text("GPU-hours          {:.1f}\n", gpu_hours(summary.gpu_time));
    put_text("arrivals           over {:.2f} days, {}\n",
             static_cast<double>(summary.span.count()) / static_cast<double>(day.count()),
             trace.zero_utc_ms ? "dated" : "relative times");
    put_text(
        "run time           mean {:.1f} s, median {:.0f}, p90 {:.0f}, p99 {:.0f}, max {:.0f}\n",
        in_seconds(summary.duration.mean_ms),
        in_seconds(summary.duration.median_ms),
        in_seconds(summary.duration.p90_ms),
        in_seconds(summary.duration.p99_ms),
        in_seconds(summary.duration.max_ms));
    put_text("between arrivals   mean {:.1f} s, coefficient of variation {:.2f}\n",
             in_seconds(summary.mean_interarrival_ms),
             summary.interarrival_cv);
    put_text("peak demand        {:.0f} GPUs, if no job waited\n",
             static_cast<double>(summary.peak_slots) / static_cast<double>(slots_per_gpu));
    if (gpus > 0)
        put_text("load               {:.4f} on {} GPUs\n", summary.offered_load(gpus), gpus);
}

/// "submit, t1 as start": columns of the file and the fields they were read as.
std::string columns_read(const Trace& trace) {
    std::vector<std::string> read;
    for (const ReadColumn& column : trace.columns)
        if (!column.read_as.empty())
            read.push_back(column.name == column.read_as
                               ? printable(column.name)
                               : fmt::format("{} as {}", printable(column.name), column.read_as));
    return fmt::format("{}", fmt::join(read, ", "));
}

std::string columns_not_read(const Trace& trace) {
    std::vector<std::string> others;
    for (const ReadColumn& column : trace.columns)
        if (column.read_as.empty())
            others.push_back(printable(column.name));
    return others.empty() ? "-" : fmt::format("{}", fmt::join(others, ", "));
}

void print_list(std::string_view what, const std::vector<std::string>& lines) {
    for (const std::string& line : lines)
        put_text("{:<19}{}\n", &line == &lines.front() ? what : "", line);
}

/// Which columns and records of the file were used, and why others were not.
void print_reading(const Trace& trace) {
    put_text("\ncolumns read       {}\n", columns_read(trace));
    put_text("columns not read   {}\n", columns_not_read(trace));
    put_text("records            {} read, {} used\n", trace.num_rows_read, trace.size());
    if (trace.num_not_selected > 0)
        put_text("not selected       {}\n", trace.num_not_selected);
    if (trace.num_left_out > 0)
        put_text("left out           {}\n", trace.num_left_out);
    print_list("", trace.left_out);
    if (trace.num_bad_rows > 0)
        put_text("bad, skipped       {}\n", trace.num_bad_rows);
    print_list("", trace.bad_rows);
    print_list("assumed", trace.assumed);
    print_list("note", trace.notes);
}

void print_gangs(const TraceSummary& summary) {
    put_text("\n  GPUs      jobs   % jobs   % GPU time\n");
    for (const GangShare& gang : summary.gangs) {
        put_text("{:>6}{:>10}{:>9.2f}{:>13.2f}\n",
                 gang.gpus,
                 gang.jobs,
                 100 * gang.job_share,
                 100 * gang.gpu_time_share);
    }
}

void print_ends(const TraceSummary& summary) {
    if (!summary.has_states)
        return;
    constexpr std::array<std::string_view, 4> names{
        "completed", "failed", "cancelled", "node failed"};
    put_text("\n  ended             jobs   % jobs   % GPU time\n");
    for (std::size_t i = 0; i < names.size(); ++i) {
        put_text("  {:<12}{:>10}{:>9.2f}{:>13.2f}\n",
                 names[i],
                 summary.ends[i].jobs,
                 100 * summary.ends[i].job_share,
                 100 * summary.ends[i].gpu_time_share);
    }
}

/// The trace's own value of a published statistic.
std::optional<double> own_value(std::string_view name, const TraceSummary& summary) {
    const auto end = [&](JobEnd which) { return summary.ends[static_cast<std::size_t>(which)]; };
    const bool is_of_states = name.starts_with("jobs_") || name.starts_with("gpu_time_");
    if (is_of_states && !summary.has_states)
        return std::nullopt;
    if (name == "mean_gpus")
        return summary.mean_gpus;
    if (name == "median_gpus")
        return summary.median_gpus;
    if (name == "mean_run_s")
        return in_seconds(summary.duration.mean_ms);
    if (name == "median_run_s")
        return in_seconds(summary.duration.median_ms);
    if (name == "max_run_s")
        return in_seconds(summary.duration.max_ms);
    if (name == "mean_gpu_s") {
        return gpu_hours(summary.gpu_time) * 3600 / static_cast<double>(summary.jobs);
    }
    if (name == "jobs_completed")
        return end(JobEnd::completed).job_share;
    if (name == "jobs_cancelled")
        return end(JobEnd::cancelled).job_share;
    if (name == "jobs_failed")
        return end(JobEnd::failed).job_share;
    if (name == "gpu_time_completed")
        return end(JobEnd::completed).gpu_time_share;
    if (name == "gpu_time_cancelled")
        return end(JobEnd::cancelled).gpu_time_share;
    if (name == "gpu_time_failed")
        return end(JobEnd::failed).gpu_time_share;
    constexpr std::string_view prefix = "gangs_of_";
    if (name.starts_with(prefix)) {
        std::uint32_t gpus = 0;
        std::from_chars(name.data() + prefix.size(), name.data() + name.size(), gpus);
        const auto found = std::find_if(summary.gangs.begin(),
                                        summary.gangs.end(),
                                        [&](const GangShare& gang) { return gang.gpus == gpus; });
        return found == summary.gangs.end() ? 0.0 : found->job_share;
    }
    return std::nullopt;
}

void print_targets(const TraceSummary& summary, const SyntheticProfile& profile) {
    put_text("\n  statistic             here    published   ratio   source\n");
    for (const Target& target : profile.targets) {
        const std::optional<double> own = own_value(target.name, summary);
        put_text("  {:<18}{:>8}{:>13}{:>8}   {}\n",
                 target.name,
                 own ? fmt::format("{:.4g}", *own) : "-",
                 fmt::format("{:.4g}", target.value),
                 own ? fmt::format("{:.3f}", *own / target.value) : "-",
                 target.source);
    }
}

} // namespace

void print_trace_info(const Trace& trace,
                      std::int64_t gpus,
                      const std::string& like,
                      const std::string& profiles) {
    std::optional<SyntheticProfile> beside; // throws before anything is printed
    if (!like.empty())
        beside = (profiles.empty() ? builtin_profiles() : read_profiles(profiles)).profile(like);
    const TraceSummary summary = summarise(trace);
    print_figures(trace, summary, gpus);
    print_gangs(summary);
    print_ends(summary);
    print_reading(trace);
    if (beside)
        print_targets(summary, *beside);
}

}} // namespace bursar::tools
