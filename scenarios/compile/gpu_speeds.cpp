#include "scenarios/compile/gpu_speeds.hpp"

#include <optional>

namespace bursar::inline scenarios {
namespace {

/// In which format a job ran, where nobody says: the usual one of its GPU.
PoolSpeed by_catalogue(const Gpu& ran_on, const Gpu& gpu) {
    PoolSpeed out;
    out.precision = usual_precision(ran_on);
    try {
        out.ratio = speed_ratio(ran_on, gpu, out.precision);
        out.speed = out.ratio.range.likely;
        out.origin = SpeedOrigin::catalogue;
    } catch (const UnknownFact& unknown) {
        out.unknown_fact = unknown.what();
    }
    return out;
}

} // namespace

GpuSpeeds::GpuSpeeds(const Scenario& scenario, const Catalogue& catalogue, const RunKinds& kinds)
    : scenario_{scenario}, kinds_{kinds} {
    for (const PoolSpec& pool : scenario.fleet)
        pool_gpus_.push_back(catalogue.find(pool.gpu));
}

PoolSpeed GpuSpeeds::on(const RunKind& kind, std::size_t pool) const {
    if (kind.job_class < scenario_.classes.size())
        if (const std::optional<double> declared =
                speed_on(scenario_.classes[kind.job_class], scenario_.fleet[pool].gpu))
            return {.speed = *declared, .origin = SpeedOrigin::declared};
    const Gpu* ran_on = kinds_.ran_on(kind);
    const Gpu* gpu = pool_gpus_[pool];
    if (ran_on == nullptr || gpu == nullptr)
        return {};
    if (ran_on == gpu || kind.gpus == 0) // without GPUs none makes it faster
        return {.origin = SpeedOrigin::same_gpu};
    return by_catalogue(*ran_on, *gpu);
}

} // namespace bursar::inline scenarios
