#include "scenarios/keys/workload/workload_keys.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"
#include "scenarios/traces/row_problem.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::int64_t max_weight = 1'000'000;

JobValue as_value(Measure measure) {
    const bool per_gpu_hour = measure.unit->name == "USD/gpu-h";
    return {measure.count, per_gpu_hour ? JobValue::Per::gpu_hour : JobValue::Per::job};
}

/// A weight with its place: unknown tenants can be reported only with the jobs.
struct WeightRule {
    using value_type = DeclaredShare;

    [[nodiscard]] std::optional<DeclaredShare> read(const Reader& at) const {
        const std::optional<std::int64_t> weight = rule.read(at);
        if (!weight)
            return std::nullopt;
        return DeclaredShare{static_cast<std::uint32_t>(*weight), at.node().place(), at.path()};
    }
    [[nodiscard]] Schema schema() const { return rule.schema(); }

    WholeNumberRule rule = whole_number(1, max_weight);
};

} // namespace

std::vector<Key<ClassSpec>> worth_keys() {
    return {{optional("priority", &ClassSpec::priority, whole_number(-max_priority, max_priority)),
             "higher is more important; default: what the trace says, else 0"},
            {optional("deadline", &ClassSpec::deadline, duration(Zero::refused)),
             "deadline of its jobs, after their submit; default: the job's, else none"},
            {optional("late",
                      &ClassSpec::late,
                      ChoiceRule<LateRule>{{{"keep", LateRule::keep},
                                            {"reject-at-arrival", LateRule::reject_at_arrival},
                                            {"drop", LateRule::drop}}}),
             "what becomes of a job that cannot meet its deadline even if it starts at its submit, "
             "or, with drop, at any time that it waits; default keep"},
            {optional("value",
                      &ClassSpec::value,
                      QuantityRule<JobValue>{job_values, Zero::allowed, as_value}),
             "value of finishing a job, or of each GPU-hour of its work; default 0 USD"}};
}

Key<Scenario> shares_key() {
    return {optional("shares",
                     &Scenario::shares,
                     map_of(WeightRule{}, "a mapping of tenants to weights")),
            "weights by which tenants share the fleet; default 1 each"};
}

}} // namespace bursar::scenarios
