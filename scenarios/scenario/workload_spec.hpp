#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/gpu/gpu.hpp"
#include "models/storage/checkpoint_storage.hpp"
#include "models/training/job/layout.hpp"
#include "models/training/job/stack_profile.hpp"
#include "models/training/job/training_job.hpp"
#include "models/units/units.hpp"

#include "sim/plan/plan.hpp"

#include "scenarios/catalog/architectures.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/reader/read_values.hpp"
#include "scenarios/scenario/trials_spec.hpp"
#include "scenarios/throughputs/throughput_table.hpp"

namespace bursar { inline namespace scenarios {

struct TraceOptions;

/// A workload from a trace file. The options are declared elsewhere, so that a new option
/// recompiles only sources that use it. Copies share the constant options.
class TraceWorkload {
  public:
    TraceWorkload(); ///< of no file
    // Implicit: it represents the options.
    TraceWorkload(TraceOptions options); // NOLINT(google-explicit-constructor)

    [[nodiscard]] const TraceOptions& operator*() const { return *options_; }
    [[nodiscard]] const TraceOptions* operator->() const { return options_.get(); }

    /// Whether each seed draws its jobs out of blocks of the trace.
    [[nodiscard]] bool is_resampled() const;

    /// Are the options the same?
    bool operator==(const TraceWorkload& other) const;

  private:
    std::shared_ptr<const TraceOptions> options_;
};

/// Which value of a SpeedRange is taken.
enum class RangeValue : std::uint8_t { low, likely, high };

/// The GPU and format that the workload's run times were measured with, and the speeds of its jobs
/// on other GPUs.
struct RunTimesSpec {
    std::string gpu; ///< the catalogue's own name, aliases resolved; empty: not specified
    std::optional<Precision> precision{};              ///< absent: not specified
    std::shared_ptr<const ThroughputTable> measured{}; ///< null: nothing
    RangeValue range{RangeValue::likely};
};

/// The kind of end of a training run.
enum class GoalKind : std::uint8_t { tokens, steps, epochs, target_loss };

struct TrainingTarget {
    GoalKind kind{};
    double amount{}; ///< > 0
};

/// Samples, or the tokens in them.
struct SampleCount {
    std::int64_t count{}; ///< > 0
    bool in_tokens{};
};

/// The layout as the user gave it; data parallelism follows from the gang's size.
struct ParallelismSpec {
    std::int64_t tensor{1};
    std::int64_t pipeline{1};
    std::int64_t chunks{1};
    std::int64_t context{1};
    std::int64_t expert{1};
    std::optional<Sharding> sharding;      ///< absent: usual for the software stack
    std::optional<bool> sequence_parallel; ///< likewise
    std::int64_t shard{};                  ///< as in Layout; 0: not stated
    bool offload_optimizer{};
    std::int64_t offload_layers{}; ///< as in Layout
    bool tensor_across_nodes{};
    bool anyway{}; ///< timed even if it does not fit by the memory model
};

/// What the jobs of a class train and how. Absent members are chosen by the program.
struct TrainingSpec {
    std::optional<Architecture> model;  ///< absent: jobs have the run times of the workload
    std::optional<TrainingTarget> goal; ///< present with a model
    std::optional<SampleCount> dataset; ///< one epoch
    std::optional<SampleCount> batch;   ///< per step, over all GPUs; present with a model
    std::optional<std::int64_t> micro_batch;
    std::optional<std::int64_t> sequence;       ///< tokens per sample
    std::optional<ParallelismSpec> parallelism; ///< absent: searched
    std::optional<Precision> precision;         ///< also of jobs with a run time; absent: chosen by
                                        ///< policy.precision from the GPU's best 16-bit format
    std::optional<Recomputation> recompute;
    std::optional<Attention> attention;
    std::optional<Compilation> compilation;
    std::optional<Fp8Scaling> scaling;
    std::string framework{};           ///< its name and version; empty: not known
    std::optional<StackProfile> stack; ///< absent: the program chooses one of Scenario::stacks
    std::optional<InputPipeline> input;
    /// By the models' name of the key; "" is the class itself.
    std::map<std::string, Written> written;
};

/// The locality of a class: the levels that its gangs need and prefer.
struct LocalitySpec {
    std::string require; ///< the widest level allowed; empty: any
    std::string prefer;  ///< the widest level preferred; empty: none
    Written written_require;
    Written written_prefer;
};

/// Run time at a level over run time at the narrowest level.
struct LevelSlowdown {
    std::string level;
    double factor{1}; ///< >= 1
    Written written;
};

/// How jobs of a class fail by themselves: key `failures`.
struct JobFailureSpec {
    std::string like;      ///< an entry of `bursar catalog failures`; empty: the rates below
    double per_job_hour{}; ///< for each hour that a job holds its GPUs
    double per_gpu_hour{}; ///< likewise, for each GPU of its gang
    Duration detect{};     ///< until the failure is noticed; the job holds its GPUs
};

/// A workload drawn from published statistics by the seeded generator.
struct SyntheticSpec {
    std::string like;    ///< a profile: philly, helios, pai, or one of `profiles`
    std::int64_t jobs{}; ///< >= 1
    std::int64_t gpus{}; ///< size of the cluster that `load` refers to; >= 1
    double load{1.0};    ///< offered GPU time over capacity; > 0
    std::uint64_t seed{1};
    bool has_seed{};        ///< the scenario names its seed
    std::string profiles{}; ///< a file of profiles that replaces the built-in ones; empty: none
    Place place{};          ///< of `workload.synthetic`; no file without a scenario

    bool operator==(const SyntheticSpec&) const = default;
};

/// A job that the scenario lists, or several equal ones in a row.
struct ListedJob {
    std::string name;
    std::int64_t gpus{}; ///< >= 1
    Duration submit{};   ///< of the first
    std::int64_t count{1};
    Duration every{};                 ///< between one submit and the next; > 0 where count > 1
    std::string tenant;               ///< empty: "all"
    std::optional<Duration> duration; ///< absent: its class says what it trains
    std::int64_t array{}; ///< jobs submitted at one time, in place of count; 0: not given
    std::vector<std::string> after{}; ///< names of jobs that must end before each of them
    /// Names of entries: each job waits for the one of the same number, as many as it has.
    std::vector<std::string> after_each{};
    Duration think_time{};              ///< from the last of these ends until it is eligible
    std::optional<TrialsSpec> trials{}; ///< its jobs are trials, some of which are stopped
    std::optional<Duration> deadline{}; ///< after its submit; absent: that of its class
    Place place;
};

/// What becomes of a job that cannot meet its deadline.
enum class LateRule : std::uint8_t {
    keep,              ///< it runs nevertheless
    reject_at_arrival, ///< it is refused at its submit, if it could not even if it started then
    drop               ///< it leaves the queue once it could not even if it started then
};

/// When a job has ended as those that wait for it need it: at any end, or only if it completed. The
/// names are Slurm's.
enum class DependencyRule : std::uint8_t { afterany, afterok };

/// A workload written by hand.
struct JobList {
    std::vector<ListedJob> jobs; ///< at least one
};

/// Which jobs a class takes; an absent field matches all.
struct ClassMatch {
    std::optional<CountRange> gpus;
    std::vector<std::string> tenants;
    std::vector<std::string> names{};
    std::vector<std::string> classes{}; ///< of the trace's column `class`
};

/// Value of finishing a job.
struct JobValue {
    enum class Per : std::uint8_t { job, gpu_hour };
    std::int64_t nano_usd{};
    Per per{Per::job}; ///< gpu_hour: per GPU-hour of its work at reference speed
};

/// A tenant's weight and its place.
struct DeclaredShare {
    std::uint32_t weight{1};
    Place place;
    std::string path;
};

/// Where checkpoints are kept, and for how long.
struct CheckpointKeeping {
    StorageTier tier;
    std::int64_t bytes{};           ///< of the newest, > 0
    std::int64_t older_bytes{};     ///< of each other full one, > 0
    std::int64_t increment_bytes{}; ///< of each incremental one
    std::int64_t loaded_bytes{};    ///< mean size that a start after a stop reads, > 0
    std::int64_t keep{1};           ///< number kept of each job, >= 1
    Duration retain{};              ///< after the end of their job
};

/// When a job saves its state, and how long that takes; as in PlanClass.
struct CheckpointSpec {
    Checkpoint kind{Checkpoint::on_preempt};
    Duration interval{}; ///< saves_on_the_way(kind) and not young_daly: > 0
    Duration save{};
    Duration write{};
    Duration increment{};
    Duration increment_write{};
    std::int64_t full_every{1};
    Duration load{};   ///< reading time of a start after a stop, added to its `restart`
    bool young_daly{}; ///< its interval follows from the interruptions on each pool
    std::optional<CheckpointKeeping> keeping{}; ///< absent: keeping them costs nothing
};

inline constexpr std::int64_t max_elastic_gpus = 65'536;
inline constexpr std::size_t max_elastic_sizes = 64;

/// Numbers of GPUs that an allocator may give to a job.
struct ElasticSpec {
    struct Point {
        std::uint32_t gpus{};
        double speedup{};
    };

    std::vector<std::uint32_t> gpus;   ///< fewest first, at least two
    std::optional<double> amdahl{};    ///< share of the work that more GPUs make faster
    std::vector<Point> table{};        ///< by GPUs, over all of `gpus`; straight lines in between
    std::optional<Duration> rescale{}; ///< absent: as a restart
    bool moldable{};                   ///< its jobs keep the GPUs that they start with

    /// Speed with that many GPUs, which `gpus` has. Precondition: it has one of the two above.
    [[nodiscard]] double speedup(std::uint32_t num) const {
        if (amdahl)
            return 1 / (1 - *amdahl + *amdahl / num);
        const auto next = std::ranges::lower_bound(table, num, {}, &Point::gpus);
        if (next->gpus == num)
            return next->speedup;
        const Point& last = *std::prev(next);
        return last.speedup +
               (next->speedup - last.speedup) * (num - last.gpus) / (next->gpus - last.gpus);
    }
};

/// Speed of jobs on a GPU, relative to the workload's run times.
struct GpuSpeed {
    std::string gpu; ///< the catalogue's own name, aliases resolved
    double speed{1}; ///< > 0
};

/// The time of a start on the job's GPUs before its work.
struct StartupSpec {
    Duration whole{};
    Duration staged{}; ///< of it, image and data, which policy.staging may stage ahead
};

struct ClassSpec {
    std::optional<ClassMatch> match; ///< absent: takes all other jobs
    StartupSpec startup{};
    Duration teardown{};
    std::optional<CheckpointSpec> checkpoint{}; ///< absent: on preemption, at no cost
    std::optional<Duration> restart{};          ///< absent: startup
    std::vector<std::string> pools;             ///< pools it may use; empty: all
    std::optional<std::int64_t> cpu_milli{}; ///< thousandths of a core per GPU; absent: the job's
    std::optional<std::int64_t> memory_bytes{}; ///< per GPU; absent: the job's
    std::optional<std::int64_t> priority{};     ///< an int32; absent: the job's
    std::optional<Duration> deadline{};         ///< after submit; absent: none
    LateRule late{LateRule::keep};
    std::optional<JobValue> value{}; ///< absent: none
    TrainingSpec training;
    LocalitySpec locality{};
    std::vector<LevelSlowdown> slowdown{}; ///< in the order of writing; empty: none
    std::vector<GpuSpeed> speed{};         ///< each GPU once; empty: 1 everywhere
    std::string job_type{};                ///< in the measured throughputs; empty: by its jobs'
                                           ///< names
    std::vector<Precision> forbidden{}; ///< formats that policy.precision may not give; never fp32
    std::optional<ElasticSpec> elastic{};     ///< absent: its jobs keep the GPUs they ask for
    std::optional<JobFailureSpec> failures{}; ///< absent: its jobs do not fail by themselves
    std::string name{};                       ///< in jobs.csv; empty: its number
    double overflow_restarts{};               ///< extra failures of a job in fp16, per day; >= 0
    Place place;
};

/// The class's speed on that GPU; absent: not given.
inline std::optional<double> speed_on(const ClassSpec& spec, const std::string& gpu) {
    const auto declared = std::ranges::find(spec.speed, gpu, &GpuSpeed::gpu);
    return declared == spec.speed.end() ? std::nullopt : std::optional{declared->speed};
}

}} // namespace bursar::scenarios
