#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/energy/carbon.hpp"
#include "models/energy/power.hpp"
#include "models/reliability/checkpoint_interval.hpp"
#include "models/reliability/checkpoint_size.hpp"
#include "models/reliability/failure_rate.hpp"
#include "models/reliability/survival.hpp"
#include "models/storage/checkpoint_storage.hpp"

#include "reports/answer/answer.hpp"

namespace bursar { inline namespace tools {

/// A number of the answer that came with an explanation: where it was published, or who gave it.
struct Sourced {
    double value{};
    std::string source;
};

/// The electricity of a run in one region.
struct EnergyQuestion {
    std::string region;
    RunPower power;
    std::string gpu_source;
    std::string utilization_source;
    std::string pue_source;
    CarbonIntensity intensity;
    std::string intensity_source;
    std::optional<double> usd_per_kwh;
};

/// What `bursar model checkpoint` is asked.
struct CheckpointQuestion {
    Sourced parameters;
    Sourced bytes_per_parameter;
    ByteVolume size;  ///< of a full checkpoint
    ByteVolume saved; ///< mean, of an incremental one; else size
    Sourced write;    ///< B/s
    std::string mode;
    double writers{};
    std::string blocking_source; ///< how the blocking part comes about
    std::string interference_source;

    double gpus{};
    double nodes{};
    Sourced mtbf; ///< s
    std::optional<FailureRates> rates;
    std::optional<SurvivalFunction> survival;
    Seconds load; ///< part of the restart; 0: not told apart
    std::string restart_source;
    CheckpointedRun run;

    std::optional<Seconds> interval; ///< to evaluate beside the best ones
    std::optional<Seconds> notice;
    Seconds length; ///< of the run
    RetentionPlan retention;
    std::optional<EnergyQuestion> energy;
    std::vector<std::string> warnings;
};

/// The intervals worth choosing between, and what the chosen one costs: the user's own, else the
/// optimum. Throws ModelError for a question that cannot be.
[[nodiscard]] Answer checkpoint_answer(const CheckpointQuestion& question);

}} // namespace bursar::tools
