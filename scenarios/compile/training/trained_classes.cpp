#include "scenarios/compile/training/trained_classes.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"

#include "sim/plan/plan_view.hpp"

#include "scenarios/compile/speeds/job_format.hpp"
#include "scenarios/compile/speeds/plan_speed.hpp"
#include "scenarios/errors/fail_input.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// A run time in milliseconds, rounded up, at most the horizon.
std::int64_t whole_ms(Seconds time) {
    return static_cast<std::int64_t>(
        std::min(std::ceil(time.count() * 1000.0), static_cast<double>(horizon_ms)));
}

/// The place of a mistake: the one key that every pool refuses, else the model.
Written place_of(const TrainingSpec& spec, const std::vector<RefusedPool>& refused) {
    const std::string& key = refused.front().parameter;
    const bool same = std::ranges::all_of(
        refused, [&](const RefusedPool& pool) { return pool.parameter == key; });
    for (const std::string& candidate : {same ? key : std::string{}, std::string{"model"}}) {
        const auto found = spec.written.find(candidate);
        if (!candidate.empty() && found != spec.written.end())
            return found->second;
    }
    return {};
}

} // namespace

const TrainedGang&
TrainedClasses::gang(std::uint16_t job_class, std::uint32_t gpus, std::uint64_t pools, bool must) {
    const auto [at, is_new] = gangs_.try_emplace({job_class, gpus});
    if (is_new) {
        at->second = train(job_class, gpus, pools);
        if (!at->second.pools.empty())
            add_to_plan(at->second);
    }
    if (must && at->second.pools.empty() && reported_.insert({job_class, gpus}).second)
        report(at->second, gpus);
    return at->second;
}

TrainedGang
TrainedClasses::train(std::uint16_t job_class, std::uint32_t gpus, std::uint64_t pools) const {
    TrainedGang gang;
    gang.job_class = job_class;
    const ClassSpec& spec = scenario_.classes[job_class];
    for (std::size_t pool = 0; pool < scenario_.fleet.size(); ++pool) {
        if ((pools >> pool & 1U) == 0)
            continue;
        const Gpu* gpu = catalogue_.find(scenario_.fleet[pool].gpu);
        assert(gpu != nullptr); // the reader takes names of the catalogue only
        try {
            gang.pools.push_back(train_on(spec, gpus, pool, *gpu));
            gang.pools.back().pool = pool;
            gang.permitted |= std::uint64_t{1} << pool;
        } catch (const ModelError& error) {
            gang.refused.push_back({pool, error.parameter(), error.what()});
        } catch (const UnknownFact& unknown) {
            gang.refused.push_back({pool, {}, unknown.what()});
        }
    }
    return gang;
}

TrainedOn TrainedClasses::train_on(const ClassSpec& spec,
                                   std::uint32_t gpus,
                                   std::size_t pool,
                                   const Gpu& gpu) const {
    const Precision format = job_format(scenario_, spec, gpu, usual_precision(gpu));
    const PoolSpec& on = scenario_.fleet[pool];
    if (!places_.has_levels())
        return train_on_pool(spec.training, *scenario_.stacks, gpus, on, gpu, format);
    const PoolLinks links{places_.locality(pool), places_.rates(pool)};
    return train_on_pool(spec.training, *scenario_.stacks, gpus, on, gpu, format, &links);
}

void TrainedClasses::add_to_plan(TrainedGang& gang) {
    const ClassSpec& spec = scenario_.classes[gang.job_class];
    const Seconds fastest = std::ranges::min_element(gang.pools, {}, &TrainedOn::total)->total();
    gang.work_ms = whole_ms(fastest);
    std::vector<PlanSpeed> speeds(plan_.pools.size() * plan_.num_levels);
    for (const TrainedOn& on : gang.pools)
        for (std::size_t level = 0; level < plan_.num_levels; ++level) {
            const StepTime& step =
                places_.has_levels() ? on.step_of(places_.own_level(on.pool, level)) : on.step;
            speeds[on.pool * plan_.num_levels + level] =
                plan_speed(fastest / on.total_of(step), stall_shares(step), on.gpus);
        }
    gang.plan_class =
        add_class_row(plan_, static_cast<std::uint16_t>(gang.job_class), speeds, spec.place);
}

void TrainedClasses::report(const TrainedGang& gang, std::uint32_t gpus) {
    const TrainingSpec& spec = scenario_.classes[gang.job_class].training;
    std::vector<std::string> reasons;
    for (const RefusedPool& refused : gang.refused)
        reasons.push_back(
            fmt::format("pool {}: {}", scenario_.fleet[refused.pool].name, refused.why));
    Finding finding = mistake(fmt::format("{} cannot be trained on {} GPUs of any pool it may use",
                                          name(*spec.model),
                                          gpus),
                              fmt::format("{}", fmt::join(reasons, "; ")));
    const Written written = place_of(spec, gang.refused);
    finding.place = written.place;
    finding.path = written.path;
    findings_.push_back(std::move(finding));
}

std::vector<TrainedGang> TrainedClasses::take() {
    std::vector<TrainedGang> gangs;
    for (auto& [key, gang] : gangs_)
        if (!gang.pools.empty())
            gangs.push_back(std::move(gang));
    return gangs;
}

}} // namespace bursar::scenarios
