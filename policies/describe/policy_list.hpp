#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/units/host_device.hpp"

#include "sim/engine/order/order_traits.hpp"
#include "sim/plan/plan.hpp"

#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// Description of a policy, for `bursar policies` and messages.
struct PolicyInfo {
    std::string_view policy_slot;
    std::string_view name;
    std::string_view summary;  ///< one line: what it does
    std::string_view cost{};   ///< per event, and what it grows with
    std::string_view source{}; ///< who described it
    std::span<const OptionInfo> options{};
    OrderTraits order{};      ///< traits of a queue order
    std::string_view needs{}; ///< the class key that it decides by; at least one job must have it
    bool draws{};             ///< whether runs differ by their seed under it
    bool needs_run_times{};   ///< whether it decides by estimated run times
    bool resizes{};           ///< whether it gives elastic jobs other numbers of GPUs
};

/// The option of that name; null if the policy has none.
inline const OptionInfo* option_of(const PolicyInfo& policy, std::string_view name) {
    for (const OptionInfo& option : policy.options)
        if (option.name == name)
            return &option;
    return nullptr;
}

/// The functor of a policy for a run: the policy itself, or the result of its `static
/// from(PolicyOptions)`.
template <class Policy>
auto with_options(const PolicyOptions& options) {
    if constexpr (requires { Policy::from(options); })
        return Policy::from(options);
    else
        return Policy{};
}

/// The same for a policy that also reads the plan's jobs: `static from(PolicyOptions, Plan)`.
template <class Policy>
auto with_options(const PolicyOptions& options, const Plan& plan) {
    if constexpr (requires { Policy::from(options, plan); })
        return Policy::from(options, plan);
    else
        return with_options<Policy>(options);
}

/// The type of that functor. For orders whose keys move, or that have no keys, it is in
/// policies/rules; any other policy is its own functor.
template <class Policy>
using RuleOf = decltype(with_options<Policy>(std::declval<const PolicyOptions&>(),
                                             std::declval<const Plan&>()));

template <class Policy>
concept has_options = requires { Policy::options; };
template <class Policy>
concept defines_from = requires(const PolicyOptions& given) {
    Policy::from(given);
} || requires(const PolicyOptions& given, const Plan& plan) { Policy::from(given, plan); };

/// A policy with a name, a summary, a cost and a source, that reads its options if it has any.
template <class Policy>
concept DescribedPolicy = requires {
    { Policy::name } -> std::convertible_to<std::string_view>;
    { Policy::summary } -> std::convertible_to<std::string_view>;
    { Policy::cost } -> std::convertible_to<std::string_view>;
    { Policy::source } -> std::convertible_to<std::string_view>;
    requires defines_from<Policy> || !has_options<Policy>;
};

/// The description of a policy, from the static members of its functor.
template <class Policy>
PolicyInfo info_of(std::string_view policy_slot) {
    PolicyInfo info{policy_slot, Policy::name, Policy::summary};
    if constexpr (requires { Policy::cost; })
        info.cost = Policy::cost;
    if constexpr (requires { Policy::source; })
        info.source = Policy::source;
    if constexpr (requires { Policy::options; })
        info.options = Policy::options;
    if constexpr (requires { Policy::needs; })
        info.needs = Policy::needs;
    if constexpr (requires { RuleOf<Policy>::traits.by; })
        info.order = RuleOf<Policy>::traits;
    if constexpr (requires { Policy::draws; })
        info.draws = Policy::draws;
    else if constexpr (requires { Policy::traits.seed; })
        info.draws = Policy::traits.seed;
    if constexpr (requires { Policy::needs_run_times; })
        info.needs_run_times = Policy::needs_run_times;
    if constexpr (requires { Policy::resizes; })
        info.resizes = Policy::resizes;
    return info;
}

/// An explicit list of policy types: the registry of one policy slot.
template <class... Policies>
struct PolicyList {
    static std::vector<PolicyInfo> infos(std::string_view policy_slot) {
        return {info_of<Policies>(policy_slot)...};
    }

    /// Calls `use(std::type_identity<Policy>{})` with the policy of that name; false if there is
    /// none.
    template <class Use>
    static bool with(std::string_view name, Use use) {
        return ((name == Policies::name && (use(std::type_identity<Policies>{}), true)) || ...);
    }

    /// The place of the policy of that name in the list; the list's length if there is none.
    static constexpr std::uint32_t number_of(std::string_view name) {
        std::uint32_t number = 0;
        static_cast<void>(((name == Policies::name || (++number, false)) || ...));
        return number;
    }
    /// The same by number_of(), for code without names, such as kernels.
    template <class Use>
    BURSAR_HD static void at(std::uint32_t number, const Use& use) {
        std::uint32_t i = 0;
        static_cast<void>(((i++ == number && (use(std::type_identity<Policies>{}), true)) || ...));
    }
};

}} // namespace bursar::policies
