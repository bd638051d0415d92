#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/training/job/stack_profile.hpp"

#include "scenarios/errors/scenario_error.hpp"

namespace bursar { inline namespace scenarios {

/// The software-stack profiles a scenario or a command may name.
struct Stacks {
    std::vector<StackProfile> all; ///< in the order of the file

    [[nodiscard]] const StackProfile* find(std::string_view name) const;
    /// The profile that speaks for a measurement's `framework`; null if none does.
    [[nodiscard]] const StackProfile* for_framework(std::string_view framework) const;
    [[nodiscard]] std::vector<std::string> names() const;
};

/// Built into the program: scenarios/catalog/stacks.yaml.
const Stacks& builtin_stacks();

/// A file of the user's own, as `bursar model calibrate` writes it. Throws ScenarioError.
Stacks read_stacks(const std::string& path);

/// The same of a text that messages call `file`.
Stacks read_stacks_text(std::string_view text, const std::string& file);

/// `stacks` as a file that read_stacks reads back to equal profiles.
[[nodiscard]] std::string stacks_yaml(const Stacks& stacks);

}} // namespace bursar::scenarios
