#include "tools/simulate/stranded_jobs.hpp"

#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::size_t max_named = 5;

std::string named(const Plan& plan, const Labels& labels, const Run& run, std::size_t job) {
    return fmt::format("\"{}\", of {} GPUs{}",
                       valid_utf8(labels.job(job)),
                       plan.gpus(job),
                       run.jobs.phase[job] == JobPhase::queued ? "" : ", which was stopped");
}

} // namespace

std::optional<std::string>
stranded_jobs(const Plan& plan, const Labels& labels, const Run& run, Stranded why) {
    if (plan.until || run.outcome.num_queued_at_end == 0)
        return std::nullopt;
    std::vector<std::string> names;
    for (std::size_t job = 0; job < plan.num_jobs() && names.size() < max_named; ++job)
        if (run.jobs.phase[job] == JobPhase::queued || run.jobs.phase[job] == JobPhase::preempted)
            names.push_back(named(plan, labels, run, job));
    const auto num = static_cast<std::int64_t>(run.outcome.num_queued_at_end);
    const std::int64_t more = num - static_cast<std::int64_t>(names.size());
    return fmt::format("{} {} to the end of the run, where {}: {}{}",
                       grouped_text(num, 0),
                       num == 1 ? "job waits" : "jobs wait",
                       why == Stranded::by_budget ? "a budget is spent"
                                                  : "nothing can happen any more",
                       fmt::join(names, "; "),
                       more > 0 ? fmt::format("; and {} more", grouped_text(more, 0)) : "");
}

}} // namespace bursar::tools
