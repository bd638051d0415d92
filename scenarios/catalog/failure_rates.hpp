#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/reliability/failure_draws.hpp"
#include "models/reliability/failure_rate.hpp"

namespace bursar { inline namespace scenarios {

/// What a failing part is one of.
enum class FailingPart : std::uint8_t { node, gpu };

inline constexpr std::array<std::string_view, 2> failing_part_names{"node", "gpu"};

/// How many of the failures that were counted had this cause.
struct CountedComponent {
    std::string name; ///< unique in its entry
    double failures{};
    FailingPart of{};
};

/// Rates somebody published, or fitted to what was published. Nodes of 8 GPUs.
struct NamedFailureRates {
    std::string name; ///< unique
    FailureRates rates;
    double min_nodes{}; ///< sizes it was found on
    double max_nodes{};
    std::vector<CountedComponent> components; ///< of the failures of nodes; empty: not told apart
    std::string source;
};

/// GPUs of the nodes whose rates the catalogue has.
inline constexpr int catalogue_gpus_per_node = 8;

/// The nodes' part of these rates by component, each with the same repair; one component called
/// "node" where they are not told apart. The job's part is FailureRates::per_job_day.
[[nodiscard]] FailureModel failure_model(const NamedFailureRates& rates, RepairTime repair);

/// The failure rates a command may name; the first is the default.
struct FailureCatalogue {
    std::vector<NamedFailureRates> all; ///< in the order of the file

    [[nodiscard]] const NamedFailureRates* find(std::string_view name) const; ///< null: none
    [[nodiscard]] std::vector<std::string> names() const;
};

/// Built into the program: scenarios/catalog/failures.yaml.
const FailureCatalogue& builtin_failure_rates();

/// A file of the user's own; same layout. Throws ScenarioError with every mistake in it.
FailureCatalogue read_failure_rates(const std::string& path);

/// The same of a text that messages call `file`.
FailureCatalogue read_failure_rates_text(std::string_view text, const std::string& file);

}} // namespace bursar::scenarios
