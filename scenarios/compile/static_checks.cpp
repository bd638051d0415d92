#include "scenarios/compile/static_checks.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "sim/engine/nodes/ideal_run.hpp"

#include "scenarios/compile/jobs/late_jobs.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/scenario/policy_text.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// By class of the scenario, the pools that its jobs may use now or later.
std::vector<std::uint64_t> usable_pools(const Scenario& scenario, const Compiled& compiled) {
    const Plan& plan = compiled.plan;
    std::vector<std::uint64_t> pools(scenario.classes.size());
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        const JobShape& shape = plan.shapes[plan.shape[job]];
        std::uint64_t& usable = pools[compiled.scenario_class[plan.job_class[job]]];
        usable |= shape.permitted_pools;
        if (shape.fallback != 0)
            usable |= plan.fallbacks[shape.fallback - 1U].late_pools;
    }
    return pools;
}

bool could_save(const CheckpointSpec& checkpoint, const PoolSpec& pool) {
    if (!pool.availability || pool.availability->notice == Duration{})
        return false;
    return checkpoint.kind != Checkpoint::none &&
           !saves_at_stop(checkpoint.kind, StopCause::reclaimed) &&
           checkpoint.save + checkpoint.write <= pool.availability->notice;
}

/// Warnings about classes that do not save on a notice although it is long enough: their jobs lose
/// work that they could keep. compiled: with its jobs.
std::vector<std::string> unsaved_notices(const Scenario& scenario, const Compiled& compiled) {
    if (scenario.classes.empty())
        return {};
    const std::vector<std::uint64_t> usable = usable_pools(scenario, compiled);
    std::vector<std::string> warnings;
    for (std::size_t number = 0; number < usable.size(); ++number)
        for (std::size_t p = 0; p < scenario.fleet.size(); ++p) {
            const ClassSpec& spec = scenario.classes[number];
            const PoolSpec& pool = scenario.fleet[p];
            if ((usable[number] >> p & 1U) == 0 || !spec.checkpoint ||
                !could_save(*spec.checkpoint, pool))
                continue;
            Finding finding =
                mistake(fmt::format("jobs do not save as pool {} takes its nodes back, and lose "
                                    "what they have done since their last save",
                                    pool.name),
                        fmt::format("its notice of {} is long enough for a save of {}",
                                    duration_text(pool.availability->notice),
                                    duration_text(spec.checkpoint->save + spec.checkpoint->write)),
                        fmt::format("`when: [{}, on-notice]`",
                                    spec.checkpoint->young_daly ? "young-daly" : "every"));
            finding.place = spec.place;
            finding.path = fmt::format("workload.classes[{}].checkpoint", number);
            warnings.push_back(finding.text());
        }
    return warnings;
}

/// Upper bound on the nodes of a pool from an instant on. It is a bound because a broken node may
/// also be one that is not available.
class NodesAhead {
  public:
    NodesAhead(const Plan& plan, std::size_t pool, bool is_known_in_full)
        : all_{plan.pools[pool].num_nodes}, supply_{all_}, causes_(all_) {
        steps_.emplace_back(0, all_);
        for (const WorldEvent& event : plan.world)
            if (event.pool() == pool && (!plan.until || event.time_ms < plan.until->count()))
                follow(event);
        if (!plan.until && !is_known_in_full)
            note(steps_.back().first + 1, all_);
        for (std::size_t i = steps_.size() - 1; i > 0; --i)
            steps_[i - 1].second = std::max(steps_[i - 1].second, steps_[i].second);
    }

    /// The most nodes from an instant on.
    [[nodiscard]] std::uint32_t most_from(std::int64_t time_ms) const {
        const auto next = std::ranges::upper_bound(steps_, time_ms, {}, &Step::first);
        return std::prev(next)->second;
    }

  private:
    using Step = std::pair<std::int64_t, std::uint32_t>;

    void follow(const WorldEvent& event) {
        if (event.is<SupplyChange>())
            supply_ = event.as<SupplyChange>().num_nodes;
        else if (event.is<NodeOffline>())
            away_ += causes_[event.as<NodeOffline>().node]++ == 0 ? 1 : 0;
        else if (event.is<NodeOnline>())
            away_ -= --causes_[event.as<NodeOnline>().node] == 0 ? 1 : 0;
        else
            return;
        note(event.time_ms, std::min(supply_, all_ - away_));
    }
    void note(std::int64_t time_ms, std::uint32_t nodes) {
        if (steps_.back().first == time_ms)
            steps_.back().second = nodes;
        else
            steps_.emplace_back(time_ms, nodes);
    }

    std::uint32_t all_;
    std::uint32_t supply_;
    std::uint32_t away_{};
    std::vector<std::uint8_t> causes_; ///< by node: number of causes that keep it out of service
    std::vector<Step> steps_;
};

/// Whether the availability of a pool is known in full, whatever the length of the run.
bool is_known_in_full(const PoolSpec& pool) {
    return pool.availability &&
           (pool.availability->file || (pool.availability->bid && !pool.drawn_price));
}

/// Jobs that never get their nodes.
struct Starved {
    std::size_t first{};
    std::uint64_t num{};
    std::uint32_t nodes{}; ///< nodes that its largest pool has at a time
    std::size_t pool{};
};

Finding finding_of(const Scenario& scenario,
                   const Plan& plan,
                   const Labels& labels,
                   const Starved& starved) {
    const PoolSpec& pool = scenario.fleet[starved.pool];
    const bool is_offer = pool.availability.has_value();
    Finding finding =
        mistake(fmt::format("{} can never run; the first is \"{}\", of {} GPU{}",
                            starved.num == 1 ? "a job" : fmt::format("{} jobs", starved.num),
                            labels.job(starved.first),
                            plan.gpus(starved.first),
                            plan.gpus(starved.first) == 1 ? "" : "s"),
                fmt::format("of the nodes of {}, {} GPU{} each, no more than {} {} at a time {}",
                            pool.name,
                            pool.gpus_per_node,
                            pool.gpus_per_node == 1 ? "" : "s",
                            starved.nodes,
                            is_offer ? "can be had" : "work",
                            plan.until ? "in this run" : "from its submit on"));
    finding.place = is_offer ? pool.availability->place : pool.place;
    finding.path = fmt::format("fleet.{}{}", pool.name, is_offer ? ".availability" : "");
    return finding;
}

/// Whether every pool can have all its nodes.
bool has_all(const Plan& plan, const std::vector<std::uint32_t>& most) {
    for (std::size_t pool = 0; pool < most.size(); ++pool)
        if (most[pool] < plan.pools[pool].num_nodes)
            return false;
    return true;
}

/// The pool with most nodes, if no pool ever has enough for a job.
std::optional<std::size_t>
lacks_nodes(const Plan& plan, const JobShape& shape, const std::vector<std::uint32_t>& most) {
    std::uint64_t usable = shape.permitted_pools;
    if (shape.fallback != 0)
        usable |= plan.fallbacks[shape.fallback - 1U].late_pools;
    if ((usable & pools_that_hold(plan, shape, most)) != 0)
        return std::nullopt;
    usable &= pools_that_hold(plan, shape);
    auto best = static_cast<std::size_t>(std::countr_zero(usable));
    for (std::size_t pool = best; pool < most.size(); ++pool)
        if ((usable >> pool & 1U) != 0 && most[pool] > most[best])
            best = pool;
    return best;
}

/// Warnings about jobs that cannot start in this run because their pools never have enough nodes at
/// a time, as far as the world is known before the run. A run with an end is checked as a whole, a
/// run without one from the submit of each job on. After the end of its file, availability stays
/// constant. plan: with its world and its end.
std::vector<std::string>
starved_jobs(const Scenario& scenario, const Plan& plan, const Labels& labels) {
    if (plan.world.empty())
        return {};
    std::vector<NodesAhead> ahead;
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
        ahead.emplace_back(plan, pool, is_known_in_full(scenario.fleet[pool]));
    std::map<std::size_t, Starved> by_pool;
    std::vector<std::uint32_t> most(plan.pools.size());
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        for (std::size_t pool = 0; pool < most.size(); ++pool)
            most[pool] = ahead[pool].most_from(plan.until ? 0 : plan.submit_ms[job]);
        if (has_all(plan, most)) {
            if (plan.until)
                break; // the same for every job
            continue;
        }
        if (const auto pool = lacks_nodes(plan, plan.shapes[plan.shape[job]], most))
            ++by_pool.try_emplace(*pool, Starved{job, 0, most[*pool], *pool}).first->second.num;
    }
    std::vector<std::string> warnings;
    for (const auto& [pool, starved] : by_pool)
        warnings.push_back(finding_of(scenario, plan, labels, starved).text());
    return warnings;
}

/// "125 h", "40 s": in a unit of scenarios; long ones with four digits.
std::string span_text(Duration span) {
    return span < hour
               ? duration_text(span)
               : fmt::format("{:.4g} h",
                             static_cast<double>(span.count()) / static_cast<double>(hour.count()));
}

/// Jobs of a class that must miss their deadline.
struct TightJobs {
    std::size_t first{};
    Duration needs{}; ///< of the first
    Duration has{};   ///< of the first: from its submit to its deadline
    std::uint64_t num{};
};

/// A deadline that is not of the class `number` is of the rows of the workload.
Finding finding_of(const Scenario& scenario,
                   std::uint16_t number,
                   const Labels& labels,
                   const TightJobs& tight,
                   bool is_drawn) {
    Finding finding;
    if (is_drawn) // drawn jobs: which ones depends on the seed
        finding = mistake("some jobs cannot meet their deadline",
                          fmt::format("they need longer than {} on the fastest pool that they may "
                                      "use",
                                      span_text(tight.has)));
    else
        finding = mistake(fmt::format("{} cannot meet {} deadline; the first is \"{}\"",
                                      tight.num == 1 ? "a job" : fmt::format("{} jobs", tight.num),
                                      tight.num == 1 ? "its" : "their",
                                      labels.job(tight.first)),
                          fmt::format("it needs {} on the fastest pool that it may use, and has {}",
                                      span_text(tight.needs),
                                      span_text(tight.has)));
    const bool of_class =
        number < scenario.classes.size() && scenario.classes[number].deadline.has_value();
    finding.place = of_class ? scenario.classes[number].place : Place{scenario.file};
    finding.path =
        of_class ? fmt::format("workload.classes[{}].deadline", number) : "workload.trace";
    return finding;
}

/// Warnings about classes whose jobs cannot meet their deadlines. They need longer even if they
/// start at once, on the fastest pool that they may use, and nothing interrupts them. Saves are not
/// counted. compiled: with its jobs.
std::vector<std::string> tight_deadlines(const Scenario& scenario, const Compiled& compiled) {
    const Plan& plan = compiled.plan;
    if (plan.deadline_ms.empty())
        return {};
    std::map<std::uint16_t, TightJobs> by_class;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        if (plan.deadline_ms[job] == no_deadline_ms || plan.end[job] == JobEnd::rejected)
            continue;
        const Duration needs = least_time(scenario, plan, job, plan.work_ms[job]);
        const Duration has{plan.deadline_ms[job] - plan.submit_ms[job]};
        if (needs <= has)
            continue;
        const std::uint16_t number = compiled.scenario_class[plan.job_class[job]];
        ++by_class.try_emplace(number, TightJobs{job, needs, has, 0}).first->second.num;
    }
    const bool is_drawn = std::holds_alternative<SyntheticSpec>(scenario.workload);
    std::vector<std::string> warnings;
    for (const auto& [number, tight] : by_class)
        warnings.push_back(finding_of(scenario, number, compiled.labels, tight, is_drawn).text());
    return warnings;
}

} // namespace

std::vector<std::string> static_checks(const Scenario& scenario, const Compiled& compiled) {
    std::vector<std::string> out = starved_jobs(scenario, compiled.plan, compiled.labels);
    for (const std::vector<std::string>& more :
         {tight_deadlines(scenario, compiled), unsaved_notices(scenario, compiled)})
        out.insert(out.end(), more.begin(), more.end());
    return out;
}

std::vector<std::string> cold_start(const Scenario& scenario, const Trace& trace) {
    const auto* const workload = std::get_if<TraceWorkload>(&scenario.workload);
    if (workload == nullptr || trace.num_cut_off == 0 || scenario.measure_from > Duration{})
        return {};
    const TraceOptions& options = **workload;
    return {at_option(options,
                      "select.from",
                      mistake("the run begins with an empty cluster, so waits are too short",
                              fmt::format("{} job{} submitted before {} would still be running",
                                          trace.num_cut_off,
                                          trace.num_cut_off == 1 ? "" : "s",
                                          *options.select.from),
                              "begin a week earlier, and give `measure: {from: 7 d}`"))
                .text()};
}

}} // namespace bursar::scenarios
