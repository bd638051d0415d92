#include "tools/simulate/stranded_jobs.hpp"

#include <cstddef>

#include <fmt/format.h>

#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"

namespace bursar::inline tools {

std::optional<std::string> stranded_jobs(const Plan& plan, const Labels& labels, const Run& run) {
    if (plan.until || run.outcome.num_queued_at_end == 0)
        return std::nullopt;
    std::size_t first = 0;
    while (run.jobs.phase[first] != JobPhase::queued &&
           run.jobs.phase[first] != JobPhase::preempted)
        ++first;
    const auto num = static_cast<std::int64_t>(run.outcome.num_queued_at_end);
    return fmt::format("{} {} to the end of the run, where nothing can happen any more; the first "
                       "submitted is \"{}\", of {} GPUs",
                       grouped_text(num, 0),
                       num == 1 ? "job waits" : "jobs wait",
                       valid_utf8(labels.job(first)),
                       plan.gpus(first));
}

} // namespace bursar::inline tools
