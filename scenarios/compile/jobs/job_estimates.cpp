#include "scenarios/compile/jobs/job_estimates.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/random/normal.hpp"
#include "models/random/philox.hpp"

#include "sim/plan/plan_view.hpp"

#include "policies/estimates/registry.hpp"

#include "scenarios/compile/compiled/compiled.hpp"
#include "scenarios/errors/fail_input.hpp"

namespace bursar { inline namespace scenarios {

JobEstimates::JobEstimates(const Scenario& scenario, const Trace& trace, Plan& plan)
    : scenario_{scenario}, trace_{trace}, plan_{plan},
      is_user_{scenario.policy.estimates == UserEstimates::name},
      is_noisy_{scenario.policy.estimates == NoisyEstimates::name} {
    if (is_user_)
        check_requested();
    if (!is_noisy_)
        return;
    const PolicyOptions& given = scenario.policy.estimates_options;
    const auto& [spread, factor, sigma] = NoisyEstimates::options;
    is_lognormal_ = given.value(spread) == NoisyEstimates::lognormal;
    max_factor_ = static_cast<double>(given.value(factor)) / 1000.0;
    sigma_ = static_cast<double>(given.value(sigma)) / 1000.0;
    seed_ = scenario.policy.seed;
}

void JobEstimates::add(std::uint32_t row) {
    const std::int64_t work_ms = plan_.work_ms.back();
    if (is_user_) {
        const std::int64_t requested_ms = trace_.requested_ms[row];
        num_without_request_ += requested_ms == 0 ? 1 : 0;
        plan_.estimate_ms.push_back(requested_ms == 0 ? work_ms
                                                      : std::min(requested_ms, horizon_ms - 1));
    } else if (is_noisy_) {
        const double believed =
            std::round(static_cast<double>(work_ms) * factor_of(plan_.num_jobs() - 1));
        plan_.estimate_ms.push_back(
            static_cast<std::int64_t>(std::min(believed, static_cast<double>(horizon_ms - 1))));
    }
}

std::vector<std::string> JobEstimates::assumed() const {
    std::vector<std::string> assumed;
    if (!is_user_ && !is_noisy_) {
        assumed.emplace_back(knows_run_times);
        return assumed;
    }
    assumed.emplace_back("jobs run past their estimates (estimates only guide the scheduler)");
    if (is_user_)
        assumed.emplace_back(
            "requested times are taken as time at work; start-up and teardown are known exactly");
    if (num_without_request_ > 0)
        assumed.push_back(
            fmt::format("{} jobs have no requested time; their actual run times are used",
                        num_without_request_));
    return assumed;
}

double JobEstimates::factor_of(std::size_t job) const {
    const double uniform = RandomStream{seed_, Stream::estimates}.uniform(job, 0);
    if (is_lognormal_)
        return portable_exp(sigma_ * normal_quantile(uniform));
    return 1.0 + (max_factor_ - 1.0) * uniform;
}

void JobEstimates::check_requested() const {
    if (!trace_.requested_ms.empty())
        return;
    const bool is_trace = std::holds_alternative<TraceWorkload>(scenario_.workload);
    fail_input({scenario_.file, 0, 0},
               "policy.estimates",
               mistake("user estimates need requested times",
                       is_trace ? fmt::format("format {} has no requested times", trace_.format)
                                : "the workload has no requested times",
                       "a trace with them (swf; csv with `requested_time`), or `noisy`"));
}

}} // namespace bursar::scenarios
