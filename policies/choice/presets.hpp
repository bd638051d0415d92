#pragma once

#include <span>
#include <string_view>

namespace bursar { inline namespace policies {

/// One setting of a preset, as a scenario would write it.
struct PresetSetting {
    std::string_view key;     ///< "policy.queue", or of a job class: "teardown"
    std::string_view value;   ///< "{name: las, by: gpu-time}"
    std::string_view meaning; ///< why results of that simulator need it
    std::string_view gangs{}; ///< only gangs of these sizes of a class ("2..8"); empty: all
    bool only_preempting{};   ///< applies only if running jobs are preempted; for a policy:
                              ///< if its order preempts

    [[nodiscard]] bool is_of_classes() const { return !key.starts_with("policy."); }
};

/// The settings of another simulator, as defaults of a scenario: keys that the scenario writes win.
/// Settings with gangs together cover every gang size.
struct PresetInfo {
    std::string_view name;
    std::string_view summary;
    std::string_view source;
    std::span<const PresetSetting> settings;
};

/// Every preset. This is the only list.
[[nodiscard]] std::span<const PresetInfo> presets();

}} // namespace bursar::policies
