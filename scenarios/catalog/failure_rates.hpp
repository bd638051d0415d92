#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/reliability/failure_draws.hpp"
#include "models/reliability/interruption.hpp"
#include "models/units/physics.hpp"

namespace bursar { inline namespace scenarios {

/// The kind of a failing part.
enum class FailingPart : std::uint8_t { node, gpu };

inline constexpr std::array<std::string_view, 2> failing_part_names{"node", "gpu"};

/// Number of counted failures of one component.
struct CountedComponent {
    std::string name; ///< unique in its entry
    double failures{};
    FailingPart of{};
};

/// A mean time between failures that was measured on jobs of one size.
struct MeasuredJobs {
    double gpus{};
    double hours{};
};

/// Published failure rates, or rates fitted to published ones. Nodes of 8 GPUs.
struct NamedFailureRates {
    std::string name; ///< unique
    std::string era;  ///< when and on which GPUs; may be empty
    FailureRates rates;
    double min_nodes{}; ///< sizes of the clusters that the rates come from
    double max_nodes{};
    std::vector<CountedComponent> components; ///< of the failures of nodes; empty: not published
    std::vector<MeasuredJobs> measured;       ///< in the same source; for comparison only
    std::string source;
};

/// How fast jobs save: min(nodes · per_node_gb_s, most_gb_s).
struct SaveRates {
    double per_node_gb_s{};
    double most_gb_s{};
    std::string source;

    /// Of a job on that number of nodes.
    [[nodiscard]] ByteRate rate(double nodes) const {
        return ByteRate{std::min(nodes * per_node_gb_s, most_gb_s) * bytes_per_gb};
    }
};

/// From a failure to training again, as it was at some time; without loading.
struct NamedRestart {
    std::string name; ///< unique
    std::string era;
    double from_nodes{}; ///< the fewest nodes of jobs that have it by default
    double minutes{};
    std::string source;
};

/// GPUs per node of the catalogue's rates.
inline constexpr int catalogue_gpus_per_node = 8;

/// Failure rates of nodes by component, each with the same repair; one component called "node" if
/// none is published. Failures of jobs are FailureRates::per_job_day.
[[nodiscard]] FailureModel failure_model(const NamedFailureRates& rates, RepairTime repair);

/// The failure rates a command may name; the first is the default.
struct FailureCatalogue {
    std::vector<NamedFailureRates> all; ///< in the order of the file
    SaveRates writes;                   ///< of the built-in file, if a file of the user's has none
    std::vector<NamedRestart> restarts; ///< ascending by from_nodes; likewise

    [[nodiscard]] const NamedFailureRates* find(std::string_view name) const; ///< null: none
    [[nodiscard]] std::vector<std::string> names() const;
    /// The restart of a job: the last that has at most its nodes; the first if none has.
    [[nodiscard]] const NamedRestart& restart_of(double nodes) const;
};

/// Built into the program: scenarios/catalog/failures.yaml.
const FailureCatalogue& builtin_failure_rates();

/// A file of the user's own; same layout. Throws ScenarioError with every mistake in it.
FailureCatalogue read_failure_rates(const std::string& path);

/// The same for a text; messages name `file`.
FailureCatalogue read_failure_rates_text(std::string_view text, const std::string& file);

}} // namespace bursar::scenarios
