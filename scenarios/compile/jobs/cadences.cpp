#include "scenarios/compile/jobs/cadences.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/reliability/checkpoint_interval.hpp"

#include "sim/plan/plan_view.hpp"

#include "policies/broker/pool_orders.hpp"

#include "scenarios/compile/features/gang_risks.hpp"
#include "scenarios/compile/features/job_failures.hpp"
#include "scenarios/compile/speeds/plan_speed.hpp"
#include "scenarios/errors/fail_input.hpp"

namespace bursar { inline namespace scenarios {
namespace {

Seconds seconds(Duration span) {
    return Seconds{static_cast<double>(span.count()) / 1000};
}

/// Three digits, for messages.
std::string about(double hours) {
    if (hours >= 48)
        return fmt::format("{:.3g} d", hours / 24);
    if (hours >= 1)
        return fmt::format("{:.3g} h", hours);
    return hours >= 1.0 / 60 ? fmt::format("{:.3g} min", hours * 60)
                             : fmt::format("{:.3g} s", hours * 3600);
}
double hours(Duration span) {
    return static_cast<double>(span.count()) / static_cast<double>(hour.count());
}

/// Time that one save takes from work, the mean over full saves and increments, and time of its
/// background write: that of a full save, an upper bound, as the next save waits for it.
CheckpointCost cost_of(const CheckpointSpec& spec) {
    const auto full_every = static_cast<double>(spec.full_every);
    const Seconds mean =
        (seconds(spec.save) + seconds(spec.increment) * (full_every - 1)) / full_every;
    return {mean, seconds(spec.write), 0};
}

std::string gpus_text(std::uint32_t gpus) {
    return gpus == 1 ? "1 GPU" : fmt::format("{} GPUs", gpus);
}

} // namespace

bool Cadences::chooses(std::uint16_t job_class) const {
    if (job_class >= scenario_.classes.size())
        return false;
    const ClassSpec& spec = scenario_.classes[job_class];
    return spec.checkpoint && spec.checkpoint->young_daly;
}

std::uint16_t Cadences::row_of(std::uint16_t plan_class,
                               std::uint16_t job_class,
                               std::uint32_t gpus,
                               std::uint64_t permitted) {
    if (!chooses(job_class))
        return plan_class;
    const auto [known, is_new] = rows_.try_emplace({plan_class, gpus}, plan_class);
    if (!is_new)
        return known->second;
    const ClassSpec& spec = scenario_.classes[job_class];
    const std::size_t num_pools = plan_.pools.size();
    // Rows behind those of the classes belong to one gang size already.
    if (plan_class < scenario_.classes.size())
        known->second = add_class_row(
            plan_, plan_class, std::vector<PlanSpeed>(num_pools * plan_.num_levels), spec.place);
    PlanClass& row = plan_.classes[known->second];
    row.interval = Duration{};
    // by purchase: the broker is planned later
    for (const std::uint16_t pool : pools_by_purchase(plan_)) {
        const Choice choice = choose(spec, gpus, pool);
        for (std::size_t level = 0; level < plan_.num_levels; ++level)
            plan_.speeds[((row.speed_row - 1U) * num_pools + pool) * plan_.num_levels + level]
                .interval_ms = choice.interval.count();
        if ((permitted >> pool & 1U) == 0)
            continue;
        if (row.interval == Duration{})
            row.interval = choice.interval;
        chosen_[{job_class, pool}][gpus] = choice;
    }
    return known->second;
}

std::uint16_t
Cadences::row_every(std::uint16_t plan_class, std::uint16_t job_class, Duration interval) {
    const auto [known, is_new] = rows_every_.try_emplace({plan_class, interval}, plan_class);
    if (!is_new)
        return known->second;
    const Place place =
        scenario_.classes.empty() ? Place{scenario_.file} : scenario_.classes[job_class].place;
    if (plan_.classes.size() == 0x10000)
        fail_input(place,
                   "workload.trace",
                   mistake("more than 65,536 distinct pairs of a class and a time between saves",
                           "column `checkpoint` of the trace"));
    if (const std::uint16_t speeds_of = plan_.classes[plan_class].speed_row; speeds_of == 0) {
        known->second = static_cast<std::uint16_t>(plan_.classes.size());
        plan_.classes.push_back(PlanClass{plan_.classes[plan_class]});
    } else { // the same speeds, without the intervals that were chosen for a gang
        const std::size_t size = plan_.pools.size() * plan_.num_levels;
        const auto first =
            plan_.speeds.begin() + static_cast<std::ptrdiff_t>((speeds_of - 1U) * size);
        std::vector<PlanSpeed> speeds{first, first + static_cast<std::ptrdiff_t>(size)};
        for (PlanSpeed& speed : speeds)
            speed.interval_ms = 0;
        known->second = add_class_row(plan_, plan_class, speeds, place);
    }
    PlanClass& row = plan_.classes[known->second];
    row.interval = interval;
    row.checkpoint = row.checkpoint == Checkpoint::on_preempt  ? Checkpoint::every_on_preempt
                     : row.checkpoint == Checkpoint::on_notice ? Checkpoint::every_on_notice
                     : row.checkpoint == Checkpoint::none      ? Checkpoint::every
                                                               : row.checkpoint;
    return known->second;
}

Cadences::Choice
Cadences::choose(const ClassSpec& spec, std::uint32_t gpus, std::size_t pool) const {
    const PoolSpec& on = scenario_.fleet[pool];
    const CheckpointSpec& checkpoint = *spec.checkpoint;
    const auto gpus_per_node = static_cast<std::uint32_t>(on.gpus_per_node);
    const std::uint32_t nodes = std::min(std::max((gpus + gpus_per_node - 1) / gpus_per_node, 1U),
                                         static_cast<std::uint32_t>(on.nodes));
    Choice choice{Duration{horizon_ms}, 0};
    const GangRisk risk =
        gang_risk_of(scenario_, pool, zero_utc_ms_, nodes, static_cast<std::uint32_t>(on.nodes));
    const bool saves_in_time = saves_at_stop(checkpoint.kind, StopCause::reclaimed) &&
                               checkpoint.save + checkpoint.write <= risk.notice;
    const double own =
        static_cast<double>(own_failures(scenario_, catalogue_, spec, pool).rate(gpus)) / 1e9;
    choice.interruptions_per_hour = own + risk.failures + (saves_in_time ? 0 : risk.reclaims);
    if (choice.interruptions_per_hour <= 0)
        return choice;
    const CheckpointCost cost = cost_of(checkpoint);
    const Seconds mtbf{3600 / choice.interruptions_per_hour};
    const Seconds best = cost.blocking > Seconds{} ? daly_interval(cost.blocking, mtbf) : Seconds{};
    const double ms = 1000 * std::max(best, min_interval(cost)).count();
    choice.interval = Duration{
        static_cast<std::int64_t>(std::clamp(std::ceil(ms), 1.0, static_cast<double>(horizon_ms)))};
    return choice;
}

std::string Cadences::text_of(std::uint16_t job_class,
                              std::size_t pool,
                              const std::map<std::uint32_t, Choice>& chosen) const {
    const std::string where = fmt::format(
        "workload.classes[{}] on pool {}: young-daly ", job_class, scenario_.fleet[pool].name);
    const auto one = [](const auto& of) {
        return fmt::format("every {} at work ({}, interrupted every {})",
                           about(hours(of.second.interval)),
                           gpus_text(of.first),
                           about(1 / of.second.interruptions_per_hour));
    };
    if (chosen.rbegin()->second.interruptions_per_hour <= 0)
        return where + "never saves: nothing that it knows of interrupts them there unsaved";
    if (chosen.size() == 1)
        return where + "saves " + one(*chosen.begin());
    return where + "saves " + one(*chosen.begin()) + " to " + one(*chosen.rbegin());
}

std::vector<std::string> Cadences::assumed() const {
    std::vector<std::string> notes;
    for (const auto& [where, chosen] : chosen_)
        notes.push_back(text_of(where.first, where.second, chosen));
    if (notes.empty())
        return notes;
    notes.emplace_back("young-daly knows of failures and of reclaims, not of preemptions and "
                       "maintenance");
    for (std::size_t pool = 0; pool < scenario_.fleet.size(); ++pool)
        if (const auto& supply = scenario_.fleet[pool].availability)
            notes.push_back(fmt::format("pool {}: young-daly takes reclaims as often as {}, of a "
                                        "full pool",
                                        scenario_.fleet[pool].name,
                                        supply->file ? "its file has them, after the run's time too"
                                        : supply->bid ? "its price passes the bid"
                                                      : "its law has them"));
    return notes;
}

}} // namespace bursar::scenarios
