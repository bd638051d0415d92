#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "policies/choice/presets.hpp"
#include "policies/describe/policy_list.hpp"

#include "scenarios/catalog/architectures.hpp"
#include "scenarios/catalog/stacks.hpp"
#include "scenarios/market/prices/read_prices.hpp"

namespace bursar { inline namespace scenarios {

/// The names that a scenario may use: of the registries and of the run's catalogues. The caller
/// fills it.
struct KnownNames {
    std::vector<PolicyInfo> policies; ///< of all policy slots
    std::vector<PresetInfo> presets;
    std::vector<std::string> trace_formats;
    std::vector<std::string> synthetic; ///< workloads that the generator imitates
    // Networks and software stacks; they outlive the reading of a scenario.
    const Architectures* architectures{&builtin_architectures()};
    const Stacks* stacks{&builtin_stacks()};
    std::shared_ptr<PriceFiles> price_files{}; ///< shared with other scenarios; absent: read for
                                               ///< each scenario

    /// The policies of one policy slot, in the order of their registry.
    [[nodiscard]] std::vector<PolicyInfo> policies_of(std::string_view policy_slot) const {
        std::vector<PolicyInfo> found;
        for (const PolicyInfo& info : policies)
            if (info.policy_slot == policy_slot)
                found.push_back(info);
        return found;
    }
};

}} // namespace bursar::scenarios
