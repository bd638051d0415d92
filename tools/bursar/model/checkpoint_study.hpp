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
#include "models/storage/retention.hpp"

#include "reports/answer/answer.hpp"

namespace bursar {

/// A number of the answer that came with an explanation: where it was published, or who gave it.
struct Sourced {
    double value{};
    std::string source;
};

/// The electricity of a run in one region.
struct EnergyStudy {
    std::string region;
    GpuPower gpu;
    std::string gpu_source;
    double utilization{};
    std::string utilization_source;
    Site site;
    std::string pue_source;
    CarbonIntensity intensity;
    std::string intensity_source;
    std::optional<double> usd_per_kwh;
};

/// Everything `bursar model checkpoint` was asked.
struct CheckpointStudy {
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
    std::optional<EnergyStudy> energy;
    std::vector<std::string> warnings;
};

/// Throws ModelError for a study that cannot be.
[[nodiscard]] Answer answer_to(const CheckpointStudy& study);

} // namespace bursar
