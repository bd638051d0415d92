#include "scenarios/compile/jobs/shared_gpus.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "policies/allocator/fifo_perf.hpp"

#include "scenarios/compile/speeds/plan_speed.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// Whether jobs of a class stop at once and keep all their work.
bool stops_freely(const PlanClass& one) {
    return one.num_forms == 0 && one.checkpoint == Checkpoint::on_preempt &&
           one.save == Duration{} && one.write == Duration{} && one.teardown == Duration{};
}

/// The speed of a job beside another one. alone: its speed on the whole gang, of that many slots.
PlanSpeed beside(const PlanSpeed& alone, std::int64_t slots, double ratio) {
    StallShares shares{};
    for (std::size_t stall = 0; stall < num_stalls; ++stall)
        shares[stall] = std::min(ratio, 1.0) * static_cast<double>(alone.stalled_slots[stall]) /
                        static_cast<double>(slots);
    shares[static_cast<std::size_t>(Stall::interference)] = std::max(1 - ratio, 0.0);
    return plan_speed_on(slots / 2,
                         ratio * static_cast<double>(alone.speed) /
                             static_cast<double>(reference_speed),
                         shares);
}

/// By pool and level.
std::vector<PlanSpeed> speeds_of(const Plan& plan, std::uint16_t plan_class) {
    const std::size_t num = plan.pools.size() * plan.num_levels;
    std::vector<PlanSpeed> speeds(num);
    if (const std::uint16_t row = plan.classes[plan_class].speed_row; row != 0)
        std::copy_n(plan.speeds.begin() + static_cast<std::ptrdiff_t>((row - 1U) * num),
                    num,
                    speeds.begin());
    return speeds;
}

} // namespace

SharedGpus::SharedGpus(const Scenario& scenario)
    : scenario_{scenario}, is_on_{scenario.policy.allocator_options.value(packing_option) == 1} {}

void SharedGpus::add(const RunKind* kind) {
    if (is_on_)
        job_types_.push_back(kind == nullptr ? 0 : kind->job_type);
}

SharedGpus::Kinds SharedGpus::kinds_of(const Plan& plan) const {
    Kinds kinds;
    for (std::size_t job = 0; job < job_types_.size(); ++job) {
        const JobShape& shape = plan.shapes[plan.shape[job]];
        const bool is_plain = shape.gpus > 0 && shape.gpu_slots == slots_per_gpu &&
                              shape.cpu_milli == 0 && shape.memory_mib == 0;
        if (job_types_[job] > 0 && is_plain && stops_freely(plan.classes[plan.job_class[job]]))
            kinds[{plan.job_class[job], plan.shape[job], job_types_[job]}].push_back(job);
    }
    return kinds;
}

std::uint64_t SharedGpus::pools_of(const Plan& plan, const Alike& one, const Alike& other) const {
    const JobShape& first = plan.shapes[one.shape];
    const JobShape& second = plan.shapes[other.shape];
    std::uint64_t pools = first.permitted_pools & second.permitted_pools;
    if (first.gpus != second.gpus || first.required_level != second.required_level)
        return 0;
    const ThroughputTable& measured = *scenario_.run_times.measured;
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        const std::string& gpu = scenario_.fleet[pool].gpu;
        const auto runs = [&](const Alike& of, const Alike& with) {
            return measured.shared_ratio(of.job_type, with.job_type, gpu, first.gpus).value_or(0) >
                   0;
        };
        if (!runs(one, other) || !runs(other, one))
            pools &= ~(std::uint64_t{1} << pool);
    }
    return pools;
}

std::vector<PlanSpeed> SharedGpus::speeds_beside(const Plan& plan,
                                                 const Alike& one,
                                                 const Alike& other,
                                                 std::uint64_t pools) const {
    std::vector<PlanSpeed> speeds = speeds_of(plan, one.plan_class);
    const JobShape& shape = plan.shapes[one.shape];
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        const double ratio =
            (pools >> pool & 1U) == 0
                ? 1
                : *scenario_.run_times.measured->shared_ratio(
                      one.job_type, other.job_type, scenario_.fleet[pool].gpu, shape.gpus);
        for (std::size_t level = 0; level < plan.num_levels; ++level) {
            PlanSpeed& speed = speeds[pool * plan.num_levels + level];
            speed = beside(speed, shape.slots(), ratio);
        }
    }
    return speeds;
}

/// A class as `like`, with other speeds.
std::uint16_t SharedGpus::add_class(Compiled& compiled,
                                    std::uint16_t like,
                                    const std::vector<PlanSpeed>& speeds) const {
    const std::uint16_t of_scenario = compiled.scenario_class[like];
    const std::uint16_t added = add_class_row(compiled.plan, like, speeds, {scenario_.file, 0, 0});
    compiled.scenario_class.resize(compiled.plan.classes.size(), of_scenario);
    return added;
}

/// The shape of jobs with half of each of their GPUs.
std::uint16_t SharedGpus::add_half(Plan& plan, std::uint16_t shape) const {
    if (plan.shapes.size() == 0x10000)
        fail_input({scenario_.file, 0, 0}, "policy", mistake("more than 65,536 shapes of jobs"));
    plan.shapes.push_back(plan.shapes[shape]);
    plan.shapes.back().gpu_slots = slots_per_gpu / 2;
    return static_cast<std::uint16_t>(plan.shapes.size() - 1);
}

void SharedGpus::put(Compiled& compiled) const {
    if (!is_on_)
        return;
    struct Sharing {
        Alike one, other;
        std::uint64_t pools{};
    };
    Plan& plan = compiled.plan;
    const Kinds kinds = kinds_of(plan);
    std::vector<Sharing> pairs;
    for (const auto& [one, jobs] : kinds)
        for (const auto& [other, others] : kinds)
            if (const std::uint64_t pools = pools_of(plan, one, other); pools != 0)
                pairs.push_back({one, other, pools});
    std::map<Alike, std::uint16_t> class_of;
    std::map<std::uint16_t, std::uint16_t> half_of; // by shape
    for (const Sharing& pair : pairs) {             // each job is the first of a pair, too
        if (class_of.contains(pair.one))
            continue;
        const std::uint16_t own =
            add_class(compiled, pair.one.plan_class, speeds_of(plan, pair.one.plan_class));
        class_of[pair.one] = own;
        for (const std::size_t job : kinds.at(pair.one))
            plan.job_class[job] = own;
        if (!half_of.contains(pair.one.shape))
            half_of[pair.one.shape] = add_half(plan, pair.one.shape);
    }
    for (const Sharing& pair : pairs)
        plan.pairs.push_back(
            {.job_class = class_of[pair.one],
             .partner = class_of[pair.other],
             .shape = half_of[pair.one.shape],
             .paired_class = add_class(compiled,
                                       pair.one.plan_class,
                                       speeds_beside(plan, pair.one, pair.other, pair.pools)),
             .pools = pair.pools});
    std::ranges::sort(plan.pairs, {}, [](const PlanPair& pair) {
        return std::pair{pair.job_class, pair.partner};
    });
    note(!pairs.empty(), compiled);
}

void SharedGpus::note(bool some_share, Compiled& compiled) const {
    const std::string& file = scenario_.run_times.measured->file();
    if (some_share)
        compiled.notes.assumed.push_back(fmt::format(
            "packing: jobs whose types {} has pairs of may share GPUs; each of two then "
            "has half of them, and what it is slower than alone is stall.interference",
            file));
    else
        compiled.notes.warnings.push_back(
            fmt::format("policy.allocator: packing has no effect (no two jobs that may share GPUs "
                        "were measured together in {})",
                        file));
}

}} // namespace bursar::scenarios
