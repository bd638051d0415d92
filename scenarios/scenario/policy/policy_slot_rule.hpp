#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policies/choice/policy_slots.hpp"
#include "policies/describe/option.hpp"
#include "policies/describe/policy_list.hpp"

#include "scenarios/reader/reader.hpp"

namespace bursar { inline namespace scenarios {

/// The value of a policy slot: a name, or a mapping of `name` and the options that the policy of
/// that name has. Without `name` the options are those of the policy that stands there already.
class PolicySlotRule {
  public:
    /// policies: of the policy slot; at least one.
    explicit PolicySlotRule(std::vector<PolicyInfo> policies) : policies_{std::move(policies)} {}

    /// usual: the name of the policy that a mapping without one speaks of.
    [[nodiscard]] std::optional<PolicySetting> read(const Reader& at, std::string_view usual) const;
    [[nodiscard]] Schema schema() const;

  private:
    [[nodiscard]] std::vector<std::string> names() const;
    [[nodiscard]] const PolicyInfo* find(std::string_view name) const;
    void read_option(const Reader& at,
                     const Pair& pair,
                     const PolicyInfo& policy,
                     PolicyOptions& options) const;
    void refuse_option(const Reader& at,
                       std::string_view name,
                       const PolicyInfo& policy,
                       bool named) const;
    [[nodiscard]] Schema mapping_schema(const PolicyInfo& policy) const;
    [[nodiscard]] Schema nameless_schema() const;

    std::vector<PolicyInfo> policies_;
};

}} // namespace bursar::scenarios
