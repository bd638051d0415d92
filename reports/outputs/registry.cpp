#include "reports/outputs/registry.hpp"

#include <algorithm>
#include <array>

namespace bursar { inline namespace reports {

namespace {

constexpr std::array all_outputs{
    Output{"table", "bill.txt", "the bill for a terminal", write_terminal_table},
    Output{"json", "summary.json", "every scalar, for programs", write_summary_json},
    Output{
        "csv", "gpu_hours.csv", "GPU-hours and cost by pool, tenant and leaf", write_gpu_hours_csv},
    Output{"markdown", "bill.md", "the bill with metrics as Markdown", write_markdown},
    Output{"html", "report.html", "the bill with charts, one page by itself", write_run_report},
    Output{"jobs", "jobs.csv", "one row per job", write_jobs_csv},
    Output{"attempts", "attempts.csv", "one row per attempt of a job", write_attempts_csv},
    Output{"timeline", "timeline.csv", "fleet and queue over time", write_timeline_csv},
    Output{"periods",
           "periods.csv",
           "GPU-hours and cost by hour, pool, tenant and leaf",
           write_periods_csv},
    Output{"tenants", "tenants.csv", "what each tenant used and is charged", write_tenants_csv},
    Output{"classes",
           "classes.csv",
           "what the jobs of each class held, waited and took",
           write_classes_csv,
           true},
    Output{
        "focus", "focus.csv", "the bill as FOCUS has bills, for cost tools", write_focus_csv, true},
    Output{"prometheus", "metrics.prom", "every scalar for Prometheus", write_prometheus, true},
    Output{
        "sreport", "sreport.txt", "GPU-hours as Slurm's sreport prints them", write_sreport, true},
    Output{"opencost", "opencost.json", "cost by tenant as OpenCost has it", write_opencost, true},
    Output{"goodput",
           "goodput.json",
           "the time of jobs as Google's goodput sorts it",
           write_goodput,
           true},
#ifdef BURSAR_HAS_PERFETTO
    Output{"perfetto",
           "schedule.pftrace",
           "nodes, attempts and counters over time, for ui.perfetto.dev",
           write_perfetto,
           true},
#endif
#ifdef BURSAR_HAS_XLSX
    Output{"xlsx", "bill.xlsx", "the bill for a spreadsheet", write_bill_xlsx, true},
#endif
    Output{"result", "result.json", "the whole result, for `bursar report`", write_saved_result},
};

} // namespace

std::span<const Output> outputs() {
    return all_outputs;
}

std::vector<const Output*> usual_outputs() {
    std::vector<const Output*> usual;
    for (const Output& output : all_outputs)
        if (!output.is_extra)
            usual.push_back(&output);
    return usual;
}

const Output* find_output(std::string_view name) {
    const auto* output = std::find_if(
        all_outputs.begin(), all_outputs.end(), [&](const Output& o) { return o.name == name; });
    return output == all_outputs.end() ? nullptr : output;
}

}} // namespace bursar::reports
