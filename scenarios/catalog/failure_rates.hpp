#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/reliability/failure_rate.hpp"

namespace bursar::inline scenarios {

/// Rates somebody published, or fitted to what was published.
struct NamedFailureRates {
    std::string name; ///< unique
    FailureRates rates;
    double min_nodes{}; ///< sizes it was found on
    double max_nodes{};
    std::string source;
};

/// The failure rates a command may name; the first is the default.
struct FailureCatalogue {
    std::vector<NamedFailureRates> all; ///< in the order of the file

    [[nodiscard]] const NamedFailureRates* find(std::string_view name) const; ///< null: none
    [[nodiscard]] std::vector<std::string> names() const;
};

/// Built into the program: scenarios/catalog/failures.yaml.
FailureCatalogue builtin_failure_rates();

/// A file of the user's own; same layout. Throws ScenarioError with every mistake in it.
FailureCatalogue read_failure_rates(const std::string& path);

/// The same of a text that messages call `file`.
FailureCatalogue read_failure_rates_text(std::string_view text, const std::string& file);

} // namespace bursar::inline scenarios
