#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/plan/plan.hpp"

#include "scenarios/compile/jobs/job_rules.hpp"
#include "scenarios/compile/jobs/listed_jobs.hpp"
#include "scenarios/compile/speeds/gpu_speeds.hpp"
#include "scenarios/compile/speeds/run_kind.hpp"
#include "scenarios/compile/speeds/run_speeds.hpp"
#include "scenarios/compile/training/trained_classes.hpp"
#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// The work of a row, once its class is known.
struct JobWork {
    std::uint16_t plan_class{};
    std::int64_t work_ms{};        ///< at reference speed
    std::uint64_t permitted{};     ///< pools that can do it, as bits
    std::optional<RunKind> kind{}; ///< of a job with a run time; absent: its class determines its
                                   ///< speed
};

/// Gives rows their work: the workload's duration, or the training of their class.
class JobWorks {
  public:
    /// All outlive this.
    JobWorks(const Scenario& scenario,
             const Catalogue& catalogue,
             const Trace& trace,
             const JobRules& rules,
             const ListedRows& listed,
             const LocalityPlan& places,
             const RunKinds& kinds,
             const GpuSpeeds& gpu_speeds,
             Plan& plan)
        : scenario_{scenario}, trace_{trace}, rules_{rules}, listed_{listed}, kinds_{kinds},
          plan_{plan}, trained_{scenario, catalogue, places, plan},
          speeds_{scenario, places, gpu_speeds, plan} {}

    /// Nothing if the row has no possible work; throw_if_wrong then says why.
    std::optional<JobWork> of(std::uint32_t row, std::uint16_t job_class);

    /// The work of a row that has some, on another number of GPUs.
    std::optional<JobWork>
    with_gpus(std::uint32_t row, std::uint16_t job_class, std::uint32_t gpus);

    /// Throws ScenarioError for gangs that no pool can train, and for listed jobs that have both a
    /// duration and a model, or neither.
    void throw_if_wrong() const;

    [[nodiscard]] std::vector<TrainedGang> take_trained() { return trained_.take(); }

  private:
    const Scenario& scenario_;
    const Trace& trace_;
    const JobRules& rules_;
    const ListedRows& listed_;
    const RunKinds& kinds_;
    Plan& plan_;
    TrainedClasses trained_;
    RunSpeeds speeds_;
    std::vector<Finding> wrong_durations_;
};

}} // namespace bursar::scenarios
