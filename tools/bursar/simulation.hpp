#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>

#include "policies/simulate.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/compile/compile.hpp"
#include "scenarios/scenario/scenario.hpp"

#include "reports/result/result.hpp"

namespace bursar {

/// A run could not be finished; not the input's fault alone.
class SimulationError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The policies of a scenario, as it would write them.
PolicyLabels labels_of(const Scenario& scenario);

/// One run of a scenario with one seed: its workload read, compiled and run. with_progress: on
/// stderr, when that is a terminal. Throws ScenarioError, SimulationError.
Result run_seed(const Scenario& scenario,
                const Catalogue& catalogue,
                std::uint64_t seed,
                Record record,
                Workspace& workspace,
                bool with_progress);

/// Reads a scenario's workload, compiles and runs it, once per seed, with progress on stderr when
/// that is a terminal. The result is that of the first seed; `repeats` in it covers all of them.
/// `record`: Record::timeline where the timeline will be written, else Record::jobs.
/// Throws ScenarioError, SimulationError.
Result simulate_scenario(const Scenario& scenario,
                         const Catalogue& catalogue,
                         std::optional<std::int64_t> wanted_seed,
                         Record record);

} // namespace bursar
