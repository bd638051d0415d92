#include <algorithm>
#include <cassert>
#include <map>
#include <tuple>

#include "models/market/billing.hpp"
#include "models/market/price_series.hpp"

#include "sim/engine/nodes/ideal_run.hpp"
#include "sim/plan/labels.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/plan_view.hpp"
#include "sim/plan/work_pattern.hpp"
#include "sim/record/outcome.hpp"
#include "sim/record/teardowns.hpp"

#include "reports/errors/report_error.hpp"
#include "reports/result/check_books.hpp"
#include "reports/result/finish_time_fairness.hpp"
#include "reports/result/result.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

std::vector<std::string> valid_utf8(std::vector<std::string> texts) {
    for (std::string& text : texts)
        text = bursar::valid_utf8(text);
    return texts;
}

RunFacts valid_utf8(RunFacts facts) {
    for (std::string* text : {&facts.version, &facts.scenario_name, &facts.scenario_text})
        *text = bursar::valid_utf8(*text);
    for (const PolicyLabel& label : policy_labels)
        facts.policy.*label.text = bursar::valid_utf8(facts.policy.*label.text);
    for (std::vector<std::string>* texts : {&facts.price_basis,
                                            &facts.warnings,
                                            &facts.decisive,
                                            &facts.assumed,
                                            &facts.unmodelled,
                                            &facts.trace_notes})
        *texts = valid_utf8(std::move(*texts));
    if (facts.currency)
        for (std::string* text :
             {&facts.currency->code, &facts.currency->day, &facts.currency->source})
            *text = bursar::valid_utf8(*text);
    for (OtherCost& other : facts.other_costs)
        other.name = bursar::valid_utf8(other.name);
    return facts;
}

/// The price of a pool until the last instant that is paid for.
PoolPrice price_of(const Plan& plan, std::size_t p, Duration end) {
    const PlanPool& pool = plan.pools[p];
    if (!pool.has_series())
        return PoolPrice{pool.rate};
    Duration paid = billed(end, pool.billing_step);
    if (!plan.provisioning.empty() &&
        !plan.provisioning[p].is_fixed) { // may be launched at the end
        const Duration least{std::max<std::int64_t>(plan.provisioning[p].min_paid_ms, 1)};
        paid = end + billed(least, pool.billing_step);
    }
    return PoolPrice::until(paid, plan.prices.series_at(pool.price_series));
}

std::optional<ResultNodes> nodes_of(const Plan& plan, const Outcome& outcome, std::size_t pool) {
    if (outcome.nodes.empty())
        return std::nullopt;
    const PoolNodesUsed& used = outcome.nodes[pool];
    const PlanProvisioning rule =
        plan.provisioning.empty() ? PlanProvisioning{} : plan.provisioning[pool];
    return ResultNodes{!rule.is_fixed,
                       used.least_launched,
                       used.most_launched,
                       rule.is_fixed ? 0 : rule.first_nodes,
                       rule.is_fixed ? 0 : rule.min_nodes,
                       used.num_launches,
                       used.num_reclaimed,
                       used.num_failures,
                       used.num_failed_launches};
}

std::vector<ResultPool> pools_of(const Plan& plan, const Labels& labels, const Outcome& outcome) {
    std::vector<ResultPool> out;
    for (std::size_t p = 0; p < plan.pools.size(); ++p) {
        const PlanPool& pool = plan.pools[p];
        out.push_back({bursar::valid_utf8(labels.pools[p]),
                       bursar::valid_utf8(labels.pool_gpus[p]),
                       bursar::valid_utf8(labels.pool_regions[p]),
                       pool.purchase,
                       pool.num_nodes,
                       pool.gpus_per_node,
                       price_of(plan, p, outcome.end),
                       nodes_of(plan, outcome, p),
                       plan.energy.empty() ? std::nullopt : std::optional{plan.energy[p]}});
    }
    return out;
}

std::vector<ResultCell> cells_of(const Plan& plan, const Outcome& outcome) {
    std::vector<ResultCell> out;
    for (std::uint32_t pool = 0; pool < outcome.num_pools; ++pool) {
        for (std::uint32_t tenant = 0; tenant <= outcome.num_tenants; ++tenant) {
            for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) {
                const std::size_t at = outcome.index(pool, tenant, static_cast<Leaf>(leaf));
                const SlotTime held = outcome.cells[at];
                if (held == SlotTime{})
                    continue;
                const Money cost =
                    outcome.money.empty() ? plan.pools[pool].rate * held : outcome.money[at];
                ResultCell cell{pool, tenant, static_cast<Leaf>(leaf), held, cost};
                if (tenant == outcome.num_tenants)
                    cell.tenant.reset();
                out.push_back(cell);
            }
        }
    }
    return out;
}

/// Adds grids that change, and what the cells of their pools held of them.
void add_grids(const Plan& plan, const Outcome& outcome, Result& result) {
    for (std::size_t pool = 0; pool < plan.grid.series.size(); ++pool) {
        const std::uint16_t series = plan.grid.series[pool];
        if (series == PlanMeter::no_series)
            continue;
        PoolPrice grid = PoolPrice::until(result.end, plan.grid.integrals.series_at(series));
        if (grid.varies())
            result.pools[pool].grid = std::move(grid);
        else // over the run it does not
            result.pools[pool].energy->grid = GridIntensity{grid.rate()->count()};
    }
    for (ResultCell& cell : result.cells)
        if (result.pools[cell.pool].grid)
            cell.grid = outcome.grid[outcome.index(
                cell.pool, cell.tenant.value_or(plan.num_tenants), cell.leaf)];
}

JobState state_of(JobPhase phase, JobEnd end) {
    switch (phase) {
    case JobPhase::queued:
        return JobState::queued;
    case JobPhase::running:
        return JobState::running;
    case JobPhase::not_submitted:
        return JobState::not_submitted;
    case JobPhase::preempted:
        return JobState::preempted;
    case JobPhase::dropped:
        return JobState::dropped;
    case JobPhase::dependent:
        return end == JobEnd::rejected ? JobState::rejected : JobState::dependent;
    case JobPhase::finished:
        break;
    }
    switch (end) {
    case JobEnd::completed:
        return JobState::completed;
    case JobEnd::failed:
        return JobState::failed;
    case JobEnd::cancelled:
        return JobState::cancelled;
    case JobEnd::stopped:
        return JobState::stopped;
    case JobEnd::node_failed:
    case JobEnd::rejected: // never finishes
        break;
    }
    return JobState::node_failed;
}

/// Copies the names, each as valid UTF-8.
void copy_names(const Labels& labels, JobColumns& out) {
    std::string all = bursar::valid_utf8(labels.job_names);
    if (all == labels.job_names) {
        out.names = std::move(all);
        out.name_end = labels.job_name_end;
        return;
    }
    for (std::size_t job = 0; job < labels.job_name_end.size(); ++job) {
        out.names += bursar::valid_utf8(labels.job(job));
        out.name_end.push_back(out.names.size());
    }
}

/// Time at work of the last attempt of `job`. done: reference work of earlier attempts. lead:
/// before its work. teardown: that it made, if it has finished.
std::int64_t work_of(const Plan& plan,
                     const PlanView& view,
                     const JobRows& rows,
                     std::size_t job,
                     JobState state,
                     std::int64_t until,
                     std::int64_t done,
                     Duration lead,
                     Duration teardown) {
    if (state == JobState::preempted)
        return 0;
    const std::uint16_t own = rows.last_form(plan, job).job_class;
    const std::int64_t held = until - rows.last_start(job);
    const std::int64_t offset = std::max<std::int64_t>(held - lead.count() - teardown.count(), 0);
    const std::int64_t worked = view.pattern(own, PoolId{rows.pool[job]}).at_work(offset);
    if (has_finished(state))
        return worked;
    const PlanSpeed* speed =
        plan.speed_by_class(own, rows.pool[job], rows.level.empty() ? 0 : rows.level[job]);
    const std::int64_t left = plan.work_ms[job] - done;
    return std::min(worked, // it may be in its teardown
                    speed == nullptr ? left : elapsed_ms(left, speed->speed));
}

/// The level without the mark for slow nodes.
std::uint8_t locality_of(const Plan& plan, std::uint8_t level) {
    return static_cast<std::uint8_t>(level % plan.num_levels);
}

std::vector<std::int64_t> waits_for(const std::vector<WaitTimes>& waits, WaitReason reason) {
    std::vector<std::int64_t> out;
    out.reserve(waits.size());
    for (const WaitTimes& wait : waits)
        out.push_back(wait[static_cast<std::size_t>(reason)]);
    const bool has_any = std::ranges::any_of(out, [](std::int64_t ms) { return ms > 0; });
    return has_any || reason == WaitReason::turn ? out : std::vector<std::int64_t>{};
}

JobColumns jobs_of(const Plan& plan, const Labels& labels, const JobRows& rows, Duration end) {
    JobColumns out;
    const std::size_t num_jobs = rows.phase.size();
    if (num_jobs == 0)
        return out;
    assert(num_jobs == plan.num_jobs());
    copy_names(labels, out);
    out.submit_ms = plan.submit_ms;
    out.spared_gpu_ms.resize(labels.spared_gpu_ms.size());
    out.staged_ms = rows.saved_startup_ms();
    for (const std::int64_t eligible_ms : rows.eligible_ms)
        out.eligible_ms.push_back(eligible_ms == JobRows::never_eligible ? end.count()
                                                                         : eligible_ms);
    out.tenant = plan.tenant;
    out.state.resize(num_jobs);
    out.gpus.resize(num_jobs);
    out.pool.resize(num_jobs);
    out.start_ms.resize(num_jobs);
    out.finish_ms.resize(num_jobs);
    out.work_ms.resize(num_jobs);
    if (plan.num_levels > 1)
        for (const std::uint8_t level : rows.level)
            out.level.push_back(locality_of(plan, level));
    for (const PlanForm& form : rows.form) {
        if (!plan.forms.empty())
            out.last_gpus.push_back(plan.shapes[form.shape].gpus);
        if (!plan.pairs.empty())
            out.last_gpu_slots.push_back(plan.shapes[form.shape].gpu_slots);
    }
    for (const std::int64_t start_ms : rows.last_start_ms)
        out.last_start_ms.push_back(std::max<std::int64_t>(start_ms, 0));
    if (!plan.speeds.empty())
        out.stalled_slots.resize(num_jobs);
    const bool shares = std::ranges::any_of(
        plan.shapes, [](const JobShape& shape) { return shape.gpu_slots < slots_per_gpu; });
    if (shares)
        out.gpu_slots.resize(num_jobs);
    for (const std::int64_t deadline_ms : plan.deadline_ms)
        out.deadline_ms.push_back(deadline_ms == no_deadline_ms ? 0 : deadline_ms);
    out.wait_turn_ms = waits_for(rows.waits, WaitReason::turn);
    out.wait_place_ms = waits_for(rows.waits, WaitReason::place);
    out.wait_nodes_ms = waits_for(rows.waits, WaitReason::nodes);
    const std::vector<std::int64_t> done = work_before_last(plan, rows);
    const PlanView view = view_of(plan);
    const Leads leads{plan, rows};
    const Teardowns teardowns{plan, rows};
    for (std::size_t job = 0; job < num_jobs; ++job) {
        const JobState state = state_of(rows.phase[job], plan.end[job]);
        out.state[job] = state;
        const JobShape& shape = plan.shapes[plan.shape[job]];
        out.gpus[job] = shape.gpus;
        if (shares)
            out.gpu_slots[job] = shape.gpu_slots;
        if (state == JobState::dropped)
            out.start_ms[job] = out.finish_ms[job] = rows.finish_ms[job];
        if (!has_started(state))
            continue;
        out.pool[job] = rows.pool[job];
        out.start_ms[job] = rows.start_ms[job];
        if (has_finished(state))
            out.finish_ms[job] = rows.finish_ms[job];
        const std::int64_t until = has_finished(state) ? rows.finish_ms[job] : end.count();
        const std::size_t level = rows.level.empty() ? 0 : rows.level[job];
        const std::uint16_t own = rows.last_form(plan, job).job_class;
        const PlanSpeed* speed = plan.speed_by_class(own, rows.pool[job], level);
        out.work_ms[job] = work_of(plan,
                                   view,
                                   rows,
                                   job,
                                   state,
                                   until,
                                   done.empty() ? 0 : done[job],
                                   leads.of_last(job),
                                   has_finished(state) ? teardowns.of(job) : Duration{});
        if (state == JobState::stopped && !out.spared_gpu_ms.empty()) {
            const std::int64_t spared = labels.spared_gpu_ms[job];
            out.spared_gpu_ms[job] = speed == nullptr ? spared : elapsed_ms(spared, speed->speed);
        }
        if (speed != nullptr && is_kept(state))
            out.stalled_slots[job] = speed->all_stalled_slots();
    }
    for (const StoppedAttempt& attempt : rows.stopped)
        if (out.state[attempt.job] == JobState::dropped) {
            out.pool[attempt.job] = rows.pool[attempt.job];
            out.start_ms[attempt.job] = rows.start_ms[attempt.job];
        }
    return out;
}

StoppedColumns stopped_of(const Plan& plan, const JobRows& rows) {
    const std::vector<StoppedAttempt>& attempts = rows.stopped;
    StoppedColumns out;
    for (const PlanForm& form : rows.stopped_form) {
        if (!plan.forms.empty())
            out.gpus.push_back(plan.shapes[form.shape].gpus);
        if (!plan.pairs.empty())
            out.gpu_slots.push_back(plan.shapes[form.shape].gpu_slots);
    }
    const bool has_causes = std::ranges::any_of(attempts, [](const StoppedAttempt& attempt) {
        return attempt.cause != StopCause::preempted;
    });
    for (std::size_t at = 0; at < attempts.size(); ++at) {
        const StoppedAttempt& attempt = attempts[at];
        out.job.push_back(attempt.job);
        out.pool.push_back(attempt.pool);
        out.level.push_back(locality_of(plan, attempt.level));
        out.start_ms.push_back(attempt.start_ms);
        out.stop_ms.push_back(attempt.stop_ms);
        out.kept_ms.push_back(attempt.kept_ms);
        out.lost_ms.push_back(attempt.lost_ms);
        if (has_causes)
            out.cause.push_back(attempt.cause);
        if (plan.speeds.empty())
            continue;
        const std::uint16_t own = rows.form_of_stopped(plan, at).job_class;
        const PlanSpeed* speed = plan.speed_by_class(own, attempt.pool, attempt.level);
        out.stalled_slots.push_back(speed == nullptr ? 0 : speed->all_stalled_slots());
    }
    return out;
}

PhaseColumns phases_of(const Plan& plan, std::size_t num_jobs) {
    PhaseColumns out;
    std::map<std::tuple<Duration, Duration, Duration, Duration, bool>, std::uint16_t> kinds;
    std::vector<std::uint16_t> kind_of_class;
    for (const PlanClass& own : plan.classes) {
        const bool saves = saves_on_the_way(own.checkpoint);
        const auto [kind, is_new] =
            kinds.try_emplace({own.startup, own.recovery, own.rescale, own.teardown, saves},
                              static_cast<std::uint16_t>(kinds.size()));
        kind_of_class.push_back(kind->second);
        if (!is_new)
            continue;
        out.startup_ms.push_back(own.startup.count());
        out.recovery_ms.push_back(own.recovery.count());
        out.rescale_ms.push_back(own.rescale.count());
        out.teardown_ms.push_back(own.teardown.count());
        out.saves.push_back(saves ? 1 : 0);
    }
    if (plan.forms.empty())
        out.rescale_ms.clear();
    for (std::size_t job = 0; kinds.size() > 1 && job < num_jobs; ++job)
        out.kind.push_back(kind_of_class[plan.job_class[job]]);
    return out;
}

TimelineColumns columns_of(const std::vector<TimelineRow>& rows) {
    TimelineColumns out;
    out.time_ms.reserve(rows.size());
    out.pool.reserve(rows.size());
    out.allocated_slots.reserve(rows.size());
    out.queue_jobs.reserve(rows.size());
    out.queue_slots.reserve(rows.size());
    for (const TimelineRow& row : rows) {
        out.time_ms.push_back(row.time_ms);
        out.pool.push_back(row.pool);
        out.allocated_slots.push_back(row.allocated_slots);
        out.queue_jobs.push_back(row.queue_jobs);
        out.queue_slots.push_back(row.queue_slots);
    }
    if (std::ranges::any_of(rows, [](const TimelineRow& row) { return row.down_slots > 0; }))
        for (const TimelineRow& row : rows)
            out.down_slots.push_back(row.down_slots);
    if (std::ranges::any_of(rows, [](const TimelineRow& row) { return row.off_slots > 0; }))
        for (const TimelineRow& row : rows)
            out.off_slots.push_back(row.off_slots);
    return out;
}

} // namespace

Result make_result(const Plan& plan,
                   const Labels& labels,
                   const Outcome& outcome,
                   const JobRows& rows,
                   const std::vector<TimelineRow>& timeline,
                   RunFacts facts) {
    assert(outcome.status == RunStatus::ok);
    Result out;
    out.run = valid_utf8(std::move(facts));
    out.zero_utc_ms = labels.zero_utc_ms;
    out.end = outcome.end;
    out.window_begin = outcome.window_begin;
    out.window_end = outcome.window_end;
    out.measure_from = plan.measure_from;
    out.measure_to = plan.measure_to;
    out.ends_by_scenario = plan.until.has_value();
    out.events = outcome.events;
    out.num_started = outcome.num_started;
    out.num_finished = outcome.num_finished;
    out.num_running_at_end = outcome.num_running_at_end;
    out.num_queued_at_end = outcome.num_queued_at_end;
    out.fingerprint = outcome.fingerprint;
    out.pools = pools_of(plan, labels, outcome);
    out.tenants = valid_utf8(labels.tenants);
    out.cells = cells_of(plan, outcome);
    add_grids(plan, outcome, out);
    out.jobs = jobs_of(plan, labels, rows, outcome.end);
    if (!rows.phase.empty()) {
        out.jobs.ideal_ms = ideal_run_times(plan);
        out.metrics = measure(plan, rows, out.jobs.ideal_ms, outcome.end);
        out.metrics.rho = FinishTimeFairness{out}.of_measured(out);
    }
    out.stopped = stopped_of(plan, rows);
    if (!rows.phase.empty())
        out.phases = phases_of(plan, rows.phase.size());
    out.timeline = columns_of(timeline);
    if (const std::string mistake = mistake_in_books(out); !mistake.empty())
        throw ReportError{"a defect of bursar: the books of the run do not balance: " + mistake};
    return out;
}

}} // namespace bursar::reports
