#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/gpu/gpu.hpp"
#include "models/scaling/inference_aware.hpp"
#include "models/scaling/power_law.hpp"
#include "models/scaling/sparse_params.hpp"
#include "models/scaling/surface_fit.hpp"
#include "models/training/job/training_job.hpp"

#include "scenarios/catalog/step_errors.hpp"

#include "reports/document/document.hpp"

#include "tools/model/job_options.hpp"

namespace bursar { inline namespace tools {

/// A surface fitted to the user's runs.
struct FittedRuns {
    std::string file;
    std::size_t left_out{}; ///< number of runs of highest loss that were dropped
    std::vector<ScalingRun> runs;
    SurfaceFit fit;
    std::optional<SurfaceIntervals> intervals;
};

/// A mixture of experts; the run's parameters are its active ones.
struct ExpertsQuestion {
    Parameters total;
    double total_weight{default_total_weight};
};

/// The GPU whose hours pay for a run.
struct GpuHoursQuestion {
    std::string gpu;
    Precision precision{};
    ComputePrice training; ///< without a price: one dollar per hour
    ComputePrice reading;
    ComputePrice writing;
    bool has_price{};
};

/// A sum of money for a run, and the GPUs that it may rent.
struct MoneyQuestion {
    double dollars{}; ///< > 0
    double price{};   ///< USD per GPU-hour, > 0
    std::string gpu;  ///< as given
    Cluster cluster;
    StackOptions stack;               ///< with a precision
    std::optional<std::int64_t> gpus; ///< absent: as many as the deadline needs
    std::optional<Seconds> deadline;  ///< at most so long; absent: none, or assumed_deadline
    std::optional<Transformer> shape; ///< timed in place of the run; absent: the nearest in size
    std::optional<Tokens> batch;      ///< of a step; absent: surface_batch

    [[nodiscard]] double gpu_hours() const { return dollars / price; }
};

inline constexpr Seconds assumed_deadline{30 * seconds_per_day}; ///< without deadline and GPUs

/// The step of a network under its fastest layout.
struct PlannedStep {
    TrainingJob job;
    std::string gpu; ///< catalogue name
    ChosenStack stack;
    Seconds step;
    double utilisation{};   ///< 6 N tokens over the dense peak, 0..1
    std::int64_t layouts{}; ///< that fit, of which the job's is the fastest

    [[nodiscard]] double tokens() const { return real(job.layout.global_batch() * job.sequence); }
    [[nodiscard]] StepError error() const {
        return step_error(asked_step(stack.profile, stack.why.empty(), job, gpu));
    }
};

/// What a sum of money trains.
struct MoneyPlan {
    MoneyQuestion money;
    PlannedStep step;
    Seconds duration;                        ///< without failures and saves
    FlopRate full_rate;                      ///< dense peak of all its GPUs
    std::vector<std::int64_t> gpus_tried;    ///< numbers of GPUs
    std::function<Allocation(Flops)> run_of; ///< the run that a compute budget pays for

    [[nodiscard]] std::int64_t gpus() const { return step.job.layout.gpus(); }
    [[nodiscard]] double gpu_hours() const {
        return real(gpus()) * duration.count() / seconds_per_hour;
    }
    [[nodiscard]] double cost() const { return gpu_hours() * money.price; }
    [[nodiscard]] Flops compute(double utilisation) const {
        return full_rate * utilisation * duration;
    }
    [[nodiscard]] Flops compute() const { return compute(step.utilisation); }
};

/// The GPUs, time and utilisation of the run that the money pays for. Without a number of GPUs it
/// tries whole nodes from the fewest with which the money is spent before the deadline. Throws
/// ModelError if no layout fits, UnknownFact if the catalogue lacks a fact of the GPU.
[[nodiscard]] MoneyPlan plan_for(const MoneyQuestion& money,
                                 std::function<Allocation(Flops)> run_of);

/// Tokens that the model will serve in its lifetime.
struct ServingQuestion {
    Tokens read;
    Tokens written;
};

/// Input of `bursar model chinchilla`.
struct ChinchillaQuestion {
    LossSurface surface;
    std::optional<FittedRuns> fitted; ///< the surface is fitted, not published
    std::optional<PowerLaw> law;      ///< allocates in place of the surface's optimum
    std::optional<Flops> budget;      ///< of --flops, or what --dollars buy
    std::string budget_option{"--flops"};
    std::optional<Allocation> run;     ///< absent: only the fit is wanted
    std::string run_is;                ///< how the run was found: "compute-optimal for --flops"
    std::optional<double> target_loss; ///< which the run's tokens follow from; absent: they do not

    std::optional<MoneyPlan> plan; ///< of --dollars

    // Further conditions of the run; absent: not in the answer.
    std::optional<Tokens> unique_tokens;
    std::optional<ExpertsQuestion> experts;
    std::optional<Tokens> batch;
    std::optional<ServingQuestion> serving;
    std::optional<GpuHoursQuestion> hours;
};

/// The run with the terms of every figure and the source of every constant. Warns about unwise
/// input; throws ModelError for input without a solution.
[[nodiscard]] Document chinchilla_answer(const ChinchillaQuestion& question);

/// Adds the plan that the run came from, and its range. Requires question.run.
void add_plan(Document& answer, const ChinchillaQuestion& question, const MoneyPlan& plan);

/// Adds smaller models trained for longer beside the compute-optimal one. Requires question.run.
void add_over_training(Document& answer, const ChinchillaQuestion& question);

/// Adds the effects of the given conditions on the run: repeated data, experts, steps, serving, GPU
/// hours. Requires question.run.
void add_circumstances(Document& answer, const ChinchillaQuestion& question);

/// Adds the errors of the surface on the runs it was fitted to, and its intervals.
void add_fit(Document& answer, const FittedRuns& fitted);

}} // namespace bursar::tools
