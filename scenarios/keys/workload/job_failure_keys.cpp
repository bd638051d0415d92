#include <string>

#include "models/reliability/failure_draws.hpp"

#include "scenarios/catalog/failure_rates.hpp"
#include "scenarios/keys/workload/workload_keys.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// Entries of the catalogue that have a failure rate of jobs.
std::vector<std::string> rates_of_jobs() {
    std::vector<std::string> names;
    for (const NamedFailureRates& rates : builtin_failure_rates().all)
        if (rates.rates.per_job_day > 0)
            names.push_back(rates.name);
    return names;
}

Table<JobFailureSpec> failures_table() {
    return table<JobFailureSpec>(
               {
                   {optional("like", &JobFailureSpec::like, one_of(rates_of_jobs())),
                    "the published rate of jobs, by a name of `bursar catalog failures`"},
                   {optional("per_job_hour",
                             &JobFailureSpec::per_job_hour,
                             NumberRule{0, Bound::excluded, max_failures_per_hour}),
                    "failures of a job in an hour that it holds its GPUs"},
                   {optional("per_gpu_hour",
                             &JobFailureSpec::per_gpu_hour,
                             NumberRule{0, Bound::excluded, max_failures_per_hour}),
                    "failures to add for each GPU of its gang"},
                   {optional("detect", &JobFailureSpec::detect, duration()),
                    "until a failure is noticed: it holds its GPUs; default 0"},
               })
        .check([](const Reader& at, JobFailureSpec& spec, const KeysRead& keys) {
            for (const char* key : {"like", "per_job_hour", "per_gpu_hour"})
                if (!keys.good(key))
                    return;
            if (spec.like.empty() && spec.per_job_hour <= 0 && spec.per_gpu_hour <= 0)
                at.mistake("nothing ever fails", {}, "give like, per_job_hour or per_gpu_hour");
            if (!spec.like.empty() && spec.per_job_hour > 0)
                at.mistake_at("like", "cannot be combined with a per_job_hour of your own");
        });
}

} // namespace

std::vector<Key<ClassSpec>> job_failure_keys() {
    return {
        {optional("failures", &ClassSpec::failures, failures_table()),
         "how its jobs fail by themselves, whatever their nodes do; default: never"},
        {optional("overflow_restarts",
                  &ClassSpec::overflow_restarts,
                  NumberRule{0, Bound::included, 24 * max_failures_per_hour}),
         "failures more, in a day of a job that runs in fp16, as its numbers overflow; "
         "default 0"},
    };
}

}} // namespace bursar::scenarios
