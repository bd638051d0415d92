#include "scenarios/compile/jobs/job_worths.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "models/units/int128.hpp"
#include "models/units/units.hpp"

#include "policies/choice/policy_slots.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"

namespace bursar { inline namespace scenarios {
namespace {

bool any_class(const Scenario& scenario, auto ClassSpec::*member) {
    return std::ranges::any_of(scenario.classes,
                               [&](const ClassSpec& spec) { return (spec.*member).has_value(); });
}

/// The worth that a policy orders by; empty if it needs none.
std::string_view needs_of(std::string_view policy_slot, const std::string& name) {
    const std::optional<PolicyInfo> policy = find_policy(policy_slot, name);
    return policy ? policy->needs : std::string_view{};
}

} // namespace

JobWorths::JobWorths(const Scenario& scenario, const Trace& trace, Plan& plan)
    : scenario_{scenario}, trace_{trace}, plan_{plan},
      named_{!trace.priority.empty() || any_class(scenario, &ClassSpec::priority),
             !trace.due_after_ms.empty() || any_class(scenario, &ClassSpec::deadline),
             any_class(scenario, &ClassSpec::value)} {
    check_needs(named_, "no class gives its jobs a");
    set_weights();
}

void JobWorths::add(std::uint32_t row, std::uint16_t job_class, const JobShape& shape) {
    const ClassSpec& spec = scenario_.classes.empty() ? no_class_ : scenario_.classes[job_class];
    given_.priority |= spec.priority.has_value() || !trace_.priority.empty();
    const std::optional<Duration> due_after = deadline_of(row, job_class);
    given_.deadline |= due_after.has_value();
    given_.value |= spec.value.has_value();
    if (named_.priority) {
        const std::int32_t of_trace = trace_.priority.empty() ? 0 : trace_.priority[row];
        plan_.priority.push_back(static_cast<std::int32_t>(spec.priority.value_or(of_trace)));
    }
    if (named_.deadline) {
        plan_.deadline_ms.push_back(due_after ? plan_.submit_ms.back() + due_after->count()
                                              : no_deadline_ms);
    }
    if (named_.value)
        add_value(spec, job_class, shape);
}

std::optional<Duration> JobWorths::deadline_of(std::uint32_t row, std::uint16_t job_class) const {
    if (!scenario_.classes.empty() && scenario_.classes[job_class].deadline)
        return scenario_.classes[job_class].deadline;
    if (trace_.due_after_ms.empty() || trace_.due_after_ms[row] == 0)
        return std::nullopt;
    return Duration{trace_.due_after_ms[row]};
}

void JobWorths::add_value(const ClassSpec& spec, std::uint16_t job_class, const JobShape& shape) {
    const Duration work{plan_.work_ms.back()};
    int128 nano_usd = spec.value ? spec.value->nano_usd : 0;
    if (spec.value && spec.value->per == JobValue::Per::gpu_hour) {
        const int128 slot_ms = slot_time(shape.slots(), work).count();
        const int128 gpu_ms = (slot_ms + slots_per_gpu / 2) / slots_per_gpu;
        nano_usd = (nano_usd * gpu_ms + hour.count() / 2) / hour.count();
    }
    if (nano_usd > std::numeric_limits<std::int64_t>::max()) {
        fail_input(spec.place,
                   fmt::format("workload.classes[{}].value", job_class),
                   mistake("a job would be worth more than 9e9 USD",
                           fmt::format("{} GPUs for {} h", shape.gpus, work / hour)));
    }
    plan_.value_nano_usd.push_back(static_cast<std::int64_t>(nano_usd));
}

/// Without values, ordering by value would be submit order under another name.
void JobWorths::check_needs(const Kinds& there, std::string_view who_lacks_it) const {
    const auto check =
        [&](std::string_view policy_slot, const std::string& name, const Place& place) {
            const std::string_view needs = needs_of(policy_slot, name);
            const bool given = needs.empty() || (needs == "priority" && there.priority) ||
                               (needs == "deadline" && there.deadline) ||
                               (needs == "value" && there.value);
            if (given)
                return;
            fail_input(place,
                       fmt::format("policy.{}", policy_slot),
                       mistake(fmt::format("{} has no data to order by", name),
                               fmt::format("{} {}{}",
                                           who_lacks_it,
                                           needs,
                                           needs == "value" ? "" : ", nor does the workload"),
                               fmt::format("`{}: ...` in a class of workload.classes", needs)));
        };
    check("queue", scenario_.policy.queue, scenario_.places.queue);
    check("preemption", scenario_.policy.preemption, scenario_.places.preemption);
    check("broker", scenario_.policy.broker, scenario_.places.broker);
    check("allocator", scenario_.policy.allocator, scenario_.places.queue);
}

void JobWorths::check_given() const {
    for (std::size_t number = 0; number < scenario_.classes.size(); ++number)
        if (scenario_.classes[number].late != LateRule::keep && !given_.deadline)
            fail_input(scenario_.classes[number].place,
                       fmt::format("workload.classes[{}].late", number),
                       mistake("has no effect", "no job has a deadline", "`deadline: ...`"));
    if (plan_.num_jobs() > 0)
        check_needs(given_, "no job is of a class that gives a");
}

void JobWorths::set_weights() {
    if (scenario_.shares.empty())
        return;
    plan_.tenant_weight.assign(std::max<std::size_t>(1, trace_.tenants.size()), 1);
    std::vector<Finding> unknown;
    for (const auto& [name, share] : scenario_.shares) {
        const auto at = std::ranges::find(trace_.tenants, name);
        if (at != trace_.tenants.end()) {
            plan_.tenant_weight[static_cast<std::size_t>(at - trace_.tenants.begin())] =
                share.weight;
            continue;
        }
        unknown.push_back(mistake(
            "no job is of tenant " + in_quotes(name), {}, suggestion(name, trace_.tenants)));
        unknown.back().place = share.place;
        unknown.back().path = share.path;
    }
    if (!unknown.empty())
        throw ScenarioError{std::move(unknown)};
}

}} // namespace bursar::scenarios
