#include "scenarios/compile/speeds/gpu_speeds.hpp"

#include <fmt/format.h>

#include "models/errors/model_error.hpp"
#include "models/training/job/precision_plan.hpp"

#include "scenarios/compile/speeds/job_format.hpp"

namespace bursar { inline namespace scenarios {

GpuSpeeds::GpuSpeeds(const Scenario& scenario, const Catalogue& catalogue, const RunKinds& kinds)
    : scenario_{scenario}, kinds_{kinds} {
    for (const PoolSpec& pool : scenario.fleet)
        pool_gpus_.push_back(catalogue.find(pool.gpu));
}

PoolSpeed GpuSpeeds::on(const RunKind& kind, std::size_t pool) const {
    PoolSpeed out = in_its_format(kind, pool);
    if (const Gpu* gpu = pool_gpus_[pool]; gpu != nullptr && kind.gpus > 0)
        change_format(kind, *gpu, out);
    return out;
}

const ClassSpec& GpuSpeeds::class_of(const RunKind& kind) const {
    static const ClassSpec no_class;
    return scenario_.classes.empty() ? no_class : scenario_.classes[kind.job_class];
}

/// The format that run times were measured in: the workload's, else the one that a class pins.
std::optional<Precision> GpuSpeeds::measured_in(const RunKind& kind) const {
    return scenario_.run_times.precision ? scenario_.run_times.precision
                                         : class_of(kind).training.precision;
}

/// The reference of a class's declared speeds: its speed on the GPU that rows ran on, if known.
double GpuSpeeds::declared_at_home(const RunKind& kind) const {
    const Gpu* ran_on = kinds_.ran_on(kind);
    return kind.row_names_gpu && ran_on != nullptr
               ? speed_on(class_of(kind), ran_on->name).value_or(1)
               : 1;
}

PoolSpeed GpuSpeeds::in_its_format(const RunKind& kind, std::size_t pool) const {
    const Gpu* ran_on = kinds_.ran_on(kind);
    const Gpu* gpu = pool_gpus_[pool];
    if (kind.row_names_gpu && ran_on == gpu)
        return {.origin = SpeedOrigin::same_gpu};
    if (const auto declared = speed_on(class_of(kind), scenario_.fleet[pool].gpu))
        return {.on_gpu = *declared / declared_at_home(kind), .origin = SpeedOrigin::declared};
    if (ran_on == nullptr || gpu == nullptr)
        return {};
    if (ran_on == gpu || kind.gpus == 0) // without GPUs none makes it faster
        return {.origin = SpeedOrigin::same_gpu};
    const ThroughputTable* measured = scenario_.run_times.measured.get();
    if (kind.job_type > 0)
        if (const auto ratio = measured->ratio(kind.job_type, ran_on->name, gpu->name, kind.gpus))
            return {.on_gpu = *ratio > 0 ? *ratio : 1,
                    .origin = SpeedOrigin::measured,
                    .never_runs = *ratio == 0};
    return by_catalogue(kind, *ran_on, *gpu);
}

double GpuSpeeds::taken(const SpeedRange& range) const {
    switch (scenario_.run_times.range) {
    case RangeValue::low:
        return range.low;
    case RangeValue::likely:
        return range.likely;
    case RangeValue::high:
        return range.high;
    }
    return range.likely;
}

/// Speed from catalogue figures. If the format is not specified, the job ran in the usual one of
/// its GPU.
PoolSpeed GpuSpeeds::by_catalogue(const RunKind& kind, const Gpu& ran_on, const Gpu& gpu) const {
    PoolSpeed out;
    out.precision = measured_in(kind).value_or(usual_precision(ran_on));
    try {
        out.estimate = builtin_pair_speeds().estimate(ran_on, gpu, out.precision);
        out.on_gpu = taken(out.estimate.range);
        out.origin = SpeedOrigin::catalogue;
    } catch (const UnknownFact& unknown) {
        out.problem = fmt::format(
            "run times of {} cannot be scaled to {}: {}", ran_on.name, gpu.name, unknown.what());
        out.suggestion = fmt::format("`speed: {{{}: ...}}` of its class", gpu.name);
    }
    return out;
}

void GpuSpeeds::change_format(const RunKind& kind, const Gpu& gpu, PoolSpeed& speed) const {
    const ClassSpec& spec = class_of(kind);
    const std::optional<Precision> measured = measured_in(kind);
    if (!measured) {
        speed.is_format_unknown = scenario_.policy.precision != precision_as_given;
        return;
    }
    const auto fault =
        spec.training.precision ? precision_fault(gpu, *spec.training.precision) : std::nullopt;
    if (fault) {
        speed.problem = fmt::format(
            "{}, which is the `precision` of its class ({})", fault->problem(), fault->remedy());
        speed.suggestion = "keep the class off that pool by `pools`";
        return;
    }
    const Precision from = nearest_precision(gpu, *measured);
    const Precision to = nearest_precision(gpu, job_format(scenario_, spec, gpu, *measured));
    if (from == to)
        return;
    speed.format = {from, to, builtin_precision_gains().find(gpu.name, from, to)};
    if (speed.format->gain)
        speed.gain = taken(speed.format->gain->gain);
}

}} // namespace bursar::scenarios
