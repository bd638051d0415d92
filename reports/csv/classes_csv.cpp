#include <cstddef>
#include <vector>

#include "reports/csv/group_jobs.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/result/job_holding.hpp"
#include "reports/rounding/printed_units.hpp"
#include "reports/text/csv_row.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {

void write_classes_csv(const Result& result, const OutputOptions&, TextSink& sink) {
    sink.put("class,jobs,gpu_hours,cost_usd");
    put_group_names(sink);
    sink.put('\n');
    if (result.classes.empty())
        return;
    struct Held {
        std::uint64_t jobs{};
        SlotTime time{};
        Money cost{};
    };
    std::vector<Held> held(result.classes.size());
    const std::vector<StoppedSum> stopped = stopped_sums(result);
    for (std::size_t job = 0; job < result.jobs.size(); ++job) {
        const StoppedSum earlier = stopped.empty() ? StoppedSum{} : stopped[job];
        Held& of_class = held[result.jobs.job_class[job]];
        ++of_class.jobs;
        of_class.time += held_by(result, job, earlier);
        of_class.cost += cost_of(result, job, earlier);
    }
    const auto jobs = jobs_of_groups(result, result.jobs.job_class, result.classes.size());
    CsvRow row{sink};
    for (std::size_t i = 0; i < held.size(); ++i) {
        row.text(result.classes[i]).integer(held[i].jobs);
        row.micro(divide_half_up(held[i].time.count(), slot_ms_per_micro_gpu_hour));
        row.micro(divide_half_up(held[i].cost.count(), money_per_micro_usd));
        put_group(row, jobs[i]);
        row.end();
    }
}

}} // namespace bursar::reports
