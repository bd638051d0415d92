#include "scenarios/compile/plan_key.hpp"

#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policies/allocator/fifo_perf.hpp"
#include "policies/choice/policy_choice.hpp"
#include "policies/choice/policy_slots.hpp"

#include "scenarios/document/canonical_hash.hpp"

namespace bursar { inline namespace scenarios {
namespace {

std::string text_of(const std::string& name, const PolicyOptions& options) {
    std::string out = name;
    for (const auto& [option, values] : options.given())
        out += fmt::format(" {}={}", option, fmt::join(values, ","));
    return out;
}

/// The policy's name if it needs a property of jobs, such as values; else empty.
std::string_view if_it_needs(std::string_view policy_slot, std::string_view name) {
    const auto policy = find_policy(policy_slot, name);
    return policy && !policy->needs.empty() ? name : std::string_view{};
}

} // namespace

std::uint64_t plan_key(const Scenario& scenario, std::uint64_t seed) {
    const PolicyChoice& choice = scenario.policy;
    return text_hash(fmt::format("{:016x}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}",
                                 scenario.hash_but_policy,
                                 scenario.until ? scenario.until->count() : 0,
                                 scenario.until_last_submit,
                                 scenario.preset.empty(),
                                 seed,
                                 static_cast<int>(choice.sharing),
                                 text_of(choice.estimates, choice.estimates_options),
                                 text_of(choice.precision, choice.precision_options),
                                 text_of(choice.broker, choice.broker_options),
                                 text_of(choice.staging, choice.staging_options),
                                 choice.allocator, // quotas, and notes on elastic jobs
                                 choice.allocator_options.value(packing_option),
                                 if_it_needs("queue", choice.queue),
                                 if_it_needs("preemption", choice.preemption)));
}

}} // namespace bursar::scenarios
