#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/gpu/gpu.hpp"
#include "models/scaling/inference_aware.hpp"
#include "models/scaling/power_law.hpp"
#include "models/scaling/sparse_params.hpp"
#include "models/scaling/surface_fit.hpp"

#include "reports/answer/answer.hpp"

namespace bursar { inline namespace tools {

/// A surface fitted to the user's runs.
struct FittedRuns {
    std::string file;
    std::size_t left_out{}; ///< of highest loss
    std::vector<ScalingRun> runs;
    SurfaceFit fit;
    std::optional<SurfaceIntervals> intervals;
};

/// A mixture of experts whose active parameters are the run's.
struct ExpertsQuestion {
    Parameters total;
    double total_weight{default_total_weight};
};

/// The GPU whose hours a run is paid in.
struct GpuHoursQuestion {
    std::string gpu;
    Precision precision{};
    ComputePrice training; ///< without a price one dollar an hour
    ComputePrice reading;
    ComputePrice writing;
    bool has_price{};
};

/// Tokens that the model will serve in its life.
struct ServingQuestion {
    Tokens read;
    Tokens written;
};

/// What `bursar model chinchilla` is asked.
struct ChinchillaQuestion {
    LossSurface surface;
    std::optional<FittedRuns> fitted; ///< the surface is fitted, not published
    std::optional<PowerLaw> law;      ///< allocates in place of the surface's optimum
    std::optional<Flops> budget;      ///< as given
    std::optional<Allocation> run;    ///< absent: only the fit was asked for
    std::string run_is;               ///< where the run comes from: "compute-optimal for --flops"

    // Circumstances of the run; absent: not asked.
    std::optional<Tokens> unique_tokens;
    std::optional<ExpertsQuestion> experts;
    std::optional<Tokens> batch;
    std::optional<ServingQuestion> serving;
    std::optional<GpuHoursQuestion> hours;
};

/// The run with the terms of every figure and the source of every constant; foolish wishes as
/// warnings. Throws ModelError for what has no answer.
[[nodiscard]] Answer chinchilla_answer(const ChinchillaQuestion& question);

/// Adds what the run costs or becomes under the circumstances that were given: repeated data,
/// experts, steps, serving, GPU hours. The question has a run.
void add_circumstances(Answer& answer, const ChinchillaQuestion& question);

/// Adds how well the surface describes the runs it was fitted to, and its intervals.
void add_fit(Answer& answer, const FittedRuns& fitted);

}} // namespace bursar::tools
