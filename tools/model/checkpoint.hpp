#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/energy/carbon.hpp"
#include "models/energy/power.hpp"
#include "models/reliability/checkpoint_interval.hpp"
#include "models/reliability/checkpoint_size.hpp"
#include "models/reliability/interruption.hpp"
#include "models/reliability/survival.hpp"
#include "models/storage/checkpoint_storage.hpp"

#include "scenarios/catalog/failure_rates.hpp"

#include "reports/document/document.hpp"

namespace bursar { inline namespace tools {

/// A number with its source: a publication, or the command line.
struct Sourced {
    double value{};
    std::string source;
};

/// Published failure rates, and what they give for the job.
struct RateAtSize {
    std::string name;
    std::string era;
    Seconds mtbf;
    bool seen{}; ///< jobs of that size are among those that the rates come from
};

/// Electricity of a run in one region.
struct EnergyQuestion {
    std::string region;
    RunPower power;
    std::string gpu_source;
    std::string utilization_source;
    std::string node_source{"20 - 35 %, models/FORMULAS.md section 8 [unverified]"};
    std::string pue_source;
    CarbonIntensity intensity;
    std::string intensity_source;
    std::optional<double> usd_per_kwh;
};

/// Input of `bursar model checkpoint`.
struct CheckpointQuestion {
    Sourced parameters;
    Sourced bytes_per_parameter;
    ByteVolume size;  ///< of a full checkpoint
    ByteVolume saved; ///< size, or the mean size of incremental ones
    Sourced write;    ///< B/s
    std::string mode;
    double writers{};
    std::string blocking_source; ///< formula of the blocking part
    std::string interference_source;

    double gpus{};
    double nodes{};
    Sourced mtbf; ///< s
    std::optional<FailureRates> rates;
    std::vector<RateAtSize> other_rates; ///< of the catalogue; empty: it was not asked
    std::vector<MeasuredJobs> measured;  ///< beside the chosen rates
    std::vector<NamedRestart> restarts;  ///< by era; empty: the command line gives the restart
    std::optional<SurvivalFunction> survival;
    Seconds load; ///< part of the restart; 0: not separated
    std::string restart_source;
    CheckpointedRun run;

    std::optional<Seconds> interval; ///< evaluated beside the best ones
    std::optional<Seconds> notice;
    Seconds length; ///< of the run
    RetentionPlan retention;
    std::optional<EnergyQuestion> energy;
    std::vector<std::string> warnings;
};

/// The candidate intervals, and the costs of the chosen one: the user's own, else the optimum.
/// Throws ModelError for impossible input.
[[nodiscard]] Document checkpoint_answer(const CheckpointQuestion& question);

}} // namespace bursar::tools
