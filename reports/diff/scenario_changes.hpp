#pragma once

#include <string>
#include <vector>

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// Something that two results do not have in common in what was run: as far as results keep it.
struct ScenarioChange {
    std::string what;        ///< "policy.queue", "pool burst: price"
    std::string base, fresh; ///< as people read them; "": it does not have it

    bool operator==(const ScenarioChange&) const = default;
};

/// In the order of a scenario: workload, fleet, policies, window, then what was assumed.
[[nodiscard]] std::vector<ScenarioChange> scenario_changes(const Result& base, const Result& fresh);

/// Whether both ran the same jobs: equal names, tenants, gangs and times of submit.
[[nodiscard]] bool have_same_jobs(const Result& base, const Result& fresh);

}} // namespace bursar::reports
