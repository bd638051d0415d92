#include "models/training/job/check_layout.hpp"

#include "reports/document/document.hpp"

#include "tools/model/job_options.hpp"
#include "tools/model/job_parts.hpp"
#include "tools/model/memory_parts.hpp"
#include "tools/model/subcommand.hpp"

namespace bursar { inline namespace tools {
namespace {

struct MemoryOptions {
    JobOptions job;
    bool anyway{};
};

OptionTable<MemoryOptions> memory_options() {
    using T = MemoryOptions;
    return option_table<T>(
        {{&T::job, job_options()},
         {"--anyway", &T::anyway, "exit code 0 for a layout that does not fit, too"}});
}

ReportTable remedies_table(const MemoryVerdict& verdict) {
    ReportTable table{
        "remedies",
        "Changes that fit",
        {{"change", "change", ""}, {"total_b", "memory", "B"}, {"headroom_b", "headroom", "B"}},
        {},
        true};
    for (const MemoryRemedy& remedy : verdict.remedies)
        table.rows.push_back({remedy.change,
                              remedy.use.total().count(),
                              (verdict.capacity - remedy.use.total()).count()});
    return table;
}

/// The parts of the fullest GPU's memory and, if they do not fit, changes that do. Throws
/// ModelError and UnknownFact as memory_use and what_fits do.
Document memory_answer(const MemoryOptions& options) {
    const JobQuestion asked = options.job.fitting_question();
    const MemoryVerdict verdict = memory_verdict(asked);
    Document answer;
    answer.command = "model memory";
    answer.headline = verdict.headline;
    answer.is_refusal = !answer.headline.empty() && !options.anyway;
    if (!asked.generic) {
        answer.add(job_section(asked));
        answer.warnings = layout_warnings(asked.job, asked.cluster);
    }
    const MemoryOverheads& overheads = asked.overheads;
    answer.add(memory_section(verdict.use, verdict.capacity, memory_error(asked.job, overheads)));
    answer.add(overheads_section(overheads));
    if (!verdict.remedies.empty())
        answer.add(remedies_table(verdict));
    answer.sources = {
        "Korthikanti et al. 2022, Rajbhandari et al. 2020 (models/FORMULAS.md section 3)",
        asked.network_source};
    return answer;
}

} // namespace

void add_memory(Command model) {
    add_answer(model,
               "memory",
               "memory of a training job on its fullest GPU, part by part",
               memory_options(),
               memory_answer);
}

}} // namespace bursar::tools
